/** Screen 5: the run while it goes on, and the way on when it stopped. */
import { readFile } from "node:fs/promises";
import path from "node:path";

import type { Hono } from "hono";

import { quoteWord } from "../../../base/text/shell-words.ts";
import { readYamlField } from "../../../job/yaml/edit-yaml.ts";
import { stateDirOf } from "../../../kinds/any-job.ts";
import { readLastResult } from "../../../pipeline/standing/last-result.ts";
import { findHolder } from "../../../state/lock.ts";
import type { DeskContext, Screen } from "../../context.ts";
import { CHANGING, findRunning, findTask, manifestOf, openDeskJob } from "../../jobs.ts";
import { startTask } from "../../tasks/start.ts";
import { readStanding } from "../../tasks/tail.ts";
import {
  askToStop,
  isAskedToStop,
  readPid,
  readTask,
  type Task,
  type TaskLine,
} from "../../tasks/task.ts";
import { countIn } from "../../view/figures.tsx";
import { Command, Island, jobPath, NoScriptReload, replyPage, Steps } from "../../view/page.tsx";
import { Fault } from "../../view/problems.tsx";
import type { JobPart } from "../../view/part.ts";
import { wordsFor, type Words } from "../../words/words.ts";
import { readResult } from "../result/verdict.ts";
import { replyEvents } from "./events.ts";
import type { MonitorProps } from "./monitor-props.ts";
import { Go } from "../../../console/view/parts.tsx";

function toPage({ id, request: { manifest, step } }: Task): string {
  const base = jobPath(manifest);
  if (["reprint", "void", "replace", "activate"].includes(step)) return `${base}/result#reprint`;
  if (step === "scan") return `${base}/scan`;
  if (step === "proof") return `${base}/proof`;
  if (step === "compare") return `${base}/new-file?task=${id}`;
  if (step === "verify" || step === "reconcile") return `${base}/result#afterwards`;
  return `${base}/${CHANGING.includes(step) ? "run" : "plan"}`;
}

/** The step of the job that a task belongs to. */
const stepAt = ({ request: { step } }: Task): "plan" | "run" | "result" => {
  if (step === "plan") return "plan";
  return CHANGING.includes(step) ? "run" : "result";
};

function routeTasks(app: Hono, desk: DeskContext): void {
  app.get("/task/:id/events", async (c) => {
    const task = await readTask(desk.folder, c.req.param("id"));
    if (task === undefined) return c.notFound();
    return replyEvents(c, desk, task, { words: wordsFor(c), href: toPage(task) });
  });
  // Steps without a screen of their own are waited for here.
  app.get("/task/:id", async (c) => {
    const task = await readTask(desk.folder, c.req.param("id"));
    if (task === undefined) return c.notFound();
    const { isRunning } = await readStanding(task, desk.clock.nowMs());
    if (!isRunning) return c.redirect(toPage(task), 303);
    const words = wordsFor(c);
    const children = (
      <>
        <Steps words={words} manifest={task.request.manifest} at={stepAt(task)} />
        <h1>{words.run.works[task.request.step] ?? words.run.title}</h1>
        {await Running({ desk, task, words })}
      </>
    );
    return replyPage(c, { desk, title: words.run.title, children, islands: ["monitor"] });
  });
  app.post("/task/:id/stop", async (c) => {
    const task = await readTask(desk.folder, c.req.param("id"));
    if (task === undefined) return c.notFound();
    await askToStop(task);
    return c.redirect(toPage(task), 303);
  });
}

/** The command that stops a task like the button; Windows has none. */
async function listPauses(task: Task): Promise<string[]> {
  const pid = process.platform === "win32" ? undefined : await readPid(task);
  return pid === undefined ? [] : [`kill -INT ${pid}`];
}

/** Kinds of jobs that make no code: theirs exist. */
const CHANGES: ReadonlySet<unknown> = new Set(["redesign", "retarget"]);

/** What the stages of a job are called. */
async function nameStages(folder: string, { request }: Task, { monitor: { stages } }: Words) {
  const file = path.join(folder, request.manifest);
  const kind = await readFile(file, "utf8").then(
    (text) => readYamlField(text, ["kind"])?.value,
    () => undefined,
  );
  return CHANGES.has(kind) ? { ...stages, codes: stages["changes"] ?? "" } : stages;
}

async function Running({ desk, task, words }: { desk: DeskContext; task: Task; words: Words }) {
  const stages = await nameStages(desk.folder, task, words);
  const props: MonitorProps = {
    events: `/task/${task.id}/events`,
    words: { language: words.language, ...words.monitor, stages },
  };
  const isStopping = isAskedToStop(task.dir);
  return (
    <>
      <Island name="monitor" props={props} />
      <NoScriptReload words={words} />
      {isStopping ? <p role="status">{words.run.pausing}</p> : null}
      <form method="post" action={`/task/${task.id}/stop`} class="actions">
        <button disabled={isStopping}>{words.run.pause}</button>
      </form>
    </>
  );
}

/** Why a run that is over has not finished its work. */
const Ended: JobPart<{ readonly last: TaskLine | undefined }> = ({ last, manifest, words }) => {
  const isDead = last?.type !== "result" && last?.type !== "fault";
  // Nothing was begun: only a new plan shows what a run would do.
  const isStale = last?.type === "fault" && last.fault.code === "plan-stale";
  return (
    <>
      {last?.type === "fault" ? <Fault words={words} fault={last.fault} /> : null}
      {last?.type === "fault" ? null : (
        <p class="banner warn">{isDead ? words.run.died : words.run.stopped}</p>
      )}
      <div class="actions">
        {isStale ? null : (
          <form method="post">
            <input type="hidden" name="goOn" value="yes" />
            <button class="main">{words.run.goOn}</button>
          </form>
        )}
        <Go href={`${jobPath(manifest)}/plan`} text={words.run.toPlan} isMain={isStale} />
      </div>
    </>
  );
};

/** The state of a job without a task of a desk. */
const Stands: JobPart<{
  /** Undefined where the desk's own run has not finished. */
  readonly elsewhere: Elsewhere | undefined;
  readonly last: TaskLine | undefined;
}> = ({ elsewhere, last, manifest, words }) => {
  if (elsewhere === undefined) return <Ended last={last} manifest={manifest} words={words} />;
  if (elsewhere.holder !== undefined) return <GoesOn elsewhere={elsewhere} words={words} />;
  if (elsewhere.isUnfinished) return <Ended last={undefined} manifest={manifest} words={words} />;
  return (
    <>
      <p>{words.run.none}</p>
      <Go href={`${jobPath(manifest)}/plan`} text={words.run.toPlan} isMain />
    </>
  );
};

const isFinished = (last: TaskLine | undefined): boolean =>
  last?.type === "result" &&
  (last.result.step === "run" || last.result.step === "undo") &&
  last.result.result.outcome !== "interrupted";

interface Elsewhere {
  /** Who runs it right now. */
  readonly holder: string | undefined;
  /** A run has begun and not come to its end. */
  readonly isUnfinished: boolean;
  readonly hasResult: boolean;
  readonly done: number;
  readonly all: number;
}

/** Of a run by a command or a timer only the finished rows and the result are known. */
async function readElsewhere(desk: DeskContext, manifest: string): Promise<Elsewhere> {
  const opened = await openDeskJob(desk, manifest);
  const { job } = opened;
  const isUnfinished = (await readLastResult(job, desk)) === null;
  const hasResult = (await readResult(desk, manifest, job)) !== undefined;
  const holder = isUnfinished ? findHolder(stateDirOf(job)) : undefined;
  const nothing = { holder, isUnfinished, hasResult, done: 0, all: 0 };
  if (holder === undefined) return nothing;
  const { rows, bad, unfinished } = await opened.status(desk, { looksAtFiles: false });
  const all = Object.values(rows).reduce((sum, count) => sum + count, bad + unfinished);
  return { ...nothing, done: rows["done"] ?? 0, all };
}

const RELOAD_S = "3";

/** A run that goes on, and was begun by a command or a timer. */
function GoesOn({ elsewhere, words }: { elsewhere: Elsewhere; words: Words }) {
  const { holder = "", done, all } = elsewhere;
  const count = countIn(words.language);
  return (
    <>
      <p class="banner" role="status">
        {words.run.elsewhere(holder)}
      </p>
      <p>{words.home.rowsDone(count(done), count(all))}</p>
      <progress value={done} max={Math.max(1, all)} aria-label={words.run.title} />
    </>
  );
}

/** `isOver`: no run of a desk is left to go on. */
async function standOf({ clock }: DeskContext, task: Task | undefined) {
  if (task === undefined) return { last: undefined, isRunning: false, isOver: true };
  const { last, isRunning } = await readStanding(task, clock.nowMs());
  return { last, isRunning, isOver: !isRunning && isFinished(last) };
}

/** Of a run that is under way or did not end; of all others, the next one. */
const stepOf = (task: Task | undefined, isOver: boolean): "retry" | "run" =>
  task?.request.run?.retryFailed === true && !isOver ? "retry" : "run";

/** The last run of a desk was a retry, and did not end: going on is the same retry. */
async function isRetryOpen(desk: DeskContext, manifest: string): Promise<boolean> {
  const task = await findTask(desk, manifest, CHANGING);
  return stepOf(task, (await standOf(desk, task)).isOver) === "retry";
}

export const run: Screen = (app, desk) => {
  routeTasks(app, desk);
  app.post("/job/:manifest/run", async (c) => {
    const manifest = await manifestOf(c, desk);
    // A run that is under way, of another desk or an earlier click, is shown, not doubled.
    if ((await findRunning(desk, manifest)) === undefined) {
      const isGoingOn = (await c.req.parseBody())["goOn"] === "yes";
      const plan = isGoingOn ? undefined : await findTask(desk, manifest, ["plan"]);
      const request = { step: "run", manifest, planTask: plan?.id } as const;
      const retryFailed = isGoingOn && (await isRetryOpen(desk, manifest));
      const { language } = wordsFor(c);
      await startTask({ ...request, language, run: { retryFailed, isConfirmed: true } }, desk);
    }
    return c.redirect(`${jobPath(manifest)}/run`, 303);
  });
  app.get("/job/:manifest/run", async (c) => {
    const manifest = await manifestOf(c, desk);
    const words = wordsFor(c);
    const task = await findTask(desk, manifest, CHANGING);
    const { last, isRunning, isOver } = await standOf(desk, task);
    const elsewhere = isOver ? await readElsewhere(desk, manifest) : undefined;
    if (elsewhere?.hasResult) return c.redirect(`${jobPath(manifest)}/result`, 303);
    if (elsewhere?.holder) c.header("refresh", RELOAD_S);
    const pauses = task !== undefined && isRunning ? await listPauses(task) : [];
    const command = `makeready ${stepOf(task, isOver)} ${quoteWord(manifest)}`;
    const children = (
      <>
        <Steps words={words} manifest={manifest} at="run" />
        <h1>{words.run.title}</h1>
        {task !== undefined && isRunning ? (
          await Running({ desk, task, words })
        ) : (
          <Stands elsewhere={elsewhere} last={last} manifest={manifest} words={words} />
        )}
        <Command words={words} text={[...pauses, command]} />
      </>
    );
    const islands = isRunning ? ["monitor"] : [];
    return replyPage(c, { desk, title: words.run.title, children, islands });
  });
};
