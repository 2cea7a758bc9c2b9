import type { CodeCell } from "../../base/shapes/code-cell.ts";
import type { BoxMm } from "../layout/box.ts";

/** Where a record went, for reprints and the proof. */
export interface SheetCell extends CodeCell {
  /** Only of codes that are printed as their server drew them: their fills, 0 = whole modules in black. */
  readonly fills?: number | undefined;
  /** Only of symbols: the text of the row. */
  readonly text?: string | undefined;
  /** Only of codes that are printed as they were designed: all of the drawing, its fills and pictures. */
  readonly design?: { readonly box: BoxMm; readonly marks: number } | undefined;
  /** Only of labels that take the place of others: which label of its row it is, from 1. */
  readonly copy?: number | undefined;
  readonly key: string;
  /** SHA-256 of the payload in UTF-8, hex; of a symbol, of the text that readers return. */
  readonly payloadHash: string;
}
