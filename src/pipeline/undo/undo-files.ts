/** Puts the output folder back after an undo: pictures, archives, sheets, index and report. */
import { existsSync } from "node:fs";

import type { Problem } from "../../base/errors.ts";
import type { PressWarning } from "../../base/shapes/press-warning.ts";
import type { Client } from "../../client/client.ts";
import { hasArtwork } from "../../download/download.ts";
import type { Job } from "../../kinds/any-job.ts";
import type { RedesignJob } from "../../kinds/redesign/job.ts";
import type { RetargetJob } from "../../kinds/retarget/job.ts";
import { EMPTY_SUMMARY } from "../../plan/tally.ts";
import type { State } from "../../state/state.ts";
import { DONE, PRESENT_DONE } from "../../state/which-rows.ts";
import { makeCounts } from "../standing/counts.ts";
import { finishJob } from "../stages/finish.ts";
import { findGoneHere, warnOfGone } from "../rows/gone-codes.ts";
import { recallOutput } from "../standing/finished-job.ts";
import { STEP_OPTIONS } from "../ports.ts";
import type { Calls, RunResult } from "../results.ts";
import { changeAndFetch } from "../select/change-codes.ts";
import type { SelectParts } from "../select/open-select.ts";
import { sweepTemporary } from "../stages/sweep.ts";
import { toWorkBase, type Work } from "../stages/work.ts";

export type UndoJob = RedesignJob | RetargetJob;

/** What the stages must know of a job whose run is undone. */
export type ToWork<J extends UndoJob> = (
  job: J,
  state: State,
) => Pick<Work, "job" | "input" | "isRehearsal">;

/**
 * The folder of the run that is undone; undefined when it is gone: then there is nothing to mend,
 * which is said.
 */
export function findLastFolder(job: UndoJob, { state, ports }: SelectParts): string | undefined {
  const folder = recallOutput(state, { stateDir: job.stateDir, dir: job.output.dir });
  if (existsSync(folder)) return folder;
  const message = `the folder of that run is gone, so its index and report are not made anew: ${folder}`;
  ports.on({ type: "warning", problem: { message } });
  return undefined;
}

/** A retarget keeps no pictures. */
const formatsOf = ({ kind, output }: UndoJob) => (kind === "redesign" ? output.files : []);

/** True when a code looks different from its pictures, or has none. */
export function lacksFiles(job: UndoJob, state: State, folder: string): boolean {
  const formats = formatsOf(job);
  if (formats.length === 0) return false;
  for (const row of state.rows(DONE)) if (!hasArtwork(row, folder, formats)) return true;
  return false;
}

/** Fetches the pictures of codes that look otherwise now. */
export async function fetchFiles(
  parts: SelectParts,
  job: UndoJob,
  { client, folder }: { readonly client: Client; readonly folder: string },
): Promise<readonly Problem[]> {
  const formats = formatsOf(job);
  if (formats.length === 0) return [];
  const folders = { ...parts.folders, output: folder };
  const stage = { parts: { ...parts, folders }, client, formats, settled: DONE, toChange: 0 };
  const { failures } = await changeAndFetch(stage, () => Promise.resolve());
  return [...failures.values()];
}

/** Codes that were bad for the design of a redesign are no longer to mend. */
export const countBad = ({ kind }: Pick<Job, "kind">, state: State): number =>
  kind === "redesign" ? 0 : state.bad.count;

export interface Undone {
  readonly calls: Calls;
  /** Codes that are as before the run, those of earlier starts included. */
  readonly codes: number;
  /** Those of them that this start has put back. */
  readonly changed: number;
  /** Codes that are not. */
  readonly notDone: number | undefined;
  /** Of the run; ISO. */
  readonly runAt: string;
  readonly warnings: readonly Problem[];
  /** Rows whose codes were to be put back, and are gone. */
  readonly gone: readonly string[];
}

/** Codes that sheets show and that lead nowhere: none of these sheets is ready for press. */
async function findDead(
  { state, server, ports }: Pick<SelectParts, "state" | "server" | "ports">,
  gone: readonly string[],
): Promise<PressWarning[]> {
  const here = await findGoneHere({ job: undefined, server }, state, ports, true);
  const keys = [...new Set([...gone, ...(here?.keys ?? [])])];
  return warnOfGone({ keys, asked: keys.length, isAll: true }, state);
}

/** Packs and reports anew, in the folder of the run. */
export async function restoreFiles<J extends UndoJob>(
  parts: SelectParts,
  { job, toWork, folder }: { job: J; toWork: ToWork<J>; folder: string },
  { calls, codes, changed, notDone, runAt, warnings, gone }: Undone,
): Promise<RunResult> {
  const { ports, state, log, stopwatch, server } = parts;
  await sweepTemporary(folder);
  const good = state.count(PRESENT_DONE);
  const bad = countBad(job, state);
  const unchanged = Math.max(0, good - codes);
  const summary = { ...EMPTY_SUMMARY, rows: good + bad, good, bad, unchanged };
  return finishJob({
    ...toWorkBase(ports, state, log),
    ...toWork(job, state),
    folder,
    run: {
      planned: { summary, warnings, otherLooks: await findDead(parts, gone) },
      counts: { ...makeCounts(), changed },
      calls,
      stopwatch,
      baseUrl: server.baseUrl,
      dataDir: server.dataDir,
      command: ports.commandOf("run", { without: STEP_OPTIONS }),
      after: { did: "undone", codes: changed, already: codes - changed, notDone, runAt },
    },
  });
}
