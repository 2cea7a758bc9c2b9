/** Cells in messages: never more than a person reads. */
import { andMore, cutText, quoteText } from "../../base/text/words.ts";

const MAX_LISTED = 20;

/**
 * The first cells, quoted and shortened, and how many more there are.
 * @param places of the cells, if they are to be named
 */
export function listCells(cells: readonly string[], places: readonly string[] = []): string {
  const say = (text: string, at: number): string => {
    const place = places[at];
    return `${quoteText(cutText(text))}${place === undefined ? "" : ` in ${place}`}`;
  };
  const shown = cells.slice(0, MAX_LISTED).map(say);
  return `${shown.join(",")}${andMore(cells.length - shown.length)}`;
}
