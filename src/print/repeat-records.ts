import type { SheetRecord } from "./sheet-job.ts";

/** How copies lie: the whole series again and again, or the copies of a record side by side. */
export const copyOrders = ["series", "adjacent"] as const;
export type CopyOrder = (typeof copyOrders)[number];

/**
 * Each record `copies` times (`print.md` section 8). The series is read once per copy when the order
 * is `series`: hand in what can be read again. One record is in memory at a time.
 */
export function* repeatRecords(
  records: Iterable<SheetRecord>,
  copies: number,
  order: CopyOrder = "adjacent",
): Generator<SheetRecord> {
  if (order === "series") {
    for (let copy = 0; copy < copies; copy += 1) yield* records;
    return;
  }
  for (const record of records) for (let copy = 0; copy < copies; copy += 1) yield record;
}
