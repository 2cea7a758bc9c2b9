import { invariant } from "../base/errors.ts";

/** How records fill sheets (`print.md` section 8). Stack modes ascend through the cut pile. */
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

/** Sheets that `count` records fill after `start - 1` used cells. */
export function countSheets(
  options: Pick<ImpositionOptions, "rows" | "columns" | "count" | "start">,
): number {
  const used = (options.start ?? 1) - 1;
  return options.count === 0
    ? 0
    : Math.ceil((options.count + used) / (options.rows * options.columns));
}

type Placer = (
  n: number,
  grid: { rows: number; columns: number; sheets: number; used: number },
) => Place;

const placers = {
  rows: (n, { rows, columns, used }) => {
    const cell = (used + n) % (rows * columns);
    const sheet = Math.floor((used + n) / (rows * columns));
    return { sheet, row: Math.floor(cell / columns), column: cell % columns };
  },
  columns: (n, { rows, columns, used }) => {
    const cell = (used + n) % (rows * columns);
    const sheet = Math.floor((used + n) / (rows * columns));
    return { sheet, row: cell % rows, column: Math.floor(cell / rows) };
  },
  "cut-and-stack": (n, { columns, sheets }) => {
    const cell = Math.floor(n / sheets);
    return { sheet: n % sheets, row: Math.floor(cell / columns), column: cell % columns };
  },
  "stack-by-column": (n, { rows, sheets }) => {
    const lane = sheets * rows;
    const m = n % lane;
    return { sheet: Math.floor(m / rows), row: m % rows, column: Math.floor(n / lane) };
  },
} satisfies Record<OrderMode, Placer>;

/**
 * Answers the place of record n = 0 .. count-1: a permutation without collision on
 * `countSheets` sheets. Checked by property tests, not at run time.
 */
export function makeImposition(options: ImpositionOptions): (n: number) => Place {
  const { rows, columns, count, mode, reverse = false, corner = "top-left" } = options;
  const used = (options.start ?? 1) - 1;
  invariant(
    used === 0 || !isStackMode(mode),
    "a start position must not be used with a stack mode",
  );
  const grid = { rows, columns, sheets: countSheets(options), used };
  const fromBottom = corner.startsWith("bottom");
  const fromRight = corner.endsWith("right");
  return (n) => {
    const place = placers[mode](reverse ? count - 1 - n : n, grid);
    return {
      sheet: place.sheet,
      row: fromBottom ? rows - 1 - place.row : place.row,
      column: fromRight ? columns - 1 - place.column : place.column,
    };
  };
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
