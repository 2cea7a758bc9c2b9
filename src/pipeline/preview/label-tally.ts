/** What counters will show on the labels of a plan, before any sheet exists. */
import type { RowJob } from "../../kinds/any-job.ts";
import { isStackMode } from "../../print/layout/imposition.ts";
import { countLabels } from "../../print/layout/repeat-records.ts";
import { makeSheetJob, sheetOf, type SheetJob, type SheetOptions } from "../../print/sheet-job.ts";
import type { SheetRecord } from "../../print/sheets.ts";
import type { SourceRow } from "../../read/rows/rows.ts";
import type { PlannedRow } from "../../state/row.ts";
import { readReplaced } from "../paper/label-numbers.ts";

/** A note on numbers that can't be told yet. */
export const SAMPLE_NUMBERS =
  "the numbers that counters show are samples: sheets count their labels once all of them are known";

interface Tally {
  rows: number;
  /** Before overs. */
  labels: number;
}

/** The first label of a row in its PDF; counts from 0. */
export interface PlannedLabel {
  readonly file: string;
  readonly row: number;
  readonly label: number;
}

/** Counts the labels of each PDF, row by row. */
export class LabelTally {
  readonly #job: SheetJob;
  readonly #files = new Map<string, Tally>();
  /** Numbers of rows whose serials were replaced: fresh ones show what their labels show. */
  readonly #replaced: ReadonlySet<number>;
  readonly #first = new Map<number, PlannedLabel>();

  constructor(options: SheetOptions, job: RowJob, dataDir: string) {
    this.#job = makeSheetJob(options);
    const known = job.source.serial === undefined ? [] : readReplaced({ job }, dataDir);
    this.#replaced = new Set(known.map(({ number }) => number));
  }

  /** The next good row. */
  add({ placing }: Pick<PlannedRow, "placing">, { cells, round }: SourceRow): PlannedLabel {
    const { repeats } = this.#job;
    const file = placing.sheets ?? "";
    const number = Number(cells["number"]);
    const tally = this.#files.get(file) ?? { rows: 0, labels: 0 };
    this.#files.set(file, tally);
    const label = repeats.copyOrder === "series" ? tally.rows : tally.labels;
    const own = { file, row: tally.rows, label };
    const copies = placing.copies ?? repeats.copies;
    tally.rows += Number(copies > 0);
    tally.labels += copies;
    if (round !== undefined) return this.#first.get(number) ?? own;
    if (this.#replaced.has(number)) this.#first.set(number, own);
    return own;
  }

  /**
   * Of all labels of a row, once the rows up to it were added. Undefined where rows behind it, or
   * labels that go on at the end, decide its numbers.
   */
  countsUpTo({ row, label }: PlannedLabel): SheetRecord["counts"] {
    const { order, repeats, options } = this.#job;
    const { copies, copyOrder, overs } = repeats;
    const isSpread = isStackMode(order) || options.reverse === true;
    if (isSpread || overs > 0 || (copyOrder === "series" && copies > 1)) return undefined;
    return Array.from({ length: copies }, (_, copy) => {
      const own = label + copy;
      return { label: own, row, copy, sheet: sheetOf(this.#job, own, own + 1) };
    });
  }

  /** Records with the numbers of these labels, once all rows were added. */
  number(records: readonly SheetRecord[], labels: readonly PlannedLabel[]): SheetRecord[] {
    return records.map((record, at) => {
      const label = labels[at];
      return label === undefined ? record : { ...record, counts: [this.#countsOf(label)] };
    });
  }

  #countsOf({ file, row, label }: PlannedLabel): NonNullable<SheetRecord["counts"]>[number] {
    const { rows, labels } = this.#files.get(file) ?? { rows: 0, labels: 0 };
    const total = countLabels(rows, this.#job.repeats, labels);
    return { label, row, copy: 0, sheet: sheetOf(this.#job, label, Math.max(total, label + 1)) };
  }
}
