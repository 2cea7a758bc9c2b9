/** Lines among the rows that are none, or hardly are. Pure. */
import { textOf, type RawCell, type RawRow } from "../raw.ts";

/** The number tells it from a name: `Total Wine`, `Count Basie`. */
const SUM =
  /^(?:(?:grand |sub)?total|sum|summe|gesamt|anzahl|count|somme|suma|totale)\b(?:[^\d:=]{0,30}[:=])? ?\d[\d.,']*$/iu;
/** Behind such a word alone, the other cells hold the numbers. */
const SUM_WORD =
  /^(?:(?:grand |sub)?totals?|sum|(?:gesamt|zwischen|end)?summe|gesamt(?:ergebnis)?|somme|suma|totale)\s?:?$/iu;
const AMOUNT = /^(?:EUR|CHF|USD)?[-+\d.,'’\s€$£%]+(?:EUR|CHF|USD)?$/u;

const isAmount = (text: string): boolean => AMOUNT.test(text) && /\d/u.test(text);

/** `Total: 9` and nothing else, or `Total` and numbers. In lists of one column, a text may be anything. */
export function isLikeSum({ cells, isTotals }: RawRow, width: number): boolean {
  if (width < 2 || isTotals === true) return false;
  const [first = "", ...others] = cells.map((cell) => textOf(cell).trim()).filter(Boolean);
  if (others.length > 0) return SUM_WORD.test(first) && others.every(isAmount);
  return SUM.test(first) && textOf(cells[0]).trim() !== "";
}

const STROKES = /^[-+:]*$/u;

/** As databases draw below a header: `---,-----`. */
export function areStrokes(cells: readonly RawCell[]): boolean {
  const texts = cells.map((cell) => textOf(cell).trim());
  return texts.some((text) => text.includes("--")) && texts.every((text) => STROKES.test(text));
}
