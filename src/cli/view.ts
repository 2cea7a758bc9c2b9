import type { AppError, Problem } from "../base/errors.ts";
import type { Progress } from "../pipeline/events.ts";
import type { NamedLabel } from "../pipeline/results.ts";
import type { PlanSummary } from "../plan/tally.ts";

/** A plan with what only the command line knows of it. */
export interface PlanView {
  readonly job: string;
  /** What is made, in words; left out: codes. */
  readonly things?: string | undefined;
  /** The spreadsheet, or what is selected, in words. */
  readonly input: string;
  /** `input` are words: the rows are codes that exist. */
  readonly isSelection?: boolean;
  readonly server: string;
  readonly isRehearsal: boolean;
  readonly isLimited: boolean;
  readonly summary: PlanSummary;
  readonly sheetPages: number;
  readonly warnings: readonly Problem[];
  readonly notes: readonly string[];
}

export interface SummaryView {
  readonly job: string;
  /** What is made, in words; left out: codes. */
  readonly things?: string | undefined;
  readonly rows: number;
  readonly created: number;
  readonly adopted: number;
  readonly changed: number;
  readonly unchanged: number;
  readonly left: number;
  readonly failed: number;
  readonly bad: number;
  readonly writes: number;
  readonly reads: number;
  readonly seconds: number;
  readonly stages: readonly { readonly name: string; readonly seconds: number }[];
  readonly files: readonly { readonly path: string; readonly says: string }[];
  readonly proof: string | undefined;
  readonly isRehearsal: boolean;
  readonly problems: readonly Problem[];
  readonly next: readonly string[];
  readonly exitCode: number;
  readonly interrupted: boolean;
}

/** What is about to be printed again, before it is written. */
export interface ReprintView {
  /** The PDF that it lies in. */
  readonly from: string;
  readonly sheets: readonly number[] | null;
  readonly labels: readonly NamedLabel[];
}

/** Commands compute, views print: one for people, one for programs. */
export interface View {
  plan(plan: PlanView): void;
  progress(progress: Progress): void;
  /** The stage is over; the line that progress left is done. */
  stageEnd(): void;
  waiting(message: string): void;
  warning(problem: Problem): void;
  row(problem: Problem): void;
  note(message: string): void;
  reprint(wanted: ReprintView): void;
  summary(summary: SummaryView): void;
  error(error: AppError): void;
}
