/** Everything after the server: makes all stages, and reports the result of the run. */
import { isStop, type Problem } from "../../base/errors.ts";
import { rowsFromOf } from "../../base/shapes/rows-from.ts";
import type { PlanSummary } from "../../plan/tally.ts";
import { countRows, countStanding, NOTHING_LEFT, type Standing } from "../standing/left.ts";
import { rememberResult } from "../standing/last-result.ts";
import { settleFiles } from "../files/lost-files.ts";
import { judgePress } from "../standing/press.ts";
import { NO_CALLS, type NextStep, type RunRequest, type RunResult } from "../results.ts";
import { describeMade, stages } from "./stages.ts";
import { toKnown, type ProvenCount } from "./picture-proof.ts";
import {
  NOTHING_MADE,
  type FailedEntry,
  type Finishing,
  type Made,
  type SheetGroup,
} from "./stage.ts";
import { areUnmarked } from "../../print/plan-sheets.ts";
import type { State } from "../../state/state.ts";
import { PRESENT_REFUSED_BY_PLAN } from "../../state/which-rows.ts";
import { readVoidUnits } from "../../state/unit-ledger.ts";
import type { Stopwatch } from "./stopwatch.ts";
import { toUnitOwner } from "../units/unit-owner.ts";
import type { WorkJob } from "./work.ts";
import { keepAll } from "./kept.ts";
import { listVanished } from "./vanished-rows.ts";
import type { KeptFile } from "./sweep.ts";

/** Goes through the stages; undefined when the run is stopped meanwhile. */
async function makeAll(work: Finishing): Promise<Made | undefined> {
  const { stopwatch } = work.run;
  let made = NOTHING_MADE;
  for (const stage of stages) {
    if (work.signal.aborted) return undefined;
    const make = (): Promise<Partial<Made>> => stage.make(work, made);
    made = { ...made, ...(await (stage.isTimed ? stopwatch.time(stage.name, make) : make())) };
  }
  return made;
}

/** Packs, proves and reports. */
export async function finishJob(work: Finishing): Promise<RunResult> {
  let made: Made | undefined;
  try {
    made = await makeAll(work);
  } catch (error) {
    if (!isStop(error, work.signal)) throw error;
  }
  if (made === undefined) return stopped(work);
  await settleFiles(work.job, work);
  const standing = countStanding(work.state, work.job.kind);
  const isWell = made.failedRows === 0 && made.proof?.isProven !== false;
  return toResult(work, { made, standing, outcome: isWell ? "done" : "rows-failed" });
}

/** The result of a run without a good row: the finished files of earlier runs stay as they are. */
export async function finishKept(work: Finishing, kept: readonly KeptFile[]): Promise<RunResult> {
  const made = await keepAll(work, kept);
  const isWell = work.run.planned.summary.bad === 0;
  const standing: Standing = { ...NOTHING_LEFT, asWanted: 0 };
  return toResult(work, { made, standing, outcome: isWell ? "done" : "rows-failed" });
}

/** The result of a run that found everything as the last whole run left it. */
export async function finishSealed(
  work: Finishing,
  { pictures, proven }: { readonly pictures: number; readonly proven: ProvenCount },
): Promise<RunResult> {
  let made: Made = { ...NOTHING_MADE, pictureProof: toKnown(proven) };
  for (const stage of stages) made = { ...made, ...(await stage.recall(work, made)) };
  made = { ...made, pictures };
  const { good } = work.run.planned.summary;
  const standing: Standing = { ...NOTHING_LEFT, asWanted: good };
  return toResult(work, {
    made,
    standing,
    outcome: made.failedRows > 0 ? "rows-failed" : "done",
  });
}

function stopped(work: Finishing): RunResult {
  const standing = countStanding(work.state, work.job.kind);
  return toResult(work, { made: NOTHING_MADE, standing, outcome: "interrupted" });
}

/** The result of a run that was stopped while it read its rows: it began nothing. */
export function stoppedReading(
  { name, kind, file, source }: WorkJob,
  state: State | undefined,
  {
    stopwatch: { seconds, stages },
    request: { retryFailed, fresh },
  }: {
    readonly stopwatch: Pick<Stopwatch, "seconds" | "stages">;
    readonly request: Pick<RunRequest, "retryFailed" | "fresh">;
  },
): RunResult {
  // Opening the state is what makes a start fresh.
  const isFresh = fresh === true && state === undefined;
  const anew = retryFailed === true ? "retry" : isFresh ? "fresh" : undefined;
  const standing = state && countStanding(state, kind);
  const nothing = { created: 0, adopted: 0, changed: 0 };
  return {
    job: name,
    kind,
    manifest: file,
    from: rowsFromOf({ kind, source }),
    did: "run",
    outcome: "interrupted",
    rows: 0,
    ...countRows(standing ?? { ...NOTHING_LEFT, asWanted: 0 }, nothing),
    bad: 0,
    calls: NO_CALLS,
    seconds,
    stages,
    files: [],
    proof: undefined,
    press: undefined,
    isRehearsal: false,
    problems: [],
    next: [{ code: "run-again", ...(anew !== undefined && { anew }) }],
  };
}

interface Ending {
  readonly made: Made;
  readonly standing: Standing;
  readonly outcome: RunResult["outcome"];
}

const PROBLEMS_TOLD = 1000;

const hasNoMark = ({ warnings }: SheetGroup): boolean => areUnmarked(warnings);

/** Failures with their place in the spreadsheet, in its order. */
const toProblems = (failed: readonly FailedEntry[]): Problem[] =>
  failed.flatMap(({ problems }) => problems).slice(0, PROBLEMS_TOLD);

/** Where bad rows are mended, if not in their cells only. */
const placeOf = (
  { isBadByManifest, isBadByLabel }: PlanSummary,
  file: string,
): Pick<Extract<NextStep, { code: "mend-rows" }>, "manifest" | "label"> => ({
  ...(isBadByManifest && { manifest: file }),
  ...(isBadByLabel && { label: file }),
});

/** What to do about rows that failed. */
function toMending(
  { job, run, state }: Finishing,
  list: string,
  { refused, halfway, lostFiles }: Standing,
): NextStep[] {
  const fetching: NextStep[] = lostFiles === 0 ? [] : [{ code: "fetch-files", count: lostFiles }];
  const { bad } = run.planned.summary;
  if (bad + refused + halfway === 0) return fetching;
  const source = job.source?.file ?? null;
  const by = refused + halfway === 0 ? placeOf(run.planned.summary, job.file) : {};
  const mend: NextStep = { code: "mend-rows", list, source, ...by };
  if (source === null || refused === 0) return [mend, ...fetching];
  const byPlan = state.count(PRESENT_REFUSED_BY_PLAN);
  const retry: NextStep = { code: "retry-refused", ...(byPlan > 0 && { byPlan: true }) };
  // These rows are right: nothing in the list is to be mended.
  const isAllByPlan = bad + halfway === 0 && byPlan === refused;
  return [...(isAllByPlan ? [] : [mend]), retry, ...fetching];
}

/** Void codes are told apart: nobody is led on by them. */
export function toRetireRows({ job, run, state }: Finishing, count: number): NextStep {
  const { dataDir } = run;
  const isVoid = new Set(readVoidUnits(dataDir, toUnitOwner({ job, dataDir, state })));
  const voided =
    isVoid.size === 0
      ? 0
      : listVanished({ job, state }).filter(({ key }) => isVoid.has(key)).length;
  return { code: "retire-rows", count, ...(voided > 0 && { voided }) };
}

/** A limit is that of one run: what is left of it is that of the next. */
const toRunAgain = ({ run: { limited: limit } }: Finishing): NextStep => ({
  code: "run-again",
  ...(limit !== undefined && { limit }),
});

function toNextSteps(work: Finishing, { made, standing, outcome }: Ending): NextStep[] {
  if (outcome === "interrupted") return [toRunAgain(work)];
  const left = standing.unfinished + standing.open;
  const [list] = made.failedFiles;
  const move = work.run.baseUrl === undefined ? "set-public-url" : "move-server";
  return [
    ...(list === undefined ? [] : toMending(work, list, standing)),
    ...(made.vanished === null ? [] : [toRetireRows(work, made.vanished.rows)]),
    ...(left === 0 ? [] : [{ code: "finish-rows", count: left } as const]),
    ...(made.proof?.isProven === false ? [{ code: "prove-again" } as const] : []),
    ...(work.isRehearsal ? [{ code: move } as const] : []),
  ];
}

function toResult(work: Finishing, ending: Ending): RunResult {
  const { job, run } = work;
  const { made, standing, outcome } = ending;
  const { seconds } = run.stopwatch;
  work.log.info({ outcome, seconds }, "end");
  const result: RunResult = {
    job: job.name,
    kind: job.kind,
    manifest: job.file,
    from: rowsFromOf(job),
    did: "run",
    outcome,
    rows: run.planned.summary.rows,
    ...countRows(standing, run.counts),
    bad: run.planned.summary.bad,
    calls: run.calls,
    seconds,
    stages: run.stopwatch.stages,
    files: outcome === "interrupted" ? [] : describeMade(work, made),
    proof: made.proof,
    press: judgePress(work, {
      ...made,
      labels: { designs: [], ...run.planned.labels },
      otherLooks: run.planned.otherLooks,
    }),
    isRehearsal: work.isRehearsal,
    ...(run.planned.otherTargets?.length && { elsewhere: run.planned.otherTargets }),
    ...(work.isRehearsal && made.sheets.some(hasNoMark) && { isUnmarked: true as const }),
    problems: toProblems(made.failed),
    ...(made.problemCount > PROBLEMS_TOLD && { problemCount: made.problemCount }),
    next: toNextSteps(work, ending),
  };
  rememberResult(work.state, result);
  return result;
}
