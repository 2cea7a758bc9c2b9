/**
 * What a label is made of, as plain data: `job/` reads it from people's files, `print/` draws it.
 * Lengths in mm from the label's top left corner, shares 0..1.
 */

/** Cyan, magenta, yellow, black. */
export type Cmyk = readonly [c: number, m: number, y: number, k: number];

/** A printing ink: process colours, or a named ink with the process colours that stand in for it. */
export interface Ink {
  /** Of the solid ink. */
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

/** What may be done to a text that is too large for its box; what is left after that is refused. */
export const textFits = ["wrap", "shrink", "ellipsis"] as const;
export type TextFit = (typeof textFits)[number];

/** How a text looks. */
export interface TextStyle {
  readonly sizePt: number;
  /** Floor of `shrink`. */
  readonly leastPt: number;
  readonly fit: readonly TextFit[];
  readonly align: "left" | "center" | "right";
  readonly valign: "top" | "middle" | "bottom";
  readonly bold: boolean;
  readonly ink: Ink;
  /** Degrees, counter-clockwise. */
  readonly rotate: 0 | 90 | 180 | 270;
}

/** Where a text's words are from. */
export type TextSource =
  /** The record's text of this index, made from a row template. */
  | { readonly of: "row"; readonly index: number }
  /** The GS1 identifiers that the code holds, with their application identifiers. */
  | { readonly of: "hri"; readonly parts: "key" | "all" }
  /** A number that counts up; the first run of `#` in the pattern is the number, padded to its length. */
  | {
      readonly of: "counter";
      readonly pattern: string;
      /** What it counts: labels of a file, rows, copies of a row, sheets. */
      readonly per: "label" | "row" | "copy" | "sheet";
      readonly start: number;
      readonly step: number;
    };

export type ArtItem =
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
      /** `gray` turns colours into shades of black. */
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
      /** Of a box's corners. */
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
  /** What it was drawn for: it is scaled to other labels. Null: the lengths hold as they are. */
  readonly size: { readonly width: number; readonly height: number } | null;
  readonly items: readonly ArtItem[];
}

/** Full black. */
export const BLACK_INK: Ink = { cmyk: [0, 0, 0, 1], spot: null, tint: 1 };
