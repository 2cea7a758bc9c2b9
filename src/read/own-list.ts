/** Lists that makeready writes, told by their headers: they put a `'` before formulas themselves. */

const INDEX = ["key", "line", "display_name"] as const;
/** The last headers of failed rows; numbered where the spreadsheet has such columns itself. */
const FAILED = [/^line(?:-\d+)?$/u, /^reason(?:-\d+)?$/u] as const;

/** Whether these are the headers of an index or of failed rows (`src/pack/`). */
export const isOwnList = (headers: readonly string[]): boolean =>
  INDEX.every((header, at) => headers[at] === header) ||
  FAILED.every((header, at) => header.test(headers.at(at - FAILED.length) ?? ""));
