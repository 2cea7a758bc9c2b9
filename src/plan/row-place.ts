import type { Where } from "../base/errors.ts";
import type { JobRows } from "../job/job.ts";

/** Where a row stands: the line of its file; of rows that the job makes itself, what they are known by. */
export function toRowPlace(
  { file, numbers }: Pick<JobRows, "file" | "numbers">,
  row: { readonly line: number; readonly cells: Readonly<Record<string, string>> },
): Where {
  if (numbers === undefined) return { file, line: row.line };
  const { serial, number = row.line } = row.cells;
  return { file, row: serial === undefined ? `number ${number}` : `serial ${serial}` };
}

/** What rows are counted by in messages. */
export const toRowWord = ({ numbers }: Pick<JobRows, "numbers">): "line" | "row" =>
  numbers === undefined ? "line" : "row";
