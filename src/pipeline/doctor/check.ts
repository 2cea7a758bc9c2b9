/** One thing that was looked at. */
export interface Check {
  readonly name: string;
  readonly status: "ok" | "warning" | "failed";
  readonly says: string;
  /** What to do about it. */
  readonly fix?: string;
  /** Exit code of the program when this has failed. */
  readonly exit?: number;
}

export const ok = (name: string, says: string): Check => ({ name, status: "ok", says });

export const warn = (name: string, says: string, fix?: string): Check => ({
  name,
  status: "warning",
  says,
  ...(fix !== undefined && { fix }),
});

export const fail = (name: string, says: string, fix: string, exit = 2): Check => ({
  name,
  status: "failed",
  says,
  fix,
  exit,
});
