/** What the commands ask of a kind of job. Each kind answers in files of its own; `kinds.ts` has the table. */
import type { Job } from "../../job/any-job.ts";
import type { CliContext } from "../context.ts";
import type { View } from "../view.ts";
import type { SavedPlan } from "./saved-plan.ts";
import type { ServerChoice } from "./server.ts";
import type { JobProof } from "./verify-job.ts";

export interface RunOptions<J extends Job = Job> {
  readonly job: J;
  readonly server: ServerChoice;
  /** Rows that the server refused before are tried again. */
  readonly retryFailed: boolean;
  /** At most this many creates. */
  readonly limit: number | null;
  /** Forgets what was made before and makes everything anew. */
  readonly fresh: boolean;
  /** Every question is answered with yes. */
  readonly isConfirmed: boolean;
  /** `undo`: what somebody else has changed since is put back, too. */
  readonly force?: boolean;
  /** A saved plan: the run is refused when it would do anything else. */
  readonly plan?: SavedPlan | undefined;
  /** How long the server may fail before the run stops, ms. */
  readonly patienceMs?: number | undefined;
}

export interface PlanRequest<J extends Job = Job> {
  readonly job: J;
  readonly server: ServerChoice;
  /** File that keeps the plan for `run --plan`; absolute. */
  readonly saveTo: string | undefined;
}

/** What `plan` came to. */
export interface PlanOutcome {
  /** Something is to be done or to be mended. */
  readonly hasWork: boolean;
}

export interface KindSteps<J extends Job = Job> {
  /** Shows what a run would do and cost; changes nothing. */
  plan(context: CliContext, view: View, request: PlanRequest<J>): Promise<PlanOutcome>;
  /** Does what is left to do; answers the exit code. `retry` is a run that tries failed rows again. */
  run(context: CliContext, view: View, options: RunOptions<J>): Promise<number>;
  /** Proves anew what runs made; left out where nothing is made. */
  readonly verify?: (context: CliContext, view: View, job: J) => Promise<JobProof>;
  /** Puts back what the last run replaced; answers the exit code. Left out where nothing is replaced. */
  readonly undo?: (context: CliContext, view: View, options: RunOptions<J>) => Promise<number>;
}
