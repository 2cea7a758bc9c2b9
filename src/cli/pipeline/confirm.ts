import { AppError, type Problem } from "../../base/errors.ts";
import type { CliContext } from "../context.ts";
import { formatCount } from "../words.ts";

export interface Confirmation {
  /** What would be done, such as `change 120 codes`. */
  readonly what: string;
  readonly count: number;
  /** More than this want a yes; null: never asked. */
  readonly over: number | null;
  /** `--yes` was given. */
  readonly isConfirmed: boolean;
}

/** Asks before a large change, or wants `--yes` where nobody can answer. Throws `confirm-needed`. */
export async function confirmChanges(
  context: CliContext,
  { what, count, over, isConfirmed }: Confirmation,
): Promise<void> {
  if (over === null || count <= over || isConfirmed) return;
  if (context.ask !== undefined && (await context.ask(`${what}?`))) return;
  throw new AppError(
    "confirm-needed",
    `safety.confirm_over allows ${formatCount(over)} changes without a yes, and this would ${what}`,
    {
      hint: "look at `makeready plan`, then add --yes; on a schedule: schedule: { yes: true } in the manifest",
    },
  );
}

/**
 * Refuses to make every code a second time, with `--yes` too: that is said to a plan as it was, and
 * `--fresh` says what is meant.
 */
export function refuseChangedKey(problem: Problem | undefined): void {
  if (problem === undefined) return;
  const { message, hint, where } = problem;
  throw new AppError("confirm-needed", message, { hint, where });
}

/** Refuses a selection that is larger than the manifest expects. */
export function refuseTooMany(count: number, most: number | null): void {
  if (most === null || count <= most) return;
  throw new AppError(
    "too-many-codes",
    `safety.max_codes allows ${formatCount(most)} codes, got ${formatCount(count)}`,
    { hint: "narrow the selection, or raise safety.max_codes in the manifest" },
  );
}

/** A spreadsheet without rows is a mistake, not a job that is done. */
export function refuseEmpty(rows: number, file: string): void {
  if (rows > 0) return;
  throw new AppError(
    "source-unreadable",
    "the spreadsheet must have rows below its header, got none",
    { where: { file } },
  );
}
