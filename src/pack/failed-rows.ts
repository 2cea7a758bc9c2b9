import { rm } from "node:fs/promises";

import { makeCsv } from "./csv.ts";
import { writeTextFile, type WrittenFile } from "./hashed-file.ts";

export interface FailedRow {
  /** As read from the source, in the order of its header; may be shorter or longer. */
  readonly cells: readonly string[];
  /** Line of the source, from 1. */
  readonly line: number;
  /** What is wrong, each with its fix. */
  readonly reasons: readonly string[];
}

export type FailedRows = AsyncIterable<FailedRow> | Iterable<FailedRow>;

/** `name`, or `name-2` … when the source has such a column, so that nobody's column is doubled. */
function toFreeHeader(name: string, header: readonly string[]): string {
  const taken = new Set(header.map((cell) => cell.trim().normalize("NFKC").toLowerCase()));
  if (!taken.has(name)) return name;
  let n = 2;
  while (taken.has(`${name}-${n}`)) n += 1;
  return `${name}-${n}`;
}

async function* makeRows(first: FailedRow, rest: AsyncIterator<FailedRow>, width: number) {
  for (let row: FailedRow | undefined = first; row !== undefined;) {
    const missing = Array.from({ length: Math.max(0, width - row.cells.length) }, () => "");
    yield [
      ...row.cells.slice(0, width),
      ...missing,
      row.line,
      [...row.reasons, ...toSurplus(row, width)].join("; "),
    ];
    const next = await rest.next();
    row = next.done === true ? undefined : next.value;
  }
}

/** Cells beyond the header would shift the added columns; they're named in the reason instead. */
function toSurplus({ cells }: FailedRow, width: number): string[] {
  if (cells.length <= width) return [];
  return [`cells beyond the header: ${JSON.stringify(cells.slice(width))}`];
}

/**
 * `failed-rows.csv`: the rows that failed with their original columns, then `line` and `reason`,
 * ready to be fixed and fed back in. Without failed rows the file of an earlier run goes away and
 * the answer is null.
 */
export async function writeFailedRows(
  file: string,
  header: readonly string[],
  rows: FailedRows,
): Promise<WrittenFile | null> {
  const iterator = (async function* all() {
    yield* rows;
  })();
  const first = await iterator.next();
  if (first.done === true) {
    await rm(file, { force: true });
    return null;
  }
  const columns = [...header, toFreeHeader("line", header), toFreeHeader("reason", header)];
  const failed = makeRows(first.value, iterator, header.length);
  return writeTextFile(file, makeCsv(columns, failed, "raw"));
}
