/**
 * Decides which sheet of a workbook has the table: the one with the most filled cells below a header.
 */
import { pickHeader } from "../header/header.ts";
import { holdsData } from "../header/titles.ts";
import { isBlankRow, textOf, type RawRow } from "../raw.ts";

/** Rows counted per sheet. */
export const ROWS_COUNTED = 5000;
/** How far down a header is looked for. */
const HEADER_ROWS = 50;

export interface SheetRows {
  readonly name: string;
  readonly rows: readonly RawRow[];
}

const hasText = (cell: RawRow["cells"][number] | undefined): boolean => textOf(cell).trim() !== "";

/** Filled cells below a header with distinct names; 0 without one. */
function countBelowHeader({ rows: all }: SheetRows): number {
  const rows = all.filter((row) => !isBlankRow(row)).slice(0, ROWS_COUNTED);
  const header = pickHeader(rows.slice(0, HEADER_ROWS), {});
  if (header === undefined || holdsData(header)) return 0;
  const named = [...header.cells.keys()].filter((at) => hasText(header.cells[at]));
  const names = new Set(named.map((at) => textOf(header.cells[at]).trim()));
  if (names.size < named.length) return 0;
  return rows
    .filter(({ line }) => line > header.line)
    .reduce((sum, { cells }) => sum + named.filter((at) => hasText(cells[at])).length, 0);
}

/** The first of equals; the first sheet when none has any. */
export function pickFullest(sheets: readonly SheetRows[]): string {
  let best = { name: sheets[0]?.name ?? "", cells: 0 };
  for (const sheet of sheets) {
    const cells = countBelowHeader(sheet);
    if (cells > best.cells) best = { name: sheet.name, cells };
  }
  return best.name;
}
