/** Screen 6: the result of a job: verdict, files, codes, rows to mend, labels to print again. */
import { existsSync } from "node:fs";
import path from "node:path";

import type { Context } from "hono";
import type { Child } from "hono/jsx";

import { quoteWord } from "../../../base/text/shell-words.ts";
import { isRowJob, type Job } from "../../../kinds/any-job.ts";
import { findLastReport, type LastReport } from "../../../kinds/report/last-report.ts";
import { readVoidOf } from "../../../pipeline/units/list-void.ts";
import { readSince } from "../../../pipeline/files/changed-since.ts";
import { canMend } from "../../../pipeline/mend/mend.ts";
import { findReprints } from "../../../pipeline/reprint/reprints.ts";
import { needsMending, type Output, type RunResult } from "../../../pipeline/results.ts";
import type { OpenJob } from "../../../pipeline/open.ts";
import type { DeskContext, Screen } from "../../context.ts";
import { isUnderWay, manifestOf, openDeskJob, toTexts } from "../../jobs.ts";
import { countIn, Figures, formatMadeAt } from "../../view/figures.tsx";
import { Command, jobPath, replyPage, Steps } from "../../view/page.tsx";
import { Problems } from "../../view/problems.tsx";
import type { JobPart, Part } from "../../view/part.ts";
import { wordsFor, type Words } from "../../words/words.ts";
import { Afterwards, routeAfterwards } from "./afterwards.tsx";
import { readCodes, type CodePage } from "./codes.ts";
import { readCodesSince } from "./codes-since.ts";
import { holdsStill, readLastCheck } from "./proved.tsx";
import { fileHref, outputDirOf, showHref } from "../../job-files.ts";
import { Answers } from "./answers.tsx";
import { toFigures } from "./result-figures.ts";
import { canProve, routeApproval } from "./approval.tsx";
import { NewFile, routeNewFile } from "./new-file.tsx";
import { routeShow } from "./show-pdf.tsx";
import { nameBehind, replyFile } from "./files.ts";
import { MendedLink, MendLink, routeMend } from "./mend.tsx";
import { NextSteps } from "./next-steps.tsx";
import { Reprints, routeReprints } from "./reprints.tsx";
import { readTicks } from "./ticked.ts";
import { readResult } from "./verdict.ts";
import { NoResult, UnderWay, Verdict } from "./show-verdict.tsx";
import { canScan } from "../scan/scan-job.ts";
import { Download, Go } from "../../../console/view/parts.tsx";

function toShown(manifest: string, dir: string, file: string): string | undefined {
  if (file.endsWith(".pdf")) return showHref(manifest, dir, file);
  return file.endsWith(".html") ? fileHref(manifest, dir, file) : undefined;
}

/** Of a file that is there no longer. */
const NO_LINKS = { href: undefined, shown: undefined };

const toLinks = (manifest: string, dir: string, file: string) => ({
  href: fileHref(manifest, dir, file),
  shown: toShown(manifest, dir, file),
});

const FileRow: Part<{
  readonly file: string;
  /** Undefined for a file that is there no longer. */
  readonly href: string | undefined;
  /** Where it is shown in a page. */
  readonly shown: string | undefined;
  readonly role: string;
}> = ({ file, href, shown, role, words }) => {
  const said = words.result;
  return (
    <tr>
      <td>
        {role}
        <br />
        <span class="soft">{path.basename(file)}</span>
      </td>
      <td class="word">
        {shown === undefined ? null : <a href={shown}>{said.show}</a>}{" "}
        {href === undefined ? null : <Download href={href} text={said.download} />}
      </td>
    </tr>
  );
};

interface FilesProps {
  readonly result: RunResult;
  readonly dir: string;
  readonly words: Words;
  readonly manifest: string;
}

/** More PDFs than these are found in the table, and the page says so. */
const MAIN_FILES = 3;

/** The PDFs to print come first; one that is gone leads nowhere. */
function Sheets({ result, dir, words, manifest }: FilesProps) {
  const all = result.files.filter(({ role, file }) => role === "sheets" && existsSync(file));
  const sheets = all.slice(0, MAIN_FILES);
  if (sheets.length === 0) return null;
  const count = countIn(words.language);
  return (
    <div class="actions">
      {sheets.map(({ file }) => (
        <Download
          href={fileHref(manifest, dir, file)}
          text={words.result.downloadFile(path.basename(file))}
          isMain
        />
      ))}
      {all.length === sheets.length ? null : (
        <span>{words.result.moreSheets(count(all.length), count(sheets.length))}</span>
      )}
    </div>
  );
}

function Files({
  result,
  reprints,
  dir,
  words,
  manifest,
}: FilesProps & { readonly reprints: readonly string[] }) {
  const { roles, rowsWithoutFiles, printedAgain } = words.result;
  const roleOf = ({ role }: Output): string | undefined =>
    role === "failed-rows" && !needsMending(result) ? rowsWithoutFiles : roles[role];
  const files = result.files.filter(({ role }) => role !== "artwork");
  const lines = [
    ...files.map((output) => ({
      file: output.file,
      role: roleOf(output) ?? output.role,
      isGone: output.role === "removed" || !existsSync(output.file),
    })),
    ...reprints.map((file) => ({ file, role: printedAgain, isGone: false })),
  ];
  if (lines.length === 0) return null;
  return (
    <>
      <h2>{words.result.files}</h2>
      <div class="scroll">
        <table class="files">
          <tbody>
            {lines.map(({ file, role, isGone }) => (
              <FileRow
                file={file}
                {...(isGone ? NO_LINKS : toLinks(manifest, dir, file))}
                role={role}
                words={words}
              />
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

const Contacts: JobPart<{ readonly page: CodePage; readonly after: number }> = ({
  page,
  after,
  manifest,
  words,
}) => {
  if (page.tiles.length === 0) return null;
  const base = jobPath(manifest);
  return (
    <>
      <h2 id="codes">{words.result.codes}</h2>
      <ul class="contact">
        {page.tiles.map(({ name, key, picture, shortLink }) => (
          <li>
            <div class="tile">
              {picture === undefined ? (
                words.result.noPicture
              ) : (
                <img
                  src={`${base}/files/${picture.split("/").map(encodeURIComponent).join("/")}`}
                  alt=""
                  loading="lazy"
                />
              )}
            </div>
            <span>{name || key}</span>
            {shortLink === null ? null : (
              <span class="soft">{shortLink.replace(/^https?:\/\//u, "")}</span>
            )}
          </li>
        ))}
      </ul>
      <p class="actions">
        {after < 0 ? null : <a href={`${base}/result#codes`}>{words.result.earlier}</a>}
        {page.next === undefined ? null : (
          <a href={`${base}/result?after=${page.next}#codes`}>{words.result.more}</a>
        )}
      </p>
    </>
  );
};

/** Other actions for the job. */
function Ways({ job, manifest, words }: { job: Job; manifest: string; words: Words }) {
  const base = jobPath(manifest);
  return (
    <div class="actions">
      <form method="post" action={`${base}/plan`}>
        <button>{words.result.again}</button>
      </form>
      {canProve(job) ? <Go href={`${base}/proof`} text={words.approval.title} /> : null}
      {canProve(job) ? <Go href={`${base}/printer`} text={words.label.printer.title} /> : null}
      {canScan(job) ? <Go href={`${base}/scan`} text={words.scan.title} /> : null}
      <Go href={`${base}/schedule`} text={words.schedule.title} />
    </div>
  );
}

/** When the last report was made, by a desk, a command or a timer. */
const Made: Part<{ readonly last: LastReport | undefined }> = ({ last, words }) =>
  last === undefined ? null : (
    <p>{words.reports.made(formatMadeAt(last.madeMs, words.language))}</p>
  );

/** What the problems of a result are about. */
function toTitle(result: RunResult, { language, result: said }: Words): string {
  const { notDone = 0 } = result;
  if (notDone > 0) return said.notPutBack(countIn(language)(notDone));
  return needsMending(result) ? said.problems : said.rowsWithoutFiles;
}

/** Rows that the run could not use, and the way to mend them. */
const RowsThatFailed: JobPart<{ readonly result: RunResult; readonly job: Job }> = ({
  result,
  job,
  manifest,
  words,
}) => {
  const { problems, problemCount, failed, bad, did } = result;
  const toMend = needsMending(result) ? bad + (did === "run" ? failed : 0) : 0;
  return (
    <>
      {problems.length === 0 ? null : <h2>{toTitle(result, words)}</h2>}
      <Problems words={words} problems={problems} count={problemCount} />
      {toMend === 0 ? (
        <MendedLink job={job} manifest={manifest} words={words} />
      ) : (
        <MendLink job={job} manifest={manifest} rows={toMend} words={words} />
      )}
    </>
  );
};

interface EndedProps {
  readonly c: Context;
  readonly desk: DeskContext;
  readonly opened: Pick<OpenJob, "job" | "server">;
  readonly manifest: string;
  readonly words: Words;
  readonly hasCodes: boolean;
  readonly status: Child;
  readonly contacts: Child;
  readonly refused: string | undefined;
}

/** What the form of the labels has sent: of another sheet, or of what was refused. */
async function readChosen(c: Context, refused: string | undefined) {
  const form = c.req.method === "POST" ? await c.req.parseBody({ all: true }) : {};
  const first = (name: string): string | undefined => toTexts(form[name])[0];
  const shown = Number(first("sheet") ?? 1);
  const typed = refused === undefined ? Number(first("to") ?? shown) : shown;
  const asked = c.req.query("sheet");
  return {
    sheet: asked === undefined ? typed || shown : Number(asked),
    file: c.req.query("pdf") ?? first("from"),
    ticks: readTicks(form),
    start: first("start") ?? c.req.query("start") ?? "1",
    reason: first("reason") ?? c.req.query("reason") ?? "",
    refused,
  };
}

/** Of a job whose last run has ended, or that never ran. */
async function Ended({ c, desk, opened, manifest, words, ...parts }: EndedProps) {
  const { job, server } = opened;
  const dir = outputDirOf(job);
  const gone = isRowJob(job) ? await readVoidOf({ job, server }, desk) : new Set<string>();
  const found = await readResult(desk, manifest, job);
  const since = await readSince({ job, server }, desk);
  const codes = await readCodesSince({ job, server }, desk);
  const checked = found && (await readLastCheck(desk, { manifest, job }, found));
  const check = checked && holdsStill(checked, since) ? checked : undefined;
  const reprints = isRowJob(job) ? await findReprints(job, desk) : [];
  const chosen = await readChosen(c, parts.refused);
  const isNoneTicked = c.req.query("none") !== undefined;
  return (
    <>
      {found === undefined ? (
        <NoResult hasCodes={parts.hasCodes} manifest={manifest} words={words} />
      ) : (
        <>
          <Verdict
            {...{ result: found, manifest, words }}
            since={{ since, codes, check }}
            server={server.baseUrl}
          />
          {job.kind === "report" ? <Made last={await findLastReport(job)} words={words} /> : null}
          <Figures figures={toFigures(found, words)} />
          <NextSteps result={found} manifest={manifest} words={words} />
          <Sheets result={found} dir={dir} words={words} manifest={manifest} />
          <RowsThatFailed result={found} job={job} manifest={manifest} words={words} />
          <Files {...{ result: found, reprints, dir, words, manifest }} />
        </>
      )}
      {parts.status}
      {await Answers({ desk, opened, manifest, words })}
      {await Reprints({ desk, manifest, job, dir, gone, words, isNoneTicked, ...chosen })}
      <Ways job={job} manifest={manifest} words={words} />
      {parts.contacts}
      {canMend(job) ? await NewFile({ desk, manifest, words }) : null}
      {found === undefined
        ? null
        : await Afterwards({ desk, manifest, job, dir, last: found, check, words })}
    </>
  );
}

async function showResult(c: Context, desk: DeskContext, refused?: string): Promise<Response> {
  const manifest = await manifestOf(c, desk);
  const words = wordsFor(c);
  const { job, server } = await openDeskJob(desk, manifest);
  const after = Number(c.req.query("after") ?? -1);
  const isLive = await isUnderWay(desk, manifest, job);
  const page = await readCodes(desk, job, Number.isSafeInteger(after) ? after : -1);
  const contacts = <Contacts page={page} after={after} manifest={manifest} words={words} />;
  const status = <Command words={words} text={`makeready status ${quoteWord(manifest)}`} />;
  const hasCodes = page.tiles.length > 0;
  const show = {
    c,
    desk,
    opened: { job, server },
    manifest,
    words,
    hasCodes,
    status,
    contacts,
    refused,
  };
  const children = (
    <>
      <Steps words={words} manifest={manifest} at="result" />
      <h1>{job.name}</h1>
      {isLive ? (
        <>
          <UnderWay manifest={manifest} words={words} />
          {status}
          {contacts}
        </>
      ) : (
        await Ended(show)
      )}
    </>
  );
  // A browser goes back to a page that was sent for only where it may keep that.
  if (c.req.method === "POST") c.header("cache-control", "private, no-cache");
  return replyPage(
    c,
    { desk, title: words.result.title, children },
    refused === undefined ? 200 : 400,
  );
}

export const result: Screen = (app, desk) => {
  routeReprints(app, desk, (c, refused) => showResult(c, desk, refused));
  routeAfterwards(app, desk);
  routeMend(app, desk);
  routeApproval(app, desk);
  routeNewFile(app, desk);
  routeShow(app, desk);
  app.get("/job/:manifest/files/*", async (c) => {
    const manifest = await manifestOf(c, desk);
    const { job } = await openDeskJob(desk, manifest);
    const name = nameBehind(c, `${jobPath(manifest)}/files/`);
    return replyFile(c, desk, { manifest, job, name });
  });
  // A form that shows another sheet sends what is ticked on this one.
  app.on(["GET", "POST"], "/job/:manifest/result", (c) => showResult(c, desk));
};
