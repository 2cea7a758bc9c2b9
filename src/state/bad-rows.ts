import type { Sqlite } from "../base/sqlite/sqlite.ts";
import { emptyNamed, nameAll, PRESENCE_TO_BE } from "./named-rows.ts";
import type { BadRow, PlannedRow } from "./row.ts";

/** Key in `meta`: number of bad rows without a key, which can't be matched to earlier rows. */
const KEYLESS = "bad_without_key";

type GroupKind = "zip" | "sheets";

/** Rows of the spreadsheet that can't be made, as of the last plan. */
export class BadRows {
  readonly #db: Sqlite;

  constructor(db: Sqlite) {
    this.#db = db;
  }

  *list(): Iterable<BadRow> {
    for (const raw of this.#db.iterate<{ line: number; cells: string; problems: string }>(
      "SELECT * FROM bad_rows ORDER BY line, rowid",
    )) {
      yield {
        line: raw.line,
        cells: JSON.parse(raw.cells) as BadRow["cells"],
        problems: JSON.parse(raw.problems) as BadRow["problems"],
      };
    }
  }

  get count(): number {
    return this.#db.get<{ n: number }>("SELECT count(*) AS n FROM bad_rows")?.n ?? 0;
  }

  /** Replaces the list; other rows stay as they were. */
  replace(rows: Iterable<BadRow>): void {
    this.#db.transaction(() => {
      replaceBadRows(this.#db, rows);
    }, "full");
  }

  /** The groups in which a bad row was before, or one without a key may have been. */
  groups(kind: GroupKind): ReadonlySet<string> {
    const known = this.#db.get<{ value: string }>("SELECT value FROM meta WHERE key = ?", KEYLESS);
    return this.#groups(kind, { presence: "presence", keyless: Number(known?.value ?? 0) });
  }

  /** The same once a plan with these rows is adopted. Ask before the next plan. */
  foresee(
    good: Iterable<Pick<PlannedRow, "key">>,
    bad: Iterable<BadRow>,
  ): (kind: GroupKind) => ReadonlySet<string> {
    emptyNamed(this.#db);
    let keyless = 0;
    const countKeyless = (): void => {
      keyless += 1;
    };
    nameAll(this.#db, toKeys(good, countKeyless), toKeys(bad, countKeyless));
    return (kind) => this.#groups(kind, { presence: PRESENCE_TO_BE, keyless });
  }

  /** In one pass over the rows. */
  #groups(
    kind: GroupKind,
    { presence, keyless }: { readonly presence: string; readonly keyless: number },
  ): ReadonlySet<string> {
    const bad = keyless > 0 ? "IN ('bad', 'vanished')" : "= 'bad'";
    const sql = `SELECT DISTINCT json_extract(placing, '$.${kind}') AS name FROM rows WHERE ${presence} ${bad}`;
    return new Set(this.#db.all<{ name: string }>(sql).map(({ name }) => name));
  }
}

function* toKeys(rows: Iterable<Pick<BadRow, "key">>, onKeyless: () => void): Iterable<string> {
  for (const { key } of rows) {
    if (key === undefined) onKeyless();
    else yield key;
  }
}

/** To be called inside a transaction. */
export function replaceBadRows(
  db: Sqlite,
  rows: Iterable<BadRow>,
  onKey?: (key: string) => void,
): void {
  let keyless = 0;
  db.run("DELETE FROM bad_rows");
  for (const { line, cells, problems, key } of rows) {
    const values = [JSON.stringify(cells), JSON.stringify(problems)];
    db.run("INSERT INTO bad_rows VALUES (?, ?, ?)", line, ...values);
    if (key === undefined) keyless += 1;
    else onKey?.(key);
  }
  const known = db.get<{ value: string }>("SELECT value FROM meta WHERE key = ?", KEYLESS)?.value;
  // A plan that changes nothing writes nothing.
  if ((known ?? "0") === String(keyless)) return;
  db.run("INSERT OR REPLACE INTO meta VALUES (?, ?)", KEYLESS, String(keyless));
}
