import { AppError } from "../../src/base/errors.ts";

/** The refusal that `work` throws; anything else fails the test. */
export function refusalOf(work: () => unknown): AppError {
  try {
    work();
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  throw new Error("expected a refusal, got none");
}
