/** `undo`: puts back what the last run of a job replaced, on the server and in its output folder. */
import { closing } from "../../base/flow/closing.ts";
import { rowsFromOf } from "../../base/shapes/rows-from.ts";
import { toCarried } from "../../api/carried.ts";
import { AppError, type Problem } from "../../base/errors.ts";
import { rememberResult } from "../standing/last-result.ts";
import type { Client } from "../../client/client.ts";
import type { RowJob } from "../../kinds/any-job.ts";
import { undoRun, type UndoContext, type UndoEvents } from "../../run/undo.ts";
import type { State } from "../../state/state.ts";
import {
  hasChangeLog,
  openChangeLog,
  type ChangeLog,
  type ChangeRun,
  type KeptChange,
} from "../../state/change-log.ts";
import { openStepBegun } from "./begun-step.ts";
import { confirmChanges } from "../checks/confirm.ts";
import { NOTHING_DONE } from "../standing/counts.ts";
import { refuseForeign } from "../address/foreign-server.ts";
import { withClient } from "../address/job-client.ts";
import { countAfter, countStanding, forgetRefusals } from "../standing/left.ts";
import type { Ports } from "../ports.ts";
import { NO_CALLS, type Calls, type NextStep, type RunResult } from "../results.ts";
import { withSelectState, type SelectParts } from "../select/open-select.ts";
import { findNext } from "../schedule/due.ts";
import { readEntry } from "../schedule/ledger.ts";
import type { UndoOrder } from "../strategy.ts";
import {
  countBad,
  fetchFiles,
  findLastFolder,
  lacksFiles,
  restoreFiles,
  type ToWork,
  type UndoJob,
} from "./undo-files.ts";

type UndoableJob = UndoJob | RowJob;

interface UndoCounts {
  undone: number;
  wasBack: number;
  /** Codes that are not put back. */
  readonly failures: Problem[];
  /** Codes that are, but whose files did not come. */
  readonly unfetched: Problem[];
  readonly warnings: Problem[];
  /** Rows whose codes the server no longer has. */
  readonly gone: string[];
}

const nameOf = ({ name, remoteId }: KeptChange): string =>
  name === "" ? remoteId : `${name} (${remoteId})`;

function makeEvents({ ports, log }: SelectParts, counts: UndoCounts, total: number): UndoEvents {
  const { on } = ports;
  const show = (): void => {
    const { undone, wasBack, failures } = counts;
    const done = undone + wasBack + failures.length;
    const failed = { failed: failures.length, lastFailure: failures.at(-1)?.message };
    const pace = { writesPerMinute: undefined, writeLimit: undefined };
    on({ type: "progress", progress: { stage: "undo", done, total, ...failed, ...pace } });
  };
  return {
    undone: (change, lost) => {
      counts.undone += 1;
      log.info({ row: change.key }, "code put back");
      if (lost.length > 0) {
        const problem = { message: `${nameOf(change)}: can't be put back: ${lost.join(", ")}` };
        counts.warnings.push(problem);
        on({ type: "warning", problem });
      }
      show();
    },
    wasBack: () => {
      counts.wasBack += 1;
      show();
    },
    failed: (change, message, isGone) => {
      if (isGone === true) counts.gone.push(change.key);
      const problem = { message: `${nameOf(change)}: ${message}` };
      counts.failures.push(problem);
      log.error({ row: change.key, message }, "not put back");
      on({ type: "row-failed", problem });
      show();
    },
  };
}

function refuseUnkept(job: UndoJob): AppError {
  const why = job.safety.keepPrevious
    ? `${job.stateDir} holds no changes of this job`
    : "safety.keep_previous is false: what was replaced is not kept";
  return new AppError("bad-usage", `undo must have a run to undo, but ${why}`, {
    where: { file: job.file },
    hint: "run the job first; with another output folder, name it with --out",
  });
}

export interface UndoWork<J extends UndoableJob> {
  readonly order: UndoOrder<J>;
  readonly changes: ChangeLog;
  readonly last: ChangeRun;
  /** What becomes of the state: the codes are as before. */
  readonly forget: UndoContext["forget"];
  readonly moved: UndoContext["moved"];
  readonly leftAlone?: UndoContext["leftAlone"];
  readonly doubt?: UndoContext["doubt"];
  readonly seen?: UndoContext["seen"];
  /** Called once, before anything is put back. */
  readonly begun?: (() => void) | undefined;
  /** Fetches the pictures that changed; left out where nothing is to be fetched. */
  readonly fetch?: ((client: Client) => Promise<readonly Problem[]>) | undefined;
}

/** Asks before a large undo. */
export async function confirmUndo(
  { ports }: SelectParts,
  { order, last }: Pick<UndoWork<UndoableJob>, "order" | "last">,
): Promise<void> {
  const count = last.changes - last.undone;
  if (count === 0) return;
  const { startedAt: before, starts: runs } = last;
  const shared = { does: "put-back", thing: "code", count, before } as const;
  const question = { ...shared, ...(runs > 1 && { runs }) };
  const { isConfirmed, job } = order;
  await confirmChanges(ports, question, { over: job.safety.confirmOver, isConfirmed });
}

function toOnce(begin?: () => void): () => void {
  let isBegun = false;
  return () => {
    if (!isBegun) begin?.();
    isBegun = true;
  };
}

const nothingUndone = (): UndoCounts => ({
  undone: 0,
  wasBack: 0,
  failures: [],
  unfetched: [],
  warnings: [],
  gone: [],
});

/** Puts the codes back, then fetches the pictures of those that look otherwise now. */
export async function undoChanges(
  parts: SelectParts,
  { order, changes, last, fetch, ...of }: UndoWork<UndoableJob>,
): Promise<{ counts: UndoCounts; calls: Calls }> {
  const { ports, log, state, server: choice } = parts;
  const { job, patienceMs, force } = order;
  const counts = nothingUndone();
  const count = last.changes - last.undone;
  if (count === 0 && fetch === undefined) return { counts, calls: NO_CALLS };
  await refuseForeign({ job, server: choice }, state, ports);
  const needs = { ports, choice, log, patienceMs };
  const { calls } = await withClient(job, needs, async ({ client, server }) => {
    state.pin({ baseUrl: server.pinUrl, workspace: server.workspace });
    await undoRun({
      changes,
      run: last.id,
      client,
      force: force === true,
      events: makeEvents(parts, counts, count),
      forget: of.forget,
      moved: of.moved,
      seen: of.seen ?? (() => undefined),
      leftAlone: of.leftAlone,
      doubt: of.doubt ?? (() => () => undefined),
      begun: toOnce(of.begun),
      signal: ports.signal,
    });
    if (fetch !== undefined && !ports.signal.aborted)
      counts.unfetched.push(...(await fetch(client)));
  });
  ports.on({ type: "stage-end" });
  return { counts, calls };
}

type Repeats = Extract<NextStep, { readonly code: "schedule-repeats" }>;

/** When the schedule does again what was undone; undefined for never. */
async function findRepeat(
  { schedule, kind, file, name }: UndoableJob,
  { ports: { clock }, server }: Pick<SelectParts, "ports" | "server">,
): Promise<Repeats | undefined> {
  const isRepeated = kind === "redesign" || kind === "retarget";
  if (!isRepeated || schedule === null || schedule.paused === true) return undefined;
  const known = await readEntry(server.dataDir, { file, name });
  const nowMs = clock.nowMs();
  const atMs = findNext(schedule, known, nowMs);
  if (atMs === undefined) return undefined;
  const repeats = { code: "schedule-repeats", atMs, timeZone: schedule.timezone } as const;
  return atMs <= nowMs ? { ...repeats, isDue: true } : repeats;
}

/** The next step after an undo: a schedule would do again what was undone. */
function toNext(
  signal: AbortSignal,
  lostFiles: number,
  repeats: Repeats | undefined,
): readonly NextStep[] {
  if (signal.aborted) return [{ code: "undo-again" }];
  const fetching: NextStep[] = lostFiles === 0 ? [] : [{ code: "undo-again", lostFiles }];
  return repeats === undefined ? fetching : [...fetching, repeats];
}

interface Undone {
  readonly counts: UndoCounts;
  readonly calls: Calls;
  readonly last: ChangeRun;
  readonly repeats?: Repeats | undefined;
}

export function toResult(
  { ports, state, stopwatch }: SelectParts,
  job: UndoableJob,
  { counts, calls, last, repeats }: Undone,
): RunResult {
  const { undone, wasBack, failures, unfetched } = counts;
  const isStopped = ports.signal.aborted;
  const problems = [...failures, ...unfetched];
  return {
    job: job.name,
    kind: job.kind,
    manifest: job.file,
    from: rowsFromOf(job),
    did: "undo",
    outcome: isStopped ? "interrupted" : problems.length > 0 ? "rows-failed" : "done",
    ...NOTHING_DONE,
    ...(last.starts > 1 && undone > 0 && { undid: { runs: last.starts, since: last.startedAt } }),
    rows: last.changes,
    changed: undone,
    unchanged: last.undone + wasBack,
    left: last.changes - last.undone - undone - wasBack - failures.length,
    failed: failures.length,
    ...(unfetched.length > 0 && { withoutFiles: unfetched.length }),
    ...(failures.length > 0 && { notDone: failures.length }),
    bad: countBad(job, state),
    calls,
    seconds: stopwatch.seconds,
    stages: stopwatch.stages,
    problems,
    next: toNext(ports.signal, unfetched.length, repeats),
  };
}

/** What is known of an undo until it ends: one that is killed looks like one that was stopped. */
const toBegun = (parts: SelectParts, job: UndoJob, last: ChangeRun): RunResult => ({
  ...toResult(parts, job, { counts: nothingUndone(), calls: NO_CALLS, last }),
  outcome: "interrupted",
  next: [{ code: "undo-again" }],
});

const isText = (text: unknown): text is string => typeof text === "string" && text !== "";

/** What the state notes of each code. */
const toMarks = (
  state: State,
  job: UndoJob,
): Pick<UndoWork<UndoJob>, "forget" | "moved" | "leftAlone" | "doubt" | "seen"> => ({
  forget: (key) => state.selected.forgetDesign(key),
  moved: ({ key }, now) => state.selected.putBack(key, now),
  leftAlone: ({ key }, now) => state.selected.toChange([{ key, now }]),
  doubt: (key) => {
    const was = state.known(key)?.madeDesignHash;
    state.selected.doubtDesign(key);
    return () => was && state.selected.drawn(key, was);
  },
  seen: ({ key }, code) => {
    const link = job.kind === "redesign" ? toCarried(code) : code.shortlink_url;
    if (isText(link)) state.selected.seen(key, link);
  },
});

/** With the files that were made anew, and the figures that their report has. */
function toEnded(
  { ports, state }: SelectParts,
  job: UndoJob,
  {
    result,
    restored,
    codes: asBefore,
  }: { readonly result: RunResult; readonly restored: RunResult; readonly codes: number },
): RunResult {
  const { bad, changed, notDone = 0, outcome } = result;
  const { files, proof, press, isRehearsal, seconds, stages, problemCount } = restored;
  const made = { files, proof, press, isRehearsal, seconds, stages };
  const isWell = proof?.isProven !== false;
  // Rows that were bad before it are bad still.
  const told = bad > 0 && {
    problems: [...result.problems, ...restored.problems],
    ...(problemCount !== undefined && { problemCount: result.problems.length + problemCount }),
  };
  return {
    ...result,
    ...countAfter(countStanding(state, job.kind), { bad, changed, notDone }),
    asBefore,
    ...made,
    ...told,
    outcome: ports.signal.aborted ? "interrupted" : isWell ? outcome : "rows-failed",
  };
}

async function undoOpened<J extends UndoJob>(
  parts: SelectParts,
  given: Pick<UndoWork<J>, "order" | "changes" | "last">,
  toWork: ToWork<J>,
): Promise<RunResult> {
  const { last, order } = given;
  const { job } = order;
  const { state } = parts;
  const folder = findLastFolder(job, parts);
  const needsFiles =
    folder !== undefined && (last.undone < last.changes || lacksFiles(job, state, folder));
  await confirmUndo(parts, given);
  const tellBegun = folder && (await openStepBegun(folder, "undo", parts.ports));
  let hasBegun = false;
  const { counts, calls } = await undoChanges(parts, {
    ...given,
    begun: () => {
      hasBegun = true;
      rememberResult(state, toBegun(parts, job, last));
      if (tellBegun) tellBegun();
    },
    ...toMarks(state, job),
    ...(needsFiles && {
      fetch: (client) => {
        hasBegun = true;
        return fetchFiles(parts, job, { client, folder });
      },
    }),
  });
  if (!parts.ports.signal.aborted) forgetRefusals(state, job.kind);
  const repeats = await findRepeat(job, parts);
  const result = toResult(parts, job, { counts, calls, last, repeats });
  if (folder === undefined || parts.ports.signal.aborted) {
    // One that was stopped before it changed anything leaves what was before it.
    if (hasBegun || !parts.ports.signal.aborted) rememberResult(state, result);
    return result;
  }
  const { undone, wasBack, warnings, gone } = counts;
  const codes = last.undone + undone + wasBack;
  const told = {
    calls,
    codes,
    changed: undone,
    notDone: result.notDone,
    runAt: last.startedAt,
    warnings: [...warnings, ...result.problems],
    gone,
  };
  const restored = await restoreFiles(parts, { job, toWork, folder }, told);
  const ended = toEnded(parts, job, { result, restored, codes });
  rememberResult(state, ended);
  return ended;
}

/** The step of a kind that undoes its last run. It throws `bad-usage` when there is none. */
export const undoWith =
  <J extends UndoJob>(toWork: ToWork<J>) =>
  async (order: UndoOrder<J>, ports: Ports): Promise<RunResult> => {
    const { job } = order;
    if (!hasChangeLog(job.stateDir)) throw refuseUnkept(job);
    const folders = { state: job.stateDir, output: job.stateDir };
    return withSelectState(order, folders, ports, (parts) =>
      closing(openChangeLog(job.stateDir), (changes) => {
        const last = changes.lastRun();
        if (last === undefined) throw refuseUnkept(job);
        // An unfinished run ends with its undo.
        changes.finish();
        return undoOpened(parts, { order, changes, last }, toWork);
      }),
    );
  };
