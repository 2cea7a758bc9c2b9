/** Where a job stands, in few words: the running task, the newest plan, the last run. */
import path from "node:path";

import { sayPressWarning, toPressProblems } from "../../base/shapes/press-warning.ts";
import type { Problem } from "../../base/errors.ts";
import { cutText, formatMany } from "../../base/text/words.ts";
import { showCommands } from "../../base/text/program-words.ts";
import { readSince } from "../../pipeline/files/changed-since.ts";
import type { OpenJob } from "../../pipeline/open.ts";
import type { JobPlan } from "../../pipeline/results.ts";
import type { DeskContext } from "../context.ts";
import { CHANGING, findTask, openDeskJob } from "../jobs.ts";
import { readAnswer, type Answer } from "../screens/plan/answer.ts";
import { markOfPlan } from "../screens/plan/rehearsal-mark.ts";
import { listPlanned } from "../screens/plan/planned-files.ts";
import { sayNext } from "../screens/result/next-steps.tsx";
import { readCodesSince } from "../screens/result/codes-since.ts";
import { judge, readResult } from "../screens/result/verdict.ts";
import { readStanding } from "../tasks/tail.ts";
import type { Task, TaskLine } from "../tasks/task.ts";
import { programOf } from "../view/page.tsx";
import { toPlace } from "../view/problems.tsx";
import { en } from "../words/en.ts";
import { sayNotes } from "../words/notes.ts";

type Json = Record<string, unknown>;

/** Sentences and files of an answer; how many are left out is said. */
const MOST_SAID = 12;

function toFew(all: readonly string[], thing: string): string[] {
  const shown = all.slice(0, MOST_SAID).map((one) => cutText(one, 300));
  const left = all.length - shown.length;
  return left === 0 ? shown : [...shown, `and ${formatMany(left, `more ${thing}`)}`];
}

const sayProblem = (problem: Problem): string =>
  [toPlace(problem, en), problem.message].filter((part) => part !== "").join(": ");

/** Why a plan can't be run; undefined where it can. */
export function toRefusal({ plan, isMaking, stale, isRun, last }: Answer): string | undefined {
  if (isMaking) return "the plan must be made first, and that still goes on";
  if (plan === undefined)
    return last?.type === "fault" ? last.fault.message : "the plan must have come to its end";
  if (stale) return en.plan.stale;
  return isRun ? en.plan.isRun : undefined;
}

const needsYes = ({ notes }: JobPlan): boolean => notes.some(({ code }) => code === "needs-yes");

function sayPlan(answer: Answer): Json | null {
  const { plan, task } = answer;
  if (plan === undefined || task === undefined) return null;
  const { summary } = plan;
  const why = toRefusal(answer);
  const said = [
    ...(plan.isRehearsal ? [en.plan.rehearsal(markOfPlan(plan))] : []),
    ...(plan.hasWork ? [] : [plan.kind === "report" ? en.reports.plan : en.plan.nothing]),
    ...[...plan.warnings, ...toPressProblems(plan.press)].map(sayProblem),
    ...sayNotes(en.notes, plan.notes),
    ...summary.problems.map(sayProblem),
  ];
  return {
    id: task.id,
    can_run: why === undefined,
    why_not: why ?? null,
    needs_confirmation: needsYes(plan),
    is_rehearsal: plan.isRehearsal,
    server: plan.baseUrl ?? en.plan.embedded,
    rows: summary.rows,
    creates: summary.creates,
    changes: summary.updates + summary.restyles + summary.retags,
    unchanged: summary.unchanged,
    refused: summary.bad,
    sheets: plan.sheetPages,
    files: toFew(listPlanned(plan, en), "file"),
    writes: summary.writes,
    says: toFew(said, "sentence"),
  };
}

async function sayResult(
  desk: DeskContext,
  manifest: string,
  { job, server }: OpenJob,
): Promise<Json | null> {
  const result = await readResult(desk, manifest, job);
  if (result === undefined) return null;
  const { folder } = desk;
  const [, verdict] = judge(result, en, {
    since: await readSince({ job, server }, desk),
    codes: await readCodesSince({ job, server }, desk),
  });
  const { press, problems, proof } = result;
  const next = result.next.map((step) => sayNext(step, en, result.kind));
  const said = [
    ...(press?.warnings ?? []).map(sayPressWarning),
    ...next.filter((says) => says !== undefined),
    ...problems.map(sayProblem),
  ];
  const files = result.files.map(({ file }) =>
    path.relative(folder, file).split(path.sep).join("/"),
  );
  return {
    outcome: `${result.did}: ${result.outcome}`,
    verdict,
    rows: result.rows,
    created: result.created,
    changed: result.changed,
    unchanged: result.unchanged,
    failed: result.failed + result.bad,
    codes: proof?.codes ?? 0,
    codes_read: proof?.decoded ?? 0,
    codes_compared: proof?.compared ?? 0,
    files: toFew(files, "file"),
    says: toFew(said, "sentence"),
  };
}

/** The last progress of a running task. */
function sayNow(last: TaskLine | undefined): Json | null {
  if (last?.type !== "event" || last.event.type !== "progress") return null;
  const { stage, done, total, failed } = last.event.progress;
  return { stage, done, total, failed };
}

interface Standing {
  readonly state: string;
  readonly now: Json | null;
  readonly fault: string | null;
}

function toStanding(
  task: Task | undefined,
  { last, isRunning }: { readonly last: TaskLine | undefined; readonly isRunning: boolean },
  program: string,
): Standing {
  if (task === undefined) return { state: "nothing begun", now: null, fault: null };
  const { step } = task.request;
  if (isRunning) return { state: `${step} goes on`, now: sayNow(last), fault: null };
  if (last?.type === "fault") {
    const { message, problems, hint } = last.fault;
    const lines = [message, ...problems.slice(0, 5).map(sayProblem), hint];
    const fault = lines.filter((line) => line !== undefined && line !== "").join("\n");
    const shown = cutText(showCommands(fault, program), 1500);
    return { state: `${step} was refused`, now: null, fault: shown };
  }
  const isOver = last?.type === "result";
  return isOver
    ? { state: `${step} is over`, now: null, fault: null }
    : { state: `${step} broke off`, now: null, fault: en.run.died };
}

/** Throws `manifest-invalid`. */
export async function sayStatus(desk: DeskContext, manifest: string): Promise<Json> {
  const opened = await openDeskJob(desk, manifest);
  const task = await findTask(desk, manifest, ["plan", ...CHANGING]);
  const nothing = { last: undefined, isRunning: false };
  const standing = task === undefined ? nothing : await readStanding(task, desk.clock.nowMs());
  return {
    job: manifest,
    ...toStanding(task, standing, programOf(desk)),
    plan: sayPlan(await readAnswer(desk, manifest, opened.job)),
    result: await sayResult(desk, manifest, opened),
  };
}
