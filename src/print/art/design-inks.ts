/** Colours of a design in inks of the press: named ones where the job says so, black, paper, else CMYK. */
import path from "node:path";

import { isBlackish, isWhitish, parseHexColor, toHexColor } from "../../base/color/color.ts";
import { sha256 } from "../../base/ids/ids.ts";
import { BLACK_INK, type Ink } from "../../base/shapes/label-art.ts";
import type { PressWarning } from "../../base/shapes/press-warning.ts";
import { isGreyPicture } from "../pdf/image-file.ts";
import { inkLimitOf, loadOutputIntent } from "../pdf/icc-profile.ts";
import { distinctInks, isSameInk, PAPER_INK, plateCount, symbolContrast } from "../pdf/ink.ts";
import { openPressColors, type PressColors } from "../pdf/press-color.ts";
import { makeSheetJob, type SheetOptions } from "../sheet-job.ts";
import { CONTRAST, groundsBeneath } from "./check-art.ts";
import type { PressDesign } from "./logo-shapes.ts";
import type { Rgb } from "./svg-fills.ts";
import { greyOf, hexOf, isGrey } from "./svg-picture.ts";

/** Inks for colours, `#rrggbb`, lower case. */
export type ColorInks = Readonly<Record<string, Ink>>;

/** The inks for colours of designs. */
export interface DesignInks {
  /** `#rgb` or `#rrggbb`. */
  inkOf(color: string): Ink;
  /** Of shapes of a logo: greys are black alone, as in pictures. */
  shapeInkOf(color: Rgb): Ink;
  /** For pictures. */
  readonly colors: PressColors;
  /** Grounds beneath the codes of the job's labels; none: paper. */
  readonly grounds: readonly Ink[];
}

/** With whole options, the grounds beneath codes are known, too. */
type InkOptions = SheetOptions | Pick<SheetOptions, "icc" | "artworkInks">;

/** The inks of a design on a label. */
export interface DesignLook {
  readonly ink: Ink;
  readonly eyeInk: Ink;
  /** Undefined: the label beneath shows. */
  readonly ground: Ink | undefined;
  /** Ink of a frame, or of what is painted on it, by its colour. */
  readonly inkOf: (color: string) => Ink;
  /** Ink of a shape of its logo. */
  readonly shapeInkOf: (color: Rgb) => Ink;
  /** Its own colours would be too pale, or its ground too dark: the code is black, on paper. */
  readonly isBlackened: boolean;
}

type Condition = Pick<SheetOptions, "icc">;

const openOwn = async ({ icc }: Condition): Promise<PressColors | undefined> =>
  openPressColors((await loadOutputIntent(icc)).profile, inkLimitOf(icc));

/** The warning where colours become inks by another profile than the job's own. */
export async function pressOfColors(options: Condition): Promise<PressWarning[]> {
  const { icc } = options;
  if (typeof icc !== "object" || (await openOwn(options)) !== undefined) return [];
  return [{ code: "colours-by-fogra39", count: 1, rows: [], what: [path.basename(icc.file)] }];
}

/** FOGRA39 where the job's own profile can't be inverted: `pressOfColors` warns of it. */
export async function openColors(options: Condition): Promise<PressColors> {
  const colors = (await openOwn(options)) ?? openPressColors((await loadOutputIntent()).profile);
  if (colors === undefined) throw new Error("the bundled profile must have a table of its colours");
  return colors;
}

/** Opens the inks of a job: its own for the colours it names, the rest by the profile of its output intent. */
export async function openDesignInks(options: InkOptions): Promise<DesignInks> {
  const named: ColorInks = options.artworkInks ?? {};
  const colors = await openColors(options);
  const grounds = "sheet" in options ? makeSheetJob(options).faces.flatMap(groundsBeneath) : [];
  const inkOf = (color: string): Ink => {
    const rgb = parseHexColor(color);
    const own = named[toHexColor(rgb)];
    if (own !== undefined) return own;
    if (isBlackish(rgb)) return BLACK_INK;
    if (isWhitish(rgb)) return PAPER_INK;
    return colors.inkOf([rgb.r, rgb.g, rgb.b]);
  };
  return {
    colors,
    grounds,
    inkOf,
    shapeInkOf(color) {
      const hex = hexOf(color);
      const ink = inkOf(hex);
      const isMixed = named[hex] === undefined && plateCount(ink) > 1;
      return isMixed && isGrey(color) ? greyOf(color) : ink;
    },
  };
}

const isReadable = (ink: Ink, ground: Ink): boolean =>
  symbolContrast(ink, ground).seen >= CONTRAST.least;

type LookInks = Pick<DesignInks, "inkOf" | "shapeInkOf" | "grounds">;

/** How a design is printed: black on paper, if no scanner would read its inks. */
export function toDesignLook(design: PressDesign, inks: LookInks): DesignLook {
  const { inkOf, shapeInkOf, grounds } = inks;
  const { primaryColor, eyeColor, backgroundColor } = design;
  const [ink, eyeInk] = [inkOf(primaryColor), inkOf(eyeColor)];
  const ground = backgroundColor === null ? undefined : inkOf(backgroundColor);
  // The proof checks what lies beneath a code, even if the code has a ground of its own.
  const on = [
    ...grounds,
    ...(ground === undefined && grounds.length > 0 ? [] : [ground ?? PAPER_INK]),
  ];
  if (on.every((one) => isReadable(ink, one) && isReadable(eyeInk, one)))
    return { ink, eyeInk, ground, inkOf, shapeInkOf, isBlackened: false };
  const kept = ground !== undefined && isReadable(BLACK_INK, ground) ? ground : undefined;
  const black = { ink: BLACK_INK, eyeInk: BLACK_INK, ground: kept };
  return { ...black, inkOf, shapeInkOf, isBlackened: true };
}

/** All inks that a design is printed in. A picture in colours takes those of the press. */
export function inksOfDesign(design: PressDesign, inks: LookInks): Ink[] {
  const { ink, eyeInk, ground, inkOf } = toDesignLook(design, inks);
  const frame =
    design.frame === null
      ? []
      : [inkOf(design.frameColor), inkOf(design.backgroundColor ?? "#fff")];
  const logo = design.logoShapes?.fills.map(({ color }) => inks.shapeInkOf(color)) ?? [];
  return distinctInks([ink, eyeInk, ...(ground === undefined ? [] : [ground]), ...frame, ...logo]);
}

/** The process inks that pictures in colours are printed in. */
const PICTURE_INKS: readonly Ink[] = [0, 1, 2].map((plate) => ({
  cmyk: [0, 1, 2, 3].map((at) => Number(at === plate)) as unknown as Ink["cmyk"],
  spot: null,
  tint: 1,
}));

/** Collects what designs are printed in. */
export interface InkCensus {
  add(design: PressDesign): void;
  /** Each ink once; none where all designs are plain. */
  list(): readonly Ink[];
}

/** The fields that decide on inks. */
function toInkKey(design: PressDesign): string {
  const { text: _text, textSecondary: _second, sizePx: _px, logo, logoShapes, ...rest } = design;
  return JSON.stringify([rest, logoShapes?.key ?? (logo === null ? "" : sha256(logo))]);
}

/** Opens a census of the inks that designs of a job take. */
export async function openInkCensus(options: InkOptions): Promise<InkCensus> {
  const inks = await openDesignInks(options);
  const seen = new WeakSet<PressDesign>();
  const known = new Set<string>();
  const found: Ink[] = [];
  return {
    add(design) {
      if (seen.has(design)) return;
      seen.add(design);
      const key = toInkKey(design);
      if (known.has(key)) return;
      known.add(key);
      const look = toDesignLook(design, inks);
      if (isPlainDesign(design, look)) return;
      found.push(...inksOfDesign(design, inks));
      const ground = design.backgroundColor ?? "#ffffff";
      const picture = design.logoShapes === undefined ? design.logo : null;
      if (picture !== null && !isGreyPicture(picture, ground)) found.push(...PICTURE_INKS);
    },
    list: () => distinctInks(found),
  };
}

/** Every ink of the designs, each once; none where all of them are plain. */
export async function inksOfDesigns(
  options: InkOptions,
  designs: Iterable<PressDesign>,
): Promise<readonly Ink[]> {
  const census = await openInkCensus(options);
  for (const design of designs) census.add(design);
  return census.list();
}

/** Options with the inks of a few records, before all of them were looked at. */
export async function withDesignInks(
  options: SheetOptions,
  records: readonly { readonly design?: PressDesign | undefined }[],
): Promise<SheetOptions> {
  if (options.print !== "designed" || options.designInks !== undefined) return options;
  const designs = records.flatMap(({ design }) => (design === undefined ? [] : [design]));
  const designInks = await inksOfDesigns(options, designs);
  return designInks.length === 0 ? options : { ...options, designInks };
}

/** True for a design that is just whole modules in black. */
export function isPlainDesign(design: PressDesign, look: DesignLook): boolean {
  const { pattern, eyeStyle, frame, logo } = design;
  const isBlack = isSameInk(look.ink, BLACK_INK) && isSameInk(look.eyeInk, BLACK_INK);
  const hasGround = look.ground !== undefined && !isSameInk(look.ground, PAPER_INK);
  return (
    isBlack &&
    !hasGround &&
    pattern === "Original" &&
    eyeStyle === "Square" &&
    frame === null &&
    logo === null
  );
}
