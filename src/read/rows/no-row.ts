/** Lines among the rows that are none, or hardly are. Pure. */
import { textOf, type RawCell, type RawRow } from "../raw.ts";

/** The number tells it from a name: `Total Wine`, `Count Basie`. */
const SUM =
  /^(?:(?:grand |sub)?total|sum|summe|gesamt|anzahl|count|somme|suma|totale)\b(?:[^\d:=]{0,30}[:=])? ?\d[\d.,']*$/iu;
/** Behind such a word alone, or at the end of a name as in `Köln Ergebnis`, the other cells hold the numbers. */
const SUM_WORD =
  /^(?:(?:grand |sub)?totals?|sum|(?:gesamt|zwischen|end)?summe|gesamt|somme|suma|totale|(?:gesamt|teil|zwischen|end|\P{Nd}{1,60} )?ergebnis)\s?:?$/iu;
/** Of a group, or a product: `Colgate Total`. */
const GROUP_TOTAL = /^\P{Nd}{1,60} total$/iu;
const AMOUNT = /^(?:EUR|CHF|USD)?[-+\d.,'’\s€$£%]+(?:EUR|CHF|USD)?$/u;
/** Days, GTINs and numbers of phones. */
const NO_AMOUNT = /^\d{1,2}\.\d{1,2}\.|\d{12}|\d-\d/u;

const isAmount = (text: string): boolean =>
  AMOUNT.test(text) && /\d/u.test(text) && !NO_AMOUNT.test(text);

const MAY_BE_SUM = /tota|sum|gesamt|anzahl|count|somme|ergebnis/iu;
const isFilled = (cell: RawCell): boolean => textOf(cell).trim() !== "";
const textsOf = (cells: readonly RawCell[]): string[] => cells.map((cell) => textOf(cell).trim());

/** `Total: 9` and nothing else, or `Total` and numbers, which are added up below others. */
function isLikeSum(texts: readonly string[], width: number, isBelowHeader: boolean): boolean {
  const [first = "", ...others] = texts.filter(Boolean);
  if (others.length === 0) return texts[0] !== "" && SUM.test(first);
  const isWord = SUM_WORD.test(first) || (others.length + 1 < width && GROUP_TOTAL.test(first));
  return !isBelowHeader && isWord && others.every(isAmount);
}

const UNIT =
  /^[[(]?(?:kg|g|mg|mm|cm|m|km|l|ml|cl|€|EUR|CHF|USD|%|°C|Stk\.?|Stück|pcs|min|kW|bar|m²|m³)[\])]?$/u;
const DATA = /\d|:\/\/|@/u;

/** `kg` and `mm` above numbers, or names of such columns that have none above. */
function isLikeNames(
  texts: readonly string[],
  names: readonly string[],
  dataAt: ReadonlySet<number>,
): boolean {
  const filled = texts.flatMap((text, at) =>
    text === "" ? [] : [{ text, at, name: names[at] ?? "" }],
  );
  if (texts[0] !== "" || names[0] === "" || filled.some(({ text }) => DATA.test(text)))
    return false;
  const areUnits = filled.every(({ text, at }) => UNIT.test(text) && dataAt.has(at));
  return areUnits || filled.some(({ at, name }) => name === "" && dataAt.has(at));
}

const isData = (cell: RawCell): boolean => DATA.test(textOf(cell));

/** The places of columns that hold numbers or addresses. */
const findData = (rows: readonly RawRow[]): ReadonlySet<number> =>
  new Set(rows.flatMap(({ cells }) => cells.flatMap((cell, at) => (isData(cell) ? [at] : []))));

const STROKES = /^[-+:]+$/u;

/** As databases draw below a header: `---,-----`. Two strokes alone may be a text. */
function areStrokes(cells: readonly RawCell[]): boolean {
  const texts = textsOf(cells).filter(Boolean);
  if (!texts.every((text) => STROKES.test(text))) return false;
  const areShort = texts.length > 1 && texts.every((text) => text.includes("--"));
  return areShort || texts.some((text) => text.includes("---"));
}

/** `Page 1` and `Page 2` are alike. */
const toShape = (text: string): string => text.trim().replaceAll(/\d+/gu, "#");
const firstOf = (cells: readonly RawCell[]): string => textOf(cells.find(isFilled));
const shapeOf = ({ cells }: RawRow): string => JSON.stringify(textsOf(cells).map(toShape));

/** A number alone may be a row. */
const LETTER = /\p{L}/u;

/** How many lines above the header may come again on each page. */
const TITLES = 3;

/** Knows lines that are no rows by the header and what stands above it. */
export class NoRows {
  readonly #names: readonly string[];
  /** Columns with a name. */
  readonly #width: number;
  readonly #line: number;
  readonly #dataAt: ReadonlySet<number>;
  readonly #titles: ReadonlySet<string>;
  /** The first cells of titles: rows are many, and hardly any begins so. */
  readonly #titleStarts: ReadonlySet<string>;

  /** @param around the rows above the header, and the first ones below it */
  constructor(
    names: readonly string[],
    line: number,
    { above, below }: Readonly<Record<"above" | "below", readonly RawRow[]>>,
  ) {
    this.#dataAt = findData(below);
    this.#names = names;
    this.#line = line;
    this.#width = names.filter(Boolean).length;
    const titles = above
      .slice(-TITLES)
      .filter(({ cells }) => cells.filter(isFilled).length < this.#width)
      .filter((row) => LETTER.test(shapeOf(row)));
    this.#titles = new Set(titles.map(shapeOf));
    this.#titleStarts = new Set(titles.map(({ cells }) => toShape(firstOf(cells))));
  }

  /** Strokes that part the header from the rows. */
  isStrokes({ cells, line }: RawRow): boolean {
    return line === this.#line + 1 && areStrokes(cells);
  }

  /** What a row is like; in lists of one column, a text may be anything. */
  findLikeness(raw: RawRow): "sum" | "names" | "title" | undefined {
    const { cells, isTotals, line } = raw;
    if (this.#names.length < 2 || isTotals === true) return undefined;
    const first = firstOf(cells);
    const isTitle = this.#titleStarts.size > 0 && this.#titleStarts.has(toShape(first));
    if (isTitle && this.#titles.has(shapeOf(raw))) return "title";
    const isBelow = line === this.#line + 1;
    if (!isBelow && !MAY_BE_SUM.test(first)) return undefined;
    const texts = textsOf(cells);
    if (isLikeSum(texts, this.#width, isBelow)) return "sum";
    return isBelow && isLikeNames(texts, this.#names, this.#dataAt) ? "names" : undefined;
  }
}
