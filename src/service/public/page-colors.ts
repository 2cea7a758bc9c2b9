/**
 * The colours of public pages: the owner's choice where it is readable, else the nearest readable
 * colour (WCAG 2.2: 1.4.3 text 4.5 : 1, 1.4.11 edges of controls 3 : 1).
 */
import {
  LEAST_TEXT_CONTRAST,
  mixColors,
  parseHexColor,
  toContrastRatio,
  toHexColor,
  type Rgb,
} from "../../base/color/color.ts";
import { palette } from "../../style/house.ts";

export interface ChosenColors {
  readonly bg_color: string | null;
  readonly text_color: string | null;
  readonly button_color?: string | null;
  readonly button_text_color?: string | null;
}

const EDGE_RATIO = 3;
const white = parseHexColor("#ffffff");
const black = parseHexColor("#000000");
const lightGround = parseHexColor(palette.light.paper);
const darkGround = parseHexColor(palette.dark.paper);
const darkInk = parseHexColor(palette.light.ink);
const lightInk = parseHexColor(palette.dark.ink);
const accents = [palette.light.accent, palette.dark.accent].map(parseHexColor);
const reds = [palette.light.bad, palette.dark.bad].map(parseHexColor);

/** The first colour with enough contrast on every ground; black or white when none has. */
function pick(
  candidates: readonly Rgb[],
  grounds: readonly Rgb[],
  least: number = LEAST_TEXT_CONTRAST,
): Rgb {
  const worst = (color: Rgb): number =>
    Math.min(...grounds.map((ground) => toContrastRatio(color, ground)));
  const found = candidates.find((color) => worst(color) >= least);
  if (found !== undefined) return found;
  return worst(black) >= worst(white) ? black : white;
}

const parse = (color: string | null | undefined): Rgb[] =>
  color === null || color === undefined ? [] : [parseHexColor(color)];

const isDarker = (ink: Rgb, ground: Rgb): boolean =>
  toContrastRatio(ink, black) < toContrastRatio(ground, black);

/** The ground of cards and fields: lighter or darker than the page, and at least as readable. */
function toSurface(ground: Rgb, ink: Rgb): Rgb {
  const isLight = isDarker(ink, ground);
  const wanted = isLight ? mixColors(ground, white, 0.75) : mixColors(ground, ink, 0.08);
  if (toContrastRatio(ink, wanted) >= LEAST_TEXT_CONTRAST) return wanted;
  return mixColors(ground, isLight ? white : black, 0.25);
}

/** A colour between ground and ink, as near to the ground as the contrast `least` allows. */
function between(ink: Rgb, grounds: readonly Rgb[], [from, least]: [number, number]): Rgb {
  const [ground = white] = grounds;
  const shares = [from, 0.5, 0.6, 0.7, 0.8, 0.9].filter((share) => share >= from);
  const steps = shares.map((share) => mixColors(ground, ink, share));
  return pick([...steps, ink], grounds, least);
}

function toProperties(ground: Rgb, chosen: ChosenColors, inks: readonly Rgb[]): string {
  const ink = pick(inks, [ground]);
  const surface = toSurface(ground, ink);
  const both = [ground, surface];
  const button = parse(chosen.button_color)[0] ?? pick(accents, both);
  const properties: Record<string, Rgb> = {
    bg: ground,
    ink,
    surface,
    soft: mixColors(ground, ink, 0.14),
    edge: between(ink, both, [0.4, EDGE_RATIO]),
    muted: between(ink, both, [0.7, LEAST_TEXT_CONTRAST]),
    error: pick(reds, both),
    button,
    "button-ink": pick([...parse(chosen.button_text_color), white], [button]),
  };
  const lines = Object.entries(properties).map(([name, color]) => `--${name}:${toHexColor(color)}`);
  return [...lines, `color-scheme:${isDarker(ink, ground) ? "light" : "dark"}`].join(";");
}

/** CSS with the page's colours; without chosen ones, it follows the reader's light or dark mode. */
export function toColorStyle(chosen: ChosenColors): string {
  const [ground] = parse(chosen.bg_color);
  const inks = parse(chosen.text_color);
  if (ground !== undefined) {
    return `:root{${toProperties(ground, chosen, [...inks, darkInk, lightInk])}}`;
  }
  const [ink] = inks;
  if (ink !== undefined) {
    const under = [lightGround, darkGround, white, black];
    return `:root{${toProperties(pick(under, [ink]), chosen, [ink])}}`;
  }
  const light = toProperties(lightGround, chosen, [darkInk]);
  const dark = toProperties(darkGround, chosen, [lightInk]);
  return `:root{${light}}@media(prefers-color-scheme:dark){:root{${dark}}}`;
}
