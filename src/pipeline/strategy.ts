/** What `open.ts` asks of a kind of job; `table.ts` has the answers of each kind. */
import type { Job } from "../kinds/any-job.ts";
import type { Ports } from "./ports.ts";
import type { JobPlan, JobProof, RunRequest, RunResult, UndoRequest } from "./results.ts";
import type { ServerChoice } from "./address/server.ts";

/** Who says where a job's files go. */
export interface FolderChoice {
  /** An option says it, or names the job: for this call, another folder is meant. */
  readonly isFolderGiven?: boolean | undefined;
}

export interface PlanRequest<J extends Job = Job> extends FolderChoice {
  readonly job: J;
  readonly server: ServerChoice;
  /** Adds the facts of the plan: looks at every row. */
  readonly isExact: boolean;
  /** The plan is kept in a file, to be agreed on. */
  readonly isSaved?: boolean;
}

export interface RunOrder<J extends Job = Job> extends RunRequest, FolderChoice {
  readonly job: J;
  readonly server: ServerChoice;
}

export interface VerifyOrder<J extends Job = Job> {
  readonly job: J;
  readonly server: ServerChoice;
}

export interface UndoOrder<J extends Job = Job> extends UndoRequest {
  readonly job: J;
  readonly server: ServerChoice;
}

export interface Strategy<J extends Job = Job> {
  /** What a run would do and cost; changes nothing. */
  plan(request: PlanRequest<J>, ports: Ports): Promise<JobPlan>;
  /** Does what is left to do. */
  run(order: RunOrder<J>, ports: Ports): Promise<RunResult>;
  /** Proves anew what runs made; left out where nothing is made. */
  readonly verify?: (order: VerifyOrder<J>, ports: Ports) => Promise<JobProof>;
  /** Puts back what the last run replaced; left out where nothing is replaced. */
  readonly undo?: (order: UndoOrder<J>, ports: Ports) => Promise<RunResult>;
}
