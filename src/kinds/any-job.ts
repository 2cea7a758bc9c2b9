import type { RowsJob } from "../job/job.ts";
import type { PdfFacts, Render, Thing, ThingPlan } from "../plan/thing.ts";
import { type kindTable, rowTable } from "./index.ts";
import { findKeptPdf } from "./pdfs/wish.ts";
import { rowKinds, type Kind, type RowKind } from "./names.ts";

export type JobOf<K extends Kind> = ReturnType<(typeof kindTable)[K]["toJob"]>;

/** A job whose rows become things on the server. */
export type RowJob = { [K in RowKind]: JobOf<K> }[RowKind];

/** A job over codes that exist. */
export type SelectJob = { [K in Exclude<Kind, RowKind>]: JobOf<K> }[Exclude<Kind, RowKind>];

/** A manifest, checked, with every default filled in and every path absolute. Deeply frozen. */
export type Job = RowJob | SelectJob;

/** True for jobs whose rows become things on the server. */
export function isRowJob(job: Job): job is RowJob {
  return rowKinds.some((kind) => kind === job.kind);
}

/** Where the state of a job stands; a report has none, so its output folder will do. */
export const stateDirOf = (job: Job): string => ("stateDir" in job ? job.stateDir : job.output.dir);

type AnyToThing = (job: RowsJob, render: Render, facts: PdfFacts) => Thing;

/** Facts about a job's kind that a planner needs. */
export function thingPlanOf(job: RowJob): ThingPlan {
  const { toThing, cost, findFixed } = rowTable[job.kind];
  const ofJob = toThing as AnyToThing;
  return {
    toThing: (render, facts) => ofJob(job, render, facts),
    cost,
    findFixed,
    ...(job.kind === "pdfs" && { findKept: findKeptPdf }),
  };
}
