import { AppError, toMessage, type ErrorCode, type Problem, type Where } from "./errors.ts";

/** An `AppError` as data, for sending between threads. Anything else is sent as a `bug`. */
export interface Fault {
  readonly code: ErrorCode;
  readonly message: string;
  readonly hint: string | undefined;
  readonly where: Where | undefined;
  readonly problems: readonly Problem[];
}

export function toFault(error: unknown): Fault {
  if (!(error instanceof AppError)) {
    return {
      code: "bug",
      message: toMessage(error),
      hint: undefined,
      where: undefined,
      problems: [],
    };
  }
  const { code, message, hint, where, problems } = error;
  return { code, message, hint, where, problems };
}

export const fromFault = (fault: Fault): AppError => new AppError(fault.code, fault.message, fault);
