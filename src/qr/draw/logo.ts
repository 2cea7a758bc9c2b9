/** A logo in the middle of a code: the version that it needs, its place, its pixels. */
import { AppError } from "../../base/errors.ts";
import type { Design } from "./design.ts";
import { encodeQr, type QrMatrix } from "../encode/encode.ts";
import { LEAST_LOGO_VERSION, type LogoPlan, type LogoShape, planLogo } from "./logo-budget.ts";
import type { Box } from "./outline.ts";
import { writeRgbaPng } from "../png/png-file.ts";
import { readPng, type RgbaImage } from "../read/png-read.ts";
import { MAX_VERSION, type QrLevel, qrLevels, sizeOfVersion } from "../encode/tables.ts";

/** A picture on the drawing, modules. */
export interface PlacedLogo extends Box {
  /** Data URI of a PNG. */
  readonly href: string;
}

interface LogoPicture {
  readonly shape: LogoShape;
  readonly href: string;
}

const pictures = new WeakMap<Uint8Array, { square?: LogoPicture; round?: LogoPicture }>();

function toHref(png: Uint8Array): string {
  return `data:image/png;base64,${Buffer.from(png.buffer, png.byteOffset, png.length).toString("base64")}`;
}

/** The middle square of an image, transparent outside its circle; the rim is smoothed. */
function cutCircle({ data, width, height }: RgbaImage): RgbaImage {
  const side = Math.min(width, height);
  const [left, top] = [Math.floor((width - side) / 2), Math.floor((height - side) / 2)];
  const out = new Uint8ClampedArray(side * side * 4);
  for (let y = 0; y < side; y += 1) {
    const from = ((y + top) * width + left) * 4;
    out.set(data.subarray(from, from + side * 4), y * side * 4);
    for (let x = 0; x < side; x += 1) {
      const distance = Math.hypot(x + 0.5 - side / 2, y + 0.5 - side / 2);
      const cover = Math.min(1, Math.max(0, side / 2 - distance + 0.5));
      const at = (y * side + x) * 4 + 3;
      out[at] = (out[at] as number) * cover;
    }
  }
  return { data: out, width: side, height: side };
}

function makePicture(logo: Uint8Array, isRound: boolean): LogoPicture {
  const image = readLogo(logo);
  return isRound
    ? { shape: { aspect: 1, isRound }, href: toHref(writeRgbaPng(cutCircle(image))) }
    : { shape: { aspect: image.width / image.height, isRound }, href: toHref(logo) };
}

function readLogo(logo: Uint8Array): RgbaImage {
  try {
    return readPng(logo);
  } catch (error) {
    const message = "logo must be a PNG as normalizeLogo makes it";
    const where = { field: "logo" };
    throw new AppError("design-invalid", message, {
      where,
      problems: [{ message, where }],
      cause: error,
    });
  }
}

/** Made once per array of bytes: the same logo serves many codes. */
function pictureOf(logo: Uint8Array, isRound: boolean): LogoPicture {
  let kept = pictures.get(logo);
  if (kept === undefined) {
    kept = {};
    pictures.set(logo, kept);
  }
  const kind = isRound ? "round" : "square";
  return (kept[kind] ??= makePicture(logo, isRound));
}

function findVersion(from: number, level: QrLevel, shape: LogoShape): number | undefined {
  for (let version = from; version <= MAX_VERSION; version += 1) {
    if (planLogo(version, level, shape) !== undefined) return version;
  }
  return undefined;
}

function refuseLogo(shape: LogoShape, level: QrLevel): never {
  const other = qrLevels
    .toReversed()
    .map((level) => ({ level, version: findVersion(LEAST_LOGO_VERSION, level, shape) }))
    .find(({ version }) => version !== undefined);
  const ratio = shape.aspect.toFixed(2);
  const message = `logo must leave the code readable, got width : height ${ratio} at error correction ${level}`;
  const where = { field: "logo" };
  const hint =
    other?.version === undefined
      ? "use a picture that is less long and thin"
      : `error correction ${other.level} would hold it from version ${other.version} on`;
  throw new AppError("design-invalid", message, {
    where,
    hint,
    problems: [{ message, where, hint }],
  });
}

/**
 * The code of a text, large enough for the design's logo, and the area cleared for it.
 *
 * Throws what `encodeQr` throws, and `design-invalid` when no version is large enough for the logo.
 */
export function encodeForLogo(
  text: string,
  { errorCorrection: level, logo, logoRound, logoLarge }: Design,
): { matrix: QrMatrix; plan: LogoPlan | undefined; textVersion: number } {
  const matrix = encodeQr(text, { level });
  const textVersion = matrix.version;
  if (logo === null) return { matrix, plan: undefined, textVersion };
  const shape = { ...pictureOf(logo, logoRound).shape, isLarge: logoLarge };
  const version = findVersion(Math.max(LEAST_LOGO_VERSION, matrix.version), level, shape);
  if (version === undefined) return refuseLogo(shape, level);
  const raised = version > matrix.version ? encodeQr(text, { level, minVersion: version }) : matrix;
  return { matrix: raised, plan: planLogo(version, level, shape), textVersion };
}

/** Warnings about what a logo costs the code; empty when that is little. */
export function logoWarnings(
  { matrix, textVersion }: { readonly matrix: QrMatrix; readonly textVersion: number },
  { errorCorrection: level, logo, logoLarge }: Design,
): string[] {
  if (logo === null) return [];
  if (logoLarge) return [LARGE_LOGO];
  if (matrix.version <= Math.max(LEAST_LOGO_VERSION, textVersion)) return [];
  const [from, to] = [textVersion, matrix.version].map((version) => sizeOfVersion(version));
  const lower = level === "L" ? "" : " or a lower error_correction";
  return [
    `the logo takes a code of ${to} x ${to} modules instead of ${from} x ${from}, as smaller ones have no free middle: at the same width they are smaller; a shorter text${lower} avoids it`,
  ];
}

const LARGE_LOGO =
  "the large logo leaves verifiers a grade of 1 or less and may cover alignment patterns: phones read it, a press or a till may send it back";

/** The design's logo around a centre, inside its cleared area. */
export function placeLogo(
  design: Design,
  { area, pictureShare }: LogoPlan,
  centre: { readonly x: number; readonly y: number },
): PlacedLogo | undefined {
  if (design.logo === null) return undefined;
  const { href } = pictureOf(design.logo, design.logoRound);
  const [width, height] = [area.width * pictureShare, area.height * pictureShare];
  return { x: centre.x - width / 2, y: centre.y - height / 2, width, height, href };
}
