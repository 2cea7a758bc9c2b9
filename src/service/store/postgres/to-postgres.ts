/** Translates SQL written for SQLite into PostgreSQL's. */

const KEPT = 1000;
const known = new Map<string, string>();

/** `?` -> `$n`; hints for SQLite's planner are left out. Quoted texts must not contain `?`. */
function translate(sql: string): string {
  let values = 0;
  return sql
    .replaceAll(/ (?:NOT INDEXED|INDEXED BY \w+)/gu, "")
    .replaceAll("?", () => `$${(values += 1)}`);
}

export function toPostgres(sql: string): string {
  const before = known.get(sql);
  if (before !== undefined) return before;
  if (known.size >= KEPT) known.clear();
  const text = translate(sql);
  known.set(sql, text);
  return text;
}
