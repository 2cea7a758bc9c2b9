/** Rows to mend, and the fields that their page sends. */
import { sha256 } from "../../../base/ids/ids.ts";
import type { FailedEntry } from "../../../pipeline/stages/stage.ts";

export interface MendRow extends FailedEntry {
  /** What the spreadsheet has, of a row that was mended before. */
  readonly was?: FailedEntry["cells"] | undefined;
}

export interface MendGrid {
  readonly columns: readonly string[];
  /** Rows that don't work out as they are. */
  readonly rows: readonly MendRow[];
  /** Others that were mended before. */
  readonly before: readonly MendRow[];
}

/** A text that was typed into a row that has changed since: it does not count. */
export interface LateText {
  readonly line: number;
  readonly column: string;
  readonly text: string;
}

export const LINE_END = /[\r\n]/u;

/** Evens out the line ends that browsers send, so that an unchanged cell is left alone. */
export const toLines = (text: string): string => text.replaceAll(/\r\n|\r/gu, "\n");

const toMark = (text: string): string => sha256(text).slice(0, 12);
const MARK_END = ".";

/** A row as its page shows it: marks of the columns and of each cell. */
export const toShown = (
  { cells }: Pick<MendRow, "cells">,
  { columns }: Pick<MendGrid, "columns">,
): string =>
  [JSON.stringify(columns), ...columns.map((column) => toLines(cells[column] ?? ""))]
    .map(toMark)
    .join(MARK_END);

/** Whether a text is not the one that a cell had when its row was shown. */
export const isTyped = (shown: string, at: number, text: string): boolean =>
  shown.split(MARK_END)[at + 1] !== toMark(toLines(text));

export const fieldOf = (line: number, at: number): string => `cell.${line}.${at}`;
export const backOf = (line: number): string => `back.${line}`;
const SHOWN = "shown.";
/** The field that tells what a row was when its page was opened. */
export const shownOf = (line: number): string => `${SHOWN}${line}`;
/** The line that such a field is about; undefined for another one. */
export const lineOf = (field: string): number | undefined =>
  field.startsWith(SHOWN) ? Number(field.slice(SHOWN.length)) : undefined;
/** The columns of the page, which its fields count. */
export const COLUMNS = "columns";
/** Texts that were too late already when the page was opened. */
export const LATE = "late";
