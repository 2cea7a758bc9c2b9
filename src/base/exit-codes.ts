/** Exit codes are a contract with scripts (docs/spec/jobs.md section 2). */
export const exitCodes = {
  0: "done",
  1: "unexpected error, a bug",
  2: "wrong usage, manifest or spreadsheet as a whole",
  3: "done, but some rows failed (see failed-rows.csv)",
  4: "token or workspace refused",
  5: "rate limit or server unavailable after retries",
  6: "plan stale, or state from a newer version",
  7: "job locked by a live run",
  130: "interrupted, state saved",
} as const;

export const EXIT_ROWS_FAILED = 3;
export const EXIT_REFUSED = 4;
export const EXIT_INTERRUPTED = 130;

/** How a run ended -> its exit code. */
export const outcomeExits = {
  done: 0,
  "rows-failed": EXIT_ROWS_FAILED,
  interrupted: EXIT_INTERRUPTED,
} as const;
