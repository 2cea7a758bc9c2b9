/** Where rows stand that were noted by line and content: the spreadsheet may have been sorted since. */

interface Line {
  readonly line: number;
}

/** How noted rows and rows of now are told apart. */
export interface RowMarks<T, R> {
  readonly of: (noted: T) => string;
  /** A row of now may be known by several. */
  readonly ofNow: (row: R) => readonly string[];
}

function addTo<V>(lists: Map<string, V[]>, key: string, value: V): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}

/** Those that stand where they stood. */
async function placeByLine<T, R extends Line>(
  noted: ReadonlyMap<number, T>,
  rows: AsyncIterable<R>,
  marks: RowMarks<T, R>,
): Promise<Map<number, T>> {
  let last = 0;
  for (const line of noted.keys()) last = Math.max(last, line);
  const placed = new Map<number, T>();
  for await (const row of rows) {
    if (row.line > last) break;
    const found = noted.get(row.line);
    if (found !== undefined && marks.ofNow(row).includes(marks.of(found)))
      placed.set(row.line, found);
  }
  return placed;
}

/** Lines of now of each mark that a noted row has. */
async function listLines<R extends Line>(
  known: ReadonlySet<string>,
  rows: AsyncIterable<R>,
  ofNow: (row: R) => readonly string[],
): Promise<Map<string, number[]>> {
  const lines = new Map<string, number[]>();
  for await (const row of rows) {
    const mark = ofNow(row).find((one) => known.has(one));
    if (mark !== undefined) addTo(lines, mark, row.line);
  }
  return lines;
}

/**
 * Finds noted rows among those of now: each at its line, else wherever its content stands. Rows of one
 * content are told apart by their order, where there are as many as were noted; else only by their lines.
 *
 * @param noted by the line of then
 * @param rows begins a pass over the rows of now; the second pass is only for rows that have moved
 * @returns line of now -> noted row
 */
export async function placeRows<T, R extends Line>(
  noted: ReadonlyMap<number, T>,
  rows: () => AsyncIterable<R>,
  marks: RowMarks<T, R>,
): Promise<ReadonlyMap<number, T>> {
  if (noted.size === 0) return noted;
  const placed = await placeByLine(noted, rows(), marks);
  if (placed.size === noted.size) return placed;
  const byMark = new Map<string, T[]>();
  for (const [, one] of [...noted].toSorted(([a], [b]) => a - b)) addTo(byMark, marks.of(one), one);
  const lines = await listLines(new Set(byMark.keys()), rows(), marks.ofNow);
  for (const [mark, same] of byMark) {
    const found = lines.get(mark) ?? [];
    if (found.length !== same.length) continue;
    for (const [at, line] of found.entries()) {
      const one = same[at];
      if (one !== undefined) placed.set(line, one);
    }
  }
  return placed;
}
