import { openSqlite, type Sqlite } from "../base/sqlite.ts";
import type { Planned } from "../plan/planner.ts";
import type { BadRow, PlannedRow } from "../state/row.ts";

const BATCH = 500;

/**
 * Keeps a plan's rows on disk until the whole spreadsheet has been read: the state may change only
 * once it is known to be readable. The file has no name and goes with the process.
 */
export class Spool {
  readonly #db: Sqlite;
  #batch: Planned[] = [];

  constructor() {
    this.#db = openSqlite("");
    this.#db.exec("CREATE TABLE planned (good INTEGER NOT NULL, data TEXT NOT NULL)");
  }

  add(planned: Planned): void {
    this.#batch.push(planned);
    if (this.#batch.length >= BATCH) this.#flush();
  }

  *good(): Iterable<PlannedRow> {
    yield* this.#read<PlannedRow>(1);
  }

  *bad(): Iterable<BadRow> {
    yield* this.#read<BadRow>(0);
  }

  close(): void {
    this.#db.close();
  }

  *#read<Row>(good: number): Iterable<Row> {
    this.#flush();
    const sql = "SELECT data FROM planned WHERE good = ? ORDER BY rowid";
    for (const { data } of this.#db.iterate<{ data: string }>(sql, good)) {
      yield JSON.parse(data) as Row;
    }
  }

  #flush(): void {
    const batch = this.#batch;
    this.#batch = [];
    this.#db.transaction(() => {
      for (const planned of batch) {
        const data = JSON.stringify(planned.good ? planned.row : planned.bad);
        this.#db.run("INSERT INTO planned VALUES (?, ?)", Number(planned.good), data);
      }
    });
  }
}
