/** kind -> what the commands do with a job of it. Adding a kind is adding a line. */
import { AppError } from "../../base/errors.ts";
import type { Job, JobOf } from "../../job/any-job.ts";
import type { Kind } from "../../job/kinds.ts";
import type { RowJob } from "../../job/row-jobs.ts";
import { planRowJob } from "./plan-job.ts";
import { runRowJob } from "./run-job.ts";
import { planReportJob, runReportJob } from "./select/report-job.ts";
import { planRetargetJob, runRetargetJob } from "./select/retarget-job.ts";
import { planSelectionJob, runSelectionJob, verifySelectionJob } from "./select/run-selection.ts";
import { undoJob } from "./select/undo-job.ts";
import type { KindSteps } from "./steps.ts";
import { verifyJob } from "./verify-job.ts";

/** Rows become things on the server, files, sheets and archives: the same way for all such kinds. */
const rows: KindSteps<RowJob> = { plan: planRowJob, run: runRowJob, verify: verifyJob };

const steps: { readonly [K in Kind]: KindSteps<JobOf<K>> } = {
  codes: rows,
  products: rows,
  links: rows,
  pdfs: rows,
  pages: rows,
  forms: rows,
  redesign: {
    plan: planSelectionJob,
    run: runSelectionJob,
    verify: verifySelectionJob,
    undo: undoJob,
  },
  retarget: { plan: planRetargetJob, run: runRetargetJob, undo: undoJob },
  report: { plan: planReportJob, run: runReportJob },
  export: { plan: planSelectionJob, run: runSelectionJob, verify: verifySelectionJob },
};

export const stepsOf = (job: Job): KindSteps => steps[job.kind] as KindSteps;

type Optional = "verify" | "undo";

/** A step that not every kind has. Throws `bad-usage` where there is nothing to be done. */
export function stepOf<Step extends Optional>(job: Job, step: Step): NonNullable<KindSteps[Step]> {
  const found = stepsOf(job)[step];
  if (found !== undefined) return found;
  const kinds = Object.entries(steps).filter(([, { [step]: one }]) => one !== undefined);
  const names = kinds.map(([kind]) => kind).join(", ");
  throw new AppError("bad-usage", `${step} takes a job of kind ${names}, got ${job.kind}`, {
    where: { file: job.file, field: "kind" },
    ...(step === "undo" && {
      hint: "undo puts back what a redesign or retarget replaced; what other jobs made stays",
    }),
  });
}
