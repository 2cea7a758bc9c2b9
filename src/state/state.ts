/**
 * The resumable state of a job: one SQLite file in the output folder. No crash of the process hides
 * an intent that is committed (docs/spec/engine.md section 1).
 */
import path from "node:path";

import { hmacSha256, toBase32 } from "../base/ids/ids.ts";
import { SharedCommits } from "../base/sqlite/shared-commits.ts";
import { openSqlite, type Durability, type Sqlite, type SqlValue } from "../base/sqlite/sqlite.ts";
import type { BadRow, KnownRow, ListedRow, PlannedRow, StateRow } from "./row.ts";
import { adoptPlan } from "./adopt-plan.ts";
import { BadRows } from "./bad-rows.ts";
import { Census } from "./census.ts";
import {
  KNOWN_COLUMNS,
  ROW_COLUMNS,
  type RowField,
  toPickedColumns,
  toPickedRow,
  toKnownRow,
  toListedColumns,
  toListedRow,
  toStateRow,
  type RawRow,
} from "./row-codec.ts";
import { FoundProducts } from "./found-products.ts";
import { LabelPlaces } from "./label-places.ts";
import { Listing } from "./listing.ts";
import { MadeCodes } from "./made-codes.ts";
import { ManyRows } from "./many-rows.ts";
import { OldArtwork } from "./old-artwork.ts";
import { follow, isElsewhere, pinState, refuseForeign, type Pin } from "./pin.ts";
import { RowFacts } from "./row-facts.ts";
import { RowJournal } from "./row-journal.ts";
import { RetiredRows } from "./retired-rows.ts";
import { SelectedRows } from "./selected-rows.ts";
import { RowPictures } from "./row-pictures.ts";
import { pageOf, scanRows } from "./row-scan.ts";
import {
  prepareSchema,
  SEAL,
  SHOWN,
  toGroupIndex,
  toStateError,
  UNSETTLED_INDEX,
} from "./schema.ts";

const REF_LENGTH = 10;
/** The plus keeps SQLite from the index of states, which leads to the rows of all groups. */
const ON_SHEETS = `+(${SHOWN}) AND json_extract(placing, '$.sheets') = ?`;

export interface StateOptions {
  /** Name and version of the program, kept in the file. */
  readonly writer: string;
  /** Random per state, so that two states of one job never claim each other's codes. */
  readonly salt: string;
  /** The salt is that of a state that was lost: its codes may be on the server. */
  readonly isRebuilt?: boolean | undefined;
  readonly nowMs: number;
  /** A larger file is not checked completely when it is opened. Default 256 MB. */
  readonly maxCheckedBytes?: number | undefined;
  /** Without the folder's lock: nothing is made, and an older state isn't updated. */
  readonly isReader?: boolean | undefined;
}

/** Key in `meta`: `begun` until codes of a lost state have been searched for. */
const REBUILD = "rebuild";

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * The log is copied into the file every 40 MB, not every 4: rows that a run writes several times are
 * copied once. On close, everything is copied.
 */
const TUNING = "PRAGMA wal_autocheckpoint=10000";

export const stateFile = (folder: string): string => path.join(folder, "state.db");

/**
 * Opens or makes the state of an output folder; a state of an older makeready is updated. The caller
 * holds the folder's lock, or is a reader: a reader gets `job-locked` when the state would have to be
 * updated.
 */
export function openState(folder: string, options: StateOptions): State {
  const file = stateFile(folder);
  let db: Sqlite | undefined;
  try {
    db = openSqlite(file);
    db.exec(TUNING);
    prepareSchema(db, { file, ...options });
    const isNew =
      options.isReader !== true && db.get("SELECT 1 FROM meta WHERE key = 'salt'") === undefined;
    const state = new State(db, file, isNew);
    if (isNew) {
      if (options.isRebuilt === true) state.setMeta(REBUILD, "begun");
      state.setMeta("created_at", new Date(options.nowMs).toISOString());
      state.setMeta("salt", options.salt);
    }
    return state;
  } catch (error) {
    db?.close();
    throw toStateError(file, error);
  }
}

export class State extends RowFacts {
  readonly #db: Sqlite;
  readonly file: string;
  /** Sends, answers and doubts of rows. */
  readonly journal: RowJournal;
  readonly selected: SelectedRows;
  readonly retired: RetiredRows;
  readonly listing: Listing;
  readonly bad: BadRows;
  readonly made: MadeCodes;
  readonly many: ManyRows;
  readonly found: FoundProducts;
  readonly labels: LabelPlaces;
  /** What is noted about the pictures of rows. */
  readonly pictures: RowPictures;
  readonly oldArtwork: OldArtwork;

  readonly #isNew: boolean;
  readonly #commits: SharedCommits;
  #salt: string | undefined;

  constructor(db: Sqlite, file: string, isNew = false) {
    super(db);
    this.#db = db;
    this.file = file;
    this.#isNew = isNew;
    this.#commits = new SharedCommits(db);
    this.journal = new RowJournal(db);
    this.selected = new SelectedRows(db);
    this.retired = new RetiredRows(db);
    this.listing = new Listing(db);
    this.bad = new BadRows(db);
    this.made = new MadeCodes(db);
    this.many = new ManyRows(db);
    this.found = new FoundProducts(db);
    this.labels = new LabelPlaces(db);
    this.pictures = new RowPictures(db);
    this.oldArtwork = new OldArtwork(db);
  }

  /**
   * What the last complete run was based on and made, in the program's own form; undefined once a
   * row, a bad row or a package has changed since, by whatever process.
   */
  get seal(): string | undefined {
    return this.meta(SEAL);
  }

  setSeal(seal: string): void {
    this.setMeta(SEAL, seal);
    this.keepFacts();
  }

  breakSeal(): void {
    this.#db.run("DELETE FROM meta WHERE key = ?", SEAL);
  }

  meta(key: string): string | undefined {
    return this.#db.get<{ value: string }>("SELECT value FROM meta WHERE key = ?", key)?.value;
  }

  setMeta(key: string, value: string): void {
    this.#db.setDurability("full");
    this.#db.run("INSERT OR REPLACE INTO meta VALUES (?, ?)", key, value);
  }

  /**
   * Up to this server time, the state knows every code of its job; younger codes may be those of a
   * copied state. Undefined in a job's first run.
   */
  get lastKnownMs(): number | undefined {
    if (this.meta(REBUILD) === "begun") return 0;
    if (this.#isNew) return undefined;
    return this.lastIntentMs ?? Date.parse(this.createdAt) - DAY_MS;
  }

  /** The list was searched for codes of a lost state. */
  rebuilt(): void {
    if (this.meta(REBUILD) === "begun") this.setMeta(REBUILD, "done");
  }

  /** First run of this job, ISO. Used in files that must be the same on every run. */
  get createdAt(): string {
    return this.meta("created_at") ?? new Date(0).toISOString();
  }

  /** Binds the state to one server and workspace; another one later is refused. */
  pin(pin: Pin): void {
    pinState(this.#db, this, pin);
  }

  /** Refuses another server or workspace without a request, and before it is opened. */
  refuseForeign(pin: Partial<Pin>): void {
    refuseForeign(this.#db, this, pin);
  }

  /** True where its codes were made on another server than that at `baseUrl`. */
  isElsewhere = (baseUrl: string): boolean => isElsewhere(this.#db, this, baseUrl);

  /** Its server has another base URL now: somebody has seen the codes there. */
  follow(baseUrl: string): void {
    follow(this, baseUrl);
  }

  /**
   * Runs `work`, which changes this state, in the commit of this turn of the event loop, together
   * with all other work of the same turn. Resolves with its result once that is committed (`full`: on
   * the disk); rejects with what it threw, and then keeps nothing of it.
   */
  commit<T>(work: () => T, durability: Durability = "normal"): Promise<T> {
    return this.#commits.add(work, durability);
  }

  /** The reference of a row on the server: the same for the same row, generation and state. */
  toRef(key: string, generation: number): string {
    // Written once, when the state is made.
    this.#salt ??= this.meta("salt");
    return toBase32(hmacSha256(this.#salt ?? "", `${key}\n${generation}`)).slice(0, REF_LENGTH);
  }

  /** Starts counting the rows that a plan names. */
  census(): Census {
    return new Census(this.#db);
  }

  known(key: string): KnownRow | undefined {
    const [raw] = this.#db.view<RawRow>(`SELECT ${KNOWN_COLUMNS} FROM rows WHERE row_key = ?`, key);
    return raw === undefined ? undefined : toKnownRow(raw);
  }

  /** True when a create of this row was sent, or its code was found. */
  wasSent(key: string): boolean {
    return this.is(key, "attempts > 0 OR remote_id IS NOT NULL");
  }

  row(key: string): StateRow | undefined {
    const [raw] = this.#db.view<RawRow>(`SELECT ${ROW_COLUMNS} FROM rows WHERE row_key = ?`, key);
    return raw === undefined ? undefined : toStateRow(raw);
  }

  /** True for a row that meets a condition. */
  is(key: string, where: string): boolean {
    return this.#db.get(`SELECT 1 FROM rows WHERE row_key = ? AND (${where})`, key) !== undefined;
  }

  /** The picture from the answer to a row's create or design change. */
  svg(key: string): string | null {
    const sql = "SELECT svg FROM pictures WHERE row_key = ?";
    return this.#db.get<{ svg: string }>(sql, key)?.svg ?? null;
  }

  /** For runs to come: what a finished job has left is found without a look at every row. */
  indexUnsettled(): void {
    this.#db.exec(UNSETTLED_INDEX);
  }

  /** For jobs of many groups, of which each is read by itself. */
  indexGroups(kind: "sheets" | "zip"): void {
    this.#db.exec(toGroupIndex(kind));
  }

  /**
   * Stores the plan's rows as the state's rows, in one transaction: new ones become pending, known
   * ones keep what was made of them, rows that the plan doesn't name become vanished. `same`: keys of
   * further good rows, which the state has as they are planned.
   */
  adoptPlan(good: Iterable<PlannedRow>, bad: Iterable<BadRow>, same?: Iterable<string>): void {
    adoptPlan(this.#db, { good, bad, same });
  }

  /**
   * Rows of the plan in their order, filtered by `where` (SQL over the columns of `rows`). Read
   * page by page, so that rows may be written meanwhile.
   */
  rows(where = "1", ...values: SqlValue[]): Iterable<StateRow> {
    return scanRows(this.#db, { columns: ROW_COLUMNS, toRow: toStateRow }, { where, values });
  }

  /** As `rows`, with these fields only. */
  pick<F extends RowField>(
    fields: readonly F[],
    where: string,
    ...values: SqlValue[]
  ): Iterable<Pick<StateRow, F>> {
    const picked = { columns: toPickedColumns(fields), toRow: toPickedRow(fields) };
    return scanRows(this.#db, picked, { where, values });
  }

  /** The next `limit` rows after `afterSeq` that match `where`; `values` fill its `?`. */
  page(
    where: string,
    from: { afterSeq: number; limit: number },
    ...values: SqlValue[]
  ): StateRow[] {
    return pageOf(this.#db, ROW_COLUMNS, { where, values, ...from }).map(toStateRow);
  }

  /** Rows that the spreadsheet no longer has, or only as bad rows, and that match `where`. */
  goneRows(where = "1", limit = -1, ...values: SqlValue[]): StateRow[] {
    const sql = `SELECT ${ROW_COLUMNS} FROM rows WHERE presence <> 'present' AND (${where}) ORDER BY seq, rowid LIMIT ?`;
    return this.#db.view<RawRow>(sql, ...values, limit).map(toStateRow);
  }

  isGone(key: string): boolean {
    return this.is(key, "presence <> 'present'");
  }

  /** Fields of the finished rows with a label in this group of sheets, in row order. */
  sheetRows<F extends RowField>(group: string, fields: readonly F[]): Iterable<Pick<StateRow, F>> {
    return this.pick(fields, ON_SHEETS, group);
  }

  /** Rows whose labels lie on sheets of this group, those that are gone since last. */
  *labelRows(group: string): Iterable<StateRow> {
    const where = "cell IS NOT NULL AND json_extract(placing, '$.sheets') = ?";
    yield* this.rows(where, group);
    yield* this.goneRows(where, -1, group);
  }

  /** Finished rows of this ZIP by file name, as `Listing.rows` gives them. Don't write rows while reading this. */
  *zipRows(group: string, as?: Parameters<typeof toListedColumns>[0]): Iterable<ListedRow> {
    for (const raw of this.#db.iterateView<RawRow>(
      `SELECT ${toListedColumns(as)} FROM rows WHERE presence = 'present' AND state = 'done'
         AND json_extract(placing, '$.zip') = ? ORDER BY json_extract(placing, '$.fileBase')`,
      group,
    )) {
      yield toListedRow(raw);
    }
  }

  folderId(folder: string): string | undefined {
    return this.#db.get<{ id: string }>("SELECT id FROM folders WHERE path = ?", folder)?.id;
  }

  rememberFolder(folder: string, id: string): void {
    this.#db.run("INSERT OR REPLACE INTO folders VALUES (?, ?)", folder, id);
  }

  /** What was packed under a name, and from what; undefined if it was never finished. */
  packaged(name: string): { fingerprint: string; result: unknown } | undefined {
    const raw = this.#db.get<{ fingerprint: string; result: string }>(
      "SELECT fingerprint, result FROM packages WHERE name = ?",
      name,
    );
    return raw && { fingerprint: raw.fingerprint, result: JSON.parse(raw.result) as unknown };
  }

  setPackaged(name: string, fingerprint: string, result: unknown): void {
    const sql = "INSERT OR REPLACE INTO packages VALUES (?, ?, ?)";
    this.#db.run(sql, name, fingerprint, JSON.stringify(result));
  }

  /** Everything that was packed under names that begin with `kind` and a space. */
  allPackaged(kind: string): { readonly name: string; readonly result: unknown }[] {
    return this.#db
      .all<{ name: string; result: string }>(
        "SELECT name, result FROM packages WHERE substr(name, 1, ?) = ? ORDER BY name",
        kind.length + 1,
        `${kind} `,
      )
      .map(({ name, result }) => ({
        name: name.slice(kind.length + 1),
        result: JSON.parse(result) as unknown,
      }));
  }

  forgetPackaged(name: string): void {
    this.#db.run("DELETE FROM packages WHERE name = ?", name);
  }

  /** After this, a copy of `state.db` alone, without its journal, is complete. */
  close(): void {
    try {
      this.#db.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    } catch {
      // On a full disk or with a broken file, the journal stays beside it: nothing is lost.
    }
    this.#db.close();
  }
}
