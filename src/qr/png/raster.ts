/**
 * Vectors and foreign images -> PNG, through sharp (docs/spec/qr.md sections 5 and 8). The only
 * file that imports it.
 */
import type Sharp from "sharp";

import { AppError, toMessage } from "../../base/errors.ts";
import { sayMostBytes } from "../../base/text/words.ts";
import { checkSvg } from "../../svg/check-svg.ts";
import { PNG_SIGNATURE, type PngCompression, zlibLevels } from "./png-file.ts";

/** A logo must be smaller than this (docs/spec/api.md section 8). */
export const MAX_LOGO_BYTES = 2 * 1024 * 1024;
/** Stored logos are at most this long on their longer side. */
export const MAX_LOGO_SIDE_PX = 512;
const MAX_LOGO_PIXELS = 4_000_000;

type Image = ReturnType<typeof Sharp>;
type RawOptions = Parameters<Image["raw"]>[0];

let library: Promise<typeof Sharp> | undefined;

/**
 * Loaders that may not read images, also those of other builds of the library; the others read PNG,
 * JPEG, WebP, GIF, TIFF and SVG. Files from outside are checked by their first bytes before. The list
 * counts for all threads at once: blocking all and allowing some would refuse the picture that another
 * thread reads at that moment.
 */
export const BLOCKED_LOADERS = [
  "Analyze",
  "Csv",
  "Fits",
  "Heif",
  "Jp2k",
  "Jxl",
  "Magick",
  "Magick7",
  "Mat",
  "Matrix",
  "Nifti",
  "Openexr",
  "Openslide",
  "Pdf",
  "Ppm",
  "Rad",
  "Raw",
  "Uhdr",
  "Vips",
];

/** Loaded with the first picture that needs it: most codes and their proof need none. */
function loadSharp(): Promise<typeof Sharp> {
  library ??= import("sharp").then(({ default: sharp }) => {
    sharp.block({ operation: BLOCKED_LOADERS.map((name) => `VipsForeignLoad${name}`) });
    // Every image is read once: a cache would only waste memory.
    sharp.cache(false);
    return sharp;
  });
  return library;
}

interface ImageFormat {
  readonly name: string;
  readonly accepted: boolean;
  /** Latin-1 view of the first bytes. */
  readonly isFirst: (head: string) => boolean;
}

const imageFormats: readonly ImageFormat[] = [
  { name: "PNG", accepted: true, isFirst: (head) => head.startsWith("\u0089PNG\r\n\u001a\n") },
  { name: "JPEG", accepted: true, isFirst: (head) => head.startsWith("\u00ff\u00d8\u00ff") },
  { name: "GIF", accepted: true, isFirst: (head) => /^GIF8[79]a/u.test(head) },
  { name: "WebP", accepted: true, isFirst: (head) => /^RIFF[^]{4}WEBP/u.test(head) },
  { name: "SVG", accepted: false, isFirst: (head) => /<svg|<!DOCTYPE svg/iu.test(head) },
  { name: "HTML", accepted: false, isFirst: (head) => /^\s*<(?:!doctype html|html)/iu.test(head) },
  { name: "XML", accepted: false, isFirst: (head) => /^\s*<\?xml/u.test(head) },
  { name: "PDF", accepted: false, isFirst: (head) => head.startsWith("%PDF-") },
  { name: "TIFF", accepted: false, isFirst: (head) => /^(?:II\*\0|MM\0\*)/u.test(head) },
  { name: "BMP", accepted: false, isFirst: (head) => head.startsWith("BM") },
  { name: "AVIF", accepted: false, isFirst: (head) => /^[^]{4}ftypavi[fs]/u.test(head) },
  { name: "HEIC", accepted: false, isFirst: (head) => /^[^]{4}ftyp(?:hei|mif)/u.test(head) },
];

const ACCEPTED = "PNG, JPEG, GIF or WebP";

export interface ImageRules {
  /** Its name in messages, and the field that they belong to. */
  readonly field: string;
  readonly maxBytes: number;
  readonly maxPixels: number;
  /** Larger images are scaled down. */
  readonly maxSidePx: number;
  /** Format of the result: `png` keeps transparency, `jpeg` puts it on white. */
  readonly format: "png" | "jpeg";
}

const logoRules: ImageRules = {
  field: "logo",
  maxBytes: MAX_LOGO_BYTES - 1,
  maxPixels: MAX_LOGO_PIXELS,
  maxSidePx: MAX_LOGO_SIDE_PX,
  format: "png",
};

interface Why {
  readonly cause?: unknown;
  readonly hint?: string;
}

function refuseImage(
  { field, maxBytes }: ImageRules,
  [rule, got]: [string, string],
  { cause, hint = `give a ${ACCEPTED} image of ${sayMostBytes(maxBytes)}` }: Why = {},
): never {
  const message = `${field} must be ${rule}, got ${got}`;
  throw new AppError("design-invalid", message, {
    problems: [{ message, hint, where: { field } }],
    where: { field },
    hint,
    cause,
  });
}

function checkImageFile(file: Uint8Array, rules: ImageRules): void {
  if (file.length === 0) refuseImage(rules, [`a ${ACCEPTED} image`, "no bytes"]);
  if (file.length > rules.maxBytes) {
    refuseImage(rules, [sayMostBytes(rules.maxBytes), `${file.length} bytes`]);
  }
  const head = Buffer.from(file.buffer, file.byteOffset, Math.min(512, file.length)).toString(
    "latin1",
  );
  const format = imageFormats.find(({ isFirst }) => isFirst(head));
  if (format?.accepted !== true) {
    refuseImage(rules, [`a ${ACCEPTED} image`, format?.name ?? "something else"]);
  }
}

const MILLION = 1_000_000;

const sayPixels = (pixels: number): string =>
  pixels % MILLION === 0 ? `${pixels / MILLION} million pixels` : `${pixels} pixels`;

/** Looks at the head of the file alone: nothing is unpacked. */
async function checkPixels(file: Uint8Array, rules: ImageRules): Promise<void> {
  const sharp = await loadSharp();
  const { width, height } = await sharp(file, { limitInputPixels: false }).metadata();
  const { maxPixels, maxSidePx } = rules;
  if (width * height <= maxPixels) return;
  const fault: [string, string] = [
    `an image of at most ${sayPixels(maxPixels)}`,
    `${width} x ${height}`,
  ];
  refuseImage(rules, fault, { hint: `save the image smaller: ${maxSidePx} pixels are plenty` });
}

/**
 * Any accepted image -> an 8-bit RGBA PNG or an RGB JPEG: first frame only, orientation applied,
 * metadata gone.
 *
 * Throws `design-invalid` for other formats, too many bytes or pixels, damage.
 */
export async function normalizeImage(file: Uint8Array, rules: ImageRules): Promise<Uint8Array> {
  checkImageFile(file, rules);
  const { maxPixels, maxSidePx: side, format } = rules;
  try {
    await checkPixels(file, rules);
    const sharp = await loadSharp();
    const image = sharp(file, { limitInputPixels: maxPixels, failOn: "error" })
      .autoOrient()
      .toColourspace("srgb")
      .resize({ width: side, height: side, fit: "inside", withoutEnlargement: true });
    return await toFile(
      format === "png"
        ? image.ensureAlpha().png({ compressionLevel: 9, palette: false })
        : image.flatten({ background: "#fff" }).jpeg({ quality: 85 }),
    );
  } catch (error) {
    if (error instanceof AppError) throw error;
    return refuseImage(rules, ["an image that can be read", toMessage(error)], { cause: error });
  }
}

/**
 * Any accepted image -> an 8-bit RGBA PNG of at most 512 pixels a side.
 *
 * Throws `design-invalid` for other formats, more than `maxBytes` (default: 2 MB and more), more
 * than 4 million pixels, damage.
 */
export function normalizeLogo(
  file: Uint8Array,
  maxBytes: number = logoRules.maxBytes,
): Promise<Uint8Array> {
  return normalizeImage(file, { ...logoRules, maxBytes });
}

interface Pixels {
  readonly data: Uint8Array;
  readonly width: number;
  readonly height: number;
}

async function toPixels(image: Image, raw?: RawOptions): Promise<Pixels> {
  const { data, info } = await image.raw(raw).toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
}

/** Upright, 8 bits a pixel. */
async function toGrey(image: Image, raw?: RawOptions): Promise<Pixels> {
  const grey = image.autoOrient().flatten({ background: "#ffffff" }).toColourspace("b-w");
  const { data, ...size } = await toPixels(grey, raw);
  return { data: new Uint8Array(data), ...size };
}

const toFile = async (image: Image): Promise<Uint8Array> => new Uint8Array(await image.toBuffer());

/** Shades of grey of a picture in any colours, upright, 8 bits a pixel. Rejects on damage. */
export async function readGrey(file: Uint8Array): Promise<Pixels> {
  const sharp = await loadSharp();
  return toGrey(sharp(file, { failOn: "error" }));
}

/** Scans and photos of sheets: A3 at 1200 dpi has 278 million pixels. */
const MAX_SCAN_PIXELS = 300_000_000;
const MAX_SCAN_PAGES = 1000;

const SCAN_FORMATS: ReadonlySet<string> = new Set(["PNG", "JPEG", "WebP", "TIFF"]);

/** A scanned page in grey, and the resolution that its file names. */
export interface ScannedPage {
  readonly image: Pixels;
  /** Undefined when the file has none, or only the default of screens, which means nothing. */
  readonly dpi: number | undefined;
  /** How many the file has. */
  readonly pages: number;
}

const LEAST_SCAN_DPI = 100;

const refuseScan = (says: string, cause?: unknown): AppError =>
  new AppError("bad-usage", `scan must be ${says}`, { cause });

/**
 * The pages of a scan or photo (PNG, JPEG, WebP; TIFF with any number of pages), one after the other,
 * upright. Throws `bad-usage` for other files and damaged ones, and, before anything is unpacked, for
 * more than 300 million pixels a page or 1000 pages.
 */
export async function* readScannedPages(file: Uint8Array): AsyncGenerator<ScannedPage> {
  const head = Buffer.from(file.buffer, file.byteOffset, Math.min(512, file.length));
  const format = imageFormats.find(({ isFirst }) => isFirst(head.toString("latin1")));
  if (format === undefined || !SCAN_FORMATS.has(format.name))
    throw refuseScan(`PNG, JPEG, WebP, TIFF or PDF, got ${format?.name ?? "something else"}`);
  const sharp = await loadSharp();
  const rules = { limitInputPixels: MAX_SCAN_PIXELS, failOn: "error" } as const;
  try {
    const { pages = 1, density } = await sharp(file, rules).metadata();
    if (pages > MAX_SCAN_PAGES)
      throw refuseScan(`of at most ${MAX_SCAN_PAGES} pages, got ${pages}`);
    const dpi = density === undefined || density < LEAST_SCAN_DPI ? undefined : density;
    for (let page = 0; page < pages; page += 1) {
      yield {
        image: await toGrey(sharp(file, { ...rules, page }), { depth: "uchar" }),
        dpi,
        pages,
      };
    }
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw refuseScan(`an image that can be read, got ${toMessage(error)}`, error);
  }
}

/** RGBA of our own PNG or JPEG, in sRGB; colours of an embedded profile are converted. */
export async function readRgba(
  file: Uint8Array,
): Promise<{ readonly data: Uint8ClampedArray; readonly width: number; readonly height: number }> {
  const sharp = await loadSharp();
  const image = sharp(file, { failOn: "error" }).autoOrient().toColourspace("srgb").ensureAlpha();
  const { data, ...size } = await toPixels(image);
  return { data: new Uint8ClampedArray(data), ...size };
}

/** A page as an opaque PNG with its resolution. */
export async function writeDensePng(
  { rgba, width, height }: { rgba: Uint8Array; width: number; height: number },
  dpi: number,
): Promise<Uint8Array> {
  const sharp = await loadSharp();
  const image = sharp(rgba, { raw: { width, height, channels: 4 } });
  return toFile(image.flatten({ background: "#ffffff" }).withMetadata({ density: dpi }).png());
}

/** Raw RGBA of our own drawing; its width and height attributes are its size in pixels. */
export async function rasterizeSvg(svg: string): Promise<Pixels> {
  const sharp = await loadSharp();
  return toPixels(sharp(Buffer.from(svg), { density: 72 }).ensureAlpha());
}

async function fitSvg(svg: Uint8Array, sidePx: number): Promise<Image> {
  const sharp = await loadSharp();
  return sharp(svg, { limitInputPixels: false })
    .resize({ width: sidePx, height: sidePx, fit: "inside" })
    .ensureAlpha();
}

/**
 * RGBA of a drawing, such as another server's, with this many pixels on its longer side; the
 * drawing's own size doesn't matter. It must have been checked before (`checkSvg`): once the
 * library draws, it can't be stopped. Rejects when it can't be drawn.
 */
export const rasterizeSvgToFit = async (svg: Uint8Array, sidePx: number): Promise<Pixels> =>
  toPixels(await fitSvg(svg, sidePx));

export const rasterizeSvgToFitPng = async (svg: Uint8Array, sidePx: number): Promise<Uint8Array> =>
  toFile((await fitSvg(svg, sidePx)).png({ compressionLevel: 9, palette: false }));

/** Our own drawing as a PNG in full colour. */
export async function rasterizeSvgToPng(
  svg: string,
  compression: PngCompression,
): Promise<Uint8Array> {
  const sharp = await loadSharp();
  const image = sharp(Buffer.from(svg), { density: 72 });
  return toFile(image.png({ compressionLevel: zlibLevels[compression] }));
}

/** No code with its frame and label is more than this many times longer than wide. */
const MAX_ASPECT = 4;

/**
 * A drawing, such as another server's, as a PNG of this width; its height follows. Throws
 * `answer-unusable` for one that isn't safe to open or is far longer than wide.
 */
export async function rasterizeSvgToWidth(svg: string, widthPx: number): Promise<Uint8Array> {
  await checkSvg(svg);
  const sharp = await loadSharp();
  const { width, height } = await sharp(Buffer.from(svg), { density: 72 }).metadata();
  if (height > width * MAX_ASPECT) {
    const message = `the SVG of the code must be at most ${MAX_ASPECT} times as high as wide, got ${width} x ${height}`;
    throw new AppError("answer-unusable", message);
  }
  const density = Math.min(2400, Math.max(1, (72 * widthPx) / width));
  return toFile(sharp(Buffer.from(svg), { density }).resize({ width: widthPx }).png());
}

/** The same with few colours, for people to look at: a third of the bytes. */
export async function rasterizeSvgToPalettePng(svg: string): Promise<Uint8Array> {
  const sharp = await loadSharp();
  const image = sharp(Buffer.from(svg), { density: 72 });
  const few = { palette: true, colours: 48, dither: 0, effort: 10 };
  return toFile(image.png({ compressionLevel: 9, ...few }));
}

/**
 * A picture of a code, PNG or SVG, as a small PNG for people to look at: few colours, on white, with
 * this many pixels on its longer side. Throws `answer-unusable` for a drawing that isn't safe to
 * open; rejects when it can't be drawn.
 */
export async function makeThumbnail(
  file: Uint8Array,
  sidePx: number,
): Promise<{ png: Uint8Array; width: number; height: number }> {
  const isPng = PNG_SIGNATURE.every((byte, at) => file[at] === byte);
  if (!isPng) await checkSvg(file);
  const sharp = await loadSharp();
  const { data, info } = await sharp(file, { limitInputPixels: isPng })
    .resize({ width: sidePx, height: sidePx, fit: "inside" })
    .flatten({ background: "#ffffff" })
    .png({ compressionLevel: 9, palette: true, colours: 32, dither: 0, effort: 1 })
    .toBuffer({ resolveWithObject: true });
  return { png: new Uint8Array(data), width: info.width, height: info.height };
}
