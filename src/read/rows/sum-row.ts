/** Rows below a list that count or add up its rows: `Total: 9` and nothing else. Pure. */
import { textOf, type RawCell } from "../raw.ts";

const SUM =
  /^(?:(?:grand |sub)?total|sum|summe|gesamt|anzahl|count|somme|suma|totale)\b[^\d:=]{0,30}(?:[:=] ?)?[\d.,']*$/iu;

/** In lists of one column, a text may be anything. */
export function isLikeSum(cells: readonly RawCell[]): boolean {
  if (cells.length < 2 || textOf(cells[1]) !== "") return false;
  if (cells.some((cell, at) => at > 1 && textOf(cell) !== "")) return false;
  return SUM.test(textOf(cells[0]).trim());
}
