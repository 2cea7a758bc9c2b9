/** A state belongs to one job: another one would take its codes for rows that have vanished. */
import path from "node:path";

import { AppError } from "../../base/errors.ts";
import type { RowJob } from "../../kinds/any-job.ts";
import type { State } from "../../state/state.ts";
import type { FolderChoice } from "../strategy.ts";

/** Meta: name and manifest of the last run. */
export const JOB = "job";
export const MANIFEST = "job_file";
/** Meta: the manifest that chose the folder, relative to it; empty where an option chose it. */
export const CHOSEN_BY = "chosen_by";

/**
 * Throws `state-foreign` for a job of another name in another manifest. A job may be renamed, and so
 * may its manifest: not both at once.
 */
export function refuseOtherJob(state: State | undefined, job: RowJob): void {
  const [name, manifest] = [state?.meta(JOB), state?.meta(MANIFEST)];
  if (state === undefined || name === undefined || manifest === undefined) return;
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

export function rememberJob(
  state: State,
  { name, file, output }: RowJob,
  { isFolderGiven = false }: FolderChoice,
): void {
  const chosenBy = isFolderGiven ? "" : path.relative(output.dir, file);
  const own = { [JOB]: name, [MANIFEST]: path.basename(file), [CHOSEN_BY]: chosenBy };
  for (const [key, value] of Object.entries(own))
    if (state.meta(key) !== value) state.setMeta(key, value);
}
