/** Lists that makeready writes, told by their headers: they put a `'` before formulas themselves. */

const INDEX = ["key", "line", "display_name"] as const;
/**
 * The last headers of `failed-rows.csv` and `failed-rows.xlsx` (`src/pack/failed-rows.ts`); numbered
 * where the spreadsheet has such columns itself.
 */
const ADDED_HEADERS = [/^line(?:-\d+)?$/u, /^reason(?:-\d+)?$/u] as const;

/** Whether these are the headers of rows that failed, fed back. */
export const areOfFailedRows = (headers: readonly string[]): boolean =>
  ADDED_HEADERS.every((header, at) => header.test(headers.at(at - ADDED_HEADERS.length) ?? ""));

/** Whether these are the headers of an index or of failed rows. */
export const isOwnList = (headers: readonly string[]): boolean =>
  INDEX.every((header, at) => headers[at] === header) || areOfFailedRows(headers);
