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

/** As few rows as hold all parts of all rows. The first row is among them. */
function cover<Row extends readonly string[]>(
  rows: readonly Row[],
  partsOf: (row: Row) => Iterable<string>,
): readonly Row[] {
  const open = new Set(rows.flatMap((row) => [...partsOf(row)]));
  const taken: Row[] = [];
  while (open.size > 0) {
    let [best, most] = [rows[0], 0];
    for (const row of rows) {
      const found = [...partsOf(row)].filter((part) => open.has(part)).length;
      if (found > most) [best, most] = [row, found];
    }
    if (best === undefined) break;
    for (const part of partsOf(best)) open.delete(part);
    taken.push(best);
  }
  return rows.filter((row) => taken.includes(row));
}

/**
 * As few rows as hold every pair of values that stands in two columns of any row: nearly all faults
 * of combinations show in a pair. The first row is among them.
 */
export function everyPair<Row extends readonly string[]>(rows: readonly Row[]): readonly Row[] {
  if (isEveryCase || rows.some((row) => row.length < 2)) return rows;
  return cover(rows, pairsOf);
}

/**
 * As few rows as hold every value of every column, for columns of which each has its own say and whose
 * pairs are too many for every day. The first row is among them.
 */
export function everyValue<Row extends readonly string[]>(rows: readonly Row[]): readonly Row[] {
  if (isEveryCase) return rows;
  return cover(rows, (row) => row.map((value, column) => `${column} ${value}`));
}
