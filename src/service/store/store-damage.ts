/** A store that is no database, or a broken one. */
import { AppError, toMessage } from "../../base/errors.ts";

const DAMAGE = /not a database|disk image|malformed database schema/u;

/** SQLite's error about a damaged store, in words for people; any other error as it is. */
export function toStoreDamage(file: string, error: unknown): unknown {
  const message = toMessage(error);
  if (error instanceof AppError || !DAMAGE.test(message)) return error;
  return new AppError("state-damaged", `${file} must be a whole database, got ${message}`, {
    cause: error,
    hint: "put the data folder back from a backup (makeready restore): its codes answer from there only",
  });
}

/** Lets something open or copy a store; throws as `toStoreDamage` says. */
export function namingDamage<Result>(file: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw toStoreDamage(file, error);
  }
}
