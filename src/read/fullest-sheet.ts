/** Which sheet of a workbook holds the table: many have a cover, notes or lists of choices beside it. */
import { AppError } from "../base/errors.ts";
import type { JobSource } from "../job/job.ts";

import { holdsData, pickHeader } from "./header.ts";
import { isBlankRow, textOf, type RawRow, type RawTable } from "./raw.ts";
import { openTable } from "./table.ts";

/** Of each sheet: enough to tell a table from a cover. */
const MOST_ROWS = 5000;
const MOST_SHEETS = 12;
/** How far down a header is looked for. */
const HEADER_ROWS = 50;

const hasText = (cell: RawRow["cells"][number] | undefined): boolean => textOf(cell).trim() !== "";

/** Filled cells below a header of names that all differ; 0 where there is none. */
async function countBelowHeader(table: RawTable): Promise<number> {
  const rows: RawRow[] = [];
  for await (const batch of table.batches()) {
    rows.push(...batch.filter((row) => !isBlankRow(row)));
    if (rows.length > MOST_ROWS) break;
  }
  const header = pickHeader(rows.slice(0, HEADER_ROWS), {});
  if (header === undefined || holdsData(header)) return 0;
  const named = [...header.cells.keys()].filter((at) => hasText(header.cells[at]));
  const names = new Set(named.map((at) => textOf(header.cells[at]).trim()));
  if (names.size < named.length) return 0;
  return rows
    .filter(({ line }) => line > header.line)
    .reduce((sum, { cells }) => sum + named.filter((at) => hasText(cells[at])).length, 0);
}

async function measure(source: JobSource, sheet: string): Promise<number> {
  try {
    const table = await openTable({ ...source, sheet });
    try {
      return await countBelowHeader(table);
    } finally {
      await table.close();
    }
  } catch (error) {
    if (error instanceof AppError) return 0;
    throw error;
  }
}

/**
 * The visible sheet with the most filled cells below a header, the first of equals; undefined where
 * there is no choice, as in a CSV file. Throws `source-unreadable` for what is no spreadsheet.
 */
export async function findFullestSheet(source: JobSource): Promise<string | undefined> {
  const table = await openTable({ ...source, sheet: null });
  await table.close();
  const { sheet, otherSheets = [] } = table;
  if (sheet === undefined || otherSheets.length === 0) return undefined;
  let best = { sheet, cells: 0 };
  for (const one of [sheet, ...otherSheets].slice(0, MOST_SHEETS)) {
    const cells = await measure(source, one);
    if (cells > best.cells) best = { sheet: one, cells };
  }
  return best.sheet;
}
