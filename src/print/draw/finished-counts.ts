/** What counters show on sheets that are finished: it follows from where their labels lie. */
import type { CodeCell } from "../../base/shapes/code-cell.ts";
import type { LabelCounts } from "../art/art-texts.ts";
import { layoutOf, type SheetJob } from "../sheet-job.ts";
import {
  backOf,
  countSheets,
  type ImpositionOptions,
  makeImposition,
  spareCells,
} from "../layout/imposition.ts";

/** The cell of a code or symbol. */
export type LyingCode = Pick<CodeCell, "volume" | "sheet" | "row" | "column" | "side">;

/** The numbers of all labels of a PDF. */
export interface FinishedCounts {
  /** Of the row that was added at this place, from 0: one for each of its labels, in their order. */
  of(row: number): readonly LabelCounts[];
  /** Which label a cell shows, from 0 among all; spare cells show one of their sheet again. */
  labelAt(cell: LyingCode): number | undefined;
  /** The first labels of the rows lie in the order in which the rows were added. */
  readonly isInOrder: boolean;
  /** How many there are. */
  readonly labels: number;
  readonly rows: number;
  readonly sheets: number;
}

interface Volume {
  readonly layout: ImpositionOptions;
  readonly labelsBefore: number;
  readonly sheetsBefore: number;
  /** Place in the volume -> its label among all. */
  readonly labels: ReadonlyMap<number, number>;
}

/** Gathers where the labels of a PDF lie, row by row. */
export class LyingLabels {
  readonly #job: SheetJob;
  readonly #spares: ReadonlyMap<number, number>;
  /** Of each label: its volume, and its place among the cells of all sheets. */
  readonly #volumes: number[] = [];
  readonly #places: number[] = [];
  /** Of each row: its first label in these lists. */
  readonly #rows: number[] = [];
  /** A spare cell has the label of a row that has none elsewhere: it was none when it was printed. */
  #isOther = false;

  constructor(job: SheetJob) {
    this.#job = job;
    const spares = spareCells(layoutOf(job, 1, 0));
    this.#spares = new Map(spares.map(({ row, column }, nth) => [this.#cell(row, column), nth]));
  }

  /** All cells of a row, as its labels have them; codes of one label count once. */
  add(cells: Iterable<LyingCode>): void {
    this.#rows.push(this.#places.length);
    const seen = new Set<number>();
    let hasSpare = false;
    for (const code of cells) {
      const place = this.#placeOf(code);
      const isSpare = this.#spareOf(place) !== undefined;
      hasSpare ||= isSpare;
      if (seen.has(place) || isSpare) continue;
      seen.add(place);
      this.#volumes.push(code.volume);
      this.#places.push(place);
    }
    this.#isOther ||= hasSpare && (seen.size === 0 || this.#job.spareLabels !== "repeat");
  }

  /** Undefined where these labels don't lie as this job lays them. */
  finish(): FinishedCounts | undefined {
    if (this.#isOther) return undefined;
    const volumes = this.#readVolumes();
    const labels = this.#places.map((_, at) => this.#labelOf(at, volumes));
    const known = labels.filter((label) => label !== undefined);
    if (known.length < labels.length || new Set(known).size < known.length) return undefined;
    const firsts = this.#rows.map((from, row) => this.#labelsOf(row, known).at(0) ?? from);
    const printed = firsts.filter((_, row) => this.#labelsOf(row, known).length > 0);
    const inOrder = printed.toSorted((a, b) => a - b);
    const rank = new Map(inOrder.map((first, at) => [first, at]));
    const last = [...volumes.values()].at(-1);
    return {
      of: (row) => {
        const own = this.#labelsOf(row, known);
        return own.map((label, copy) => ({
          label,
          row: rank.get(own[0] ?? 0) ?? 0,
          copy,
          sheet: this.#sheetOf(label, volumes),
        }));
      },
      labelAt: (cell) => this.#labelAt(cell, volumes),
      isInOrder: printed.every((first, at) => first === inOrder[at]),
      labels: known.length,
      rows: printed.length,
      sheets: last === undefined ? 0 : last.sheetsBefore + countSheets(last.layout),
    };
  }

  #cell(row: number, column: number): number {
    return row * this.#job.sheet.columns + column;
  }

  get #perSheet(): number {
    return this.#job.sheet.rows * this.#job.sheet.columns;
  }

  /** Of the front, whichever side the code is on; sheets of the whole job, from 0. */
  #placeOf({ sheet, row, column, side }: LyingCode): number {
    const { back } = this.#job.options;
    const at = { sheet: sheet - 1, row: row - 1, column: column - 1 };
    const front =
      side === "back" && back !== undefined ? backOf(at, this.#job.sheet, back.flip) : at;
    return front.sheet * this.#perSheet + this.#cell(front.row, front.column);
  }

  #spareOf(place: number): number | undefined {
    return this.#spares.get(place % this.#perSheet);
  }

  #readVolumes(): ReadonlyMap<number, Volume> {
    const counts = new Map<number, number>();
    for (const volume of this.#volumes) counts.set(volume, (counts.get(volume) ?? 0) + 1);
    const found = new Map<number, Volume>();
    let [labelsBefore, sheetsBefore] = [0, 0];
    for (const [volume, count] of [...counts].toSorted(([a], [b]) => a - b)) {
      const layout = layoutOf(this.#job, volume, count);
      const placeOf = makeImposition(layout);
      const labels = new Map<number, number>();
      for (let n = 0; n < count; n += 1) {
        const { sheet, row, column } = placeOf(n);
        const place = (sheetsBefore + sheet) * this.#perSheet + this.#cell(row, column);
        labels.set(place, labelsBefore + n);
      }
      found.set(volume, { layout, labelsBefore, sheetsBefore, labels });
      labelsBefore += count;
      sheetsBefore += countSheets(layout);
    }
    return found;
  }

  #labelOf(at: number, volumes: ReadonlyMap<number, Volume>): number | undefined {
    return volumes.get(this.#volumes[at] ?? 0)?.labels.get(this.#places[at] ?? 0);
  }

  #labelsOf(row: number, labels: readonly number[]): number[] {
    const end = this.#rows[row + 1] ?? labels.length;
    return labels.slice(this.#rows[row], end).toSorted((a, b) => a - b);
  }

  #sheetOf(label: number, volumes: ReadonlyMap<number, Volume>): number {
    const own = [...volumes.values()].findLast(({ labelsBefore }) => labelsBefore <= label);
    if (own === undefined) return 0;
    return own.sheetsBefore + makeImposition(own.layout)(label - own.labelsBefore).sheet;
  }

  #labelAt(cell: LyingCode, volumes: ReadonlyMap<number, Volume>): number | undefined {
    const place = this.#placeOf(cell);
    const labels = volumes.get(cell.volume)?.labels ?? new Map<number, number>();
    const spare = this.#spareOf(place);
    if (spare === undefined) return labels.get(place);
    const first = place - (place % this.#perSheet);
    const own = Array.from({ length: this.#perSheet }, (_, at) => labels.get(first + at));
    return own.filter((label) => label !== undefined).toSorted((a, b) => a - b)[spare];
  }
}
