/** What a spreadsheet holds, as far as a first look needs it. */
import { closing } from "../../base/flow/closing.ts";
import { AppError, badUsage, type Problem } from "../../base/errors.ts";
import { didYouMean } from "../../base/text/suggest.ts";
import { cutText, quoteText } from "../../base/text/words.ts";
import { PLAIN_SOURCE, type JobSource } from "../../job/job.ts";
import { cellTypes, TOO_LONG } from "../../read/cells/cell-types.ts";
import { withFullestSheet } from "../../read/files/fullest-sheet.ts";
import { MAX_DISTINCT, profileSource, type ColumnProfile } from "../../read/rows/profile.ts";
import { openSource, type Source } from "../../read/source.ts";
import { headerFits, type Column } from "./roles.ts";
import { WifiKindCounts } from "./wifi-kinds.ts";
import { hasNames, isRow } from "./row-as-header.ts";

type Cells = Readonly<Record<string, string>>;

/** What guesses and manifests need to know of a spreadsheet. */
export interface Shape {
  readonly columns: readonly Column[];
  /** Of rows. */
  readonly count: number;
  readonly sheetName: string | undefined;
  /** Of a workbook: the sheets that were not taken. */
  readonly otherSheets: readonly string[];
  /** About the whole file, such as letters that may come out wrong; undefined where none was read. */
  readonly warnings?: readonly Problem[];
  /** Of rows: the first 1,000. */
  readonly problems?: readonly Problem[];
  /** The first cells of each column that are not what it looks like. */
  readonly misfits?: readonly Problem[];
  /** Set where the header looks like a row: what is wrong then; also among the warnings. */
  readonly rowAsHeader?: Problem | undefined;
  /** That row is one: nothing in it names a column. */
  readonly lacksHeader?: boolean;
  /** Nothing in it sounds like the name of a column, nor looks like a row. */
  readonly isDoubtful?: boolean;
  /** Set where the header isn't found by itself. */
  readonly headerRow: number | undefined;
  /**
   * Rows whose cells in one column, or in a pair of the first ones or of names, are empty or those of
   * an earlier row; infinite for other pairs. Of more columns some cells may be empty.
   */
  readonly misses: (headers: readonly string[]) => number;
}

export interface Look extends Shape {
  readonly columns: readonly (ColumnProfile &
    Pick<Column, "lacksScheme" | "wifiKinds" | "isRepeated">)[];
  readonly warnings: readonly Problem[];
  readonly problems: readonly Problem[];
  /** How many there are in all. */
  readonly problemCount: number;
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

/** Columns whose pairs may tell rows apart: the first ones, and names. */
const pairable = (headers: readonly string[]): string[] =>
  headers.filter((header, at) => at < FIRST || isName(header));

/** Rows with an empty cell, or both cells of an earlier row. */
function countMisses(rows: readonly (readonly string[])[], at: number, other: number): number {
  const seen = new Set<string>();
  for (const { [at]: a = "", [other]: b = "" } of rows)
    if (a !== "" && b !== "") seen.add(`${a}\n${b}`);
  return rows.length - seen.size;
}

/** Rows whose cells in all of these columns are those of an earlier row. */
const countTwins = (rows: readonly (readonly string[])[], places: readonly number[]): number =>
  rows.length - new Set(rows.map((row) => JSON.stringify(places.map((place) => row[place])))).size;

/** The misses of each pair; where one column is `unique`, none is asked for. */
const countPairs = (
  headers: readonly string[],
  rows: readonly (readonly string[])[],
  unique: ReadonlySet<string>,
): ReadonlyMap<string, number> =>
  new Map(
    headers.flatMap((a, at) =>
      headers.flatMap((b, other): (readonly [string, number])[] => {
        const isAsked =
          (isName(a) && isName(b)) || (other < FIRST && ![a, b].some((one) => unique.has(one)));
        return other > at && isAsked ? [[keyOf([a, b]), countMisses(rows, at, other)]] : [];
      }),
    ),
  );

/** Without a header the first row would be lost, and no column has a name to choose it by. */
export function needHeader({
  rowAsHeader,
  lacksHeader,
}: Pick<Shape, "rowAsHeader" | "lacksHeader">): void {
  if (lacksHeader !== true) return;
  const { file, line = 1, column = "" } = rowAsHeader?.where ?? {};
  throw new AppError(
    "source-unreadable",
    `the list must begin with the names of its columns, got a row on line ${line}: ${JSON.stringify(column)}`,
    {
      where: { file, line },
      hint: `put a line with a name above each column, such as Name, Link; where a line does hold the names, say which: --header-row ${line} (header_row in source of a manifest); nothing was written`,
    },
  );
}

/** Addresses without https:// are addresses, where a column has no others. */
const asAddresses = (one: ColumnProfile): ColumnProfile =>
  one.filled > 0 && one.schemeless?.count === one.filled
    ? Object.assign({}, one, { type: "url" as const, lacksScheme: true })
    : one;

/** What a person must rename before a job can use it; the cells of a row are no names. */
const warnOfRepeated = ({ file, detected, repeated = [], rowAsHeader }: Source): Problem[] =>
  [...new Set(rowAsHeader === undefined ? repeated.map((header) => header.trim()) : [])].map(
    (column) => ({
      message: "another column has this name, too, so no job can use it",
      hint: "rename one of the two in the spreadsheet",
      where: { file, line: detected.headerLine, column },
    }),
  );

/** A look is stricter with days than a job: what a job takes is no misfit. */
const findMisfits = (file: string, columns: readonly ColumnProfile[]): Problem[] =>
  columns.flatMap(({ column, type, odd }) =>
    odd
      .filter(
        ({ rule, text }) => rule === TOO_LONG.rule || typeof cellTypes[type](text) !== "string",
      )
      .map(({ line, text, rule }) => ({
        message: `${rule}, got ${quoteText(cutText(text))}`,
        where: { file, line, column: column.trim() },
      })),
  );

const PROBLEMS_KEPT = 1000;

/** Reads all rows of an opened spreadsheet. */
export async function lookInto(source: Source): Promise<Omit<Look, "isGuessed">> {
  const rows: Cells[] = [];
  const problems: Problem[] = [];
  let problemCount = 0;
  const paired = pairable(source.columns);
  const kept: (readonly string[])[] = [];
  const kinds = new WifiKindCounts(source.columns);
  let count = 0;
  const profiles = await profileSource(source, (row) => {
    const { cells } = row;
    count += 1;
    problemCount += row.problems.length;
    if (problems.length < PROBLEMS_KEPT) problems.push(...row.problems);
    kinds.add(cells);
    if (rows.length < ROWS_SHOWN) rows.push(cells);
    if (kept.length < MAX_DISTINCT) {
      kept.push(paired.map((header) => (cells[header] ?? "").trim()));
    }
  });
  const { repeated = [] } = source;
  const columns = profiles.map((one) => {
    const wifiKinds = kinds.of(one.column);
    const isRepeated = repeated.includes(one.column);
    return asAddresses({
      ...one,
      ...(wifiKinds !== undefined && { wifiKinds }),
      ...(isRepeated && { isRepeated }),
    });
  });
  const single = new Map(columns.map(({ column, misses }) => [keyOf([column]), misses]));
  const unique = columns.filter(({ misses }) => misses === 0).map(({ column }) => column);
  const double = countPairs(paired, kept, new Set(unique));
  const { rowAsHeader } = source;
  const { sheet: sheetName, otherSheets = [], headerLine } = source.detected;
  const first = rows.map((cells) => source.columns.map((column) => cells[column] ?? ""));
  return {
    columns,
    rows,
    count,
    warnings: [...source.warnings, ...warnOfRepeated(source)],
    problems: problems.slice(0, PROBLEMS_KEPT),
    problemCount,
    misfits: findMisfits(source.file, columns),
    rowAsHeader,
    lacksHeader: rowAsHeader !== undefined && isRow(source.columns, first),
    isDoubtful: rowAsHeader === undefined && !hasNames(source.columns, first),
    sheetName,
    otherSheets,
    // A line that may be a row is told anew by each plan, until a person says that it is a header.
    headerRow: headerLine === 1 || rowAsHeader !== undefined ? undefined : headerLine,
    misses: (headers) => {
      const known = single.get(keyOf(headers)) ?? double.get(keyOf(headers));
      if (known !== undefined) return known;
      const places = headers.map((header) => paired.indexOf(header));
      const isAsked = places.length > 2 && !places.includes(-1);
      return isAsked ? countTwins(kept, places) : Number.POSITIVE_INFINITY;
    },
  };
}

/** What a person says of a spreadsheet; the rest is found. */
export type Said = Partial<Pick<JobSource, "sheet" | "headerRow">>;

/**
 * Reads a spreadsheet once, or the sheet that is named. A line that is said to hold the names of the
 * columns is taken at that. Throws what opening it throws.
 */
export async function lookAt(
  file: string,
  { sheet = null, headerRow = null }: Said = {},
  signal?: AbortSignal,
): Promise<Look> {
  const meant = await withFullestSheet({ ...PLAIN_SOURCE, file, sheet, headerRow });
  const isGuessed = sheet === null && meant.sheet !== null;
  return closing(await openSource(meant, [], signal), async (source) => {
    const look = await lookInto(source);
    const said = headerRow === null ? {} : { headerRow, lacksHeader: false, isDoubtful: false };
    return { ...look, ...said, isGuessed };
  });
}
