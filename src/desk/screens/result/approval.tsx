/** The customer's proof: chosen labels on pages with the fields to sign, shown and downloadable. */
import path from "node:path";

import type { Context, Hono } from "hono";

import { quoteWord } from "../../../base/text/shell-words.ts";
import { readRanges } from "../../../base/text/number-ranges.ts";
import { isRowJob, type Job } from "../../../kinds/any-job.ts";
import type { DeskContext } from "../../context.ts";
import { fileHref, outputDirOf, showHref, toProofName } from "../../job-files.ts";
import { beginStep, findTask, manifestOf, openDeskJob, readField } from "../../jobs.ts";
import { readLast } from "../../tasks/tail.ts";
import { countIn } from "../../view/figures.tsx";
import { Command, jobPath, replyPage, Steps } from "../../view/page.tsx";
import { Fault, Reason } from "../../view/problems.tsx";
import type { JobSite } from "../../view/part.ts";
import { wordsFor } from "../../words/words.ts";
import { findFile } from "./files.ts";
import { drawPage } from "./page-picture.ts";
import { Pager, pictureHref } from "./show-pdf.tsx";
import { Download } from "../../../console/view/parts.tsx";

export const canProve = (job: Job): boolean => isRowJob(job) && job.output.sheets !== null;

/** The result of the last proof. */
async function Answered({ desk, manifest, words }: JobSite) {
  const task = await findTask(desk, manifest, ["proof"]);
  const last = task === undefined ? undefined : await readLast(task);
  if (last?.type === "fault") return <Fault words={words} fault={last.fault} />;
  if (last?.type !== "result" || last.result.step !== "proof") return null;
  const { labels, picked, warnings } = last.result.proof;
  return (
    <div class={`banner ${warnings.length === 0 ? "good" : "warn"}`} role="status">
      <p>{words.approval.made(countIn(words.language)(labels), picked === "longest")}</p>
      {warnings.map((warning) => (
        <p>
          <Reason text={warning} words={words} />
        </p>
      ))}
    </div>
  );
}

async function Pages({ desk, manifest, job, words }: JobSite, page: number) {
  const dir = outputDirOf(job);
  const file = await findFile(desk, { manifest, job, name: toProofName(job.name) });
  const drawn = file === undefined ? undefined : await drawPage(file, page);
  if (file === undefined || drawn === undefined) return null;
  const said = words.approval;
  return (
    <>
      <p class="actions">
        <Download href={fileHref(manifest, dir, file)} text={said.download} isMain />
      </p>
      <Pager
        page={page}
        pages={drawn.pages}
        href={(to) => `${jobPath(manifest)}/proof?page=${to}`}
        words={words}
      />
      <img
        class="page-picture"
        src={pictureHref(showHref(manifest, dir, file), page)}
        alt={words.result.pageOf(countIn(words.language)(page), toProofName(job.name))}
      />
    </>
  );
}

/** The command that writes the same file. */
function toCommand({ desk, manifest, job }: JobSite, lines: string): string {
  const out = path.relative(desk.folder, path.join(outputDirOf(job), toProofName(job.name)));
  const chosen = lines === "" ? "" : ` --lines ${quoteWord(lines)}`;
  return `makeready sheets proof ${quoteWord(manifest)}${chosen} --out ${quoteWord(out)}`;
}

/** `2-4,9` as the last proof had it. */
async function lastLines({ desk, manifest }: JobSite): Promise<string> {
  const task = await findTask(desk, manifest, ["proof"]);
  return (task?.request.lines ?? []).join(",");
}

async function showProof(c: Context, site: JobSite): Promise<Response> {
  const { desk, manifest, job, words } = site;
  const said = words.approval;
  const page = Number(c.req.query("page") ?? 1);
  const lines = await lastLines(site);
  const pages = await Pages(site, page);
  const children = (
    <>
      <Steps words={words} manifest={manifest} at="result" />
      <h1>{said.title}</h1>
      {canProve(job) ? (
        <>
          <p>{said.hint}</p>
          {await Answered(site)}
          <form method="post">
            <div class="field">
              <label for="lines">{said.lines}</label>
              <input id="lines" name="lines" value={lines} aria-describedby="lines-hint" />
              <p class="hint" id="lines-hint">
                {said.linesHint}
              </p>
            </div>
            <button class={pages === null ? "main" : undefined}>{said.make}</button>
          </form>
          {pages}
          <Command words={words} text={toCommand(site, lines)} />
        </>
      ) : (
        <p>{said.none}</p>
      )}
    </>
  );
  return replyPage(c, { desk, title: said.title, children });
}

export function routeApproval(app: Hono, desk: DeskContext): void {
  app.get("/job/:manifest/proof", async (c) => {
    const manifest = await manifestOf(c, desk);
    const { job } = await openDeskJob(desk, manifest);
    return showProof(c, { desk, manifest, job, words: wordsFor(c) });
  });
  app.post("/job/:manifest/proof", async (c) => {
    const manifest = await manifestOf(c, desk);
    const typed = await readField(c, "lines");
    const lines = typed === "" ? undefined : [...readRanges(typed, wordsFor(c).approval.lines)];
    const { language } = wordsFor(c);
    return beginStep(c, desk, { step: "proof", manifest, lines, language });
  });
}
