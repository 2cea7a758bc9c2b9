/** A job that was run, opened to be looked at or printed again. */
import path from "node:path";

import { AppError, badUsage } from "../../base/errors.ts";
import { makeLog } from "../../base/log.ts";
import type { RowJob } from "../../kinds/any-job.ts";
import { lockFolder } from "../../state/lock.ts";
import { findState, isReadOnly, isStateThere, readState } from "../../state/find-state.ts";
import { ANY } from "../../state/which-rows.ts";
import { toStateError } from "../../state/schema.ts";
import { stateFile, type State, type StateOptions } from "../../state/state.ts";
import { recallInput } from "../source/input-facts.ts";
import { leadsHere } from "../address/link-origins.ts";
import { hasBegun } from "./last-result.ts";
import type { Ports } from "../ports.ts";
import { toWorkBase, type Work, type WorkJob } from "../stages/work.ts";

/** Meta: the output folder of the last run, where every run has its own; relative to the state's. */
const OUTPUT_FOLDER = "output_folder";

/** Where a job keeps its state, and where a run of today would write. */
interface Folders {
  readonly stateDir: string;
  readonly dir: string;
}

/** The whole job may be moved or copied: its files are found beside its state. */
export function rememberOutput(state: State, { stateDir, dir }: Folders): void {
  state.setMeta(OUTPUT_FOLDER, path.relative(stateDir, dir) || ".");
}

/** The folder that the last run wrote to, as long as it lies where the job now lies. */
export function recallOutput(state: State, { stateDir, dir }: Folders): string {
  const kept = state.meta(OUTPUT_FOLDER);
  if (kept === undefined) return dir;
  if (!path.isAbsolute(kept)) return path.resolve(stateDir, kept);
  // An older makeready kept it absolute, maybe where the job lay before.
  if (dir === stateDir) return dir;
  const above = path.dirname(stateDir);
  const way = kept.split(path.sep);
  const shared = way.lastIndexOf(path.basename(above));
  return shared < 0 ? kept : path.join(above, ...way.slice(shared + 1));
}

export interface FinishedJob {
  readonly job: WorkJob;
  readonly stateDir: string;
  /** Of the source, as the run named it. */
  readonly inputName: string;
}

/** A job whose state stands in its output folder. */
export const toFinishedJob = (job: RowJob): FinishedJob => ({
  job,
  stateDir: job.output.dir,
  inputName: path.basename(job.source.file),
});

const neverRun = (
  stateDir: string,
  { commandOf }: Pick<Ports, "commandOf">,
  got = "no state",
): AppError =>
  badUsage(
    `${stateDir} must hold a finished job, got ${got}`,
    `if the output folder was moved or renamed, name it with --out FOLDER, since a run makes new codes; otherwise run it first: ${commandOf("run")}`,
  );

/** Throws `bad-usage` for a state that no run has put a row into: one was killed, or asked and got no yes. */
export function refuseUnbegun(
  stateDir: string,
  state: State,
  ports: Pick<Ports, "commandOf">,
): void {
  if (!hasBegun(state) && state.count(ANY) === 0)
    throw neverRun(stateDir, ports, "a state without a row: its run ended before it began");
}

/**
 * The same for readers: a folder that can't be written needs no lock, since no one else writes
 * there.
 */
export async function lookAtFinishedJob<T>(
  finished: FinishedJob,
  ports: Ports,
  use: (work: Work) => Promise<T>,
): Promise<T> {
  const { stateDir } = finished;
  if (!isReadOnly(stateDir)) return withFinishedJob(finished, ports, use);
  const state = await readState(stateDir, toStateOptions(ports));
  if (state === undefined) throw neverRun(stateDir, ports);
  try {
    return await use(toWork(finished, state, ports));
  } catch (error) {
    throw toStateError(stateFile(stateDir), error);
  } finally {
    state.close();
  }
}

/** Opens what a run left, locked while it is used. Throws `bad-usage` when the job was never run. */
export async function withFinishedJob<T>(
  finished: FinishedJob,
  ports: Ports,
  use: (work: Work) => Promise<T>,
): Promise<T> {
  const { stateDir } = finished;
  if (!isStateThere(stateDir)) throw neverRun(stateDir, ports);
  const lock = await lockFolder(stateDir);
  const state = findState(stateDir, toStateOptions(ports));
  try {
    if (state === undefined) throw new AppError("bug", "the state must still be there");
    return await use(toWork(finished, state, ports));
  } catch (error) {
    throw toStateError(stateFile(stateDir), error);
  } finally {
    state?.close();
    lock.release();
  }
}

const toStateOptions = ({ writer, clock }: Ports): StateOptions => ({
  writer,
  salt: "",
  nowMs: clock.nowMs(),
});

function toWork({ job, inputName, stateDir }: FinishedJob, state: State, ports: Ports): Work {
  return {
    ...toWorkBase(ports, state, makeLog()),
    job,
    folder: recallOutput(state, { stateDir, dir: job.output.dir }),
    input: {
      name: inputName,
      sha256: state.meta("input_sha256") ?? "",
      columns: [],
      delimiter: recallInput(state, inputName).delimiter,
    },
    isRehearsal: leadsHere(state),
  };
}
