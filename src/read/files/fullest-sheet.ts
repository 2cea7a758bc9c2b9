/** Finds the sheet with the table: many workbooks also have a cover, notes or lists of choices. */
import type { JobSource } from "../../job/job.ts";

import { openTable } from "../table.ts";
import { openXlsx, xlsxLimits } from "../xlsx/xlsx.ts";

/**
 * The source with the sheet that is most likely meant, when none is named. Throws as
 * `findFullestSheet`.
 */
export const withFullestSheet = async (source: JobSource): Promise<JobSource> => ({
  ...source,
  sheet: source.sheet ?? (await findFullestSheet(source)) ?? null,
});

/**
 * The visible sheet with the most filled cells below a header, the first of equals; undefined when
 * there is no choice, as in a CSV file. Throws `source-unreadable` for a file that is no
 * spreadsheet. The workbook is opened once.
 */
export async function findFullestSheet(
  source: JobSource,
  open = openXlsx,
): Promise<string | undefined> {
  const table = await openTable({ ...source, sheet: null }, undefined, (book, signal) =>
    open(book, { ...xlsxLimits, findsFullest: true }, signal),
  );
  await table.close();
  return table.fullest;
}
