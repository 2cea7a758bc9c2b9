/** Files that a run over codes that exist makes, though it may change no code. */
import type { PlanSummary } from "../../plan/tally.ts";
import type { State } from "../../state/state.ts";
import { type FileGroups, noteRemade } from "../files/files-anew.ts";
import { recallOutput } from "../standing/finished-job.ts";
import type { PlanNote } from "../paper/plan-notes.ts";
import type { Spool } from "../rows/spool.ts";
import { ANY } from "../../state/which-rows.ts";
import type { KeepingJob } from "./open-select.ts";

/** What earlier runs made, and the program of today. */
export interface MadeBefore {
  readonly state: State;
  readonly writer: string;
}

/** What a plan knows of the files of its codes. */
export interface PlannedCodes {
  readonly summary: PlanSummary;
  /** All its rows. Close it. */
  readonly spool: Spool;
  /** Codes that keep their design, and whose files are not there. */
  readonly fetched?: number;
  /** Files that hold codes which look otherwise than on the last run. */
  readonly redrawn?: FileGroups;
}

/** The last run wrote where the next one will. */
const isHere = ({ stateDir, output }: KeepingJob, { state }: MadeBefore) =>
  state.count(ANY) > 0 && recallOutput(state, { stateDir, dir: output.dir }) === output.dir;

/** Finished files that are made anew; a run that gets a folder of its own finds none. */
export async function noteRemadeOfCodes(
  job: KeepingJob,
  { summary, spool, redrawn }: PlannedCodes,
  {
    finished,
    sheets,
  }: {
    readonly finished: MadeBefore | undefined;
    readonly sheets: readonly PlanNote[];
  },
): Promise<PlanNote[]> {
  if (finished === undefined || !isHere(job, finished)) return [];
  const { stateDir } = job;
  const given = { job, stateDir, delimiter: undefined, summary, spool, sheets, redrawn };
  return noteRemade({ ...given, ...finished });
}

/** Files that are not there yet, and lists that name other codes than those of the last run. */
export function hasFilesToMake(
  job: KeepingJob,
  { summary: { good, vanished }, fetched = 0 }: PlannedCodes,
  finished: MadeBefore | undefined,
): boolean {
  const { files, index, sheets, zip } = job.output;
  if (good === 0 || (files.length + index.length === 0 && sheets === null && zip === null))
    return false;
  return fetched + vanished > 0 || finished === undefined || !isHere(job, finished);
}
