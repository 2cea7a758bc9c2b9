/** What the cells of a column look like: for people who see a spreadsheet for the first time. */
import type { ColumnType } from "../job/job.ts";

import { cellTypes } from "./cell-types.ts";
import type { SourceRow } from "./rows.ts";
import type { Source } from "./source.ts";

/** Tried in this order; the first that nearly all cells fit wins. Text fits always. */
const GUESSES = [
  "gtin",
  "integer",
  "number",
  "date",
  "url",
  "email",
  "boolean",
] as const satisfies readonly ColumnType[];
const NEARLY_ALL = 0.9;
/** Of a column whose header says so: short lists have a mistyped cell, too. */
const HALF = 0.5;
const HEADERS: Partial<Record<ColumnType, RegExp>> = {
  gtin: /^(?:gtin|ean|upc)\b/iu,
  url: /^(?:url|link|web|ziel|destination|adress?e?$|address$|href|homepage|internet|verweis)/iu,
};
/** Sheets that people have typed have a few rows twice; those are told when the job is planned. */
export const FEW_TWINS = 0.05;
const MAX_ODD = 3;
const MAX_EXAMPLES = 3;
/** Beyond this many, cells count as different. */
const MAX_DISTINCT = 200_000;

/** A cell that isn't what the others of its column are. */
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
  /** Cells with something in them. */
  readonly filled: number;
  readonly examples: readonly string[];
  readonly odd: readonly OddCell[];
  readonly oddCount: number;
  /** Every row has a cell of its own here: fits as `source.key`. */
  readonly isUnique: boolean;
  /** Hardly a row has an empty cell here, or that of an earlier row. */
  readonly isNearlyUnique: boolean;
  /** A `url` whose cells show other texts than their links: columns of this type take the link. */
  readonly isLinked?: true;
}

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

  constructor(column: string) {
    this.#column = column;
  }

  add(text: string, line: number, link: string | undefined): void {
    this.#rows += 1;
    if (text === "") return;
    this.#filled += 1;
    const asUrl = cellTypes.url(link ?? text);
    this.#addLink(asUrl, { line, text }, link);
    if (this.#seen.has(text)) this.#twins += 1;
    else if (this.#seen.size < MAX_DISTINCT) {
      if (this.#seen.size < MAX_EXAMPLES) this.#examples.push(text);
      this.#seen.add(text);
    }
    for (const [type, misses] of this.#misses) {
      const read = type === "url" && link === undefined ? asUrl : cellTypes[type](text);
      // Numbers that can be read in two ways are numbers.
      if (typeof read === "string" || read.isTwofold === true) continue;
      misses.count += 1;
      if (misses.odd.length < MAX_ODD) misses.odd.push({ line, text, rule: read.rule });
    }
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

  /** As a column of links; undefined where hardly a cell has one. */
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
    const { count = 0, odd = [] } = this.#misses.get(type) ?? {};
    const lacks = this.#twins + this.#rows - this.#filled;
    return {
      column: this.#column,
      type,
      filled: this.#filled,
      examples: this.#examples,
      odd,
      oddCount: count,
      isUnique: lacks === 0 && this.#rows > 1,
      isNearlyUnique: lacks <= this.#rows * FEW_TWINS && this.#rows > 1,
    };
  }

  #fits(type: ColumnType): boolean {
    const misses = this.#misses.get(type)?.count ?? 0;
    const isNamed = HEADERS[type]?.test(this.#column.trim()) === true;
    const most = this.#filled * (isNamed ? HALF : NEARLY_ALL);
    return this.#filled > 0 && this.#filled - misses >= most;
  }
}

/** Reads all rows; answers what every column holds and hands on each row as it goes by. */
export async function profileSource(
  source: Source,
  onRow: (row: SourceRow) => void,
): Promise<ColumnProfile[]> {
  const profilers = source.columns.map((column) => new Profiler(column));
  for await (const row of source.rows()) {
    const cells = row.cells;
    const links = row.links ?? {};
    for (const [at, column] of source.columns.entries()) {
      profilers[at]?.add((cells[column] ?? "").trim(), row.line, links[column]);
    }
    onRow(row);
  }
  const profiles = profilers.map((profiler) => profiler.finish());
  // Names may be links, too: what shows addresses is meant first.
  if (profiles.some(({ type }) => type === "url")) return profiles;
  return profilers.map((profiler, at) => profiler.finishLinks() ?? (profiles[at] as ColumnProfile));
}
