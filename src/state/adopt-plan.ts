import type { Sqlite } from "../base/sqlite/sqlite.ts";
import { replaceBadRows } from "./bad-rows.ts";
import { emptyNamed, nameAll, nameBad, nameGood, PRESENCE_TO_BE } from "./named-rows.ts";
import type { BadRow, PlannedRow } from "./row.ts";
import { AGAIN } from "./row-journal.ts";

/** All rows of a plan. */
export interface AdoptedRows {
  readonly good: Iterable<PlannedRow>;
  readonly bad: Iterable<BadRow>;
  /** Keys of further good rows, which the state has as they are planned. */
  readonly same?: Iterable<string> | undefined;
}

/** As `State.adoptPlan`. Unchanged rows are not written. */
export function adoptPlan(db: Sqlite, { good: rows, bad: badRows, same = [] }: AdoptedRows): void {
  emptyNamed(db);
  db.transaction(() => {
    nameAll(db, same, []);
    for (const row of rows) adopt(db, row);
    replaceBadRows(db, badRows, (key) => nameBad(db, key));
    db.run(`UPDATE rows SET presence = ${PRESENCE_TO_BE} WHERE presence <> ${PRESENCE_TO_BE}`);
  }, "full");
  emptyNamed(db);
}

function adopt(db: Sqlite, row: PlannedRow): void {
  nameGood(db, row.key);
  db.run(
    `INSERT INTO rows (row_key, seq, line, presence, cells, wanted, wanted_hash, design_hash, tags_hash, placing)
     VALUES (?, ?, ?, 'present', ?, ?, ?, ?, ?, ?)
     ON CONFLICT (row_key) DO UPDATE SET seq = excluded.seq, line = excluded.line, presence = 'present',
       cells = excluded.cells, wanted = excluded.wanted, wanted_hash = excluded.wanted_hash,
       design_hash = excluded.design_hash, tags_hash = excluded.tags_hash, placing = excluded.placing,
       cell = CASE WHEN json_extract(excluded.placing, '$.copies') = 0 THEN NULL ELSE cell END
     WHERE (seq, line, cells, wanted, wanted_hash, design_hash, tags_hash, placing)
       <> (excluded.seq, excluded.line, excluded.cells, excluded.wanted, excluded.wanted_hash,
         excluded.design_hash, excluded.tags_hash, excluded.placing)`,
    row.key,
    row.seq,
    row.line,
    JSON.stringify(row.cells),
    JSON.stringify(row.wanted),
    row.wantedHash,
    row.designHash,
    row.tagsHash,
    JSON.stringify(row.placing),
  );
  if (row.again) {
    db.run(`UPDATE rows SET ${AGAIN} AND row_key = ?`, row.key);
  }
}
