/** Copies codes directly in a store: 100,000 creates would take longer than the measurement. */
import { openSqlite } from "../src/base/sqlite/sqlite.ts";

export interface Copies {
  /** Numbers of the copies, up to but not including `to`. */
  readonly from?: number;
  readonly to: number;
  /** Column -> SQL for its value, with `n` for the number; other columns are copied. */
  readonly special?: Readonly<Record<string, string>>;
  /** SQL that selects the code to copy: a condition and an order. */
  readonly which?: string;
  /** Run before and after, on the same connection. */
  readonly before?: string;
  readonly after?: string;
}

/** Copies one code of the store `file`: ids, slugs and times count up. */
export function fillCodes(file: string, copies: Copies): void {
  const {
    from = 0,
    to,
    special = {},
    which = "ORDER BY created DESC",
    before = "",
    after = "",
  } = copies;
  const sqlite = openSqlite(file);
  const columns = sqlite
    .all<{ name: string }>("SELECT name FROM pragma_table_info('codes')")
    .map(({ name }) => name);
  const own: Record<string, string> = {
    id: "printf('00000000-0000-4000-9000-%012d', n)",
    created: "codes.created - 1000000000 + n",
    slug: "'bench' || n",
    ...special,
  };
  const values = columns.map((name) => own[name] ?? `codes.${name}`).join(", ");
  sqlite.exec(`${before};
    WITH RECURSIVE numbers(n) AS (SELECT ${from} UNION ALL SELECT n + 1 FROM numbers WHERE n + 1 < ${to})
    INSERT INTO codes (${columns.join(", ")})
    SELECT ${values} FROM numbers, (SELECT * FROM codes ${which} LIMIT 1) AS codes;
    ${after}`);
  sqlite.close();
}

/** Short names for benches, found by the search. */
export const tables: Readonly<Record<string, string>> = {
  display_name: "'Table ' || n",
  search: "'table ' || n || char(10) || codes.qr_data",
};
