const RUNS = /\d+|\D+/gu;
const isNumber = (run: string): boolean => /^\d/u.test(run);

const compareText = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

/** Compares numbers by value, at any length; `02` and `2` are equal here. */
function compareNumbers(a: string, b: string): number {
  const [x, y] = [a.replace(/^0+/u, ""), b.replace(/^0+/u, "")];
  return x.length - y.length || compareText(x, y);
}

function compareRuns(a: readonly string[], b: readonly string[]): number {
  for (const [at, run] of a.entries()) {
    const other = b[at];
    if (other === undefined) return 1;
    const order =
      isNumber(run) && isNumber(other) ? compareNumbers(run, other) : compareText(run, other);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

const toRuns = (part: string): readonly string[] => part.toLowerCase().match(RUNS) ?? [];

/**
 * Orders paths with `/` as people count: `file2` before `file10`, `a` before `B`. The same on every
 * computer.
 */
export function compareNaturally(a: string, b: string): number {
  const [left, right] = [a.split("/"), b.split("/")];
  for (const [at, part] of left.entries()) {
    const other = right[at];
    if (other === undefined) return 1;
    const order = compareRuns(toRuns(part), toRuns(other));
    if (order !== 0) return order;
  }
  return left.length - right.length || compareText(a, b);
}
