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

/** Records that get one more label; binary dust makes none of its own. */
export function countOvers(count: number, { overs }: Pick<Repeats, "overs">): number {
  return Math.max(0, Math.ceil(count * overs - 1e-9));
}

/** Labels that `count` records make. */
export function countLabels(count: number, repeats: Pick<Repeats, "copies" | "overs">): number {
  return count * repeats.copies + countOvers(count, repeats);
}

type Records<R> = AsyncIterable<R> | Iterable<R>;

/** A record with its place among all: row and copy count from 0, overs go on counting copies. */
export interface RepeatedRecord<R> {
  readonly record: R;
  readonly row: number;
  readonly copy: number;
}

/** Each record as often as a series has it. */
async function* oneSeries<R>(
  records: Records<R>,
  { times, firstCopy }: { times: number; firstCopy: number },
): AsyncGenerator<RepeatedRecord<R>> {
  let row = 0;
  for await (const record of records) {
    for (let copy = 0; copy < times; copy += 1) yield { record, row, copy: firstCopy + copy };
    row += 1;
  }
}

/**
 * Each record as often as asked. One record is in memory at a time, so records are read once per
 * series and once for the overs: hand in what can be read again (an array, or an object with its
 * own iterator). Throws `bug` when a second reading yields less than the first.
 */
export async function* repeatRecords<R>(
  records: Records<R>,
  repeats: Repeats,
): AsyncGenerator<RepeatedRecord<R>> {
  const { copies, copyOrder } = repeats;
  const series = copyOrder === "series" ? copies : 1;
  const times = copies / series;
  let count = 0;
  for (let n = 0; n < series; n += 1) {
    let read = 0;
    for await (const repeated of oneSeries(records, { times, firstCopy: n })) {
      read += 1;
      yield repeated;
    }
    if (n === 0) count = read / times;
    else if (read !== count) throw new AppError("bug", "records must be readable again for copies");
  }
  let left = countOvers(count, repeats);
  if (left === 0) return;
  for await (const repeated of oneSeries(records, { times: 1, firstCopy: copies })) {
    yield repeated;
    left -= 1;
    if (left === 0) return;
  }
  throw new AppError("bug", "records must be readable again for overs");
}
