import type { AppError, Problem } from "../../base/errors.ts";
import type { PressVerdict, PressWarning, SampledCount } from "../../base/shapes/press-warning.ts";
import type { JobEvent, Progress } from "../../pipeline/events.ts";
import type { JobPlan, RunResult } from "../../pipeline/results.ts";
import type { RetirePlan } from "../../pipeline/retire/retire-plan.ts";

/** A plan with what only the command line knows of it. */
export interface PlanView extends Pick<
  JobPlan,
  | "job"
  | "input"
  | "from"
  | "isRehearsal"
  | "isLimited"
  | "summary"
  | "sheetPages"
  | "sheetLabels"
  | "sheetVolumes"
  | "zipVolumes"
  | "roll"
  | "warnings"
> {
  /** What is made, in words; left out: codes. */
  readonly things?: string | undefined;
  /** `input` are words: the rows are codes that exist. */
  readonly isSelection?: boolean;
  readonly server: string;
  /**
   * What will differ on the sheets from what the job wants, as data; its words are among the
   * warnings.
   */
  readonly press: readonly PressWarning[];
  readonly notes: readonly string[];
}

/** Codes whose rows vanished. */
export interface RetirePlanView extends RetirePlan {
  /** What a row makes, one of it. */
  readonly thing: string;
  /** The command that moves filed codes back. */
  readonly undo: string;
  /** The command that runs the job, with the options that retire was given. */
  readonly run: string;
}

/** The verdict with its words. */
export interface PressView {
  readonly verdict: PressVerdict;
  /** There is no PDF. */
  readonly pictures?: true | undefined;
  readonly sampled?: SampledCount | undefined;
  readonly says: string;
  readonly warnings: readonly (PressWarning & { readonly says: string })[];
}

type Counted = "rows" | "created" | "adopted" | "changed" | "unchanged" | "left" | "failed" | "bad";

export interface SummaryView extends Pick<
  RunResult,
  | "job"
  | "from"
  | Counted
  | "seconds"
  | "stages"
  | "isRehearsal"
  | "elsewhere"
  | "problems"
  | "problemCount"
> {
  /** What is made, in words; left out: codes. */
  readonly things?: string | undefined;
  /** Codes of an undo or a retire that were left out. */
  readonly notDone?: number | undefined;
  /** What became of those that changed; default: changed. */
  readonly changedSays?: string | undefined;
  /** Left out: true. False: no row is faulty; where the run failed, only files could not be fetched. */
  readonly needsMending?: boolean;
  /** The proof found faults; left out where it found none. */
  readonly isUnproven?: true;
  readonly withoutFiles?: number;
  /** Of an undo: so many runs since then (ISO) had changed the codes; left out where it was one. */
  readonly undid?: { readonly runs: number; readonly since: string };
  readonly writes: number;
  readonly reads: number;
  /** `removed`: it is there no longer. */
  readonly files: readonly {
    readonly path: string;
    readonly says: string;
    readonly removed?: true;
  }[];
  readonly proof: string | undefined;
  readonly press: PressView | undefined;
  readonly next: readonly string[];
  readonly exitCode: number;
  readonly interrupted: boolean;
}

/** What is about to be printed again, before it is written. */
export type ReprintView = Omit<Extract<JobEvent, { type: "reprint" }>, "type">;

/** Commands compute, views print: one for people, one for programs. */
export interface View {
  plan(plan: PlanView): void;
  retirePlan(plan: RetirePlanView): void;
  progress(progress: Progress): void;
  /** The stage is over: ends its progress line. */
  stageEnd(): void;
  waiting(message: string): void;
  warning(problem: Problem): void;
  row(problem: Problem): void;
  reprint(wanted: ReprintView): void;
  summary(summary: SummaryView): void;
  error(error: AppError): void;
}
