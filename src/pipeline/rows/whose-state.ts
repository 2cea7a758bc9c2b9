/** A state belongs to one job: another one would take its codes for rows that have vanished. */
import path from "node:path";

import { AppError, type Problem } from "../../base/errors.ts";
import { formatMany } from "../../base/text/words.ts";
import type { RowJob } from "../../kinds/any-job.ts";
import type { State } from "../../state/state.ts";
import { MAYBE_MADE } from "../../state/which-rows.ts";
import type { FolderChoice } from "../strategy.ts";

/** Meta: name and manifest of the last run. */
export const JOB = "job";
export const MANIFEST = "job_file";
/** Meta: the manifest that chose the folder, relative to it; empty where an option chose it. */
export const CHOSEN_BY = "chosen_by";
/** Meta: kind of the rows' codes; older runs didn't keep it. */
const KIND = "job_kind";

/** Throws `state-foreign` where codes of another kind may have been made: a run must look for them as that. */
function refuseOtherKind(state: State, job: RowJob): void {
  const kind = state.meta(KIND);
  if (kind === undefined || kind === job.kind) return;
  const sent = state.count(MAYBE_MADE);
  if (sent === 0) return;
  throw new AppError(
    "state-foreign",
    `kind must stay ${kind}, got ${job.kind}: ${formatMany(sent, "row")} may have been made as ${kind}, since the answer was lost`,
    {
      hint: `write kind: ${kind} again and run the job, so that it looks for them; make a job of its own, with another name, for ${job.kind}`,
      where: { file: job.file, field: "kind" },
    },
  );
}

/**
 * Throws `state-foreign` for a job of another name in another manifest. A job may be renamed, and so
 * may its manifest: not both at once. The same for a job of another kind.
 */
export function refuseOtherJob(state: State | undefined, job: RowJob): void {
  if (state === undefined) return;
  refuseOtherKind(state, job);
  const [name, manifest] = [state.meta(JOB), state.meta(MANIFEST)];
  if (name === undefined || manifest === undefined) return;
  if (name === job.name || manifest === path.basename(job.file)) return;
  const folder = path.relative(path.dirname(job.file), job.output.dir) || ".";
  throw new AppError(
    "state-foreign",
    `output.dir must be a folder of this job alone, but ${folder} holds the codes of the job ${name} (${manifest})`,
    {
      hint: `give this job another output.dir; where it is the same job under a new name, write name: ${name}`,
      where: { file: job.file, field: "output.dir" },
    },
  );
}

/** The same, as a problem to be shown. */
export function findOtherJob(state: State, job: RowJob): Problem | undefined {
  try {
    refuseOtherJob(state, job);
    return undefined;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const { message, hint, where } = error;
    return { message, hint, where };
  }
}

export function rememberJob(
  state: State,
  { name, file, kind, output }: RowJob,
  { isFolderGiven = false }: FolderChoice,
): void {
  const chosenBy = isFolderGiven ? "" : path.relative(output.dir, file);
  const own = { [JOB]: name, [MANIFEST]: path.basename(file), [CHOSEN_BY]: chosenBy, [KIND]: kind };
  for (const [key, value] of Object.entries(own))
    if (state.meta(key) !== value) state.setMeta(key, value);
}
