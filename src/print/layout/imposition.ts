import { invariant } from "../../base/errors.ts";

/**
 * How records fill sheets (docs/spec/print.md section 8). Stack modes ascend through the cut pile.
 */
export const orderModes = ["rows", "columns", "cut-and-stack", "stack-by-column"] as const;
export type OrderMode = (typeof orderModes)[number];

export const corners = ["top-left", "top-right", "bottom-left", "bottom-right"] as const;
export type Corner = (typeof corners)[number];

export interface ImpositionOptions {
  readonly rows: number;
  readonly columns: number;
  /** Records to place. */
  readonly count: number;
  readonly mode: OrderMode;
  /** First cell of the first sheet, from 1; more than 1 only with rows and columns. Default 1. */
  readonly start?: number | undefined;
  /** Last cells of every sheet that take no record of their own; none with stack-by-column. Default 0. */
  readonly spares?: number | undefined;
  /** The last record first, as rolls want it. Default false. */
  readonly reverse?: boolean | undefined;
  /** Where the first record lies. Default `top-left`. */
  readonly corner?: Corner | undefined;
}

/** Sheet, row from the top and column from the left, all from 0. */
export interface Place {
  readonly sheet: number;
  readonly row: number;
  readonly column: number;
}

/** True for the modes whose piles ascend; they know no start position. */
export function isStackMode(mode: OrderMode): boolean {
  return mode === "cut-and-stack" || mode === "stack-by-column";
}

type GridOptions = Pick<ImpositionOptions, "rows" | "columns" | "spares">;

/** Cells of a sheet that take records. */
export function cellsPerSheet({ rows, columns, spares = 0 }: GridOptions): number {
  return rows * columns - spares;
}

/** Sheets that `count` records fill after `start - 1` used cells. */
export function countSheets(
  options: GridOptions & Pick<ImpositionOptions, "count" | "start">,
): number {
  const used = (options.start ?? 1) - 1;
  return options.count === 0 ? 0 : Math.ceil((options.count + used) / cellsPerSheet(options));
}

/** Labels that spare cells repeat: the first ones of each sheet, as far as it has so many. */
export function countRepeated(options: ImpositionOptions): number {
  const { count, mode, spares = 0 } = options;
  const { sheets, cells, used } = toGrid(options);
  const repeatedOf = (labels: number): number => Math.min(spares, labels);
  if (sheets === 0) return 0;
  if (isStackMode(mode)) {
    const [each, more] = [Math.floor(count / sheets), count % sheets];
    return more * repeatedOf(each + 1) + (sheets - more) * repeatedOf(each);
  }
  const first = Math.min(count, cells - used);
  const last = sheets === 1 ? 0 : count - first - (sheets - 2) * cells;
  return repeatedOf(first) + Math.max(0, sheets - 2) * repeatedOf(cells) + repeatedOf(last);
}

interface Grid {
  readonly rows: number;
  readonly columns: number;
  /** Cells per sheet that take records. */
  readonly cells: number;
  readonly sheets: number;
  readonly used: number;
}

type Placer = (n: number, grid: Grid) => Place;

const inRows = (cell: number, { columns }: Grid): Omit<Place, "sheet"> => ({
  row: Math.floor(cell / columns),
  column: cell % columns,
});

const inColumns = (cell: number, { rows }: Grid): Omit<Place, "sheet"> => ({
  row: cell % rows,
  column: Math.floor(cell / rows),
});

const placers = {
  rows: (n, grid) => {
    const at = grid.used + n;
    return { sheet: Math.floor(at / grid.cells), ...inRows(at % grid.cells, grid) };
  },
  columns: (n, grid) => {
    const at = grid.used + n;
    return { sheet: Math.floor(at / grid.cells), ...inColumns(at % grid.cells, grid) };
  },
  "cut-and-stack": (n, grid) => ({
    sheet: n % grid.sheets,
    ...inRows(Math.floor(n / grid.sheets), grid),
  }),
  "stack-by-column": (n, { rows, sheets }) => {
    const lane = sheets * rows;
    const m = n % lane;
    return { sheet: Math.floor(m / rows), row: m % rows, column: Math.floor(n / lane) };
  },
} satisfies Record<OrderMode, Placer>;

function toGrid(options: ImpositionOptions): Grid {
  const { rows, columns, mode, start = 1, spares = 0 } = options;
  invariant(
    start === 1 || !isStackMode(mode),
    "a start position must not be used with a stack mode",
  );
  invariant(
    spares === 0 || mode !== "stack-by-column",
    "spare cells must not be used with stack-by-column",
  );
  const cells = cellsPerSheet(options);
  return { rows, columns, cells, sheets: countSheets(options), used: start - 1 };
}

function toCorner<P extends Omit<Place, "sheet">>(place: P, options: ImpositionOptions): P {
  const { rows, columns, corner = "top-left" } = options;
  return {
    ...place,
    row: corner.startsWith("bottom") ? rows - 1 - place.row : place.row,
    column: corner.endsWith("right") ? columns - 1 - place.column : place.column,
  };
}

/**
 * Answers the place of record n = 0 .. count-1: a permutation without collision on
 * `countSheets` sheets. Checked by property tests, not at run time.
 */
export function makeImposition(options: ImpositionOptions): (n: number) => Place {
  const { count, mode, reverse = false } = options;
  const grid = toGrid(options);
  return (n) => toCorner(placers[mode](reverse ? count - 1 - n : n, grid), options);
}

/** The cells that no record of its own goes to, the same on every sheet, in filling order. */
export function spareCells(options: ImpositionOptions): Omit<Place, "sheet">[] {
  const grid = toGrid(options);
  const toCell = options.mode === "columns" ? inColumns : inRows;
  return Array.from({ length: options.spares ?? 0 }, (_, i) =>
    toCorner(toCell(grid.cells + i, grid), options),
  );
}

/** The cell behind a cell when the sheet is turned over its long or short edge. */
export function backOf(
  place: Place,
  grid: { rows: number; columns: number },
  flip: "long-edge" | "short-edge",
): Place {
  return flip === "long-edge"
    ? { ...place, column: grid.columns - 1 - place.column }
    : { ...place, row: grid.rows - 1 - place.row };
}
