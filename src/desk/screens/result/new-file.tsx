/** A new spreadsheet for a job: the difference first, then it takes the place of the old one. */
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import path from "node:path";

import type { Context, Hono } from "hono";

import { writeNewFileAtomic } from "../../../base/files/atomic-file.ts";
import { AppError, badUsage } from "../../../base/errors.ts";
import { quoteWord, toCommandLine } from "../../../base/text/shell-words.ts";
import type { YamlEdit } from "../../../job/yaml/edit-yaml.ts";
import { canMend } from "../../../pipeline/mend/mend.ts";
import { findUnreadable, type SourceJob } from "../../../pipeline/source/source.ts";
import type { DeskContext } from "../../context.ts";
import { editJob, toSetCommand } from "../../edit-job.ts";
import { resolveInside } from "../../folder.ts";
import { beginStep, manifestOf, openDeskJob, readField } from "../../jobs.ts";
import { refuseTokenFile } from "../../token-files.ts";
import { startTask } from "../../tasks/start.ts";
import { readStanding } from "../../tasks/tail.ts";
import { readTask, type Task, type TaskRequest } from "../../tasks/task.ts";
import { Command, jobPath, replyPage, Steps } from "../../view/page.tsx";
import { Fault } from "../../view/problems.tsx";
import type { Part } from "../../view/part.ts";
import { wordsFor, type Words } from "../../words/words.ts";
import { lookAtSource } from "../new/columns.ts";
import { isThere } from "../new/save.ts";
import {
  isUpload,
  keepUpload,
  listOtherSpreadsheets,
  listSpreadsheets,
  OFFERED_FILES,
} from "../new/uploads.ts";
import { isYounger } from "../plan/answer.ts";
import { PlanView } from "../plan/plan-view.tsx";
import { Go } from "../../../console/view/parts.tsx";

/** The nth name beside the manifest for a file that was sent. */
function nameBeside(manifest: string, source: string, n: number): string {
  const { dir, name } = path.posix.parse(manifest);
  return path.posix.join(dir, `${name}-${n}${path.extname(source)}`);
}

/** The commands that take the file. */
function toTakeCommands(folder: string, { manifest, source = "", sheet }: TaskRequest): string[] {
  if (!isUpload(source)) return [toSetCommand(manifest, toEdits(manifest, source, sheet))];
  for (let n = 2; ; n += 1) {
    const target = nameBeside(manifest, source, n);
    if (existsSync(path.join(folder, target))) continue;
    const copy = toCommandLine(["cp", source, target]);
    return [copy, toSetCommand(manifest, toEdits(manifest, target, sheet))];
  }
}

/** Where a file that was sent is put: beside the manifest, under a name that is free. */
async function placeBeside(folder: string, manifest: string, source: string): Promise<string> {
  if (!isUpload(source)) return source;
  const from = await resolveInside(folder, source);
  for (let n = 2; ; n += 1) {
    const target = nameBeside(manifest, source, n);
    try {
      await writeNewFileAtomic(await resolveInside(folder, target), await readFile(from));
      return target;
    } catch (error) {
      if (!isThere(error)) throw error;
    }
  }
}

const toRelative = (manifest: string, source: string): string =>
  path.posix.relative(path.posix.dirname(manifest), source);

const toEdits = (manifest: string, source: string, sheet: string | undefined): YamlEdit[] => [
  { path: ["source", "file"], value: toRelative(manifest, source) },
  ...(sheet === undefined ? [] : [{ path: ["source", "sheet"], value: sheet }]),
];

/**
 * The sheet of a workbook that New job would take, where the job names none and its first sheet, which a run
 * reads, has not the job's columns: it may be a cover. What can't be read is told by the comparison.
 */
async function pickSheet(
  { folder }: DeskContext,
  job: SourceJob,
  source: string,
): Promise<string | undefined> {
  if (job.source.sheet !== null || !/\.xls[xm]$/iu.test(source)) return undefined;
  const file = await resolveInside(folder, source);
  const first = await findUnreadable({ ...job, source: { ...job.source, file } });
  if (first.length === 0) return undefined;
  const look = await lookAtSource(folder, source).catch((error: unknown) => {
    if (!(error instanceof AppError)) throw error;
  });
  return look?.isGuessed === true ? (look.sheetName ?? undefined) : undefined;
}

/** Another tab may have given the job another file, or changed its label. */
const isPast = ({ folder }: DeskContext, task: Task): Promise<boolean> => {
  const { manifest, source = "" } = task.request;
  return isYounger([path.join(folder, manifest), path.join(folder, source)], task);
};

/** In place of a difference that may be another one by now. */
const CompareAgain: Part<{ readonly task: Task }> = ({ task, words }) => (
  <>
    <p class="banner warn" role="status">
      {words.newFile.past}
    </p>
    <form
      method="post"
      action={`${jobPath(task.request.manifest)}/new-file`}
      enctype="multipart/form-data"
      class="actions"
    >
      <input type="hidden" name="source" value={task.request.source ?? ""} />
      <button class="main">{words.newFile.compareAgain}</button>
      <Go href={`${jobPath(task.request.manifest)}/result`} text={words.newFile.leave} />
    </form>
  </>
);

const Difference: Part<{
  readonly folder: string;
  readonly task: Task;
  readonly last: Awaited<ReturnType<typeof readStanding>>["last"];
}> = ({ folder, task, last, words }) => {
  const said = words.newFile;
  const { manifest, source = "", sheet } = task.request;
  const leave = <Go href={`${jobPath(manifest)}/result`} text={said.leave} />;
  if (last?.type !== "result" || last.result.step !== "compare") {
    return (
      <>
        {last?.type === "fault" ? (
          <Fault words={words} fault={last.fault} />
        ) : (
          <p class="banner warn">{words.run.died}</p>
        )}
        <p class="actions">{leave}</p>
      </>
    );
  }
  const set = [
    `source.file=${toRelative(manifest, source)}`,
    ...(sheet === undefined ? [] : [`source.sheet=${JSON.stringify(sheet)}`]),
  ].flatMap((one) => ["--set", quoteWord(one)]);
  return (
    <>
      <p>{said.difference}</p>
      <PlanView plan={last.result.plan} job={undefined} manifest={manifest} words={words} />
      <form method="post" action={`${jobPath(manifest)}/new-file/take`} class="actions">
        <input type="hidden" name="task" value={task.id} />
        <button class="main">{said.take}</button>
        {leave}
      </form>
      <Command
        words={words}
        text={[
          `makeready plan ${quoteWord(manifest)} ${set.join(" ")}`,
          ...toTakeCommands(folder, task.request),
        ]}
      />
    </>
  );
};

/** What was found of a file that was sent, with its own name in place of the one that it is kept under. */
function underSentName<T>(told: T, { source = "", sentAs }: TaskRequest): T {
  if (sentAs === undefined) return told;
  const own = JSON.stringify(path.basename(sentAs)).slice(1, -1);
  return JSON.parse(JSON.stringify(told).replaceAll(path.basename(source), () => own)) as T;
}

async function replyDifference(c: Context, desk: DeskContext, task: Task): Promise<Response> {
  const words = wordsFor(c);
  const { manifest } = task.request;
  const { last: told, isRunning } = await readStanding(task, desk.clock.nowMs());
  if (isRunning) return c.redirect(`/task/${task.id}`, 303);
  const last = told && underSentName(told, task.request);
  const title = words.newFile.title;
  const { folder } = desk;
  const children = (
    <>
      <Steps words={words} manifest={manifest} at="result" />
      <h1>{title}</h1>
      {(await isPast(desk, task)) ? (
        <CompareAgain task={task} words={words} />
      ) : (
        <Difference folder={folder} task={task} last={last} words={words} />
      )}
    </>
  );
  return replyPage(c, { desk, title, children });
}

/** The place where a new file is sent or picked. */
export async function NewFile({
  desk,
  manifest,
  words,
}: {
  desk: DeskContext;
  manifest: string;
  words: Words;
}) {
  const said = words.newFile;
  const files = await listSpreadsheets(desk.folder);
  const others = await listOtherSpreadsheets(desk.folder);
  return (
    <section id="new-file">
      <h2>{said.title}</h2>
      <p>{said.hint}</p>
      <form method="post" action={`${jobPath(manifest)}/new-file`} enctype="multipart/form-data">
        <div class="fields">
          <div class="field">
            <label for="new-file-sent">{words.wizard.choose}</label>
            <input id="new-file-sent" type="file" name="file" accept={OFFERED_FILES} />
          </div>
          <div class="field">
            <label for="new-file-picked">{words.wizard.inFolder}</label>
            <select id="new-file-picked" name="source">
              <option value="">{words.common.none}</option>
              {files.map((name) => (
                <option value={name}>{name}</option>
              ))}
            </select>
          </div>
        </div>
        {others.length === 0 ? null : (
          <p class="soft">{words.wizard.saveFirst(others.join(", "))}</p>
        )}
        <button>{said.compare}</button>
      </form>
    </section>
  );
}

async function readChosen(
  c: Context,
  desk: DeskContext,
): Promise<Pick<TaskRequest, "source" | "sentAs">> {
  const { file, source } = await c.req.parseBody();
  // Browsers send a field that was left alone as a file without a name.
  if (file instanceof File && file.name !== "") {
    if (file.size === 0) throw badUsage(`source must have rows, got an empty file: ${file.name}`);
    return { source: await keepUpload(desk.folder, file, desk.clock.nowMs()), sentAs: file.name };
  }
  if (typeof source !== "string" || source === "") {
    throw badUsage("a file must be sent or chosen, got none");
  }
  await resolveInside(desk.folder, source);
  await refuseTokenFile(desk.folder, source);
  return { source };
}

export function routeNewFile(app: Hono, desk: DeskContext): void {
  app.post("/job/:manifest/new-file", async (c) => {
    const manifest = await manifestOf(c, desk);
    const { job } = await openDeskJob(desk, manifest);
    if (!canMend(job)) throw badUsage("the job must have a spreadsheet, got none");
    const chosen = await readChosen(c, desk);
    const sheet = await pickSheet(desk, job, chosen.source ?? "");
    return beginStep(c, desk, { step: "compare", manifest, ...chosen, sheet });
  });
  app.get("/job/:manifest/new-file", async (c) => {
    const id = c.req.query("task");
    if (id === undefined) return c.redirect(`${jobPath(await manifestOf(c, desk))}/result`, 303);
    const task = await readTask(desk.folder, id);
    if (task?.request.step !== "compare") return c.notFound();
    return replyDifference(c, desk, task);
  });
  app.post("/job/:manifest/new-file/take", async (c) => {
    const manifest = await manifestOf(c, desk);
    const id = await readField(c, "task");
    const task = await readTask(desk.folder, id);
    if (task?.request.source === undefined || task.request.manifest !== manifest)
      return c.notFound();
    if (await isPast(desk, task))
      return c.redirect(`${jobPath(manifest)}/new-file?task=${task.id}`, 303);
    const source = await placeBeside(desk.folder, manifest, task.request.source);
    await editJob(desk, manifest, toEdits(manifest, source, task.request.sheet));
    await startTask({ step: "plan", manifest }, desk);
    return c.redirect(`${jobPath(manifest)}/plan`, 303);
  });
}
