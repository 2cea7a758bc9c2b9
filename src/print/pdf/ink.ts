import type { Ink } from "../../base/shapes/label-art.ts";
import { toNumber } from "../draw/content-stream.ts";

/** Inks of a file: process colours as they are, named ones through a colour space of their own. */
export interface InkNames {
  /** Resource name of a named ink's colour space. */
  spaceOf(spot: string): string;
}

const same = (a: Ink, b: Ink): boolean =>
  a.spot === b.spot && a.tint === b.tint && a.cmyk.every((share, i) => share === b.cmyk[i]);

/** True for inks that print the same. */
export const isSameInk = same;

/** True for 100% K and nothing else. */
export function isBlackInk({ spot, cmyk, tint }: Ink): boolean {
  return spot === null && tint === 1 && cmyk.join() === "0,0,0,1";
}

/** Shares of process colours that look like the ink. */
export function shownCmyk({ cmyk, tint }: Ink): Ink["cmyk"] {
  const [c, m, y, k] = cmyk;
  return [c * tint, m * tint, y * tint, k * tint];
}

/** Plates that the ink is printed from. */
export function plateCount(ink: Ink): number {
  return ink.spot === null ? shownCmyk(ink).filter((share) => share > 0).length : 1;
}

/** Ink on paper at that place, 1 = one solid plate. */
export function inkTotal(ink: Ink): number {
  return ink.spot === null ? shownCmyk(ink).reduce((sum, share) => sum + share, 0) : ink.tint;
}

const cmykText = (ink: Ink): string =>
  shownCmyk(ink)
    .map((share) => toNumber(share))
    .join(" ");

/** Sets the fill colour. */
export function fillInk(ink: Ink, names: InkNames): string {
  if (ink.spot === null) return `${cmykText(ink)} k\n`;
  return `/${names.spaceOf(ink.spot)} cs ${toNumber(ink.tint)} scn\n`;
}

/** Sets the stroke colour. */
export function strokeInk(ink: Ink, names: InkNames): string {
  if (ink.spot === null) return `${cmykText(ink)} K\n`;
  return `/${names.spaceOf(ink.spot)} CS ${toNumber(ink.tint)} SCN\n`;
}

/** Each ink once. */
export function distinctInks(inks: readonly Ink[]): Ink[] {
  return inks.filter((ink, index) => inks.findIndex((other) => same(ink, other)) === index);
}

/** For people: luminance of solid overprints on coated paper (FOGRA39 data), 1 = all light. */
const SEEN = {
  "": 0.878,
  c: 0.23,
  m: 0.168,
  y: 0.74,
  cm: 0.041,
  cy: 0.184,
  my: 0.16,
  cmy: 0.037,
  k: 0.02,
} as const;
/** The same at 660 nm, the red light of many scanners: yellow and magenta hardly show in it; ours. */
const SEEN_RED = {
  "": 0.85,
  c: 0.06,
  m: 0.78,
  y: 0.84,
  cm: 0.05,
  cy: 0.06,
  my: 0.76,
  cmy: 0.05,
  k: 0.02,
} as const;

type Overprints = typeof SEEN | typeof SEEN_RED;

/** Share of light that comes back (Neugebauer's model: a mean over the overprints of dots). */
function reflectance(ink: Ink, table: Overprints): number {
  const [c, m, y, k] = shownCmyk(ink);
  let sum = 0;
  for (const [name, seen] of Object.entries(table)) {
    if (name === "k") continue;
    const part = (letter: string, share: number): number =>
      name.includes(letter) ? share : 1 - share;
    sum += part("c", c) * part("m", m) * part("y", y) * seen;
  }
  return sum * (1 - k) + table.k * k;
}

export const PAPER_INK: Ink = { cmyk: [0, 0, 0, 0], spot: null, tint: 1 };

/** Difference in reflectance between ground and code, as ISO/IEC 15415 measures symbol contrast. */
export function symbolContrast(ink: Ink, ground: Ink = PAPER_INK): { seen: number; red: number } {
  return {
    seen: reflectance(ground, SEEN) - reflectance(ink, SEEN),
    red: reflectance(ground, SEEN_RED) - reflectance(ink, SEEN_RED),
  };
}
