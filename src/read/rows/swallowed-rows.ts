/** Cells of several lines that may be rows: a quote that was meant as a sign has opened them. Pure. */
import { textOf, type RawRow } from "../raw.ts";

const LINE_END = /[\r\n]/u;
export const splitLines = (text: string): string[] => text.split(/\r\n|\n|\r/u);

/** Numbers and words are one sign each: `TEA-1` and `MATE-22` are alike. */
const toShape = (text: string): string =>
  /^https?:/iu.test(text)
    ? "address"
    : text
        .replaceAll(/\d+/gu, "#")
        .replaceAll(/[\p{L}\p{M}]+/gu, "a")
        .replaceAll(/a(?: a)+/gu, "a");

/**
 * As many cells as most rows have: some programs end the header, or each row, with one delimiter more. Rows
 * without the last columns are cut short, and say nothing.
 */
function findUsual(rows: readonly RawRow[], names: readonly string[]): number {
  const ofHeader = names.length;
  const least = names.findLastIndex((name) => name.trim() !== "") + 1;
  const counts = new Map([[ofHeader, 0]]);
  for (const { cells } of rows)
    if (cells.length >= least) counts.set(cells.length, (counts.get(cells.length) ?? 0) + 1);
  const most = Math.max(...counts.values());
  return [...counts].find(([, count]) => count === most)?.[0] ?? ofHeader;
}

/**
 * Some programs don't double quotes within a text, as in `"Monitor 24"",199`: such a cell may seem to
 * end in a later row.
 */
export class SwallowedRows {
  readonly #delimiter: string;
  readonly #width: number;
  /** Columns that have names, of those. */
  readonly #named: number;
  /** What rows end with that the header lacks. */
  readonly #end: string;
  /** By the place of a column, the shapes of the first cells below the header. */
  readonly #shapes: readonly ReadonlySet<string>[];

  /** @param names the texts of the header */
  constructor(delimiter: string, names: readonly string[], below: readonly RawRow[]) {
    this.#delimiter = delimiter;
    const lines = below.filter(({ isOneLine }) => isOneLine === true);
    const width = findUsual(lines, names);
    this.#width = width;
    this.#named = Math.min(width, names.length);
    this.#end = delimiter.repeat(width - this.#named);
    const rows = lines.filter(({ cells }) => cells.length === width);
    // Wider rows are told by their number of cells.
    this.#shapes = Array.from(
      { length: this.#named === 2 ? 2 : 0 },
      (_, at) => new Set(rows.map(({ cells }) => toShape(textOf(cells[at])))),
    );
  }

  /** Whether each line of the cell could be a row. */
  mayBeRows({ cells }: RawRow, at: number): boolean {
    const text = textOf(cells[at]);
    if (this.#delimiter === "" || this.#named < 2 || !LINE_END.test(text)) return false;
    const texts = splitLines(text);
    if (!texts.slice(0, -1).every((line) => line.endsWith(this.#end))) return false;
    const lines = texts.map((line) => line.split(this.#delimiter));
    const width = this.#width;
    const last = lines.length - 1;
    const before = (line: number): number => (line === 0 ? at : 0);
    const behind = (line: number): number => (line === last ? cells.length - at - 1 : 0);
    if (lines.some((pieces, n) => before(n) + pieces.length + behind(n) !== width)) return false;
    if (text.includes(`"${this.#delimiter}`) || /"[\r\n]/u.test(text)) return true;
    // People put a blank behind each comma of a text.
    if (lines.some((pieces) => pieces.slice(1).some((piece) => /^\s/u.test(piece)))) return false;
    return (
      this.#named > 2 || this.#areLikeRows(lines.slice(1), at === 0 ? undefined : textOf(cells[0]))
    );
  }

  /**
   * In two columns, texts of several lines often have as many delimiters as rows: their lines must look
   * like the rows around them, too.
   * @param lines all but the first one, which may be the end of a row
   * @param own the first cell of the row itself, where that isn't the long one
   */
  #areLikeRows(lines: readonly (readonly string[])[], own: string | undefined): boolean {
    const whole = lines.slice(0, -1);
    const [end = ""] = lines.at(-1) ?? [];
    const isFirst = (text: string): boolean =>
      this.#isLike(text, 0) || (own !== undefined && toShape(own) === toShape(text));
    if (!isFirst(end)) return false;
    return whole.length === 0
      ? /\d/u.test(end)
      : whole.every(([first = "", second = ""]) => isFirst(first) && this.#isLike(second, 1));
  }

  #isLike(text: string, column: number): boolean {
    return text !== "" && this.#shapes[column]?.has(toShape(text)) === true;
  }
}
