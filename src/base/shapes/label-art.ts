/**
 * The parts of a label as plain data: `job/` reads them from people's files, `print/` draws them.
 * Lengths in mm from the label's top left corner, shares 0..1.
 */

/** Cyan, magenta, yellow, black. */
export type Cmyk = readonly [c: number, m: number, y: number, k: number];

/** A printing ink: process colours, or a spot ink with its substitute process colours. */
export interface Ink {
  /** Of full tint. */
  readonly cmyk: Cmyk;
  /** Name of its plate; null for process colours. */
  readonly spot: string | null;
  /** Share of the solid. */
  readonly tint: number;
}

export interface ArtBox {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** What may be done to a text too large for its box; if that isn't enough, it is refused. */
export const textFits = ["wrap", "shrink", "ellipsis"] as const;
export type TextFit = (typeof textFits)[number];

export interface TextStyle {
  readonly sizePt: number;
  /** Smallest size for `shrink`. */
  readonly leastPt: number;
  readonly fit: readonly TextFit[];
  readonly align: "left" | "center" | "right";
  readonly valign: "top" | "middle" | "bottom";
  readonly bold: boolean;
  readonly ink: Ink;
  /** Degrees, counter-clockwise. */
  readonly rotate: 0 | 90 | 180 | 270;
}

/** Source of a text's words. */
export type TextSource =
  /** The record's text with this index, made from a row template. */
  | { readonly of: "row"; readonly index: number }
  /** The GS1 identifiers in the code, with their application identifiers. */
  | { readonly of: "hri"; readonly parts: "key" | "all" }
  /** A counter; the first run of `#` in the pattern becomes the number, padded to its length. */
  | {
      readonly of: "counter";
      readonly pattern: string;
      /** What it counts: labels of a file, rows, copies of a row, sheets. */
      readonly per: "label" | "row" | "copy" | "sheet";
      readonly start: number;
      readonly step: number;
    };

/** Symbols that may be printed beside the row's code (docs/spec/symbols.md). */
export const symbolNames = [
  "ean-13",
  "ean-8",
  "upc-a",
  "upc-e",
  "itf-14",
  "code-128",
  "gs1-128",
  "code-39",
  "datamatrix",
  "gs1-datamatrix",
  "gs1-qr",
  "databar-omni",
  "databar-truncated",
  "databar-stacked",
  "databar-stacked-omni",
  "databar-limited",
  "databar-expanded",
  "databar-expanded-stacked",
  "aztec",
  "pdf417",
] as const;
export type SymbolName = (typeof symbolNames)[number];

/** Where a symbol is scanned: this sets its required size (docs/spec/symbols.md section 3). */
export const symbolUses = ["retail", "distribution", "healthcare", "none"] as const;
export type SymbolUse = (typeof symbolUses)[number];

/** Where the human-readable text is. */
export type SymbolText = "below" | "above" | "none";

/** Bars along the upper and lower ends of an ITF-14: bars, a frame, or none. */
export const bearerKinds = ["bars", "frame", "none"] as const;
export type Bearer = (typeof bearerKinds)[number];

export interface SymbolItem {
  readonly kind: "symbol";
  readonly symbol: SymbolName;
  /** Room of the symbol with quiet zones and text. */
  readonly at: ArtBox;
  /** Its content: the record's text with this index. */
  readonly text: number;
  /** Requested X; null = as large as fits. */
  readonly xMm: number | null;
  /** Height of the bars; null = as much as fits. */
  readonly heightMm: number | null;
  readonly hri: SymbolText;
  /** Size of the text, unless the symbol defines it. */
  readonly sizePt: number;
  readonly use: SymbolUse;
  readonly bearer: Bearer;
  /** Codewords (PDF417) or characters (DataBar Expanded Stacked) side by side; null = the encoder's choice. */
  readonly columns: number | null;
  /** Painted beneath symbol, quiet zones and text. */
  readonly panel: Ink | null;
}

export type ArtItem =
  | SymbolItem
  | {
      readonly kind: "code";
      /** Room of the code with its quiet zone. */
      readonly at: ArtBox;
      /** Painted beneath code and quiet zone. */
      readonly panel: Ink | null;
    }
  | {
      readonly kind: "text";
      readonly at: ArtBox;
      readonly source: TextSource;
      readonly style: TextStyle;
    }
  | {
      readonly kind: "image";
      readonly at: ArtBox;
      /** Absolute. */
      readonly file: string;
      /** `gray` converts colours to shades of black. */
      readonly as: "given" | "gray";
      /** Least resolution. */
      readonly leastPpi: number;
    }
  | {
      readonly kind: "box" | "ellipse";
      readonly at: ArtBox;
      readonly fill: Ink | null;
      readonly stroke: Ink | null;
      readonly strokePt: number;
      /** Radius of a box's corners. */
      readonly radius: number;
    }
  | {
      readonly kind: "line";
      readonly from: readonly [x: number, y: number];
      readonly to: readonly [x: number, y: number];
      readonly stroke: Ink;
      readonly strokePt: number;
      /** Dash and gap; null is solid. */
      readonly dash: number | null;
    };

/** One face of a label. */
export interface LabelArt {
  /** For messages: a template's name, or `label`. */
  readonly name: string;
  /**
   * Size of the label that it was drawn for; on other labels it is scaled. Null: lengths stay as they
   * are.
   */
  readonly size: { readonly width: number; readonly height: number } | null;
  readonly items: readonly ArtItem[];
}

export const BLACK_INK: Ink = { cmyk: [0, 0, 0, 1], spot: null, tint: 1 };
