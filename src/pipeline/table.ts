/**
 * How a job is planned, run, verified, undone: all kinds that read rows in one way, each of the
 * others in its own. The first step loads the modules that it needs: `status` loads no printing.
 */
import { AppError } from "../base/errors.ts";
import type { Job, JobOf, RowJob } from "../kinds/any-job.ts";
import { kinds, type Kind, type SelectKind } from "../kinds/names.ts";
import type { Strategy } from "./strategy.ts";

interface Entry<J extends Job> {
  /** Steps that not every kind has. */
  readonly steps: readonly ("verify" | "undo")[];
  readonly load: () => Promise<Strategy<J>>;
}

/** Rows become things on the server, files, sheets and archives: the same way for all such kinds. */
const rows: Entry<RowJob> = {
  steps: ["verify", "undo"],
  load: async () => (await import("./rows/rows.ts")).rows,
};

/** Each in its own way. */
const select: { readonly [K in SelectKind]: Entry<JobOf<K>> } = {
  redesign: {
    steps: ["verify", "undo"],
    load: async () => (await import("./select/selection.ts")).redesign,
  },
  retarget: { steps: ["undo"], load: async () => (await import("./select/retarget.ts")).retarget },
  report: { steps: [], load: async () => (await import("./select/report.ts")).report },
  export: { steps: ["verify"], load: async () => (await import("./select/selection.ts")).exported },
};

const entryOf = (kind: Kind): Entry<never> =>
  Object.hasOwn(select, kind) ? select[kind as SelectKind] : rows;

export const strategyOf = (job: Job): Promise<Strategy> =>
  entryOf(job.kind).load() as Promise<Strategy>;

export const hasStep = (kind: Kind, step: "verify" | "undo"): boolean =>
  entryOf(kind).steps.includes(step);

/** A step that not every kind has. Throws `bad-usage` where there is nothing to be done. */
export async function stepOf<Step extends "verify" | "undo">(
  job: Job,
  step: Step,
): Promise<NonNullable<Strategy[Step]>> {
  const found = hasStep(job.kind, step) ? (await strategyOf(job))[step] : undefined;
  if (found !== undefined) return found;
  const names = kinds.filter((kind) => hasStep(kind, step)).join(", ");
  throw new AppError("bad-usage", `${step} takes a job of kind ${names}, got ${job.kind}`, {
    where: { file: job.file, field: "kind" },
    ...(step === "undo" && {
      hint: "undo puts back what a redesign, a retarget or a retire replaced; what other jobs made stays",
    }),
  });
}
