/** Printed sheets checked: scans and photos are sent, each label is named good or spoiled (docs/scan-back.md). */
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import path from "node:path";

import type { Context } from "hono";

import { badUsage } from "../../../base/errors.ts";
import { hashFile } from "../../../base/files/hash-file.ts";
import { isRowJob } from "../../../kinds/any-job.ts";
import type { OpenJob } from "../../../pipeline/open.ts";
import {
  findSpoiledLeft,
  listSpoiled,
  type SpoiledLeft,
} from "../../../pipeline/units/spoiled-left.ts";
import type { DeskContext, Screen } from "../../context.ts";
import { isFileOf } from "../../folder.ts";
import { fileHref, outputDirOf, showHref } from "../../job-files.ts";
import { beginStep, findTask, manifestOf, openDeskJob, readField } from "../../jobs.ts";
import { readStanding } from "../../tasks/tail.ts";
import {
  isAskedToStop,
  readTask,
  TASK_FILES,
  type MarkWish,
  type Task,
  type TaskResult,
} from "../../tasks/task.ts";
import { countIn } from "../../view/figures.tsx";
import { Command, jobPath, NoEnter, replyPage, Steps } from "../../view/page.tsx";
import { Fault, Problems } from "../../view/problems.tsx";
import type { JobSite } from "../../view/part.ts";
import { wordsFor } from "../../words/words.ts";
import { policyOf, VoidChoice } from "../result/units.tsx";
import { canScan, toNextCommand, toScanCommand } from "./scan-job.ts";
import { Found } from "./scan-result.tsx";
import { keepPictures } from "./sent-pictures.ts";
import { Download, Go } from "../../../console/view/parts.tsx";

interface Site extends JobSite {
  readonly server: OpenJob["server"];
  /** The last check. */
  readonly task: Task | undefined;
}

type Scanned = Extract<TaskResult, { step: "scan" }>;

/** Whether `spoiled.csv` is still that of the check: only then may buttons act on it. */
async function isCurrent({ scan: { file }, sha256 }: Scanned): Promise<boolean> {
  if (file === undefined || !existsSync(file)) return false;
  return (await hashFile(file)) === sha256;
}

/** Labels that were printed again or taken out of use since, and where they stand. */
function Since({ now, site }: { readonly now: SpoiledLeft; readonly site: Site }) {
  const { manifest, job, words } = site;
  const { again, dead, files, earlier, earlierFiles } = now;
  const count = countIn(words.language);
  const dir = outputDirOf(job);
  if (again + dead + earlier === 0) return null;
  return (
    <div class="banner" role="status">
      {again === 0 ? null : <p>{words.scan.printedAgain(count(again))}</p>}
      {earlier === 0 ? null : <p>{words.scan.printedEarlier(count(earlier))}</p>}
      {[...new Set([...files, ...earlierFiles])].map((file) => (
        <p>
          <a href={showHref(manifest, dir, file)}>{path.basename(file)}</a>{" "}
          <Download href={fileHref(manifest, dir, file)} text={words.result.download} />
        </p>
      ))}
      {dead === 0 ? null : <p>{words.units.already(count(dead))}</p>}
    </div>
  );
}

/** The buttons for spoiled labels, by the job's policy. */
function Actions({ manifest, job, words }: Site) {
  const said = words.scan;
  const policy = policyOf(job);
  const base = `${jobPath(manifest)}/scan`;
  return (
    <>
      <form method="post" action={`${base}/replace`}>
        <NoEnter />
        {policy === "forbidden" ? null : (
          <button class="main">{policy === "new" ? said.replace : said.printAgain}</button>
        )}
        <VoidChoice manifest={manifest} words={words} action={`${base}/void`} />
      </form>
      <Command words={words} text={toNextCommand(manifest, policy)} />
    </>
  );
}

/** What became of spoiled labels, and what can be done about those that are left. */
async function Next({ site, found }: { readonly site: Site; readonly found: Scanned }) {
  const { desk, manifest, job, server, words } = site;
  const { file, address = [] } = found.scan;
  const spoiled = listSpoiled(found.scan);
  // Labels that lead nowhere are not printed again.
  const isMoved = address.length > 0;
  if (spoiled.length === 0 || file === undefined || !isRowJob(job)) return null;
  const said = words.scan;
  const now = await findSpoiledLeft({ job, server }, spoiled, desk);
  const isOurs = await isCurrent(found);
  return (
    <>
      <Since now={now} site={site} />
      {isOurs ? (
        <p>
          <Download href={fileHref(manifest, outputDirOf(job), file)} text={said.download} />
        </p>
      ) : (
        <p class="banner warn" role="alert">
          {said.old}
        </p>
      )}
      {now.left > 0 && isOurs && !isMoved ? <Actions {...site} /> : null}
    </>
  );
}

/** The result of the last check. */
async function Checked(site: Site) {
  const { desk, manifest, words, task } = site;
  if (task === undefined) return null;
  const said = words.scan;
  const { last, isRunning } = await readStanding(task, desk.clock.nowMs());
  if (isRunning) {
    return (
      <p class="banner" role="status">
        {said.running} <a href={`/task/${task.id}`}>{said.watch}</a>
      </p>
    );
  }
  if (last?.type === "fault" && !isAskedToStop(task.dir)) {
    return <Fault words={words} fault={last.fault} />;
  }
  if (last?.type !== "result" || last.result.step !== "scan") {
    return <p class="banner warn">{isAskedToStop(task.dir) ? said.stopped : said.died}</p>;
  }
  const { scan, warnings = [] } = last.result;
  return (
    <>
      <Problems words={words} problems={warnings} label={words.plan.warnings} />
      <Found scan={scan} words={words} manifest={manifest} task={task.id}>
        {await Next({ site, found: last.result })}
      </Found>
    </>
  );
}

/** Of the last check, as long as they are kept. */
const keptOf = ({ folder }: DeskContext, task: Task | undefined): string[] =>
  (task?.request.files ?? []).filter((file) => existsSync(path.join(folder, file)));

function SendForm({ desk, manifest, words, task }: Site) {
  const said = words.scan;
  const kept = keptOf(desk, task);
  return (
    <form method="post" action={`${jobPath(manifest)}/scan`} enctype="multipart/form-data">
      {kept.length === 0 ? null : (
        <label class="tick">
          <input type="checkbox" name="more" value="yes" />{" "}
          {said.add(countIn(words.language)(kept.length))}
        </label>
      )}
      <div class="drop" data-drop={said.drop}>
        <label for="pictures">{said.pictures}</label>
        <input
          id="pictures"
          type="file"
          name="file"
          accept=".png,.jpg,.jpeg,.tif,.tiff,.webp,.pdf"
          multiple
          required
          aria-describedby="pictures-how"
        />
        <p class="soft" id="pictures-how">
          {said.how}
        </p>
        <button class="main">{said.send}</button>
      </div>
    </form>
  );
}

async function showScan(c: Context, site: Site): Promise<Response> {
  const { desk, manifest, job, words, task } = site;
  const said = words.scan;
  const children = (
    <>
      <Steps words={words} manifest={manifest} at="result" />
      <h1>{said.title}</h1>
      {canScan(job) ? (
        <>
          <p>{said.hint}</p>
          {await Checked(site)}
          <SendForm {...site} />
          <Command words={words} text={toScanCommand(manifest, task?.request.files ?? [])} />
        </>
      ) : (
        <>
          <p>{said.none}</p>
          <Go href={`${jobPath(manifest)}/plan`} text={words.run.toPlan} isMain />
        </>
      )}
    </>
  );
  return replyPage(c, { desk, title: said.title, children, islands: ["drop"] });
}

async function siteOf(c: Context, desk: DeskContext): Promise<Site> {
  const manifest = await manifestOf(c, desk);
  const { job, server } = await openDeskJob(desk, manifest);
  const task = await findTask(desk, manifest, ["scan"]);
  return { desk, manifest, job, server, words: wordsFor(c), task };
}

/** The pictures of a form. Throws `bad-usage` where it sent none. */
async function readPictures(c: Context): Promise<{ sent: File[]; isMore: boolean }> {
  const form = await c.req.parseBody({ all: true });
  const sent = [form["file"]]
    .flat()
    .filter((one): one is File => one instanceof File && one.name !== "");
  if (sent.length === 0) {
    throw badUsage(
      "scans or photos must be sent, got none",
      "go back and choose the pictures of the printed sheets",
    );
  }
  return { sent, isMore: form["more"] === "yes" };
}

/** Marks the labels of `spoiled.csv`, as long as it is the one that the page showed. */
function routeNext(app: Parameters<Screen>[0], desk: DeskContext): void {
  for (const step of ["void", "replace"] as const) {
    app.post(`/job/:manifest/scan/${step}`, async (c) => {
      const { manifest, task } = await siteOf(c, desk);
      const last =
        task === undefined ? undefined : (await readStanding(task, desk.clock.nowMs())).last;
      const isShown =
        last?.type === "result" && last.result.step === "scan" && (await isCurrent(last.result));
      // The page says why.
      if (!isShown) return c.redirect(`${jobPath(manifest)}/scan`, 303);
      const reason = await readField(c, "reason");
      const isReasoned = step === "void" && reason !== "";
      const mark: MarkWish = { keys: [], isSpoiled: true, ...(isReasoned && { reason }) };
      return beginStep(c, desk, { step, manifest, mark });
    });
  }
}

const CUT = /^[0-9a-f]{32}\.png$/u;

export const scan: Screen = (app, desk) => {
  routeNext(app, desk);
  app.get("/job/:manifest/scan", async (c) => showScan(c, await siteOf(c, desk)));
  app.post("/job/:manifest/scan", async (c) => {
    const { manifest, task } = await siteOf(c, desk);
    const { sent, isMore } = await readPictures(c);
    const files = await keepPictures(desk, sent, isMore ? keptOf(desk, task) : []);
    return beginStep(c, desk, { step: "scan", manifest, files });
  });
  app.get("/job/:manifest/scan/label/:name", async (c) => {
    const manifest = await manifestOf(c, desk);
    const name = c.req.param("name");
    const task = await readTask(desk.folder, c.req.query("task") ?? "");
    if (!CUT.test(name) || task?.request.manifest !== manifest) return c.notFound();
    const file = path.join(task.dir, TASK_FILES.cuts, name);
    if (!(await isFileOf(task.dir, file))) return c.notFound();
    return c.body(await readFile(file), 200, { "content-type": "image/png" });
  });
};
