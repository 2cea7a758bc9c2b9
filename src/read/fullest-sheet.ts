/** Which sheet of a workbook holds the table: many have a cover, notes or lists of choices beside it. */
import type { JobSource } from "../job/job.ts";

import { openTable } from "./table.ts";
import { openXlsx, xlsxLimits } from "./xlsx.ts";

/** The source with the sheet that a person most likely means, where none is named. Throws as `findFullestSheet`. */
export const withFullestSheet = async (source: JobSource): Promise<JobSource> => ({
  ...source,
  sheet: source.sheet ?? (await findFullestSheet(source)) ?? null,
});

/**
 * The visible sheet with the most filled cells below a header, the first of equals; undefined where
 * there is no choice, as in a CSV file. Throws `source-unreadable` for what is no spreadsheet. The
 * workbook is opened once.
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
