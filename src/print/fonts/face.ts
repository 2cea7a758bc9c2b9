import type { ArtBox, ArtItem, Ink, LabelArt, TextStyle } from "../../base/shapes/label-art.ts";
import { type BoxMm } from "../layout/box.ts";
import { LEAST_PT } from "./caption.ts";
import { distinctInks } from "../pdf/ink.ts";
import {
  type CaptionWish,
  defaultSafeMm,
  type LabelLayout,
  layoutLabel,
} from "../layout/label-layout.ts";
import { safeBox } from "../layout/die-shape.ts";
import type { LabelSheet } from "../layout/label-sheet.ts";
import type { CodeStyle } from "../art/styled-code.ts";

/** A page of a designer's own PDF. */
export interface Background {
  /** Absolute. */
  readonly file: string;
  /** From 1. */
  readonly page: number;
  /** SHA-256 of the file, so that another file makes other sheets. */
  readonly sha256: string;
  /** Named inks that the page may use. */
  readonly spots: readonly string[];
  /** Process inks that it uses besides black: `Cyan`, `Magenta`, `Yellow`. Default: none. */
  readonly plates?: readonly string[] | undefined;
}

/** The content of every label's back. */
export interface BackOptions {
  readonly label?: LabelArt | undefined;
  readonly background?: Background | undefined;
  readonly flip: "long-edge" | "short-edge";
}

export type Side = "front" | "back";

/** One side of the sheets of a job. */
export interface Face {
  readonly side: Side;
  /** The geometry as it lies on this side's pages. */
  readonly sheet: LabelSheet;
  /** Scaled to the label; undefined = the code with its caption, on a back nothing. */
  readonly art: LabelArt | undefined;
  readonly background: Background | undefined;
  /** Rooms of the codes of a label, each as a layout of its own. */
  readonly rooms: readonly LabelLayout[];
}

/** `back label item 4 (ean-13, column "EAN")`. */
export function nameItem(side: Side, number: number, ...facts: readonly string[]): string {
  const known = facts.filter((fact) => fact !== "").join(", ");
  return `${side === "back" ? "back " : ""}label item ${number} (${known})`;
}

interface FaceOptions {
  readonly sheet: LabelSheet;
  readonly safeMm?: number | undefined;
  readonly label?: LabelArt | undefined;
  readonly background?: Background | undefined;
  readonly back?: BackOptions | undefined;
}

const tidy = (mm: number): number => Math.round(mm * 1e4) / 1e4;

/** The geometry seen from behind: what was at the left is at the right, or what was above below. */
function turnSheet(sheet: LabelSheet, flip: BackOptions["flip"]): LabelSheet {
  const { page, label, columns, rows, pitchXMm, pitchYMm, leftMm, topMm } = sheet;
  const right = page.widthMm - leftMm - (columns - 1) * pitchXMm - label.widthMm;
  const bottom = page.heightMm - topMm - (rows - 1) * pitchYMm - label.heightMm;
  return flip === "long-edge"
    ? { ...sheet, leftMm: tidy(right) }
    : { ...sheet, topMm: tidy(bottom) };
}

function intersect(a: BoxMm, b: ArtBox): ArtBox {
  const x = Math.max(a.x, b.x);
  const y = Math.max(a.y, b.y);
  return {
    x,
    y,
    width: Math.max(0, Math.min(a.x + a.width, b.x + b.width) - x),
    height: Math.max(0, Math.min(a.y + a.height, b.y + b.height) - y),
  };
}

interface Scale {
  readonly x: number;
  readonly y: number;
  /** The scale for lengths without a direction. */
  readonly least: number;
  readonly safe: BoxMm;
}

const round = (value: number): number => Math.round(value * 1e3) / 1e3;

const scaleBox = ({ x, y, width, height }: ArtBox, scale: Scale): ArtBox => ({
  x: round(x * scale.x),
  y: round(y * scale.y),
  width: round(width * scale.x),
  height: round(height * scale.y),
});

function scaleStyle(style: TextStyle, { least }: Scale): TextStyle {
  const points = (pt: number): number => Math.max(LEAST_PT, Math.round(pt * least * 10) / 10);
  const sizePt = points(style.sizePt);
  // A larger label gives room, it asks for no larger floor.
  return { ...style, sizePt, leastPt: Math.min(sizePt, style.leastPt, points(style.leastPt)) };
}

function scaleItem(item: ArtItem, scale: Scale): ArtItem {
  const { least, safe } = scale;
  switch (item.kind) {
    case "line": {
      const end = ([x, y]: readonly [number, number]) =>
        [round(x * scale.x), round(y * scale.y)] as const;
      return { ...item, from: end(item.from), to: end(item.to) };
    }
    case "text":
      return {
        ...item,
        at: intersect(safe, scaleBox(item.at, scale)),
        style: scaleStyle(item.style, scale),
      };
    case "code":
    case "symbol":
      return { ...item, at: intersect(safe, scaleBox(item.at, scale)) };
    case "image":
      return { ...item, at: scaleBox(item.at, scale) };
    case "box":
    case "ellipse":
      return { ...item, at: scaleBox(item.at, scale), radius: round(item.radius * least) };
  }
}

/** A template that was drawn for a size fills the label at hand; code and texts stay in its safe area. */
export function scaleArt(art: LabelArt, sheet: LabelSheet, safe: BoxMm): LabelArt {
  if (art.size === null) return art;
  const x = sheet.label.widthMm / art.size.width;
  const y = sheet.label.heightMm / art.size.height;
  const scale: Scale = { x, y, least: Math.min(x, y), safe };
  return { ...art, items: art.items.map((item) => scaleItem(item, scale)) };
}

function toRoom(at: ArtBox): LabelLayout {
  return {
    arrangement: "code",
    safe: at,
    codeSideMm: Math.min(at.width, at.height),
    captionMm: 0,
    gapMm: 0,
  };
}

function makeFace(
  side: Side,
  { sheet, safe }: { sheet: LabelSheet; safe: BoxMm },
  { label, background }: Pick<FaceOptions, "label" | "background">,
): Omit<Face, "rooms"> {
  const art = label === undefined ? undefined : scaleArt(label, sheet, safe);
  return { side, sheet, art, background };
}

/** Rooms of the codes that an art places. */
function roomsOf(art: LabelArt | undefined): LabelLayout[] {
  return (art?.items ?? []).flatMap((item) => (item.kind === "code" ? [toRoom(item.at)] : []));
}

/** The area that stays clear of a label's cut. */
export const safeMmOf = ({ sheet, safeMm }: Pick<FaceOptions, "sheet" | "safeMm">): number =>
  safeMm ?? defaultSafeMm(sheet);

/** The sides that a job prints: the front, and the back when it has one. */
export function makeFaces(options: FaceOptions, layout: LabelLayout): readonly Face[] {
  const { sheet, back } = options;
  const safe = safeBox(sheet.label, safeMmOf(options));
  const front = makeFace("front", { sheet, safe }, options);
  const faces: Face[] = [
    { ...front, rooms: options.label === undefined ? [layout] : roomsOf(front.art) },
  ];
  if (back !== undefined) {
    const face = makeFace("back", { sheet: turnSheet(sheet, back.flip), safe }, back);
    faces.push({ ...face, rooms: roomsOf(face.art) });
  }
  return faces;
}

/** Safe area of any label. */
export function safeLayout(options: FaceOptions & CaptionWish, captionLines: number): LabelLayout {
  const lines = options.label === undefined ? captionLines : 0;
  return layoutLabel(options.sheet, safeMmOf(options), lines, options);
}

/** Inks that an item is printed in. */
export function itemInks(item: ArtItem): (Ink | null)[] {
  switch (item.kind) {
    case "code":
    case "symbol":
      return [item.panel];
    case "text":
      return [item.style.ink];
    case "line":
      return [item.stroke];
    case "image":
      return [];
    case "box":
    case "ellipse":
      return [item.fill, item.stroke];
  }
}

/** Every ink that labels and codes of a job are printed in, each once. */
export function inksOf(faces: readonly Face[], style: CodeStyle | undefined): Ink[] {
  const art = faces.flatMap((face) => (face.art?.items ?? []).flatMap(itemInks));
  const all = [...art, ...(style === undefined ? [] : [style.ink, style.eyeInk])];
  return distinctInks(all.filter((ink) => ink !== null));
}
