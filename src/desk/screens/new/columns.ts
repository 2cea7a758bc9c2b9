/** The content of a spreadsheet, as far as the wizard shows it. */
import { stat } from "node:fs/promises";
import path from "node:path";

import { closing } from "../../../base/closing.ts";
import { badUsage } from "../../../base/errors.ts";
import { PLAIN_SOURCE } from "../../../job/job.ts";
import { withFullestSheet } from "../../../read/fullest-sheet.ts";
import { profileSource, type ColumnProfile } from "../../../read/profile.ts";
import { openSource } from "../../../read/source.ts";
import { resolveInside } from "../../folder.ts";

const ROWS_SHOWN = 8;

export interface Looked {
  readonly headers: readonly string[];
  readonly columns: readonly ColumnProfile[];
  readonly rows: readonly Readonly<Record<string, string>>[];
  readonly count: number;
  readonly sheetName: string | undefined;
  /** The sheet was not chosen: it is the one that holds the most. */
  readonly isGuessed: boolean;
  readonly otherSheets: readonly string[];
  readonly headerRow: number | undefined;
}

/** The last spreadsheets, by stamps that change when they are saved. */
const known = new Map<string, Looked>();
const MOST_KNOWN = 8;

/**
 * The content of a spreadsheet; of a workbook, the named sheet or the one that holds the most. Read
 * once, until the file changes. Throws what opening it throws.
 */
export async function lookAtSource(
  folder: string,
  source: string,
  sheet: string | null,
): Promise<Looked> {
  const file = path.resolve(await resolveInside(folder, source));
  const stamp = await stat(file).catch(() => undefined);
  const key = JSON.stringify([file, sheet, stamp?.mtimeMs, stamp?.size, stamp?.ino]);
  const looked = known.get(key) ?? (await readLooked(file, sheet));
  known.delete(key);
  known.set(key, looked);
  const [oldest] = known.keys();
  if (known.size > MOST_KNOWN && oldest !== undefined) known.delete(oldest);
  return looked;
}

async function readLooked(file: string, sheet: string | null): Promise<Looked> {
  const meant = await withFullestSheet({ ...PLAIN_SOURCE, file, sheet });
  return closing(await openSource(meant), async (opened) => {
    const rows: Readonly<Record<string, string>>[] = [];
    let count = 0;
    const columns = await profileSource(opened, ({ cells }) => {
      count += 1;
      if (rows.length < ROWS_SHOWN) rows.push(cells);
    });
    const { sheet: sheetName, otherSheets = [], headerLine } = opened.detected;
    return {
      headers: [...opened.columns],
      columns,
      rows,
      count,
      sheetName,
      isGuessed: sheet === null && meant.sheet !== null,
      otherSheets,
      headerRow: headerLine === 1 ? undefined : headerLine,
    };
  });
}

/** Throws `bad-usage` for columns that the spreadsheet lacks: it was changed since they were chosen. */
export async function checkColumns(
  folder: string,
  { source, sheet }: { readonly source: string; readonly sheet: string | null },
  chosen: readonly string[],
): Promise<void> {
  const file = path.resolve(await resolveInside(folder, source));
  await closing(await openSource({ ...PLAIN_SOURCE, file, sheet }), (opened) => {
    const gone = chosen.filter((column) => !opened.columns.includes(column));
    if (gone.length === 0) return;
    const names = [...new Set(gone)].join(", ");
    throw badUsage(
      `columns must be in the spreadsheet, got ${names}`,
      "it was changed since: go back, load the page again and choose once more; nothing was written",
    );
  });
}
