/** kind -> how a job of it is planned, run, verified, undone. Adding a kind is adding a line. */
import { AppError } from "../base/errors.ts";
import type { Job, JobOf } from "../kinds/any-job.ts";
import type { Kind } from "../kinds/names.ts";
import type { RowJob } from "../kinds/any-job.ts";
import { planRowJob } from "./rows/plan-rows.ts";
import { runRowJob } from "./rows/run-rows.ts";
import { report } from "./select/report.ts";
import { retarget } from "./select/retarget.ts";
import { overSelection } from "./select/selection.ts";
import type { Strategy } from "./strategy.ts";
import { undoJob } from "./undo.ts";
import { verifyRowJob } from "./verify.ts";

/** Rows become things on the server, files, sheets and archives: the same way for all such kinds. */
const rows: Strategy<RowJob> = { plan: planRowJob, run: runRowJob, verify: verifyRowJob };

const strategies: { readonly [K in Kind]: Strategy<JobOf<K>> } = {
  codes: rows,
  products: rows,
  links: rows,
  pdfs: rows,
  pages: rows,
  forms: rows,
  redesign: { ...overSelection, undo: undoJob },
  retarget: { ...retarget, undo: undoJob },
  report,
  export: overSelection,
};

export const strategyOf = (job: Job): Strategy => strategies[job.kind] as Strategy;

type Optional = "verify" | "undo";

/** A step that not every kind has. Throws `bad-usage` where there is nothing to be done. */
export function stepOf<Step extends Optional>(job: Job, step: Step): NonNullable<Strategy[Step]> {
  const found = strategyOf(job)[step];
  if (found !== undefined) return found;
  const kinds = Object.entries(strategies).filter(([, { [step]: one }]) => one !== undefined);
  const names = kinds.map(([kind]) => kind).join(", ");
  throw new AppError("bad-usage", `${step} takes a job of kind ${names}, got ${job.kind}`, {
    where: { file: job.file, field: "kind" },
    ...(step === "undo" && {
      hint: "undo puts back what a redesign or retarget replaced; what other jobs made stays",
    }),
  });
}
