/**
 * Long tables of cases, thinned for every day. `EVERY_CASE=1` (`npm run test:cases`) takes each of them.
 */
export const isEveryCase = process.env["EVERY_CASE"] === "1";

/** A value of one column beside a value of another. */
function* pairsOf(row: readonly string[]): Generator<string> {
  for (const [at, one] of row.entries())
    for (const [behind, other] of row.slice(at + 1).entries())
      yield JSON.stringify([at, one, at + 1 + behind, other]);
}

/**
 * As few rows as hold every pair of values that stands in two columns of any row: nearly all faults
 * of combinations show in a pair. The first row is among them.
 */
export function everyPair<Row extends readonly string[]>(rows: readonly Row[]): readonly Row[] {
  if (isEveryCase || rows.some((row) => row.length < 2)) return rows;
  const open = new Set(rows.flatMap((row) => [...pairsOf(row)]));
  const taken: Row[] = [];
  while (open.size > 0) {
    let [best, most] = [rows[0], 0];
    for (const row of rows) {
      const found = [...pairsOf(row)].filter((pair) => open.has(pair)).length;
      if (found > most) [best, most] = [row, found];
    }
    if (best === undefined) break;
    for (const pair of pairsOf(best)) open.delete(pair);
    taken.push(best);
  }
  return rows.filter((row) => taken.includes(row));
}
