import type { Sqlite } from "../base/sqlite.ts";
import { emptyNamed, nameBad, nameGood, PRESENCE_TO_BE } from "./named-rows.ts";
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

  /** True when a bad row was in this group before, or one without a key may have been. */
  mayLieIn(kind: GroupKind, group: string): boolean {
    const known = this.#db.get<{ value: string }>("SELECT value FROM meta WHERE key = ?", KEYLESS);
    return this.#mayLieIn({ presence: "presence", keyless: Number(known?.value ?? 0) })(
      kind,
      group,
    );
  }

  /** The same once a plan with these rows is adopted. Ask before the next plan. */
  foresee(
    good: Iterable<Pick<PlannedRow, "key">>,
    bad: Iterable<BadRow>,
  ): (kind: GroupKind, group: string) => boolean {
    emptyNamed(this.#db);
    let keyless = 0;
    for (const { key } of good) nameGood(this.#db, key);
    for (const { key } of bad) {
      if (key === undefined) keyless += 1;
      else nameBad(this.#db, key);
    }
    return this.#mayLieIn({ presence: PRESENCE_TO_BE, keyless });
  }

  #mayLieIn({ presence, keyless }: { presence: string; keyless: number }) {
    const bad = keyless > 0 ? "IN ('bad', 'vanished')" : "= 'bad'";
    return (kind: GroupKind, group: string): boolean => {
      const sql = `SELECT 1 FROM rows WHERE json_extract(placing, '$.${kind}') = ? AND ${presence} ${bad} LIMIT 1`;
      return this.#db.get(sql, group) !== undefined;
    };
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
