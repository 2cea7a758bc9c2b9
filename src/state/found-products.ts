import type { Sqlite } from "../base/sqlite/sqlite.ts";
import { WAS_THERE } from "./which-rows.ts";

/** Products that were on the server before their rows registered them: nobody was told yet. */
export class FoundProducts {
  readonly #db: Sqlite;

  constructor(db: Sqlite) {
    this.#db = db;
  }

  /** As soon as the server has said so: a run that ends before it can tell does not hide it. */
  note(key: string): void {
    this.#db.setDurability("normal");
    this.#db.run(
      "UPDATE rows SET parts = json_set(coalesce(parts, '{}'), '$.wasThere', json('true')) WHERE row_key = ?",
      key,
    );
  }

  get count(): number {
    return this.#db.get<{ n: number }>(`SELECT count(*) AS n FROM rows WHERE ${WAS_THERE}`)?.n ?? 0;
  }

  /** The first of their keys, in the order of the plan. */
  first(limit: number): string[] {
    const sql = `SELECT row_key FROM rows WHERE ${WAS_THERE} ORDER BY seq, rowid LIMIT ?`;
    return this.#db.all<{ row_key: string }>(sql, limit).map(({ row_key: key }) => key);
  }

  /** A complete run has named them. */
  told(): void {
    this.#db.run(`UPDATE rows SET parts = json_remove(parts, '$.wasThere') WHERE ${WAS_THERE}`);
  }
}
