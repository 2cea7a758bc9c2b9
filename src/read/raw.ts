import type { Problem } from "../base/errors.ts";

import type { QuoteFault } from "./csv/open-quote.ts";

/** A cell of a workbook that is more than text. */
export interface TypedCell {
  readonly kind:
    | "number"
    | "date"
    | "no-day"
    | "no-time"
    | "boolean"
    | "error"
    | "link"
    | "text"
    | "unsaved";
  /** As a person sees it; in English when it depends on the computer. */
  readonly text: string;
  /** The stored value, if it is shown differently: `0.25` of `25%`, `2026-11-20` of `20.11.2026`. */
  readonly value?: string;
  /** What programs show of a `shortened` number: `4.00638E+12`. */
  readonly shown?: string;
  /**
   * `hidden`: the text doesn't show the whole value, as `12.35` of `12.345`. `local`: computers show
   * it in different ways, as `1,234.50` and `1.234,50`. `shortened`: the text has more digits than
   * programs show. `negative`: a duration below zero, which Excel shows as `#####`. `truth`: TRUE is WAHR on
   * a German computer.
   */
  readonly oddity?: "hidden" | "local" | "negative" | "shortened" | "truth";
  /** A `hidden` value that computers show in different ways, too: `1,190.60` of `1190.595`. */
  readonly isLocal?: true;
  /** A `number` whose format shows it in scientific notation. */
  readonly hasExponent?: true;
  /** A `date` whose time is shown and isn't midnight. */
  readonly hasTime?: true;
  /** An `error` that no formula of this cell has left. */
  readonly isTyped?: true;
  /** A link whose address a formula makes lies behind the text. */
  readonly hasMadeLink?: true;
  /** Whole address of a `link`, fragment included. */
  readonly link?: string;
}

export type RawCell = string | TypedCell;

/** A record as the file has it. */
export interface RawRow {
  /** From 1. */
  readonly line: number;
  readonly cells: readonly RawCell[];
  /** For a blank row that stands for several: how many. */
  readonly times?: number;
  readonly isHidden?: boolean;
  /** True when no cell contains a forbidden character. */
  readonly isPlain?: boolean;
  /** CSV only: true when no cell contains a line break. */
  readonly isOneLine?: boolean;
  /** XLSX only: the totals of a table, which is told. */
  readonly isTotals?: boolean;
  /** XLSX only: the names of columns, below those of groups. */
  readonly isNames?: boolean;
  /** CSV only: it ends early, as its neighbours do, since they have nothing in the columns behind. */
  readonly isCut?: boolean;
  /** CSV only: a wrongly quoted cell of this row. */
  readonly quote?: QuoteFault;
}

/** What CSV and XLSX implement. `batches` may be called again and starts anew. */
export interface RawTable {
  readonly format: "csv" | "xlsx";
  readonly sha256: string;
  readonly encoding: string;
  readonly delimiter: string;
  /** CSV only: true where the lines hold no delimiter, but one column. */
  readonly isUnparted?: boolean;
  readonly sheet?: string;
  /** The other visible sheets of a workbook. */
  readonly otherSheets?: readonly string[];
  /** The visible sheet that holds the most, if it was looked for and there are several. */
  readonly fullest?: string;
  readonly warnings: readonly Problem[];
  batches(): AsyncIterable<readonly RawRow[]>;
  close(): Promise<void>;
}

const TEXT_FORMULA = /^="((?:[^"]|"")*)"$/u;

/**
 * The text of `="0950"`, which some programs write to protect it from conversion; undefined for other
 * text.
 */
export const readTextFormula = (text: string): string | undefined =>
  TEXT_FORMULA.exec(text)?.[1]?.replaceAll('""', '"');

export const textOf = (cell: RawCell | undefined): string =>
  typeof cell === "string" ? cell : (cell?.text ?? "");

/** Zeros are hidden to make a cell look empty; anything else may be meant. */
const holdsNothing = ({ kind, value = "0" }: TypedCell): boolean =>
  kind !== "unsaved" && value === "0";

/**
 * A formula that was never calculated may have any value, and a format may hide one: such a row isn't
 * left out as blank.
 */
const isBlank = (cell: RawCell): boolean =>
  textOf(cell).trim() === "" && (typeof cell === "string" || holdsNothing(cell));

export function isBlankRow(row: RawRow): boolean {
  return row.cells.every(isBlank);
}
