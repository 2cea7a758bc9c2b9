/** Label art for tests: what manifests are read to. */
import {
  type ArtBox,
  type ArtItem,
  BLACK_INK,
  type Ink,
  type LabelArt,
  type TextStyle,
} from "../../src/base/shapes/label-art.ts";
import type { OwnSheet } from "../../src/base/shapes/own-sheet.ts";
import type { LabelSheet } from "../../src/print/layout/label-sheet.ts";
import { makeOwnSheet } from "../../src/print/layout/own-sheet.ts";

export const WHITE: Ink = { cmyk: [0, 0, 0, 0], spot: null, tint: 1 };
export const BLUE: Ink = { cmyk: [1, 0.7, 0, 0.1], spot: null, tint: 1 };
export const GOLD: Ink = { cmyk: [0, 0.2, 0.6, 0.3], spot: "PANTONE 871 C", tint: 1 };

export const box = (x: number, y: number, width: number, height: number): ArtBox => ({
  x,
  y,
  width,
  height,
});

export function makeStyle(changes: Partial<TextStyle> = {}): TextStyle {
  return {
    sizePt: 8,
    leastPt: 5,
    fit: ["wrap", "shrink"],
    align: "left",
    valign: "top",
    bold: false,
    ink: BLACK_INK,
    rotate: 0,
    ...changes,
  };
}

/** A sheet as a manifest writes it: labels of 60 x 40 mm on A4 unless the test says otherwise. */
export const toOwnSheet = (changes: Partial<OwnSheet> = {}): OwnSheet => ({
  page: "A4",
  roll: null,
  label: [60, 40],
  gutter: [4, 4],
  margin: 8,
  columns: null,
  rows: null,
  radius: 0,
  stock: null,
  ...changes,
});

/** The same as it is laid out. */
export const ownSheet = (changes: Partial<OwnSheet> = {}): LabelSheet =>
  makeOwnSheet(toOwnSheet(changes));

/** A text of the record. */
export function makeText(index: number, at: ArtBox, style: Partial<TextStyle> = {}): ArtItem {
  return { kind: "text", at, source: { of: "row", index }, style: makeStyle(style) };
}

export const makeCode = (at: ArtBox, panel: Ink | null = null): ArtItem => ({
  kind: "code",
  at,
  panel,
});

export function makeShape(
  kind: "box" | "ellipse",
  at: ArtBox,
  changes: Partial<Extract<ArtItem, { kind: "box" | "ellipse" }>> = {},
): ArtItem {
  return { kind, at, fill: null, stroke: null, strokePt: 0.5, radius: 0, ...changes };
}

export function makeArt(...items: readonly ArtItem[]): LabelArt {
  return { name: "test", size: null, items };
}

/** Every kind of item on a label of 63.5 x 33.9 mm with a safe area of 3 mm. */
export const everything = makeArt(
  makeShape("box", box(0, 0, 63.5, 5), { fill: BLUE }),
  makeShape("box", box(30, 8, 30, 9), { stroke: BLACK_INK, fill: GOLD, radius: 2 }),
  makeShape("ellipse", box(52, 20, 8, 8), { fill: GOLD, stroke: BLUE }),
  {
    kind: "line",
    from: [30, 18.5],
    to: [60, 18.5],
    stroke: BLACK_INK,
    strokePt: 0.4,
    dash: 1,
  },
  makeCode(box(3, 6, 24, 24)),
  makeText(0, box(31, 9, 28, 7), { bold: true, valign: "middle", align: "center" }),
  makeText(0, box(30, 20, 20, 6), { ink: BLUE, sizePt: 9 }),
  makeText(0, box(56.5, 8, 4, 22), { rotate: 90, sizePt: 6, align: "right" }),
  {
    kind: "text",
    at: box(30, 27, 20, 3.5),
    source: { of: "counter", pattern: "No. ####", per: "label", start: 7, step: 1 },
    style: makeStyle({ sizePt: 6 }),
  },
);
