import type { Sqlite, SqlValue } from "../base/sqlite/sqlite.ts";
import {
  isAsPlanned,
  KNOWN_COLUMNS,
  PLANNED_COLUMNS,
  toKnownRow,
  type RawRow,
} from "./row-codec.ts";
import type { KnownRow, Placing, PlannedRow, Wanted } from "./row.ts";
import { GONE_WITH_ARTWORK, UNFILED_CODE, WITH_ARTWORK, WITH_FILE_NAME } from "./which-rows.ts";

interface Sent {
  readonly key: string;
  readonly wanted: Wanted;
  readonly cells: Readonly<Record<string, string>>;
  readonly isNamed: boolean;
}

interface RawSent {
  readonly place: number;
  readonly key: string;
  readonly wanted: string;
  readonly cells: string;
}

const FIRST_PAGE_ROWS = 2;
const MOST_PAGE_ROWS = 100;
const COLUMNS = `rowid AS place, ${KNOWN_COLUMNS}, ${PLANNED_COLUMNS}`;

/** Counts which rows of the state a plan names: one bit per row. */
export class Census {
  readonly #db: Sqlite;
  /** By `rowid`. */
  #named = new Uint8Array(1024);
  #count = 0;
  /** The row that was looked up last. */
  #last: RawRow | undefined;
  /** Rows that come next where a spreadsheet has kept its order, by key. */
  #ahead: ReadonlyMap<SqlValue, RawRow> = new Map();
  /** `seq` of the last of them. */
  #aheadTo: SqlValue | undefined;
  #pageRows = FIRST_PAGE_ROWS;

  constructor(db: Sqlite) {
    this.#db = db;
  }

  /** What the state knows of a row; the row counts as named by the plan. */
  known(key: string): KnownRow | undefined {
    const before = this.#last;
    const raw = this.#ahead.get(key) ?? this.#look(key, before);
    this.#last = raw;
    if (raw === undefined) return undefined;
    this.#name(Number(raw["place"]));
    return toKnownRow(raw);
  }

  /** True where the state has the row, which was looked up last, exactly as it is planned. */
  isSame(row: PlannedRow): boolean {
    return this.#last !== undefined && isAsPlanned(this.#last, row);
  }

  /** Where the files of the row, which was looked up last, go by the last plan. */
  placing(): Placing | undefined {
    const text = this.#last?.["placing"];
    return typeof text === "string" ? (JSON.parse(text) as Placing) : undefined;
  }

  /** True where the row, which was looked up last, was good in the last plan. */
  isPresent(): boolean {
    return this.#last?.["presence"] === "present";
  }

  /** Names that files of rows have or had last; `ofGone`: only of those without a good row. */
  *fileNames(ofGone: boolean): Iterable<{ readonly name: string; readonly isPresent: boolean }> {
    const sql = `SELECT presence = 'present' AS present, json_extract(placing, '$.fileBase') AS planned, json_extract(artwork, '$.base') AS base
      FROM rows WHERE ${ofGone ? GONE_WITH_ARTWORK : WITH_FILE_NAME}`;
    type Raw = { present: number; planned: string; base: string | null };
    for (const { present, planned, base } of this.#db.iterate<Raw>(sql)) {
      const isPresent = present === 1;
      yield { name: planned, isPresent };
      if (base !== null && base !== planned) yield { name: base, isPresent };
    }
  }

  /**
   * Rows that had no good row by the last plan, with the names of their files; `ofAll`: also those of
   * it that this plan doesn't name.
   */
  *filesOfGone(ofAll: boolean): Iterable<{ readonly key: string; readonly base: string }> {
    const sql = `SELECT rowid AS place, row_key AS key, presence = 'present' AS isPresent,
        json_extract(artwork, '$.base') AS base
      FROM rows WHERE ${ofAll ? WITH_ARTWORK : GONE_WITH_ARTWORK}`;
    type Raw = { place: number; key: string; isPresent: number; base: string };
    for (const { place, key, isPresent, base } of this.#db.iterate<Raw>(sql)) {
      if (isPresent === 0 || !this.#isNamed(place)) yield { key, base };
    }
  }

  /** Counts the row as named, without reading it. */
  named(key: string): void {
    const sql = "SELECT rowid AS place FROM rows WHERE row_key = ?";
    const raw = this.#db.get<{ place: number }>(sql, key);
    if (raw !== undefined) this.#name(raw.place);
  }

  /** Number of the state's rows that the plan names. */
  get count(): number {
    return this.#count;
  }

  /** Number of rows that the plan doesn't name and that had not vanished before. */
  vanished(): number {
    const sql = "SELECT count(*) AS n FROM rows WHERE presence <> 'vanished'";
    return Math.max(0, (this.#db.get<{ n: number }>(sql)?.n ?? 0) - this.#count);
  }

  /**
   * Keys of rows with codes that are not filed away and that the plan doesn't name: new and earlier
   * ones.
   */
  gone(): string[] {
    const rows = this.#db.get<{ n: number }>("SELECT count(*) AS n FROM rows")?.n ?? 0;
    if (rows === this.#count) return [];
    const sql = `SELECT rowid AS place, row_key FROM rows WHERE ${UNFILED_CODE} ORDER BY rowid`;
    const keys: string[] = [];
    for (const { place, row_key: key } of this.#db.iterate<{ place: number; row_key: string }>(
      sql,
    )) {
      if (!this.#isNamed(place)) keys.push(key);
    }
    return keys;
  }

  /**
   * The wishes that were sent for all rows, vanished ones included, with their cells, and whether
   * the plan names each row.
   */
  *made(): Iterable<Sent> {
    const sql =
      "SELECT rowid AS place, row_key AS key, wanted, cells FROM rows WHERE state IN ('done', 'sending', 'doubt')";
    for (const { place, key, wanted, cells } of this.#db.iterate<RawSent>(sql)) {
      yield {
        key,
        wanted: JSON.parse(wanted) as Wanted,
        cells: JSON.parse(cells) as Sent["cells"],
        isNamed: this.#isNamed(place),
      };
    }
  }

  /** Two neighbours of the last plan that are looked up one behind the other: so will be more of them. */
  #look(key: string, before: RawRow | undefined): RawRow | undefined {
    const [raw] = this.#db.view<RawRow>(`SELECT ${COLUMNS} FROM rows WHERE row_key = ?`, key);
    const seq = Number(raw?.["seq"]);
    if (seq !== Number(before?.["seq"]) + 1) return raw;
    // Where neighbours stand in pairs only, pages stay small: one that was used up is followed by a larger one.
    const isUsedUp = this.#aheadTo === before?.["seq"];
    this.#pageRows = isUsedUp ? Math.min(this.#pageRows * 2, MOST_PAGE_ROWS) : FIRST_PAGE_ROWS;
    const sql = `SELECT ${COLUMNS} FROM rows WHERE presence = 'present' AND seq > ? ORDER BY seq LIMIT ?`;
    const rows = this.#db.view<RawRow>(sql, seq, this.#pageRows);
    this.#aheadTo = rows.at(-1)?.["seq"];
    this.#ahead = new Map(rows.map((row) => [row["row_key"] ?? null, row]));
    return raw;
  }

  #isNamed(place: number): boolean {
    return ((this.#named[place >>> 3] ?? 0) & (1 << (place & 7))) !== 0;
  }

  #name(place: number): void {
    const at = place >>> 3;
    if (at >= this.#named.length) {
      const larger = new Uint8Array(Math.max(at + 1, this.#named.length * 2));
      larger.set(this.#named);
      this.#named = larger;
    }
    if (this.#isNamed(place)) return;
    this.#named[at] = (this.#named[at] ?? 0) | (1 << (place & 7));
    this.#count += 1;
  }
}
