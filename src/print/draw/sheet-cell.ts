import type { SymbolName } from "../../base/label-art.ts";
import type { BoxMm } from "../layout/box.ts";

/** Where a record went: what a reprint and the proof need. Boxes in mm from the top left of the trimmed sheet. */
export interface SheetCell {
  /** From 1, as all counts here. */
  readonly volume: number;
  /** Page of the volume's file. */
  readonly page: number;
  /** Sheet of the whole job. */
  readonly sheet: number;
  readonly row: number;
  readonly column: number;
  /** Only of codes on the back. */
  readonly side?: "back" | undefined;
  /** Which code of the label, from 2; only of labels with several. */
  readonly part?: number | undefined;
  /** Only of codes that are printed as their server drew them: their fills, 0 = whole modules in black. */
  readonly fills?: number | undefined;
  /** Only of symbols beside the code: which one, and the number of its item on the label, from 1. */
  readonly symbol?: SymbolName | undefined;
  readonly item?: number | undefined;
  /** Only of symbols: the row's text that it is made from. */
  readonly text?: string | undefined;
  /** Only of codes that are printed as they were designed: all of the drawing, its fills and pictures. */
  readonly design?: { readonly box: BoxMm; readonly marks: number } | undefined;
  readonly key: string;
  /** SHA-256 of the payload in UTF-8, hex; of a symbol, of what readers answer. */
  readonly payloadHash: string;
  readonly version: number;
  readonly xMm: number;
  readonly label: BoxMm;
  /** The symbol without its quiet zone. */
  readonly code: BoxMm;
}
