import type { Problem } from "../../base/errors.ts";
import type { Job } from "../../job/job.ts";
import { ActionsHash } from "../../plan/plan-file.ts";
import { Planner } from "../../plan/planner.ts";
import type { PlanSummary } from "../../plan/tally.ts";
import type { Source } from "../../read/source.ts";
import type { State } from "../../state/state.ts";
import { Spool } from "./spool.ts";

export interface PlannedJob {
  readonly summary: PlanSummary;
  readonly spool: Spool;
  readonly warnings: readonly Problem[];
  /** Over every row's wish and action. */
  readonly actionsSha256: string;
}

export interface PlanStageOptions {
  readonly job: Job;
  readonly source: Source;
  /** Undefined before the first run. */
  readonly state: State | undefined;
  readonly nowMs: number;
  readonly retryFailed: boolean;
}

/** Reads every row and decides what it needs. Changes nothing; throws when the file is broken. */
export async function planRows(options: PlanStageOptions): Promise<PlannedJob> {
  const { job, source, state, nowMs, retryFailed } = options;
  const planner = new Planner({
    job,
    known: (key) => state?.known(key),
    hasFolder: (path) => state?.folderId(path) !== undefined,
    context: { nowMs },
    retryFailed,
  });
  const spool = new Spool();
  const seen = new Set<string>();
  const actions = new ActionsHash();
  try {
    for await (const row of source.rows()) {
      const planned = planner.add(row);
      const key = planned.good ? planned.row.key : planned.bad.key;
      if (key !== undefined && state?.known(key) !== undefined) seen.add(key);
      spool.add(planned);
      actions.add(planned);
    }
  } catch (error) {
    spool.close();
    throw error;
  }
  const known = state?.count("presence <> 'vanished'") ?? 0;
  const vanished = Math.max(0, known - seen.size);
  const warnings = [...source.warnings, ...planner.warnings()];
  return { summary: planner.summary(vanished), spool, warnings, actionsSha256: actions.hex() };
}
