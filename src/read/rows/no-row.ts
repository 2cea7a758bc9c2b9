/** Lines among the rows that are none, or hardly are. Pure. */
import { textOf, type RawCell, type RawRow } from "../raw.ts";

/** The number tells it from a name: `Total Wine`, `Count Basie`. */
const SUM =
  /^(?:(?:grand |sub)?total|sum|summe|gesamt|anzahl|count|somme|suma|totale)\b(?:[^\d:=]{0,30}[:=])? ?\d[\d.,']*$/iu;
/** Behind such a word alone, or at the end of a name as in `Köln Ergebnis`, the other cells hold the numbers. */
const SUM_WORD =
  /^(?:(?:grand |sub)?totals?|sum|(?:gesamt|zwischen|end)?summe|gesamt|somme|suma|totale|\P{Nd}{0,60}(?:ergebnis| total))\s?:?$/iu;
const AMOUNT = /^(?:EUR|CHF|USD)?[-+\d.,'’\s€$£%]+(?:EUR|CHF|USD)?$/u;

const isAmount = (text: string): boolean => AMOUNT.test(text) && /\d/u.test(text);

const MAY_BE_SUM = /tota|sum|gesamt|anzahl|count|somme|ergebnis/iu;
const isFilled = (cell: RawCell): boolean => textOf(cell).trim() !== "";
const textsOf = (cells: readonly RawCell[]): string[] => cells.map((cell) => textOf(cell).trim());

/** `Total: 9` and nothing else, or `Total` and numbers. */
function isLikeSum([first = "", ...others]: readonly string[], isFirst: boolean): boolean {
  if (others.length > 0) return SUM_WORD.test(first) && others.every(isAmount);
  return isFirst && SUM.test(first);
}

const UNIT =
  /^[[(]?(?:kg|g|mg|mm|cm|m|km|l|ml|cl|€|EUR|CHF|USD|%|°C|Stk\.?|Stück|pcs|min|kW|bar|m²|m³)[\])]?$/u;
const DATA = /\d|:\/\/|@/u;

/** `kg` and `mm` below names of columns, or names of columns that have none above. */
function isLikeNames(texts: readonly string[], names: readonly string[]): boolean {
  const filled = texts.flatMap((text, at) =>
    text === "" ? [] : [{ text, name: names[at] ?? "" }],
  );
  if (texts[0] !== "" || names[0] === "" || filled.some(({ text }) => DATA.test(text)))
    return false;
  return filled.every(({ text }) => UNIT.test(text)) || filled.some(({ name }) => name === "");
}

/** What a row is like; in lists of one column, a text may be anything. */
export function findLikeness(
  { cells, isTotals, line }: RawRow,
  { names, line: headerLine }: { readonly names: readonly string[]; readonly line: number },
): "sum" | "names" | undefined {
  if (names.length < 2 || isTotals === true) return undefined;
  // Rows are many, and hardly any is like this.
  const isBelow = line === headerLine + 1;
  if (!isBelow && !MAY_BE_SUM.test(textOf(cells.find(isFilled)))) return undefined;
  const texts = textsOf(cells);
  const filled = texts.filter(Boolean);
  if (isLikeSum(filled, texts[0] !== "")) return "sum";
  return isBelow && isLikeNames(texts, names) ? "names" : undefined;
}

const STROKES = /^[-+:]*$/u;

/** As databases draw below a header: `---,-----`. */
export function areStrokes(cells: readonly RawCell[]): boolean {
  const texts = textsOf(cells);
  return texts.some((text) => text.includes("--")) && texts.every((text) => STROKES.test(text));
}
