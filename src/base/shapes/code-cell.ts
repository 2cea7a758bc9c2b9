import type { ArtBox, SymbolName } from "./label-art.ts";

/** Where a code is in its file of sheets. All counts are from 1. */
export interface CodePlace<Name extends string = SymbolName> {
  readonly page: number;
  readonly row: number;
  readonly column: number;
  /** Only for codes on the back. */
  readonly side?: "back" | undefined;
  /** Which code of the label, from 2; only for labels with several. */
  readonly part?: number | undefined;
  /** Only for symbols beside the code: which one, and the number of its item on the label. */
  readonly symbol?: Name | undefined;
  readonly item?: number | undefined;
}

/** A printed code. Boxes in mm from the top left corner of the trimmed sheet. */
export interface CodeCell extends CodePlace {
  readonly volume: number;
  /** Number of the sheet in the whole job; `page` is its number in the volume's file. */
  readonly sheet: number;
  /** QR version of the symbol, and its X-dimension. */
  readonly version: number;
  readonly xMm: number;
  readonly label: ArtBox;
  /** The symbol without its quiet zone. */
  readonly code: ArtBox;
}
