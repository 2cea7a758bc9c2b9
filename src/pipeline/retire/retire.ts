/** `retire`: what becomes of codes whose rows the spreadsheet has no longer. */
import { closing } from "../../base/flow/closing.ts";
import { showKey } from "../../base/shapes/row-key.ts";
import { rowsFromOf } from "../../base/shapes/rows-from.ts";
import { AppError, type Problem } from "../../base/errors.ts";
import type { RowJob } from "../../kinds/any-job.ts";
import { toThing } from "../../kinds/names.ts";
import { renewFolder } from "../../run/folders.ts";
import { deleteCodes, fileCodes, type RetireContext, type RetireEvents } from "../../run/retire.ts";
import { hasChangeLog, openChangeLog, type ChangeLog } from "../../state/change-log.ts";
import { readState } from "../../state/find-state.ts";
import type { StateRow } from "../../state/row.ts";
import { openStepBegun } from "../undo/begun-step.ts";
import { findUnended, noteEnded, noteUnended } from "../undo/unended.ts";
import { describeQuestion } from "../checks/confirm.ts";
import { NOTHING_DONE } from "../standing/counts.ts";
import { withClient } from "../address/job-client.ts";
import type { Ports, Question } from "../ports.ts";
import { NO_CALLS, type Calls, type RunResult } from "../results.ts";
import type { RetireAction, RetirePlan, RetireRequest } from "./retire-plan.ts";
import type { SelectParts } from "../select/open-select.ts";
import { openJobRows, refuseForeign } from "../address/foreign-server.ts";
import type { ServerChoice } from "../address/server.ts";
import { removeFiles } from "../stages/sweep.ts";
import { findVanished, retiringOf, type Vanished } from "./find-vanished.ts";
import { neverRun, refreshLists, withRowState } from "./open-retire.ts";

export interface RetireOrder extends RetireRequest {
  readonly job: RowJob;
  readonly server: ServerChoice;
}

/** The codes that it would take, and what can become of them; changes nothing. */
export async function planRetire(
  { job, server, ...request }: RetireOrder,
  ports: Ports,
): Promise<RetirePlan> {
  const source = await openJobRows({ job, server }, ports);
  const nowMs = ports.clock.nowMs();
  const state = await readState(job.output.dir, { writer: ports.writer, salt: "", nowMs });
  try {
    if (state === undefined) throw neverRun(job, ports);
    await refuseForeign({ job, server }, state, ports);
    const { plan } = await findVanished({ job, server, source, state, nowMs, ports }, request);
    ports.on({ type: "retire-plan", plan });
    return plan;
  } finally {
    state?.close();
    await source.close();
  }
}

/** Without an action, codes are only listed. */
const LOOK = { without: ["folder", "delete"] } as const;

/** Codes are never touched without a yes. */
async function confirm(
  { confirm: ask, commandOf }: Pick<Ports, "confirm" | "commandOf">,
  question: Question,
  { action, isConfirmed }: Pick<RetireOrder, "action" | "isConfirmed">,
): Promise<void> {
  if (isConfirmed === true) return;
  if (ask !== undefined && (await ask(question))) return;
  const what = action?.does === "file" ? ["--folder", action.folder] : ["--delete"];
  const agreed = commandOf("retire", { more: [...what, "--yes"] });
  throw new AppError("confirm-needed", `this would ${describeQuestion(question)}: it wants a yes`, {
    hint: `look first: ${commandOf("retire", LOOK)}; then: ${agreed}`,
  });
}

function toQuestion({ kind }: RowJob, { rows, dynamic, action }: RetirePlan): Question {
  const count = rows.length;
  const thing = toThing(kind);
  return action?.does === "delete"
    ? { does: "delete", thing, count, dying: dynamic }
    : { does: "file", thing, count, folder: action?.folder ?? "" };
}

/** A killed run goes on as the same one, so that one undo takes all of it back. */
function goOn(changes: ChangeLog, action: RetireAction): void {
  const last = changes.lastRun();
  if (last === undefined || last.isFinished) return;
  const [change] = [...changes.open(last.id)];
  if ((change?.after["deleted"] === true) !== (action.does === "delete")) changes.finish();
}

/** Codes of a retire that was killed when only its lists were left to do; it has ended now. */
function endKilled({ output }: RowJob, action: RetireAction): number {
  if (!hasChangeLog(output.dir)) return 0;
  const changes = openChangeLog(output.dir);
  try {
    goOn(changes, action);
    const last = changes.lastRun();
    if (last === undefined || last.isFinished) return 0;
    changes.finish();
    return last.changes - last.undone;
  } finally {
    changes.close();
  }
}

interface Counts {
  retired: number;
  wasGone: number;
  readonly failures: Problem[];
}

function makeEvents({ ports, log }: SelectParts, job: RowJob, counts: Counts, total: number) {
  const show = (): void => {
    const { retired, wasGone, failures } = counts;
    const done = retired + wasGone + failures.length;
    const failed = { failed: failures.length, lastFailure: failures.at(-1)?.message };
    const pace = { writesPerMinute: undefined, writeLimit: undefined };
    ports.on({ type: "progress", progress: { stage: "retire", done, total, ...failed, ...pace } });
  };
  const events: RetireEvents = {
    retired: ({ key, remoteId, shortLink }) => {
      counts.retired += 1;
      log.info({ row: key, id: remoteId, shortLink }, "code retired");
      show();
    },
    wasGone: ({ key, remoteId }) => {
      counts.wasGone += 1;
      log.info({ row: key, id: remoteId }, "code was gone");
      show();
    },
    failed: ({ key, line }, message) => {
      const problem = { message: `row ${showKey(key)} (line ${line}): ${message}` };
      counts.failures.push(problem);
      log.error({ row: key, message }, "not retired");
      ports.on({ type: "row-failed", problem: { ...problem, where: { file: job.source.file } } });
      show();
    },
  };
  return events;
}

async function retireCodes(
  parts: SelectParts,
  { job, patienceMs }: RetireOrder,
  { rows, action, changes, counts }: RetireWork,
): Promise<Calls> {
  const { ports, state, log, server: choice, folders } = parts;
  const { toFiled, remove } = retiringOf(job);
  const needs = { ports, choice, log, patienceMs };
  const { calls } = await withClient(job, needs, async ({ client, server }) => {
    state.pin({ baseUrl: server.pinUrl, workspace: server.workspace });
    noteUnended(state, "retire");
    (await openStepBegun(folders.output, "retire", ports))();
    const context: RetireContext = {
      state,
      client,
      changes,
      toId: toFiled ?? (({ remoteId }) => remoteId ?? undefined),
      now: () => new Date(ports.clock.nowMs()).toISOString(),
      events: makeEvents(parts, job, counts, rows.length),
      signal: ports.signal,
    };
    if (action.does === "file") {
      await renewFolder({ state, client, signal: ports.signal }, action.folder);
      const folder = { id: state.folderId(action.folder) ?? "", path: action.folder };
      await fileCodes(context, rows, folder);
    } else {
      await deleteCodes(context, rows, {
        remove: async (id) => (await remove?.(client, id)) ?? false,
        sweep: async ({ artwork }) =>
          void (await removeFiles(
            folders.output,
            artwork?.files.map(({ name: file, sha256 }) => ({ file, sha256 })) ?? [],
          )),
      });
    }
  });
  ports.on({ type: "stage-end" });
  return calls;
}

interface RetireWork {
  readonly rows: readonly StateRow[];
  readonly action: RetireAction;
  readonly changes: ChangeLog;
  readonly counts: Counts;
}

async function carryOut(
  parts: SelectParts,
  order: RetireOrder,
  { rows, plan }: Vanished,
): Promise<RunResult> {
  const { ports } = parts;
  const { job, action } = order;
  if (action === undefined) throw new AppError("bug", "a retire must know what to do");
  const counts: Counts = { retired: 0, wasGone: 0, failures: [] };
  if (rows.length === 0) {
    const done = { rows, action, counts, calls: NO_CALLS, before: endKilled(job, action) };
    return endRetire(parts, job, done);
  }
  await confirm(ports, toQuestion(job, plan), order);
  const changes = openChangeLog(job.output.dir);
  let calls: Calls;
  try {
    goOn(changes, action);
    calls = await retireCodes(parts, order, { rows, action, changes, counts });
    if (!ports.signal.aborted) changes.finish();
  } finally {
    changes.close();
  }
  return endRetire(parts, job, { rows, action, counts, calls, before: 0 });
}

interface Retired extends Pick<RetireWork, "rows" | "action" | "counts"> {
  readonly calls: Calls;
  /** Codes that a killed retire had done, which the report does not tell of yet. */
  readonly before: number;
}

async function endRetire(
  parts: SelectParts,
  job: RowJob,
  { rows, action, counts, calls, before }: Retired,
): Promise<RunResult> {
  const { retired, wasGone, failures } = counts;
  const isFiled = action.does === "file";
  const notDone = failures.length > 0 ? failures.length : undefined;
  const codes = retired + wasGone + before;
  const after = { did: isFiled ? "filed" : "deleted", codes, notDone } as const;
  const told = { calls, warnings: failures, retired, after };
  const isStopped = parts.ports.signal.aborted;
  // Where there was nothing to do, the report tells of the run before.
  const isNothing = rows.length + before === 0 && findUnended(parts.state) === undefined;
  const files = isNothing ? [] : await refreshLists(parts, job, told);
  if (!isStopped) noteEnded(parts.state);
  return {
    job: job.name,
    kind: job.kind,
    manifest: job.file,
    from: rowsFromOf(job),
    did: isFiled ? "file" : "delete",
    outcome: isStopped ? "interrupted" : notDone === undefined ? "done" : "rows-failed",
    ...NOTHING_DONE,
    rows: rows.length,
    changed: retired,
    unchanged: wasGone,
    left: rows.length - retired - wasGone - failures.length,
    failed: failures.length,
    ...(notDone !== undefined && { notDone }),
    calls,
    seconds: parts.stopwatch.seconds,
    stages: parts.stopwatch.stages,
    files,
    problems: failures,
    next: isStopped ? [{ code: "retire-again" }] : [],
  };
}

/** Files or deletes the codes. Throws `confirm-needed` without a yes. */
export async function retireRows(order: RetireOrder, ports: Ports): Promise<RunResult> {
  const { job, server } = order;
  return closing(await openJobRows({ job, server }, ports), (source) =>
    withRowState(order, ports, async (parts) => {
      const nowMs = ports.clock.nowMs();
      const { state } = parts;
      const found = await findVanished({ job, server, source, state, nowMs, ports }, order);
      ports.on({ type: "retire-plan", plan: found.plan });
      return carryOut(parts, order, found);
    }),
  );
}
