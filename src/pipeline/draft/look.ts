/** What a spreadsheet holds, as far as a first look needs it. */
import { closing } from "../../base/closing.ts";
import { badUsage } from "../../base/errors.ts";
import { didYouMean } from "../../base/suggest.ts";
import { PLAIN_SOURCE } from "../../job/job.ts";
import { withFullestSheet } from "../../read/fullest-sheet.ts";
import { MAX_DISTINCT, profileSource, type ColumnProfile } from "../../read/profile.ts";
import { openSource } from "../../read/source.ts";
import { headerFits, type Column } from "./roles.ts";

type Cells = Readonly<Record<string, string>>;

/** What guesses and manifests need to know of a spreadsheet. */
export interface Shape {
  readonly columns: readonly Column[];
  /** Of rows. */
  readonly count: number;
  readonly sheetName: string | undefined;
  /** Of a workbook: the sheets that were not taken. */
  readonly otherSheets: readonly string[];
  /** Set where the header isn't found by itself. */
  readonly headerRow: number | undefined;
  /**
   * Rows whose cells in one column, or in a pair of the first ones or of names, are empty or those of
   * an earlier row; infinite for other pairs.
   */
  readonly misses: (headers: readonly string[]) => number;
}

export interface Look extends Shape {
  readonly columns: readonly ColumnProfile[];
  /** The first ones. */
  readonly rows: readonly Cells[];
  /** The sheet was not chosen: it is the one that holds the most. */
  readonly isGuessed: boolean;
}

export const headersOf = ({ columns }: Pick<Shape, "columns">): string[] =>
  columns.map(({ column }) => column);

/** The header that a person means. Throws `bad-usage` where there is none. */
export function pickHeader(given: string, option: string, look: Shape): string {
  const headers = headersOf(look);
  const bare = headers.map((header) => header.trim());
  const at = [
    bare.indexOf(given.trim()),
    bare.findIndex((header) => header.toLowerCase() === given.trim().toLowerCase()),
  ].find((one) => one >= 0);
  const found = headers[at ?? -1];
  if (found !== undefined) return found;
  const rule = `${option} must name a column of the spreadsheet, got ${given}`;
  throw badUsage(rule, didYouMean(given, bare));
}

const ROWS_SHOWN = 8;
const FIRST = 5;

const names = ["first_name", "last_name", "full_name"] as const;
const isName = (header: string): boolean => names.some((role) => headerFits(header, role));

const keyOf = (headers: readonly string[]): string => JSON.stringify(headers.toSorted());

/** Cells of the columns whose pairs may tell rows apart: the first ones, and names. */
class PairCounter {
  readonly #headers: readonly string[];
  readonly #first: readonly string[];
  readonly #rows: (readonly string[])[] = [];

  constructor(headers: readonly string[]) {
    this.#first = headers.slice(0, FIRST);
    this.#headers = headers.filter((header, at) => at < FIRST || isName(header));
  }

  add(cells: Cells): void {
    if (this.#rows.length === MAX_DISTINCT) return;
    this.#rows.push(this.#headers.map((header) => (cells[header] ?? "").trim()));
  }

  /** Rows with an empty cell or both cells of an earlier row, by pair; `isUnique`: needs no other. */
  count(isUnique: (header: string) => boolean): Map<string, number> {
    const counted = new Map<string, number>();
    for (const [at, a] of this.#headers.entries()) {
      for (const [other, b] of this.#headers.entries()) {
        const areNames = isName(a) && isName(b);
        const areFirst = this.#first.includes(a) && this.#first.includes(b);
        if (other <= at || !(areNames || (areFirst && !isUnique(a) && !isUnique(b)))) continue;
        counted.set(keyOf([a, b]), this.#countPair(at, other));
      }
    }
    return counted;
  }

  #countPair(a: number, b: number): number {
    const seen = new Set<string>();
    for (const { [a]: one = "", [b]: other = "" } of this.#rows)
      if (one !== "" && other !== "") seen.add(`${one}\n${other}`);
    return this.#rows.length - seen.size;
  }
}

/** Reads a spreadsheet once, or the sheet that is named. Throws what opening it throws. */
export async function lookAt(
  file: string,
  sheet: string | null,
  signal?: AbortSignal,
): Promise<Look> {
  const meant = await withFullestSheet({ ...PLAIN_SOURCE, file, sheet });
  return closing(await openSource(meant, [], signal), async (source) => {
    const rows: Cells[] = [];
    const pairs = new PairCounter(source.columns);
    let count = 0;
    const columns = await profileSource(source, ({ cells }) => {
      count += 1;
      if (rows.length < ROWS_SHOWN) rows.push(cells);
      pairs.add(cells);
    });
    const single = new Map(columns.map(({ column, misses }) => [keyOf([column]), misses]));
    const double = pairs.count((header) => single.get(keyOf([header])) === 0);
    const { sheet: sheetName, otherSheets = [], headerLine } = source.detected;
    return {
      columns,
      rows,
      count,
      sheetName,
      isGuessed: sheet === null && meant.sheet !== null,
      otherSheets,
      headerRow: headerLine === 1 ? undefined : headerLine,
      misses: (headers) =>
        single.get(keyOf(headers)) ?? double.get(keyOf(headers)) ?? Number.POSITIVE_INFINITY,
    };
  });
}
