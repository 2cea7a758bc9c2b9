/**
 * One job from spreadsheet to proof. Every stage does what is left to do, so that running again is
 * always right.
 */
import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import path from "node:path";

import { toMessage } from "../../base/errors.ts";
import { makeLog } from "../../base/log.ts";
import { hasArtwork, mayLackArtwork } from "../../download/download.ts";
import type { RowJob } from "../../job/row-jobs.ts";
import type { Source } from "../../read/source.ts";
import { checkPlan } from "../../plan/plan-file.ts";
import { lockFolder } from "../../state/lock.ts";
import { toStateError } from "../../state/schema.ts";
import { openState, stateFile, type State } from "../../state/state.ts";
import type { CliContext } from "../context.ts";
import type { View } from "../view.ts";
import { EXIT_INTERRUPTED } from "../exit-codes.ts";
import { toProgramHash } from "../program-hash.ts";
import { formatMany, toThing, toThings } from "../words.ts";
import { GONE_IN_DOUBT, toUnfinished } from "./left.ts";
import { toFailuresLeft } from "./bad-rows.ts";
import { makeCounts } from "./counts.ts";
import { finishJob, finishSealed } from "./finish.ts";
import { NO_CALLS } from "./job-client.ts";
import { confirmChanges, refuseChangedKey, refuseEmpty, type Confirmation } from "./confirm.ts";
import { findLostSalt, refuseOldState } from "./lost-state.ts";
import { openRows } from "./open-job.ts";
import { planRows, SOURCE_KEY, type PlannedJob } from "./plan-stage.ts";
import { toPlanFacts } from "./saved-plan.ts";
import { isRehearsal, toPlanView } from "./plan-view.ts";
import { listFailed, writeFailed } from "./index-stage.ts";
import { recallProof } from "./prove-stage.ts";
import { findSeal, isIntact, sealRun, toBasis, type Seal, type SealInput } from "./seal.ts";
import { readSheetGroups } from "./sheet-stage.ts";
import { sendToServer, type ServerResult } from "./send-to-server.ts";
import { checkServer, rememberPublicUrl, toPin } from "./server.ts";
import { sweepTemporary } from "./sweep.ts";
import { makeStopwatch, type Stopwatch } from "./stopwatch.ts";
import type { RunOptions } from "./steps.ts";
import type { Work } from "./work.ts";

/** The opened parts of a run. */
export interface RunParts {
  readonly context: CliContext;
  readonly view: View;
  readonly options: RunOptions<RowJob>;
  readonly source: Source;
  readonly state: State;
  readonly stopwatch: Stopwatch;
}

/** Runs a job that reads rows; answers the exit code. */
export async function runRowJob(
  context: CliContext,
  view: View,
  options: RunOptions<RowJob>,
): Promise<number> {
  checkServer(options.job, options.server, context);
  const source = await openRows(options.job);
  try {
    return await runInFolder(context, view, options, source);
  } finally {
    await source.close();
  }
}

async function runInFolder(
  context: CliContext,
  view: View,
  options: RunOptions<RowJob>,
  source: Source,
): Promise<number> {
  const folder = options.job.output.dir;
  const isNew = !existsSync(folder);
  const lock = await lockFolder(folder);
  let state: State | undefined;
  let isPlanned = false;
  try {
    // Other kinds are made by several calls, or carry no name: only their state tells how far they are.
    const marker = options.job.run.marker && options.job.kind === "codes";
    const lostSalt = options.fresh ? undefined : await findLostSalt(folder, marker);
    if (options.fresh) await forgetState(folder);
    state = openJobState(context, folder, lostSalt);
    if (lostSalt !== undefined) view.waiting(LOST);
    await refuseOldState(state, marker);
    state.refuseForeign(toPin(options.job, options.server, context));
    const stopwatch = makeStopwatch(context.clock);
    const server = rememberPublicUrl(options.server, state);
    const parts: RunParts = {
      context,
      view,
      options: { ...options, server },
      source,
      state,
      stopwatch,
    };
    // Files that are replaced while it runs are not the program that runs.
    toProgramHash(context.programFolder);
    const seal = options.plan === undefined ? await findIntactSeal(parts) : undefined;
    isPlanned = seal !== undefined;
    if (seal !== undefined) return await tellNothingToDo(parts, seal);
    state.breakSeal();
    if (!isNew) await sweepTemporary(folder);
    const planned = await planJob(parts);
    isPlanned = true;
    return await carryOut(parts, planned);
  } catch (error) {
    throw toStateError(stateFile(folder), error);
  } finally {
    state?.close();
    // A spreadsheet that can't be read leaves nothing behind. Before the lock goes: the next one who
    // takes it may have begun to write.
    if (isNew && !isPlanned)
      await rm(folder, { recursive: true, force: true }).catch(() => undefined);
    lock.release();
  }
}

const toSealInput = ({ options, source, state, context }: RunParts): SealInput => {
  const { job, server } = options;
  const { writer, programFolder } = context;
  return { job, server, source, state, writer, program: toProgramHash(programFolder) };
};

/** The seal of the last run when neither what it stood on nor what it made has changed. */
async function findIntactSeal(parts: RunParts): Promise<Seal | undefined> {
  const input = toSealInput(parts);
  if (input.state.seal === undefined) return undefined;
  return parts.stopwatch.time("compare with the last run", async () => {
    const seal = await findSeal(input);
    return seal !== undefined && (await isIntact(input, seal)) ? seal : undefined;
  });
}

/** Says what a run says that finds nothing to do, without looking at a row. */
async function tellNothingToDo(parts: RunParts, seal: Seal): Promise<number> {
  const { options, state, view } = parts;
  const { job, server } = options;
  const { createdAt } = state;
  view.plan(await toPlanView(job, server, { planned: seal, state, createdAt }));
  const work = makeWork(parts, seal.isRehearsal);
  const counts: ServerResult = { counts: makeCounts(), calls: NO_CALLS };
  return finishSealed({ work, parts, planned: seal, counts }, seal);
}

const LOST = "state.db was lost; codes that were made before are looked for by their markers";

function openJobState(context: CliContext, folder: string, lostSalt: string | undefined): State {
  return openState(folder, {
    writer: context.writer,
    salt: lostSalt ?? context.ids.uuid(),
    isRebuilt: lostSalt !== undefined,
    nowMs: context.clock.nowMs(),
  });
}

async function forgetState(folder: string): Promise<void> {
  for (const suffix of ["", "-wal", "-shm"]) {
    await rm(`${stateFile(folder)}${suffix}`, { force: true });
  }
}

async function planJob(parts: RunParts): Promise<PlannedJob> {
  const { options, source, state, context, view, stopwatch } = parts;
  const { job, server, retryFailed } = options;
  const planned = await stopwatch.time("read and plan", () =>
    planRows({ job, source, state, nowMs: context.clock.nowMs(), retryFailed }),
  );
  try {
    const { plan } = options;
    if (plan !== undefined) checkPlan(plan.facts, toPlanFacts(options, source, planned), plan.file);
    view.plan(await toPlanView(job, server, { planned, state, createdAt: state.createdAt }));
    refuseChangedKey(planned.changedKey);
    await confirmChanges(context, toConfirmation(options, planned));
  } catch (error) {
    planned.spool.close();
    throw error;
  }
  return planned;
}

function toConfirmation(
  { job, limit, isConfirmed }: RunOptions<RowJob>,
  { summary }: PlannedJob,
): Confirmation {
  const { touched, creates } = summary;
  const count = limit === null ? touched : touched - Math.max(0, creates - limit);
  const what = `make or change ${formatMany(count, toThing(job.kind), toThings(job.kind))}`;
  return { what, count, over: job.safety.confirmOver, isConfirmed };
}

/** The opened parts as the later stages want them; begins the log of this run. */
function makeWork({ options, source, state, context, view }: RunParts, isRehearsal: boolean): Work {
  const { job } = options;
  const log = makeLog({ to: path.join(job.output.dir, "run.log") });
  log.info({ job: job.name, writer: context.writer, salt: state.meta("salt") }, "run");
  return {
    job,
    state,
    log,
    view,
    folder: job.output.dir,
    clock: context.clock,
    createdAt: state.createdAt,
    input: {
      name: path.basename(job.source.file),
      sha256: source.sha256,
      columns: source.columns,
    },
    isRehearsal,
    writer: context.writer,
    signal: context.signal,
  };
}

async function carryOut(parts: RunParts, planned: PlannedJob): Promise<number> {
  const { options, source, state } = parts;
  const { spool } = planned;
  state.adoptPlan(spool.good(), spool.bad());
  state.oldArtwork.note(options.job.output.files);
  spool.close();
  refuseEmpty(planned.summary.rows, options.job.source.file);
  state.setMeta("input_sha256", source.sha256);
  state.setMeta(SOURCE_KEY, JSON.stringify(options.job.source.key));
  const work = makeWork(parts, false);
  const basis = await toBasis(toSealInput(parts));
  const counts = await sendAll(work, parts, planned);
  // Only the finished codes tell where they lead.
  const known: Work = { ...work, isRehearsal: isRehearsal(options.job, options.server, state) };
  const exitCode = await finishJob({ work: known, parts, planned, counts });
  const isProven = recallProof(known, readSheetGroups(known))?.isProven !== false;
  if (exitCode !== EXIT_INTERRUPTED && isProven && !parts.context.signal.aborted) {
    const { isRehearsal: isPractice } = known;
    await sealRun({ ...toSealInput(parts), isRehearsal: isPractice, basis }, planned);
  }
  return exitCode;
}

/** Sends what is left. When the job has to stop, the rows that failed until then are still listed. */
async function sendAll(work: Work, parts: RunParts, planned: PlannedJob): Promise<ServerResult> {
  const { state } = work;
  const { job } = parts.options;
  try {
    return await sendToServer({
      parts,
      log: work.log,
      maxFailures: toFailuresLeft(job.run, planned.summary),
      isNeeded: hasWork(state, job),
    });
  } catch (error) {
    parts.view.stageEnd();
    work.log.error({ message: toMessage(error) }, "stopped");
    await writeFailed(work, listFailed(state, job.source));
    throw error;
  }
}

/** True when something is left to ask of the server. */
function hasWork(state: State, job: RowJob): boolean {
  const open = `presence = 'present' AND (state IN ('pending', 'sending', 'doubt')
    OR doubted_from IS NOT NULL OR ${toUnfinished(job.kind)})`;
  if (state.count(`(${open}) OR (${GONE_IN_DOUBT})`) > 0) return true;
  const { dir, files } = job.output;
  for (const row of state.rows(mayLackArtwork(files))) {
    if (!hasArtwork(row, dir, files)) return true;
  }
  return false;
}
