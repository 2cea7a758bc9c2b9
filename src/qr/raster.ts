/**
 * Vectors and foreign images -> PNG, through sharp (`qr.md` sections 5 and 8). The only file that
 * imports it.
 */
import sharp from "sharp";

import { AppError, toMessage } from "../base/errors.ts";
import { type PngCompression, zlibLevels } from "./png-file.ts";

/** A logo must be smaller than this (`api-v2.md` section 8). */
export const MAX_LOGO_BYTES = 2 * 1024 * 1024;
/** Logos are kept no larger than this on their longer side. */
export const MAX_LOGO_SIDE_PX = 512;
const MAX_LOGO_PIXELS = 4_000_000;

// Only these may ever read an image: everything else that the library knows stays shut. SVG is
// open for our own drawings; foreign files are told apart by their first bytes before.
sharp.block({ operation: ["VipsForeignLoad"] });
sharp.unblock({
  operation: [
    "VipsForeignLoadPng",
    "VipsForeignLoadJpeg",
    "VipsForeignLoadWebp",
    "VipsForeignLoadNsgif",
    "VipsForeignLoadSvg",
  ],
});
// Every image is read once: a cache would only hold memory.
sharp.cache(false);

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

function refuseLogo(rule: string, got: string, cause?: unknown): never {
  const message = `logo must be ${rule}, got ${got}`;
  throw new AppError("design-invalid", message, {
    problems: [{ message, where: { field: "logo" } }],
    where: { field: "logo" },
    hint: `give a ${ACCEPTED} image under 2 MB`,
    cause,
  });
}

function checkLogoFile(file: Uint8Array): void {
  if (file.length === 0) refuseLogo(`a ${ACCEPTED} image`, "no bytes");
  if (file.length >= MAX_LOGO_BYTES) refuseLogo("under 2 MB", `${file.length} bytes`);
  const head = Buffer.from(file.buffer, file.byteOffset, Math.min(512, file.length)).toString(
    "latin1",
  );
  const format = imageFormats.find(({ isFirst }) => isFirst(head));
  if (format?.accepted !== true) {
    refuseLogo(`a ${ACCEPTED} image`, format?.name ?? "something else");
  }
}

/**
 * Any accepted image -> an 8-bit RGBA PNG of at most 512 pixels a side: first frame only,
 * orientation applied, metadata gone.
 *
 * Throws `design-invalid` for other formats, 2 MB and more, more than 4 million pixels, damage.
 */
export async function normalizeLogo(file: Uint8Array): Promise<Uint8Array> {
  checkLogoFile(file);
  try {
    const png = await sharp(file, { limitInputPixels: MAX_LOGO_PIXELS, failOn: "error" })
      .autoOrient()
      .toColourspace("srgb")
      .resize({
        width: MAX_LOGO_SIDE_PX,
        height: MAX_LOGO_SIDE_PX,
        fit: "inside",
        withoutEnlargement: true,
      })
      .ensureAlpha()
      .png({ compressionLevel: 9, palette: false })
      .toBuffer();
    return new Uint8Array(png);
  } catch (error) {
    return refuseLogo("an image that can be read", toMessage(error), error);
  }
}

/** Raw RGBA of one of our own drawings; its width and height attributes are its size in pixels. */
export async function rasterizeSvg(
  svg: string,
): Promise<{ data: Uint8Array; width: number; height: number }> {
  const { data, info } = await sharp(Buffer.from(svg), { density: 72 })
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
}

/** The same as a PNG file of full colours. */
export async function rasterizeSvgToPng(
  svg: string,
  compression: PngCompression,
): Promise<Uint8Array> {
  const png = await sharp(Buffer.from(svg), { density: 72 })
    .png({ compressionLevel: zlibLevels[compression] })
    .toBuffer();
  return new Uint8Array(png);
}

/** The same with few colours: for pictures that people look at, a third of the bytes. */
export async function rasterizeSvgToPalettePng(svg: string): Promise<Uint8Array> {
  const png = await sharp(Buffer.from(svg), { density: 72 })
    .png({ compressionLevel: 9, palette: true, colours: 48, dither: 0, effort: 10 })
    .toBuffer();
  return new Uint8Array(png);
}
