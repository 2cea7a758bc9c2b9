import type { Problem } from "../../base/errors.ts";
import type { RunResult } from "../results.ts";

/** What happened to rows in this run. */
export interface RunCounts {
  created: number;
  adopted: number;
  changed: number;
  fetched: number;
  /** Rows that failed in this run, with the reason; a row may fail in several steps. */
  readonly failures: Map<string, Problem>;
  /** Creates whose answer was lost in this run. */
  doubts: number;
}

export function makeCounts(): RunCounts {
  return {
    created: 0,
    adopted: 0,
    changed: 0,
    fetched: 0,
    failures: new Map(),
    doubts: 0,
  };
}

/** The counts of a run that made nothing and failed at nothing. */
export const NOTHING_DONE = {
  created: 0,
  adopted: 0,
  changed: 0,
  left: 0,
  failed: 0,
  bad: 0,
  files: [],
  proof: undefined,
  press: undefined,
  isRehearsal: false,
  problems: [],
} as const satisfies Partial<RunResult>;
