/**
 * How a job over codes that exist is planned and run: find the codes, plan, ask, take the plan over,
 * change, finish. What differs from kind to kind is its strategy.
 */
import { closing } from "../../base/flow/closing.ts";
import { toMessage, type Problem } from "../../base/errors.ts";
import { makeLog } from "../../base/log.ts";
import { noteUntouched } from "../../download/picture-files.ts";
import type { Source } from "../../read/source.ts";
import { Catalog } from "../../run/catalog.ts";
import { readState } from "../../state/find-state.ts";
import { findHolder } from "../../state/lock.ts";
import type { State } from "../../state/state.ts";
import { rememberMaker } from "../files/changed-since.ts";
import { confirmChanges, refuseManyPictures } from "../checks/confirm.ts";
import { toLimited } from "../standing/limited.ts";
import { makeCounts, type RunCounts } from "../standing/counts.ts";
import { makesAnew } from "../files/files-anew.ts";
import { finishJob, finishKept } from "../stages/finish.ts";
import { askNoting, findCutShort, forgetResult } from "../standing/last-result.ts";
import { withClient, type OpenClient } from "../address/job-client.ts";
import { pinServer, refuseOtherServer } from "../address/moved-server.ts";
import { STEP_OPTIONS, type Ports, type Question } from "../ports.ts";
import type { JobPlan, RunRequest, RunResult } from "../results.ts";
import { withVolumes } from "../paper/note-volumes.ts";
import type { PlanNote } from "../paper/plan-notes.ts";
import { endPlan, holdToPlan, toPlanNow } from "../rows/saved-plan.ts";
import { keepAddress, refuseOtherAddress, rememberPublicUrl } from "../address/public-address.ts";
import { isNothingThere, noCodesYet, type ServerChoice } from "../address/server.ts";
import { findFinished, noteKept } from "../stages/kept.ts";
import { listUntilStop } from "../stages/failed-rows.ts";
import type { PlanRequest, RunOrder, Strategy } from "../strategy.ts";
import { toWorkBase, type Work } from "../stages/work.ts";
import {
  hasFilesToMake,
  type MadeBefore,
  noteRemadeOfCodes,
  type PlannedCodes,
} from "./files-to-make.ts";
import { withSelectState, type KeepingJob, type SelectParts } from "./open-select.ts";

/** A plan over codes that exist. */
export interface PlannedSelection extends PlannedCodes {
  readonly warnings: readonly Problem[];
  /** Codes that keep their design, but whose files are fetched anew: they have changed, may have, or are gone. */
  readonly anew?: { readonly changed: number; readonly untold: number; readonly lost: number };
}

/** What is needed to find codes. */
export interface Finding<J extends KeepingJob> {
  readonly job: J;
  readonly server: ServerChoice;
  readonly ports: Ports;
  readonly open: OpenClient;
  readonly catalog: Catalog;
  /** Of kinds whose rows come from a spreadsheet. */
  readonly source: Source | undefined;
  /** Undefined before the first run. */
  readonly state: State | undefined;
}

/** A run whose codes are found. */
export interface Changing<J extends KeepingJob, Planned> extends Finding<J> {
  readonly parts: SelectParts;
  readonly state: State;
  readonly request: RunRequest;
  readonly planned: Planned;
}

/** What a plan shows beside its figures. */
type Shown = Omit<
  JobPlan,
  | "job"
  | "kind"
  | "baseUrl"
  | "dataDir"
  | "isLimited"
  | "summary"
  | "hasWork"
  | "isRefused"
  | "facts"
>;

/** What a plan shows beside its rows. */
interface ShownAt {
  readonly server: ServerChoice;
  readonly createdAt: string;
  /** What earlier runs made; undefined before the first one. */
  readonly finished: MadeBefore | undefined;
}

interface Asked {
  readonly question: Question;
  readonly over: number | null;
}

export interface SelectStrategy<J extends KeepingJob, Planned extends PlannedSelection> {
  /** Names of its two steps in the report of times. */
  readonly times: { readonly plan: string; readonly change: string };
  /** Opens the spreadsheet, where there is one. */
  readonly openRows?: (job: J, ports: Ports, server: ServerChoice) => Promise<Source>;
  /** Finds the codes and plans them. Changes nothing. */
  find(at: Finding<J>): Promise<Planned>;
  show(job: J, planned: Planned, at: ShownAt): Promise<Shown>;
  /** What is asked before the change of all codes, and above how many. */
  toQuestion(job: J, planned: Planned): Asked;
  /** The state takes the plan over. */
  adopt(run: Changing<J, Planned>): void;
  change(run: Changing<J, Planned>): Promise<RunCounts>;
  /** What later stages must know of the job. */
  toWork(
    job: J,
    state: State,
    source: Source | undefined,
  ): Pick<Work, "job" | "input" | "isRehearsal">;
  /** Called when a run is finished. */
  readonly end?: (state: State) => void;
}

/** What is asked before this run: a limit leaves the other codes for later ones. */
function toAsked<J extends KeepingJob, Planned extends PlannedSelection>(
  strategy: SelectStrategy<J, Planned>,
  { job, planned, limit }: { job: J; planned: Planned; limit: number | null | undefined },
): Asked {
  const { question, over } = strategy.toQuestion(job, planned);
  const count = Math.min(question.count, limit ?? question.count);
  return { question: { ...question, count }, over };
}

function noteLimit(all: number, count: number): PlanNote[] {
  return count >= all ? [] : [{ code: "limited-changes", count, of: all }];
}

/** An undo that goes on right now is not cut short. */
const noteUndo = ({ stateDir }: KeepingJob, state: State | undefined): PlanNote[] =>
  state !== undefined && findCutShort(state) === "undo" && findHolder(stateDir) === undefined
    ? [{ code: "undo-unfinished" }]
    : [];

async function describe<J extends KeepingJob, Planned extends PlannedSelection>(
  strategy: SelectStrategy<J, Planned>,
  {
    job,
    server,
    isExact,
    limit,
  }: PlanRequest<J> & { readonly limit?: RunOrder["limit"] | undefined },
  planned: Planned,
  at: Omit<ShownAt, "server">,
): Promise<JobPlan> {
  const { summary } = planned;
  refuseManyPictures(job, summary.good);
  const shown = await strategy.show(job, planned, { server, ...at });
  const { question, over } = toAsked(strategy, { job, planned, limit });
  const remade = await noteRemadeOfCodes(job, planned, { ...at, sheets: shown.notes });
  const notes: PlanNote[] = [
    ...(over === null || question.count <= over ? [] : [{ code: "needs-yes", over } as const]),
    ...noteUndo(job, at.finished?.state),
    ...shown.notes.filter(({ code }) => code !== "files-remade"),
    ...noteLimit(strategy.toQuestion(job, planned).question.count, question.count),
    ...withVolumes(remade, shown.sheetVolumes),
    ...noteKept(summary, at.finished?.state),
  ];
  return {
    job: job.name,
    kind: job.kind,
    ...shown,
    notes,
    baseUrl: server.baseUrl,
    dataDir: server.dataDir,
    isLimited: server.baseUrl !== undefined || server.limits === "hosted",
    summary,
    hasWork:
      summary.writes + summary.bad > 0 ||
      makesAnew(notes) ||
      hasFilesToMake(job, planned, at.finished),
    facts: isExact ? toPlanNow({ job, server }, planned).facts : undefined,
  };
}

/** Opens what is needed to find codes while `work` runs. */
async function withSources<J extends KeepingJob, T>(
  { openRows }: Pick<SelectStrategy<J, never>, "openRows">,
  { job, server, ports }: { readonly job: J; readonly server: ServerChoice; readonly ports: Ports },
  work: (opened: Pick<Finding<J>, "catalog" | "source">) => Promise<T>,
): Promise<T> {
  const source = await openRows?.(job, ports, server);
  const catalog = new Catalog();
  try {
    if (isNothingThere(server)) throw noCodesYet(server);
    return await work({ catalog, source });
  } finally {
    catalog.close();
    await source?.close();
  }
}

async function plan<J extends KeepingJob, Planned extends PlannedSelection>(
  strategy: SelectStrategy<J, Planned>,
  request: PlanRequest<J>,
  ports: Ports,
): Promise<JobPlan> {
  const { job, server: choice } = request;
  const nowMs = ports.clock.nowMs();
  return withSources(strategy, { ...request, ports }, async (opened) =>
    closing(
      await readState(job.stateDir, { writer: ports.writer, salt: "", nowMs }),
      async (state) => {
        const server = rememberPublicUrl(choice, state);
        if (state !== undefined)
          await refuseOtherServer(job, server, { ports, state, isWritten: false });
        refuseOtherAddress(server, ports, state);
        const needs = { ports, choice: server, log: makeLog() };
        const known = { ...request, server };
        const { result } = await withClient(job, needs, async (open) => {
          const planned = await strategy.find({ job, server, ports, open, state, ...opened });
          const createdAt = state?.createdAt ?? new Date(nowMs).toISOString();
          const finished = state && { state, writer: ports.writer };
          return closing(planned.spool, () =>
            describe(strategy, known, planned, { createdAt, finished }),
          );
        });
        return result;
      },
    ),
  );
}

async function tellPlan<J extends KeepingJob, Planned extends PlannedSelection>(
  strategy: SelectStrategy<J, Planned>,
  { job, ports, planned, parts, state, request }: Changing<J, Planned>,
): Promise<void> {
  const shown = { job, server: parts.server, isExact: false, limit: request.limit };
  const finished = { state, writer: ports.writer };
  const at = { createdAt: state.createdAt, finished };
  ports.on({ type: "plan", plan: await describe(strategy, shown, planned, at) });
}

/** Shows the plan, asks, and lets the state take it over. */
async function agree<J extends KeepingJob, Planned extends PlannedSelection>(
  strategy: SelectStrategy<J, Planned>,
  run: Changing<J, Planned>,
): Promise<void> {
  const { job, ports, planned, request, parts, state } = run;
  const { server } = parts;
  await closing(planned.spool, async () => {
    const { plan: saved } = request;
    if (saved !== undefined) holdToPlan(ports, state, saved, toPlanNow({ job, server }, planned));
    await tellPlan(strategy, run);
    const { limit } = request;
    const { question, over } = toAsked(strategy, { job, planned, limit });
    await askNoting(state, "run", () =>
      confirmChanges(ports, question, { over, isConfirmed: request.isConfirmed }),
    );
    strategy.adopt(run);
  });
}

/** A run without a good code: reports the plan, notes the bad rows, changes nothing. */
async function leaveFinished<J extends KeepingJob, Planned extends PlannedSelection>(
  strategy: SelectStrategy<J, Planned>,
  run: Changing<J, Planned>,
): Promise<void> {
  const { planned, state } = run;
  await closing(planned.spool, async () => {
    await tellPlan(strategy, run);
    state.bad.replace(planned.spool.bad());
  });
}

function toWork<J extends KeepingJob>(
  strategy: Pick<SelectStrategy<J, never>, "toWork">,
  job: J,
  { state, log, folders, ports }: SelectParts,
  source: Source | undefined,
): Work {
  return {
    ...toWorkBase(ports, state, log),
    ...strategy.toWork(job, state, source),
    folder: folders.output,
  };
}

/** Changes the codes. When that has to stop, what failed until then is still listed. */
async function change<J extends KeepingJob, Planned extends PlannedSelection>(
  strategy: SelectStrategy<J, Planned>,
  run: Changing<J, Planned>,
): Promise<RunCounts> {
  const { job, parts, source } = run;
  try {
    return await parts.stopwatch.time(strategy.times.change, () => strategy.change(run));
  } catch (error) {
    const work = toWork(strategy, job, parts, source);
    work.on({ type: "stage-end" });
    work.log.error({ message: toMessage(error) }, "stopped");
    await listUntilStop(work);
    throw error;
  }
}

async function runOpened<J extends KeepingJob, Planned extends PlannedSelection>(
  strategy: SelectStrategy<J, Planned>,
  { job, server: _given, ...request }: RunOrder<J>,
  parts: SelectParts,
  opened: Pick<Finding<J>, "catalog" | "source">,
): Promise<RunResult> {
  const { ports, state, log, server: choice, stopwatch } = parts;
  const needs = { ports, choice, log, patienceMs: request.patienceMs };
  const finished = { state, folder: parts.folders.output };
  const { result, calls } = await withClient(job, needs, async (open) => {
    await pinServer(open, choice, { ports, state });
    await noteUntouched(state, parts.folders.output, ports.signal);
    const at = { job, server: choice, ports, open, state, ...opened };
    const planned = await stopwatch.time(strategy.times.plan, () => strategy.find(at));
    const run = { ...at, parts, request, planned };
    const kept = planned.summary.good === 0 ? await findFinished(finished) : [];
    if (kept.length > 0) {
      await leaveFinished(strategy, run);
      return { planned, counts: makeCounts(), kept };
    }
    await agree(strategy, run);
    await keepAddress(choice, ports);
    forgetResult(state);
    return { planned, counts: await change(strategy, run), kept };
  });
  const { baseUrl, dataDir } = choice;
  const command = ports.commandOf("run", { without: STEP_OPTIONS });
  const { kept, ...done } = result;
  const limited = toLimited(request.limit, done.counts.changed);
  const work = {
    ...toWork(strategy, job, parts, opened.source),
    run: { ...done, calls, stopwatch, limited, baseUrl, dataDir, command },
  };
  if (kept.length > 0) return finishKept(work, kept);
  const ended = await finishJob(work);
  endPlan(state, ended);
  if (ended.outcome !== "interrupted") rememberMaker(state, ports.writer);
  if (!ports.signal.aborted) strategy.end?.(state);
  return ended;
}

/** The steps of a kind, from what is particular to it. */
export function orchestrate<J extends KeepingJob, Planned extends PlannedSelection>(
  strategy: SelectStrategy<J, Planned>,
): Pick<Strategy<J>, "plan" | "run"> {
  return {
    plan: (request, ports) => plan(strategy, request, ports),
    run: (order, ports) =>
      withSources(strategy, { ...order, ports }, (opened) => {
        const folders = { state: order.job.stateDir, output: order.job.output.dir };
        return withSelectState(order, folders, ports, (parts) =>
          runOpened(strategy, order, parts, opened),
        );
      }),
  };
}
