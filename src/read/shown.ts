/** Cells in messages: never more than a person reads. */
import { cutText, formatCount } from "../base/words.ts";

const MAX_LISTED = 20;

/** The first cells, quoted and shortened, and how many more there are. */
export function listCells(cells: readonly string[]): string {
  const shown = cells.slice(0, MAX_LISTED).map((text) => JSON.stringify(cutText(text)));
  const more = cells.length - shown.length;
  return more > 0 ? `${shown.join(",")} and ${formatCount(more)} more` : shown.join(",");
}
