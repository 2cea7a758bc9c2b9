/** Which character parts the cells of a CSV file. */
import { Readable } from "node:stream";

import { CsvError, parse, type Options } from "csv-parse";

import type { JobSource } from "../../job/job.ts";
import { countFound } from "../header/header.ts";

/** Where nothing tells two readings apart, the first wins. */
const DELIMITERS = ["\t", ";", ",", "|"] as const;
/** Where no line has one. */
const DEFAULT = ",";
/** For lists of one column, whose addresses may have some of them. */
const ALONE = [";", "|", "\t"] as const;
const SAMPLE_RECORDS = 20;
/** A reading counts where it has at least this part of the even records that the best one has. */
const LEAST_EVEN = 0.6;
/** A delimiter of addresses may be meant where it parts at least this part of the records. */
const LEAST_PARTED = 0.5;

interface Cell {
  readonly text: string;
  /** It stood in quotes, as a whole. */
  readonly isQuoted: boolean;
}

/** What a sample looks like with one delimiter; of two readings, the one with larger numbers is meant. */
interface Reading {
  readonly delimiter: string;
  /** Columns found that the manifest describes, or that its templates and key use. */
  readonly found: number;
  /** 1 where whole cells stand in quotes, -1 where quotes are closed and others opened within cells. */
  readonly quotes: number;
  /** 1 where names follow each other without a blank, as programs write them; else 0. */
  readonly tightNames: number;
  /** Part of the records that have the usual number of cells, and this number. */
  readonly even: number;
  readonly width: number;
  /** Names that aren't empty. */
  readonly named: number;
  /** Position of the first of them: the names, unless none stand there. */
  readonly namesAt: number;
  /** A name, and an address in each line below it: what parts the lines belongs to the addresses. */
  readonly isAddresses: boolean;
  /** Part of the records that have several cells, however many. */
  readonly parted: number;
}

/** What tells readings apart, the weightiest first. */
const SIGNS = ["found", "quotes", "tightNames", "even", "width"] as const;
type Sign = (typeof SIGNS)[number];

/** The delimiter of a file, and what may be meant as well. */
export interface FoundDelimiter {
  readonly delimiter: string;
  /** The file begins with a line such as `sep=;`. */
  readonly hasSeparatorLine: boolean;
  /** Another one that parts the lines as well. */
  readonly rival?: string | undefined;
  /** The file has one column, and none of these characters. */
  readonly isUnused?: true;
}

const cast = (text: string, { quoting }: { readonly quoting: boolean }): Cell => ({
  text,
  isQuoted: quoting,
});

/** The first records of a sample, which may end inside of a record or an open quote. */
async function parseSample(sample: string, options: Options): Promise<Cell[][]> {
  const records: Cell[][] = [];
  // Collected one by one: when a parser fails, it drops records that were not fetched.
  const keep = (record: unknown): null => {
    records.push(record as Cell[]);
    return null;
  };
  const parser = parse({ ...options, to: SAMPLE_RECORDS, on_record: keep, cast });
  try {
    for await (const _record of Readable.from([sample]).pipe(parser));
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
  }
  return records;
}

/** The usual number of cells, and how many records have it; the larger of equals. */
function findUsual(records: readonly (readonly Cell[])[]): readonly [width: number, times: number] {
  const counts = new Map<number, number>();
  for (const { length } of records) counts.set(length, (counts.get(length) ?? 0) + 1);
  counts.delete(1);
  return [...counts].toSorted((a, b) => b[1] - a[1] || b[0] - a[0])[0] ?? [1, 0];
}

/**
 * In `"a";"b"`, read with commas, a quote closes and another opens within a cell. A text such as
 * `"Sun", a song` has a blank there; before one, only a quote that holds the same mark counts: `"a;b"; 7`.
 */
function isBroken({ text, isQuoted }: Cell): boolean {
  if (!isQuoted) return false;
  if (/^"[^]*"[;,\t|](?! )/u.test(text)) return true;
  const [, held = "", mark] = /^"([^"]*)"([;\t|]) /u.exec(text) ?? [];
  return mark !== undefined && held.includes(mark);
}

function judgeQuotes(records: readonly (readonly Cell[])[]): number {
  const broken = records.flat().filter(isBroken).length;
  const quoted = records.flatMap((record) =>
    record.length > 1 ? record.filter(({ isQuoted }) => isQuoted) : [],
  );
  return Math.sign(quoted.length - broken * 2);
}

/** Whether most names behind the first one begin without a blank. */
function judgeTight([, ...names]: readonly Cell[]): number {
  const loose = names.filter(({ text, isQuoted }) => !isQuoted && text.startsWith(" ")).length;
  return Number(loose * 2 < names.length);
}

const BEGINS = /^https?:\/\//iu;

/** What stands behind a delimiter goes on with the address, as in `/map@52.5,13.4`. */
const isAddress = ([first, ...rest]: readonly Cell[]): boolean =>
  first?.isQuoted === false &&
  BEGINS.test(first.text) &&
  rest.every(({ text, isQuoted }) => !isQuoted && /^\S+$/u.test(text) && !BEGINS.test(text));

const isOneName = (cells: readonly Cell[]): boolean =>
  cells.length === 1 && cells.every(({ text }) => !BEGINS.test(text) && !/[\t;,|]/u.test(text));

const areAddresses = ([name = [], ...below]: readonly (readonly Cell[])[]): boolean =>
  isOneName(name) && below.length > 0 && below.every(isAddress);

async function readWith(
  sample: string,
  options: Options,
  count: (records: readonly (readonly string[])[]) => number,
): Promise<Reading> {
  const records = await parseSample(sample, options);
  const [width, times] = findUsual(records);
  const names = records.find(({ length }) => length === width) ?? [];
  return {
    delimiter: String(options.delimiter),
    found: count(records.map((record) => record.map(({ text }) => text))),
    quotes: judgeQuotes(records),
    tightNames: judgeTight(names),
    even: times / Math.max(1, records.length),
    width,
    named: names.filter(({ text }) => text.trim() !== "").length,
    namesAt: records.indexOf(names),
    isAddresses: areAddresses(records),
    parted: records.filter(({ length }) => length > 1).length / Math.max(1, records.length),
  };
}

/** Above zero where the second one is the likelier by these signs. */
function compare(a: Reading, b: Reading, signs: readonly Sign[]): number {
  const sign = signs.find((one) => a[one] !== b[one]);
  return sign === undefined ? 0 : b[sign] - a[sign];
}

/** The likelier ones first; without those that part too few lines. */
function rank(readings: readonly Reading[], signs: readonly Sign[]): Reading[] {
  const most = Math.max(...readings.map(({ even }) => even));
  return readings
    .filter(({ even, found }) => found > 0 || (even > 0 && even >= most * LEAST_EVEN))
    .toSorted((a, b) => compare(a, b, signs));
}

/**
 * Another reading that a person may mean: one that has all that the best has, or one that only the
 * columns of the manifest speak against.
 */
function findRival(best: Reading, readings: readonly Reading[]): Reading | undefined {
  const like = rank(readings, SIGNS).find(
    (one) =>
      one !== best &&
      one.named > 1 &&
      one.namesAt === best.namesAt &&
      one.even >= best.even &&
      compare(best, one, ["found", "quotes", "tightNames"]) === 0,
  );
  // Texts of cells hardly ever hold a tab.
  if (like !== undefined)
    return best.tightNames === 1 && best.delimiter !== "\t" ? like : undefined;
  const [likely] = rank(readings, SIGNS.slice(1));
  const isLikelier =
    likely !== undefined &&
    likely.even >= best.even &&
    compare(best, likely, ["quotes", "tightNames"]) > 0;
  return isLikelier ? likely : undefined;
}

const SEPARATOR_LINE = /^sep=(.)[ \t]*(?:\r\n|\n|\r|$)/iu;

/**
 * Finds the delimiter of a file by its first records.
 * @param uses columns that templates and the key use, described or not
 * @param toOptions how the file is parsed with a delimiter
 */
export async function findDelimiter(
  sample: string,
  { delimiter, columns }: Pick<JobSource, "delimiter" | "columns">,
  {
    uses,
    toOptions,
  }: {
    readonly uses: readonly string[];
    readonly toOptions: (delimiter: string) => Options;
  },
): Promise<FoundDelimiter> {
  const named = SEPARATOR_LINE.exec(sample)?.[1];
  const hasSeparatorLine = named !== undefined;
  const said = delimiter ?? named;
  if (said !== undefined) return { delimiter: said, hasSeparatorLine };
  const count = (records: readonly (readonly string[])[]): number =>
    Math.max(0, ...records.map((cells) => countFound(cells, columns, uses)));
  const readings: Reading[] = [];
  for (const one of DELIMITERS) readings.push(await readWith(sample, toOptions(one), count));
  const [best] = rank(readings, SIGNS);
  if (best === undefined || best.width === 1) return { delimiter: DEFAULT, hasSeparatorLine };
  const mayBeAlone = best.isAddresses && best.delimiter !== "\t";
  const unused = mayBeAlone ? ALONE.find((one) => !sample.includes(one)) : undefined;
  if (unused !== undefined)
    return {
      delimiter: unused,
      hasSeparatorLine,
      isUnused: true,
      // A few addresses that hold one are no columns.
      rival: best.parted < LEAST_PARTED ? undefined : best.delimiter,
    };
  return {
    delimiter: best.delimiter,
    hasSeparatorLine,
    rival: findRival(best, readings)?.delimiter,
  };
}
