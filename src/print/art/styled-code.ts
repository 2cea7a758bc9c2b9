import type { Ink } from "../../base/shapes/label-art.ts";
import { mmToPt } from "../../base/shapes/units.ts";
import type { EyeStyleName, PatternName } from "../../qr/draw/design.ts";
import type { QrMatrix } from "../../qr/encode/encode.ts";
import { eyesPath } from "../../qr/draw/eyes.ts";
import { modulesPath } from "../../qr/draw/modules.ts";
import { drawCode, toNumber } from "../draw/content-stream.ts";
import { distinctInks, fillInk, type InkNames, isBlackInk } from "../pdf/ink.ts";
import { svgPathToPdf } from "./svg-path.ts";

/** How codes look when they aren't plain: shapes of the design engine, inks of the press. */
export interface CodeStyle {
  readonly pattern: PatternName;
  readonly eyes: EyeStyleName;
  readonly ink: Ink;
  readonly eyeInk: Ink;
}

/** True for whole modules in black: one path with one fill, K only. */
export function isPlainStyle(style: CodeStyle | undefined): boolean {
  return (
    style === undefined ||
    (style.pattern === "Original" &&
      style.eyes === "Square" &&
      isBlackInk(style.ink) &&
      isBlackInk(style.eyeInk))
  );
}

/** Fills that such a code is made of: one for each ink. */
export function fillCount(style: CodeStyle | undefined): number {
  return style === undefined ? 1 : distinctInks([style.ink, style.eyeInk]).length;
}

export interface CodeAt {
  readonly leftMm: number;
  readonly bottomMm: number;
  readonly xMm: number;
}

/** A code in its inks; one path and one fill for each of them. */
export function drawStyledCode(
  matrix: QrMatrix,
  at: CodeAt,
  { style, names }: { style: CodeStyle; names: InkNames },
): string {
  const { pattern, eyes, ink, eyeInk } = style;
  const isOneInk = fillCount(style) === 1;
  if (isOneInk && pattern === "Original" && eyes === "Square") {
    return `q\n${fillInk(ink, names)}${drawCode(matrix, at)}Q\n`;
  }
  const { size } = matrix;
  const data = modulesPath(matrix, pattern, { x: 0, y: 0, withEyes: false });
  const rings = eyesPath(eyes, size, 0, 0);
  const layers = isOneInk
    ? [{ ink, path: data + rings }]
    : [
        { ink, path: data },
        { ink: eyeInk, path: rings },
      ];
  // Path data runs downwards, pages upwards.
  const x = toNumber(mmToPt(at.xMm), 5);
  const left = toNumber(mmToPt(at.leftMm));
  const top = toNumber(mmToPt(at.bottomMm + size * at.xMm));
  const fills = layers.map((layer) => `${fillInk(layer.ink, names)}${svgPathToPdf(layer.path)}f\n`);
  return `q ${x} 0 0 -${x} ${left} ${top} cm\n${fills.join("")}Q\n`;
}
