import { AppError } from "../../base/errors.ts";

/** How copies lie: the whole series again and again, or the copies of a record side by side. */
export const copyOrders = ["series", "adjacent"] as const;
export type CopyOrder = (typeof copyOrders)[number];

/** How often records are printed (docs/spec/print.md section 8). */
export interface Repeats {
  /** Labels of each record, from 1. */
  readonly copies: number;
  readonly copyOrder: CopyOrder;
  /** Share of the records, 0..1, of which one more label follows at the end, first records first. */
  readonly overs: number;
}

/** Records that get one more label; rounding errors add none. */
export function countOvers(count: number, { overs }: Pick<Repeats, "overs">): number {
  return Math.max(0, Math.ceil(count * overs - 1e-9));
}

/** Labels that `count` records make; `labels` of them before overs, where records have copies of their own. */
export function countLabels(
  count: number,
  repeats: Pick<Repeats, "copies" | "overs">,
  labels = count * repeats.copies,
): number {
  return labels + countOvers(count, repeats);
}

type Records<R> = AsyncIterable<R> | Iterable<R>;

/** A record with its place among all: row and copy count from 0, overs go on counting copies. */
export interface RepeatedRecord<R> {
  readonly record: R;
  readonly row: number;
  readonly copy: number;
}

/** Of each record those copies that a series has. */
async function* oneSeries<R>(
  records: Records<R>,
  pick: (record: R) => { readonly from: number; readonly to: number },
): AsyncGenerator<RepeatedRecord<R>> {
  let row = 0;
  for await (const record of records) {
    const { from, to } = pick(record);
    for (let copy = from; copy < to; copy += 1) yield { record, row, copy };
    row += 1;
  }
}

const unreadable = (what: string): AppError =>
  new AppError("bug", `records must be readable again for ${what}`);

/**
 * Each record as often as asked. One record is in memory at a time, so records are read once per
 * series and once for the overs: they must be readable again (an array, or an object with its own
 * iterator). Throws `bug` when a second reading yields less than the first. @param copiesOf labels
 * of one record; default: as many as of all
 */
export async function* repeatRecords<R>(
  records: Records<R>,
  repeats: Repeats,
  copiesOf: (record: R) => number = () => repeats.copies,
): AsyncGenerator<RepeatedRecord<R>> {
  const isSeries = repeats.copyOrder === "series";
  let count = 0;
  let most = 0;
  yield* oneSeries(records, (record) => {
    const copies = copiesOf(record);
    count += Number(copies > 0);
    most = Math.max(most, copies);
    return { from: 0, to: isSeries ? Math.min(1, copies) : copies };
  });
  const series = isSeries ? most : 1;
  for (let n = 1; n < series; n += 1) {
    let read = 0;
    yield* oneSeries(records, (record) => {
      const copies = copiesOf(record);
      read += Number(copies > 0);
      return { from: n, to: Math.min(n + 1, copies) };
    });
    if (read !== count) throw unreadable("copies");
  }
  yield* addOvers(records, copiesOf, countOvers(count, repeats));
}

/** One more label of the first records. */
async function* addOvers<R>(
  records: Records<R>,
  copiesOf: (record: R) => number,
  overs: number,
): AsyncGenerator<RepeatedRecord<R>> {
  let left = overs;
  if (left === 0) return;
  const labels = oneSeries(records, (record) => {
    const copies = copiesOf(record);
    return { from: copies, to: copies === 0 ? 0 : copies + 1 };
  });
  for await (const label of labels) {
    yield label;
    left -= 1;
    if (left === 0) return;
  }
  throw unreadable("overs");
}
