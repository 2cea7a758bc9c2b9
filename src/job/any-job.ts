import { rowKinds } from "./kinds.ts";
import type { RowJob } from "./row-jobs.ts";
import type { SelectJob } from "./select-jobs.ts";

/** A manifest, checked, with every default filled in and every path absolute. Deeply frozen. */
export type Job = RowJob | SelectJob;

/** The job of one kind. */
export type JobOf<K extends Job["kind"]> = Extract<Job, { readonly kind: K }>;

/** True for jobs whose rows become things on the server. */
export function isRowJob(job: Job): job is RowJob {
  return rowKinds.some((kind) => kind === job.kind);
}

/** Where the state of a job stands; that of a report nowhere, but its folder will do. */
export const stateDirOf = (job: Job): string => ("stateDir" in job ? job.stateDir : job.output.dir);
