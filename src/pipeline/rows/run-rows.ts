/**
 * One job from spreadsheet to proof. Every stage does what is left to do, so that running again is
 * always right.
 */
import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import path from "node:path";
import { isDeepStrictEqual } from "node:util";

import { isStop, toMessage } from "../../base/errors.ts";
import { makeLog } from "../../base/log.ts";
import { hasArtwork } from "../../download/download.ts";
import { noteUntouched } from "../../download/picture-files.ts";
import { toThing } from "../../kinds/names.ts";
import type { RowJob } from "../../kinds/any-job.ts";
import { ActionsHash } from "../../plan/plan-file.ts";
import type { Source } from "../../read/source.ts";
import { forgetState } from "../../state/find-state.ts";
import { rememberLogoDrawings, rememberLogos } from "../../run/logo-places.ts";
import { lockFolder, type Lock } from "../../state/lock.ts";
import { toStateError } from "../../state/schema.ts";
import { openState, stateFile, type State } from "../../state/state.ts";
import { rememberBegun, rememberMade, toJobMark } from "../files/changed-since.ts";
import { confirmChanges, refuseChangedKey, refuseEmpty } from "../checks/confirm.ts";
import { makeCounts } from "../standing/counts.ts";
import { finishJob, finishKept, finishSealed, stoppedReading } from "../stages/finish.ts";
import { askNoting, forgetResult } from "../standing/last-result.ts";
import { rememberInput, toInput } from "../source/input-facts.ts";
import { refuseOtherServer } from "../address/moved-server.ts";
import { STEP_OPTIONS, type Ports, type Question } from "../ports.ts";
import { toProgramHash } from "./program-hash.ts";
import { NO_CALLS, type RunResult } from "../results.ts";
import { toLimited } from "../standing/limited.ts";
import { keepAddress, rememberPublicUrl } from "../address/public-address.ts";
import { checkServer } from "../address/server.ts";
import { endPlan, holdToPlan } from "./saved-plan.ts";
import { lookAgain, rememberNewest, warnOfGone } from "./gone-codes.ts";
import { openJobRows } from "../address/foreign-server.ts";
import { listUntilStop } from "../stages/failed-rows.ts";
import { isJobProven } from "../stages/proof.ts";
import { findFinished } from "../stages/kept.ts";
import type { Finishing } from "../stages/stage.ts";
import { sweepTemporary, type KeptFile } from "../stages/sweep.ts";
import { makeStopwatch } from "../stages/stopwatch.ts";
import type { RunOrder } from "../strategy.ts";
import { rememberOwner } from "../units/unit-owner.ts";
import { toWorkBase, type Work } from "../stages/work.ts";
import { toFailuresLeft } from "./bad-rows.ts";
import { warnOfThere } from "./other-products.ts";
import { askAddress } from "./ask-address.ts";
import { countChanges, describePlan, hasCodes, isRehearsal, toPlanFacts } from "./describe-plan.ts";
import { findFormerOutput } from "./former-output.ts";
import { findLostSalt, isFoundAgain, refuseOldState } from "./lost-state.ts";
import { findBuiltIn } from "./plan-templates.ts";
import { isOfPictures, noPictures, type OtherPictures } from "./other-looks.ts";
import { findElsewhere } from "./elsewhere.ts";
import { forgetKept, rememberKept } from "./kept-rows.ts";
import { warnOfMovedOutput } from "./moved-output.ts";
import { adoptPlanned, planRows, rememberNames, type PlannedJob } from "./read-plan.ts";
import { settleGone } from "./retry-gone.ts";
import type { RowParts } from "./row-parts.ts";
import { findSeal, isIntact, sealRun, toBasis, type Seal, type SealInput } from "./seal.ts";
import { refuseOtherSerials, rememberSerials } from "./serial-origin.ts";
import { checkAddress } from "./server-address.ts";
import { refuseOtherJob, rememberJob } from "./whose-state.ts";
import { rememberSlugLanguage } from "./slug-language.ts";
import { sendToServer, type ServerResult } from "./send-to-server.ts";
import { TO_ASK, mayLackFiles } from "../../state/which-rows.ts";

type Order = RunOrder<RowJob>;

export async function runRowJob(order: Order, ports: Ports): Promise<RunResult> {
  const { job, server } = order;
  checkServer(job, server, ports);
  const stopwatch = makeStopwatch(ports.clock);
  let source: Source | undefined;
  try {
    source = await openJobRows({ job, server }, ports, { keeps: true, fresh: order.fresh });
    return await runInFolder(order, ports, { source, stopwatch });
  } catch (error) {
    if (source === undefined && isStop(error, ports.signal))
      return stoppedReading(job, undefined, { stopwatch, request: order });
    throw error;
  } finally {
    await source?.close();
  }
}

async function runInFolder(
  order: Order,
  ports: Ports,
  opened: Pick<RowParts, "source" | "stopwatch">,
): Promise<RunResult> {
  const folder = order.job.output.dir;
  const isNew = !existsSync(folder);
  const lock = await lockFolder(folder, "reads");
  let state: State | undefined;
  let isPlanned = false;
  let takeBack: (() => void) | undefined;
  try {
    state = await openJobState(order, ports);
    takeBack = await settleGone({ ...order, ...opened, state }, ports);
    const known = rememberPublicUrl(order.server, state);
    const far = await checkAddress(order.job, known, { ports, state });
    const parts = toParts(order, ports, { ...opened, state, far });
    refuseOtherJob(state, parts.job);
    refuseOtherSerials(state, opened.source);
    await rememberOwner({ job: order.job, dataDir: order.server.dataDir, state });
    // Hashed first: files may be replaced while it runs.
    toProgramHash(ports.programFolder);
    const seal = order.plan === undefined ? await findIntactSeal(parts) : undefined;
    isPlanned = seal !== undefined;
    if (seal !== undefined) return await tellNothingToDo(parts, seal);
    state.breakSeal();
    if (!isNew) await sweepTemporary(folder);
    await noteUntouched(state, folder, ports.signal);
    const planned = await planJob(parts);
    isPlanned = true;
    return await carryOut(parts, planned, lock);
  } catch (error) {
    if (isPlanned) throw toStateError(stateFile(folder), error);
    takeBack?.();
    if (isStop(error, ports.signal))
      return stoppedReading(order.job, state, { ...opened, request: order });
    throw toStateError(stateFile(folder), error);
  } finally {
    state?.close();
    // A spreadsheet that can't be read leaves nothing behind. Done before the lock goes: the next
    // holder of the lock may write at once.
    if (isNew && !isPlanned)
      await rm(folder, { recursive: true, force: true }).catch(() => undefined);
    lock.release();
  }
}

function toParts(
  { job, server, ...request }: Order,
  ports: Ports,
  opened: Pick<RowParts, "source" | "state" | "stopwatch" | "far">,
): RowParts {
  const known = rememberPublicUrl(server, opened.state);
  return { ports, job, server: known, request, ...opened };
}

/** The state of a job, checked to be its own and up to date. A lost one is recovered by the log. */
async function openJobState({ job, server, fresh }: Order, ports: Ports): Promise<State> {
  const { writer, ids, clock } = ports;
  const folder = job.output.dir;
  const marker = isFoundAgain(job);
  const lostSalt = fresh === true ? undefined : await findLostSalt(folder, marker);
  if (fresh === true) await forgetState(folder);
  const isRebuilt = lostSalt !== undefined;
  const salt = lostSalt ?? ids.uuid();
  const state = openState(folder, { writer, salt, isRebuilt, nowMs: clock.nowMs() });
  try {
    if (isRebuilt) ports.on({ type: "state-lost" });
    await refuseOldState(state, marker);
    await refuseOtherServer(job, server, { ports, state, isWritten: true });
    return state;
  } catch (error) {
    state.close();
    throw error;
  }
}

const toSealInput = ({ ports, job, server, source, state }: RowParts): SealInput => {
  const { writer, programFolder } = ports;
  return { job, server, source, state, writer, program: toProgramHash(programFolder) };
};

/** The seal of the last run when neither what it stood on nor what it made has changed. */
async function findIntactSeal(parts: RowParts): Promise<Seal | undefined> {
  const input = toSealInput(parts);
  if (input.state.seal === undefined || parts.far.moved !== undefined) return undefined;
  if (parts.far.gone !== undefined) return undefined;
  return parts.stopwatch.time("compare with the last run", async () => {
    const seal = await findSeal(input);
    if (seal === undefined || !(await isIntact(input, seal))) return undefined;
    // The report must name codes that have changed since.
    const { otherLooks = [], otherTargets = [] } = seal;
    const now = await findElsewhere(parts);
    return isDeepStrictEqual({ otherLooks, otherTargets }, now) ? seal : undefined;
  });
}

/** Reports what a run with nothing to do reports, without looking at a row. */
async function tellNothingToDo(parts: RowParts, seal: Seal): Promise<RunResult> {
  const { ports, job, server, source, state, far } = parts;
  const { createdAt } = state;
  const { otherLooks, otherTargets } = seal;
  const { mostDecodedAll } = ports;
  const given = {
    planned: seal,
    state,
    createdAt,
    source,
    mostDecodedAll,
    far,
    isIntact: true,
  } as const;
  const plan = await describePlan(job, server, { ...given, otherLooks, otherTargets });
  ports.on({ type: "plan", plan });
  const work = makeWork(parts, seal.isRehearsal);
  const sent = { counts: makeCounts(), calls: { ...NO_CALLS, reads: far.reads } };
  const planned = { ...seal, told: plan.warnings };
  const result = await finishSealed(toFinishing(work, parts, { planned, sent }), seal);
  state.keepFacts();
  return result;
}

/** A plan with the facts about its codes. */
type Foreseen = PlannedJob &
  Pick<Finishing["run"]["planned"], "otherLooks" | "told"> & {
    readonly pictures: OtherPictures;
    /** Of the job and its spreadsheet as they were read. */
    readonly mark: string;
  };

async function planJob(parts: RowParts): Promise<Foreseen> {
  const { ports, job, server, request, source, state, stopwatch } = parts;
  const retryFailed = request.retryFailed === true;
  const { plan: saved } = request;
  const actions = saved && new ActionsHash();
  // Taken before the rows are read: a spreadsheet that is changed after that has changed since.
  const mark = await toJobMark(job, server, state);
  const planned = await stopwatch.time("read and plan", () =>
    planRows({ job, server, source, state, nowMs: ports.clock.nowMs(), retryFailed, actions }),
  );
  try {
    if (saved !== undefined && actions !== undefined) {
      const facts = toPlanFacts(parts, source, actions);
      holdToPlan(ports, state, saved, { facts, wishesSha256: actions.wishes() });
    }
    const { createdAt } = state;
    const { templateOf } = await findBuiltIn({ job, server }, ports, planned);
    const address = await askAddress(job, server, { ports, state });
    const { writer, mostDecodedAll } = ports;
    const pictures = noPictures();
    const elsewhere = await findElsewhere({ ...parts, planned, pictures });
    const { limit } = request;
    const moved = warnOfMovedOutput(job, ports, state);
    const { spool } = planned;
    const former = await findFormerOutput({ ...request, job, server }, ports, { state, spool });
    const told = [...former.warnings, ...moved, ...planned.warnings];
    const shown = { ...planned, warnings: told };
    const { far } = parts;
    const known = { planned: shown, far, state, createdAt, source, writer, mostDecodedAll, limit };
    const plan = await describePlan(job, server, { ...known, templateOf, address, ...elsewhere });
    ports.on({ type: "plan", plan });
    refuseChangedKey(planned.changedKey ?? former.refused);
    const { isConfirmed } = request;
    const over = job.safety.confirmOver;
    const command = retryFailed ? "retry" : "run";
    await askNoting(state, command, () =>
      confirmChanges(ports, toQuestion(parts, planned), { over, isConfirmed, command }),
    );
    const otherLooks = elsewhere.otherLooks.filter((one) => !isOfPictures(one));
    return { ...planned, otherLooks, pictures, told: plan.warnings, mark };
  } catch (error) {
    planned.spool.close();
    throw error;
  }
}

function toQuestion({ job, request }: RowParts, { summary }: PlannedJob): Question {
  const count = countChanges(summary, request.limit);
  return { does: "make", thing: toThing(job.kind), count };
}

/** The opened parts as the later stages want them; begins the log of this run. */
function makeWork({ ports, job, source, state }: RowParts, isToHere: boolean): Work {
  const log = makeLog({ to: path.join(job.output.dir, "run.log") });
  log.info({ job: job.name, writer: ports.writer, salt: state.meta("salt") }, "run");
  return {
    ...toWorkBase(ports, state, log),
    job,
    folder: job.output.dir,
    input: toInput(job.source.file, source),
    isRehearsal: isToHere,
  };
}

/** What the run did until now, for the stages that pack and report. */
function toFinishing(
  work: Work,
  { ports, server, stopwatch, request: { limit } }: RowParts,
  { planned, sent }: { planned: Finishing["run"]["planned"]; sent: ServerResult },
): Finishing {
  const command = ports.commandOf("run", { without: STEP_OPTIONS });
  const { baseUrl, dataDir } = server;
  const limited = toLimited(limit, sent.counts.created);
  return { ...work, run: { planned, ...sent, stopwatch, limited, baseUrl, dataDir, command } };
}

async function carryOut(parts: RowParts, planned: Foreseen, lock: Lock): Promise<RunResult> {
  const { job, server, source, state, ports } = parts;
  const { spool, summary } = planned;
  const kept = summary.good === 0 ? await findFinished({ state, folder: job.output.dir }) : [];
  if (kept.length > 0) return leaveFinished(parts, planned, kept);
  // Before anything can fail: the next command may name no address.
  await keepAddress(server, ports);
  rememberSlugLanguage(job, state);
  rememberLogos(state, planned.logos);
  rememberLogoDrawings(state, planned.logoDrawings);
  const { mark } = planned;
  rememberBegun(state, mark);
  forgetResult(state);
  lock.takeOn();
  forgetKept(state);
  adoptPlanned(state, job, planned);
  spool.close();
  refuseEmpty(planned.summary.rows, job.source.file);
  state.setMeta("input_sha256", source.sha256);
  rememberJob(state, job, parts.request);
  rememberSerials(state, source);
  rememberNames(state, job);
  const work = makeWork(parts, false);
  rememberInput(state, work.input);
  const basis = await toBasis(toSealInput(parts));
  const { counts, calls } = await sendAll(work, parts, planned);
  const { gone, reads } = await lookAgain({ ...parts, gone: parts.far.gone }, parts);
  const sent = { counts, calls: { ...calls, reads: calls.reads + reads } };
  state.indexUnsettled();
  if (sent.counts.created > 0) rememberNewest(state);
  const told = [...(planned.told ?? planned.warnings), ...warnOfThere(parts)];
  // Files may have come in another look than those before them.
  const elsewhere = await findElsewhere(parts);
  const otherLooks = [...elsewhere.otherLooks, ...warnOfGone(gone, state)];
  // Only the finished codes tell where they lead.
  const isToHere = hasCodes(state) && isRehearsal(job, server, state);
  const known: Work = { ...work, isRehearsal: isToHere };
  const result = await finishJob(
    toFinishing(known, parts, { planned: { ...planned, ...elsewhere, otherLooks, told }, sent }),
  );
  endPlan(state, result);
  const isThrough = result.outcome !== "interrupted" && !ports.signal.aborted;
  if (isThrough) rememberMade(state, mark, ports.writer);
  if (isThrough && job.kind === "products") state.found.told();
  if (isThrough && isJobProven(known)) {
    await sealRun(
      { ...toSealInput(parts), isRehearsal: isToHere, basis, proof: result.proof },
      { ...planned, ...elsewhere },
    );
  }
  return result;
}

/**
 * Of a run without a good row: the rows to mend are listed, and nothing else is touched. Throws what
 * such a run throws where bad rows are not allowed or there are no rows.
 */
async function leaveFinished(
  parts: RowParts,
  planned: Foreseen,
  kept: readonly KeptFile[],
): Promise<RunResult> {
  const { job, server, state } = parts;
  const { spool, summary, mark } = planned;
  state.bad.replace(spool.bad());
  rememberKept(state, mark, spool.bad());
  spool.close();
  refuseEmpty(summary.rows, job.source.file);
  const work = makeWork(parts, isRehearsal(job, server, state));
  await listUntilStop(work);
  toFailuresLeft(job, summary);
  const sent = { counts: makeCounts(), calls: { ...NO_CALLS, reads: parts.far.reads } };
  return finishKept(toFinishing(work, parts, { planned, sent }), kept);
}

/** Sends what is left. When the job has to stop, the rows that failed until then are still listed. */
async function sendAll(work: Work, parts: RowParts, planned: Foreseen): Promise<ServerResult> {
  const { job, state } = parts;
  const { drawnAs, stale } = planned.pictures;
  for (const key of stale) state.journal.shown(key, null, null);
  try {
    return await sendToServer({
      parts,
      drawnAs: (key) => drawnAs.get(key),
      log: work.log,
      maxFailures: toFailuresLeft(job, planned.summary),
      isNeeded: hasWork(state, job),
    });
  } catch (error) {
    work.on({ type: "stage-end" });
    work.log.error({ message: toMessage(error) }, "stopped");
    await listUntilStop(work);
    throw error;
  }
}

/** True when something is left to ask of the server. */
function hasWork(state: State, job: RowJob): boolean {
  if (state.count(TO_ASK) > 0) return true;
  const { dir, files } = job.output;
  for (const row of state.rows(mayLackFiles(files.length > 0))) {
    if (!hasArtwork(row, dir, files)) return true;
  }
  return false;
}
