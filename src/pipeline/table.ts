/**
 * kind -> how a job of it is planned, run, verified, undone. Adding a kind is adding a line. What a kind
 * stands on is loaded by its first step: who asks where a job stands loads no printing.
 */
import { AppError } from "../base/errors.ts";
import type { Job, JobOf, RowJob } from "../kinds/any-job.ts";
import type { Kind } from "../kinds/names.ts";
import type { Strategy } from "./strategy.ts";

interface Entry<J extends Job> {
  /** Steps that not every kind has. */
  readonly steps: readonly ("verify" | "undo")[];
  readonly load: () => Promise<Strategy<J>>;
}

/** Rows become things on the server, files, sheets and archives: the same way for all such kinds. */
const rows: Entry<RowJob> = {
  steps: ["verify"],
  load: async () => (await import("./rows/rows.ts")).rows,
};

const table: { readonly [K in Kind]: Entry<JobOf<K>> } = {
  codes: rows,
  products: rows,
  links: rows,
  pdfs: rows,
  pages: rows,
  forms: rows,
  redesign: {
    steps: ["verify", "undo"],
    load: async () => (await import("./select/selection.ts")).redesign,
  },
  retarget: { steps: ["undo"], load: async () => (await import("./select/retarget.ts")).retarget },
  report: { steps: [], load: async () => (await import("./select/report.ts")).report },
  export: { steps: ["verify"], load: async () => (await import("./select/selection.ts")).exported },
};

export const strategyOf = (job: Job): Promise<Strategy> =>
  table[job.kind].load() as Promise<Strategy>;

/** A step that not every kind has. Throws `bad-usage` where there is nothing to be done. */
export async function stepOf<Step extends "verify" | "undo">(
  job: Job,
  step: Step,
): Promise<NonNullable<Strategy[Step]>> {
  const found = table[job.kind].steps.includes(step) ? (await strategyOf(job))[step] : undefined;
  if (found !== undefined) return found;
  const kinds = Object.entries(table).filter(([, { steps }]) => steps.includes(step));
  const names = kinds.map(([kind]) => kind).join(", ");
  throw new AppError("bad-usage", `${step} takes a job of kind ${names}, got ${job.kind}`, {
    where: { file: job.file, field: "kind" },
    ...(step === "undo" && {
      hint: "undo puts back what a redesign or retarget replaced; what other jobs made stays",
    }),
  });
}
