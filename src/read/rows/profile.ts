/** Describes the cells of columns, for people who see a spreadsheet for the first time. */
import type { ColumnType } from "../../job/job.ts";

import { BETWEEN_MANY } from "../../base/text/many-values.ts";
import { checkExpiryDate } from "../../gs1/expiry-date.ts";
import {
  cellTypes,
  hasTimeOfDay,
  holdsMany,
  readLostDigits,
  TOO_LONG,
} from "../cells/cell-types.ts";
import { cleanCell } from "../cells/clean-cell.ts";
import { isBareAddress } from "../header/like-row.ts";
import type { SourceRow } from "./rows.ts";
import type { Source } from "../source.ts";

/** Tried in this order; the first that nearly all cells fit is chosen. Text always fits. */
const GUESSES = [
  "gtin",
  "integer",
  "number",
  "date",
  "url",
  "email",
  "boolean",
] as const satisfies readonly ColumnType[];
const DAY = /^\d{4}-\d\d-\d\d$/u;
/**
 * As types are read, but for days: the digits of one in ten are a GTIN, too, and a column of dates
 * would leave out the time of day.
 */
const readers: typeof cellTypes = {
  ...cellTypes,
  gtin: (text) => (DAY.test(text) ? { rule: "must be a GTIN, not a date" } : cellTypes.gtin(text)),
  date: (text) => {
    const read = cellTypes.date(text);
    const isTimed = typeof read === "string" && hasTimeOfDay(text);
    return isTimed ? { rule: "must be a date without a time of day" } : read;
  },
};
const NEARLY_ALL = 0.9;
/** When the header names the type, half is enough: short lists have mistyped cells, too. */
const HALF = 0.5;
const HEADERS: Partial<Record<ColumnType, RegExp>> = {
  email: /^(?:e-?mail|mail|courriel)/iu,
  gtin: /^(?:gtin|ean|upc)\b/iu,
  url: /^(?:url|link|web|ziel|destination|adress?e?$|address$|href|homepage|internet|verweis)/iu,
};
const isNamed = (type: ColumnType, header: string): boolean =>
  HEADERS[type]?.test(header.trim()) === true;
/** Typed spreadsheets have a few rows twice; the plan reports them. */
export const FEW_TWINS = 0.05;
const MAX_ODD = 3;
const MAX_EXAMPLES = 3;
/** Above this number, all cells count as different. */
export const MAX_DISTINCT = 200_000;

/** A cell unlike the others of its column. */
export interface OddCell {
  readonly line: number;
  readonly text: string;
  /** "must be …". */
  readonly rule: string;
}

export interface ColumnProfile {
  /** Header as given. */
  readonly column: string;
  readonly type: ColumnType;
  /** Number of cells with content. */
  readonly filled: number;
  readonly examples: readonly string[];
  readonly odd: readonly OddCell[];
  readonly oddCount: number;
  /** Each row has a different cell here: it can be `source.key`. */
  readonly isUnique: boolean;
  /** Rows with an empty cell here, or that of an earlier row. */
  readonly misses: number;
  /** All its cells are dates as GS1 writes them: six digits, YYMMDD. */
  readonly isGs1Date?: true;
  /** A `url` column whose cells show other text: columns of this type use the link. */
  readonly isLinked?: true;
  /** Some cells hold several values, with ` ::: ` between them. */
  readonly holdsMany?: true;
  /** Cells that are addresses without https://, of a column of texts. */
  readonly schemeless?: { readonly count: number; readonly first: string };
  /** All its cells call a number that of a mobile phone; of several labels, the first. */
  readonly saysMobile?: true;
}

const MOBILE = /mobil|handy|\bcell|m[oó]vil|portable/u;

/** Of several labels the first counts, also one that is empty: the number beside it is the one taken. */
const saysMobile = (text: string): boolean =>
  MOBILE.test((text.split(BETWEEN_MANY.trim(), 1)[0] ?? "").normalize("NFKC").toLowerCase());

class Profiler {
  readonly #column: string;
  readonly #examples: string[] = [];
  readonly #seen = new Set<string>();
  readonly #misses = new Map<ColumnType, { count: number; odd: OddCell[] }>(
    GUESSES.map((type) => [type, { count: 0, odd: [] }]),
  );
  readonly #links: string[] = [];
  readonly #bare: OddCell[] = [];
  #rows = 0;
  #filled = 0;
  #linked = 0;
  #bareCount = 0;
  #twins = 0;
  #notGs1Dates = 0;
  #lost = 0;
  #hasMany = false;
  /** Plain addresses, and all that count where addresses are meant. */
  readonly #schemeless = { plain: { count: 0, first: "" }, meant: { count: 0, first: "" } };
  #isMobile = true;

  constructor(column: string) {
    this.#column = column;
  }

  add(cell: string, line: number, link: string | undefined): void {
    this.#rows += 1;
    if (cell === "") return;
    const lost = readLostDigits(cell);
    const text = lost ?? cell;
    this.#filled += 1;
    this.#hasMany ||= holdsMany(text);
    this.#notGs1Dates += Number(checkExpiryDate(text) !== undefined);
    const asUrl = cellTypes.url(link ?? text);
    this.#addLink(asUrl, { line, text }, link);
    this.#addText(text);
    if (lost !== undefined) {
      this.#lost += 1;
      for (const type of this.#misses.keys()) this.#miss(type, { line, text, rule: TOO_LONG.rule });
      return;
    }
    for (const type of GUESSES) {
      const read = type === "url" && link === undefined ? asUrl : readers[type](text);
      // Numbers with two possible readings are numbers, too.
      if (typeof read === "string" || read.isTwofold === true) continue;
      this.#miss(type, { line, text, rule: read.rule });
    }
  }

  #addText(text: string): void {
    this.#isMobile &&= saysMobile(text);
    if (isBareAddress(text, true)) {
      const { plain, meant } = this.#schemeless;
      for (const one of isBareAddress(text) ? [plain, meant] : [meant]) {
        if (one.count === 0) one.first = text;
        one.count += 1;
      }
    }
    if (this.#seen.has(text)) this.#twins += 1;
    else if (this.#seen.size < MAX_DISTINCT) {
      if (this.#seen.size < MAX_EXAMPLES) this.#examples.push(text);
      this.#seen.add(text);
    }
  }

  #miss(type: ColumnType, cell: OddCell): void {
    const misses = this.#misses.get(type);
    if (misses === undefined) return;
    misses.count += 1;
    if (misses.odd.length < MAX_ODD) misses.odd.push(cell);
  }

  #addLink(
    read: ReturnType<typeof cellTypes.url>,
    cell: Pick<OddCell, "line" | "text">,
    link: string | undefined,
  ): void {
    if (typeof read !== "string") {
      this.#bareCount += 1;
      if (this.#bare.length < MAX_ODD) this.#bare.push({ ...cell, rule: read.rule });
    } else if (link !== undefined) {
      this.#linked += 1;
      if (this.#links.length < MAX_EXAMPLES) this.#links.push(link);
    }
  }

  /** The profile as a column of links; undefined when hardly any cell has one. */
  finishLinks(): ColumnProfile | undefined {
    const most = this.#filled * NEARLY_ALL;
    if (this.#linked === 0 || this.#filled - this.#bareCount < most) return undefined;
    return {
      ...this.finish(),
      type: "url",
      examples: this.#links,
      odd: this.#bare,
      oddCount: this.#bareCount,
      isLinked: true,
    };
  }

  finish(): ColumnProfile {
    const type = GUESSES.find((guess) => this.#fits(guess)) ?? "text";
    const { count = 0, odd = [] } =
      // Columns of this type take the links of their cells.
      type === "url" ? { count: this.#bareCount, odd: this.#bare } : (this.#misses.get(type) ?? {});
    const misses = this.#twins + this.#lost + this.#rows - this.#filled;
    return {
      column: this.#column,
      type,
      filled: this.#filled,
      examples: this.#examples,
      odd,
      oddCount: count,
      isUnique: misses === 0 && this.#rows > 1,
      misses,
      ...(this.#filled > 0 && this.#notGs1Dates === 0 && { isGs1Date: true }),
      ...(this.#hasMany && { holdsMany: true }),
      ...this.#sayScheme(type),
      ...(this.#filled > 0 && this.#isMobile && { saysMobile: true }),
    };
  }

  #sayScheme(type: ColumnType): Pick<ColumnProfile, "schemeless"> {
    const { plain, meant } = this.#schemeless;
    const addresses = plain.count + this.#filled - (this.#misses.get("url")?.count ?? 0);
    const isMeant = isNamed("url", this.#column) || addresses >= this.#filled * HALF;
    const { count, first } = isMeant ? meant : plain;
    return count === 0 || type !== "text" ? {} : { schemeless: { count, first } };
  }

  #fits(type: ColumnType): boolean {
    const misses = this.#misses.get(type)?.count ?? 0;
    const most = this.#filled * (isNamed(type, this.#column) ? HALF : NEARLY_ALL);
    return this.#filled > 0 && this.#filled - misses >= most;
  }
}

/** Reads all rows; answers what each column holds, and passes on each row. */
export async function profileSource(
  source: Source,
  onRow: (row: SourceRow) => void,
): Promise<ColumnProfile[]> {
  const profilers = source.columns.map((column) => new Profiler(column));
  for await (const row of source.rows()) {
    const cells = row.cells;
    const links = row.links ?? {};
    for (const [at, column] of source.columns.entries()) {
      profilers[at]?.add(cleanCell(cells[column] ?? ""), row.line, links[column]);
    }
    onRow(row);
  }
  const profiles = profilers.map((profiler) => profiler.finish());
  // Names may have links, too: a column that shows addresses is preferred.
  if (profiles.some(({ type }) => type === "url")) return profiles;
  return profilers.map((profiler, at) => profiler.finishLinks() ?? (profiles[at] as ColumnProfile));
}
