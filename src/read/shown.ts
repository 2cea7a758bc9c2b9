/** Cells as messages show them: never more than a person reads. */
import { cutText, formatCount } from "../base/words.ts";

const MAX_LISTED = 20;

/** The first cells, in quotes and cut, and how many more there are. */
export function listCells(cells: readonly string[]): string {
  const shown = cells.slice(0, MAX_LISTED).map((text) => JSON.stringify(cutText(text)));
  const more = cells.length - shown.length;
  return more > 0 ? `${shown.join(",")} and ${formatCount(more)} more` : shown.join(",");
}
