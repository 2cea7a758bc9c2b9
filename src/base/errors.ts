/**
 * Every failure that makeready can name. A code belongs to a kind; the kind says whether a call may
 * be repeated, what stops, and which exit code and HTTP status follow.
 */

export type ErrorKind =
  | "usage"
  | "input"
  | "auth"
  | "missing"
  | "busy"
  | "broken"
  | "version"
  | "locked"
  | "stopped"
  | "bug";

interface KindRule {
  /** Whether the same request may be sent again. */
  readonly retry: "no" | "after-wait" | "backoff";
  /** What stops because of it. */
  readonly stops: "program" | "job" | "row";
  /** Exit code of the command line (docs/spec/jobs.md section 2). */
  readonly exit: number;
}

/** kind -> its consequences. */
export const errorKinds = {
  usage: { retry: "no", stops: "program", exit: 2 },
  input: { retry: "no", stops: "row", exit: 3 },
  auth: { retry: "no", stops: "job", exit: 4 },
  missing: { retry: "no", stops: "row", exit: 3 },
  busy: { retry: "after-wait", stops: "job", exit: 5 },
  broken: { retry: "backoff", stops: "job", exit: 5 },
  version: { retry: "no", stops: "program", exit: 6 },
  locked: { retry: "no", stops: "program", exit: 7 },
  stopped: { retry: "no", stops: "program", exit: 130 },
  bug: { retry: "no", stops: "program", exit: 1 },
} as const satisfies Record<ErrorKind, KindRule>;

/** code -> kind, and the sentence in the documentation. A new error is a new line. */
export const errorCodes = {
  "bad-usage": { kind: "usage", says: "A flag, argument or environment variable is wrong." },
  "setting-missing": {
    kind: "usage",
    says: "A server needs a token or workspace, and none is set.",
  },
  "manifest-invalid": { kind: "usage", says: "The job manifest has mistakes." },
  "source-unreadable": { kind: "usage", says: "The spreadsheet can't be read as a whole." },
  "sheet-unknown": { kind: "usage", says: "The label sheet is unknown or impossible." },
  "layout-impossible": { kind: "usage", says: "The sheets can't be printed as asked." },
  "output-unwritable": { kind: "usage", says: "The output folder can't be written." },
  "data-unwritable": { kind: "usage", says: "The data folder of the service can't be written." },
  "confirm-needed": { kind: "usage", says: "The change is large and nobody confirmed it." },
  "too-many-codes": { kind: "usage", says: "The job selects more codes than it allows." },
  "row-invalid": { kind: "input", says: "A row of the spreadsheet is wrong." },
  "payload-too-long": { kind: "input", says: "The text is too long for a QR code." },
  "payload-malformed": { kind: "input", says: "The text is not well-formed Unicode." },
  "design-invalid": { kind: "input", says: "The design can't be drawn or would not scan." },
  "too-many-failures": { kind: "input", says: "More rows failed than the job allows." },
  "verify-failed": { kind: "input", says: "The finished files don't prove what they should." },
  "request-refused": { kind: "input", says: "The server refused what was asked of it." },
  "artwork-unusable": { kind: "input", says: "A file to be packed is gone or not what was made." },
  "token-refused": { kind: "auth", says: "The server refused the token or the workspace." },
  "not-found": { kind: "missing", says: "The server doesn't know what was asked for." },
  "rate-limited": { kind: "busy", says: "The server's rate limit stayed closed." },
  "server-unavailable": { kind: "broken", says: "The server doesn't answer as it should." },
  "proof-stopped": { kind: "broken", says: "The proof ended before it was done." },
  "database-unavailable": { kind: "broken", says: "The database of --on doesn't answer." },
  "database-refused": {
    kind: "auth",
    says: "The database of --on refuses the user, or what it was asked for.",
  },
  "database-foreign": { kind: "version", says: "The database of --on is of another version." },
  "answer-unusable": { kind: "broken", says: "The server's answer can't be used." },
  "state-newer": { kind: "version", says: "The state was written by a newer makeready." },
  "state-foreign": { kind: "version", says: "The state belongs to another job or server." },
  "state-damaged": { kind: "version", says: "The state file is damaged." },
  "plan-stale": { kind: "version", says: "The plan doesn't fit the rows and state any more." },
  "job-locked": { kind: "locked", says: "Another run holds this job." },
  "data-locked": { kind: "locked", says: "Another makeready serves this data folder." },
  interrupted: { kind: "stopped", says: "The step's signal ended it; nothing is lost." },
  bug: { kind: "bug", says: "makeready broke one of its own rules." },
} as const satisfies Record<string, { kind: ErrorKind; says: string }>;

export type ErrorCode = keyof typeof errorCodes;

/**
 * Where a problem is. Lines and columns count from 1; `column` may also name a spreadsheet column.
 */
export interface Where {
  readonly file?: string | undefined;
  readonly line?: number | undefined;
  /** For a row without a line: its name, such as `serial 7K2M9`. */
  readonly row?: string | undefined;
  readonly column?: number | string | undefined;
  readonly field?: string | undefined;
}

/** One problem in words that a person can act on: the rule, the value, the place, the fix. */
export interface Problem {
  readonly message: string;
  readonly where?: Where | undefined;
  readonly hint?: string | undefined;
}

/** What is wrong with something on a label. */
export interface LabelProblem extends Problem {
  /** The label in the manifest has to change, not the texts of the row. */
  readonly isByLabel?: true | undefined;
}

export interface AppErrorOptions {
  readonly hint?: string | undefined;
  readonly where?: Where | undefined;
  /** All problems at once, when there are several. */
  readonly problems?: readonly Problem[] | undefined;
  /** Of the answer that it is about. */
  readonly status?: number | undefined;
  readonly cause?: unknown;
}

/** An error that a person caused, can fix, or must know about. Anything else thrown is a bug. */
export class AppError extends Error {
  override readonly name = "AppError";
  readonly code: ErrorCode;
  readonly hint: string | undefined;
  readonly where: Where | undefined;
  readonly problems: readonly Problem[];
  /** Of the server's answer; undefined where none is to blame. */
  readonly status: number | undefined;

  constructor(code: ErrorCode, message: string, options: AppErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.hint = options.hint;
    this.where = options.where;
    this.problems = options.problems ?? [];
    this.status = options.status;
  }

  get kind(): ErrorKind {
    return errorCodes[this.code].kind;
  }

  get exitCode(): number {
    return errorKinds[this.kind].exit;
  }
}

/** The only problem of an error, where its message says it already. */
export function findSaid({
  message,
  problems,
}: {
  readonly message: string;
  readonly problems: readonly Problem[];
}): Problem | undefined {
  const [only, ...more] = problems;
  return only !== undefined && more.length === 0 && message.endsWith(only.message)
    ? only
    : undefined;
}

/** A person typed or set something wrong: by far the most frequent error. */
export const badUsage = (message: string, hint?: string): AppError =>
  new AppError("bad-usage", message, { hint });

/** `file:line:column`, as far as known; empty without any. */
export function toPlace(where: Where | undefined): string {
  if (where === undefined) return "";
  return [where.file, where.line, where.column].filter((part) => part !== undefined).join(":");
}

/** Sorts problems by file, line and numeric column, the order in which people fix them. */
export function sortProblems(problems: readonly Problem[]): Problem[] {
  const rank = (p: Problem): [string, number, number] => [
    p.where?.file ?? "",
    p.where?.line ?? 0,
    typeof p.where?.column === "number" ? p.where.column : 0,
  ];
  return problems.toSorted((a, b) => {
    const [fileA, lineA, columnA] = rank(a);
    const [fileB, lineB, columnB] = rank(b);
    return fileA.localeCompare(fileB) || lineA - lineB || columnA - columnB;
  });
}

/** A condition that makeready itself must fulfil. `message` says what should have been true. */
export function invariant(condition: boolean, message: string): asserts condition {
  if (!condition) throw new AppError("bug", message);
}

/** True for the error of a waiting request when the run was stopped: it is no failure. */
export const isStop = (error: unknown, signal: AbortSignal): boolean =>
  signal.aborted && error === signal.reason;

/** The step; what ends it by its signal is an AppError, as all that stops a step. */
export async function orInterrupted<T>(
  signal: AbortSignal | null | undefined,
  step: Promise<T>,
): Promise<T> {
  try {
    return await step;
  } catch (error) {
    if (!signal || !isStop(error, signal)) throw error;
    throw new AppError("interrupted", "the step was ended by its signal", {
      cause: error,
      hint: "call it again: it goes on, and nothing is lost",
    });
  }
}

/** The message of anything thrown. */
export function toMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The same, with where it was thrown. */
export const toStack = (error: unknown): string =>
  (error instanceof Error ? error.stack : undefined) ?? toMessage(error);
