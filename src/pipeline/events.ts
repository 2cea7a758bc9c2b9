/** What a job reports while it is planned and run. Facts only: the front end has the words. */
import type { Problem } from "../base/errors.ts";
import type { NamedLabel } from "./reprint/named-label.ts";
import type { JobPlan } from "./results.ts";
import type { RetirePlan } from "./retire/retire-plan.ts";

export interface Progress {
  readonly stage: string;
  readonly done: number;
  readonly total: number;
  readonly failed: number;
  readonly lastFailure: string | undefined;
  /** Writes of the last minute, and how many are allowed; undefined where no limit is known. */
  readonly writesPerMinute: number | undefined;
  readonly writeLimit: number | undefined;
}

export type JobEvent =
  | { readonly type: "plan"; readonly plan: JobPlan }
  | { readonly type: "retire-plan"; readonly plan: RetirePlan }
  | { readonly type: "progress"; readonly progress: Progress }
  /** The stage that reported its progress is over. */
  | { readonly type: "stage-end" }
  /** The server makes the job wait, or a step takes its time: why. */
  | { readonly type: "waiting"; readonly message: string }
  /** `state.db` is gone; codes that were made before are looked for by their markers. */
  | { readonly type: "state-lost" }
  | { readonly type: "warning"; readonly problem: Problem }
  /** What to know about the sheets before they are printed. */
  | { readonly type: "sheet-warnings"; readonly problems: readonly Problem[] }
  /**
   * Labels or whole sheets (`sheets`) of the PDF `from` are about to be printed again; of sheets it
   * names the volumes that have them.
   */
  | {
      readonly type: "reprint";
      readonly from: string;
      readonly sheets: readonly number[] | null;
      readonly labels: readonly NamedLabel[];
    }
  | { readonly type: "row-failed"; readonly problem: Problem };

export type Emit = (event: JobEvent) => void;

const NO_PACE = { writesPerMinute: undefined, writeLimit: undefined };

/** The progress of a stage in which nothing fails and nothing is paced. */
export function showStage(on: Emit, stage: string, done: number, total: number): void {
  const progress = { stage, done, total, failed: 0, lastFailure: undefined, ...NO_PACE };
  on({ type: "progress", progress });
}
