/** Rows below a list that count or add up its rows: `Total: 9` and nothing else. Pure. */
import { textOf, type RawCell } from "../raw.ts";

/** The number tells it from a name: `Total Wine`, `Count Basie`. */
const SUM =
  /^(?:(?:grand |sub)?total|sum|summe|gesamt|anzahl|count|somme|suma|totale)\b(?:[^\d:=]{0,30}[:=])? ?\d[\d.,']*$/iu;

/** In lists of one column, a text may be anything. */
export function isLikeSum(cells: readonly RawCell[], width: number): boolean {
  if (width < 2 || cells.some((cell, at) => at > 0 && textOf(cell) !== "")) return false;
  return SUM.test(textOf(cells[0]).trim());
}
