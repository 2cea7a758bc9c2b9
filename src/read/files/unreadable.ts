import { AppError, type Where } from "../../base/errors.ts";

/** The error of a file that can't be read: one clear sentence, one fix. */
export function unreadable(
  message: string,
  details: { hint?: string | undefined; where: Where; cause?: unknown },
): AppError {
  const { hint, where, cause } = details;
  return new AppError("source-unreadable", message, {
    hint,
    where,
    problems: [{ message, hint, where }],
    cause,
  });
}
