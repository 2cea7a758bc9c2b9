/** Pictures on labels: PNG, JPEG and SVG files as a press takes them, in shades of grey or CMYK. */
import { readFile } from "node:fs/promises";

import { isFrameMarker } from "../../svg/embedded-image.ts";
import { type Problem, toMessage } from "../../base/errors.ts";
import { sha256 } from "../../base/ids/ids.ts";
import { parseHexColor } from "../../base/color/color.ts";
import { readPng, type RgbaImage } from "../../qr/read/png-read.ts";
import type { PressColors } from "./press-color.ts";
import { SvgUnsupported } from "../../svg/svg-fault.ts";
import { isSvgFile } from "../../base/files/image-type.ts";
import { MAX_SVG_BYTES, readSvgPicture } from "../art/svg-picture.ts";
import { readGrey, readRgba } from "../../qr/png/raster.ts";

/** A picture, ready to be placed. */
export interface PressImage {
  readonly width: number;
  readonly height: number;
  readonly space: "DeviceGray" | "DeviceCMYK";
  /** Samples of 8 bits, or the file itself when `isJpeg`; none of a drawing. */
  readonly data: Uint8Array;
  /** Operators of a picture of shapes, its width and height in its own units, y running downwards. */
  readonly drawing?: string;
  readonly isJpeg: boolean;
  /** Samples run from ink to paper, as some programs write CMYK. */
  readonly isInverted: boolean;
  readonly sha256: string;
}

/** Identifies the picture: the same samples may stand in other rows. */
export const pictureKey = ({ sha256: hash, space, width, height }: PressImage): string =>
  `${hash} ${space} ${width} x ${height}`;

/** The picture, or why it must not be printed. `isConverted`: its colours were RGB. */
export type ReadImage =
  | { readonly image: PressImage; readonly isConverted?: true }
  | { readonly problem: Problem };

/** Opens the colours of the job's printing condition; called only for RGB pictures. */
export type OpenColors = () => Promise<PressColors>;

function refuse(file: string, rule: string, hint?: string): ReadImage {
  return { problem: { message: `image ${rule}`, where: { file }, hint } };
}

export interface JpegFrame {
  readonly width: number;
  readonly height: number;
  readonly components: number;
  readonly bits: number;
  readonly hasAdobe: boolean;
}

/** The frame header of a JPEG; undefined when there is none (ITU-T T.81, annex B). */
export function readJpeg(bytes: Uint8Array): JpegFrame | undefined {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 2;
  let hasAdobe = false;
  while (at + 4 <= view.length) {
    if (view[at] !== 0xff) return undefined;
    const marker = view.readUInt8(at + 1);
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    const length = view.readUInt16BE(at + 2);
    if (marker === 0xee && view.toString("latin1", at + 4, at + 9) === "Adobe") hasAdobe = true;
    if (isFrameMarker(marker) && at + 10 <= view.length) {
      const [bits, height] = [view.readUInt8(at + 4), view.readUInt16BE(at + 5)];
      const [width, components] = [view.readUInt16BE(at + 7), view.readUInt8(at + 9)];
      return { bits, height, width, components, hasAdobe };
    }
    at += 2 + length;
  }
  return undefined;
}

/** A4 at 600 ppi has 35 million. */
const MAX_JPEG_PIXELS = 64_000_000;

/** Paper, which transparent places show. */
const PAPER = "#ffffff";

/** An RGB picture in inks of the press. */
async function convert(
  bytes: Uint8Array,
  file: string,
  { kind, open }: { readonly kind: string; readonly open: OpenColors },
): Promise<ReadImage> {
  try {
    const way = { colors: await open(), ground: PAPER };
    return { image: toInks(await readRgba(bytes), way), isConverted: true };
  } catch (error) {
    return refuse(file, `must be a whole ${kind}, got: ${toMessage(error)}`);
  }
}

/** A JPEG in colours, in shades of black. */
async function toGrey(bytes: Uint8Array, file: string): Promise<ReadImage> {
  try {
    const { data, width, height } = await readGrey(bytes);
    const grey = { width, height, space: "DeviceGray", data } as const;
    return { image: { ...grey, isJpeg: false, isInverted: false, sha256: sha256(bytes) } };
  } catch (error) {
    return refuse(file, `must be a whole JPEG, got: ${toMessage(error)}`);
  }
}

/** Why samples of this depth, and so many, must not be printed. */
function frameProblem({ width, height, bits }: JpegFrame, file: string): ReadImage | undefined {
  if (bits !== 8) return refuse(file, `must have 8 bits per sample, got ${bits}`);
  if (width * height <= MAX_JPEG_PIXELS) return undefined;
  return refuse(
    file,
    `must have at most ${MAX_JPEG_PIXELS} pixels, got ${width} x ${height}`,
    "save it with at most 600 ppi at its printed size",
  );
}

async function fromJpeg(
  bytes: Uint8Array,
  file: string,
  { as, open }: { readonly as: "given" | "gray"; readonly open: OpenColors },
): Promise<ReadImage> {
  const frame = readJpeg(bytes);
  if (frame === undefined || frame.width === 0 || frame.height === 0)
    return refuse(file, "must be a whole JPEG, got one that is damaged");
  const problem = frameProblem(frame, file);
  if (problem !== undefined) return problem;
  if (frame.components === 3 && as === "gray") return toGrey(bytes, file);
  if (frame.components === 3) return convert(bytes, file, { kind: "JPEG", open });
  if (frame.components !== 1 && frame.components !== 4)
    return refuse(file, `must be in shades of grey, RGB or CMYK, got ${frame.components} channels`);
  return {
    image: {
      width: frame.width,
      height: frame.height,
      space: frame.components === 1 ? "DeviceGray" : "DeviceCMYK",
      data: bytes,
      isJpeg: true,
      isInverted: frame.components === 4 && frame.hasAdobe,
      sha256: sha256(bytes),
    },
  };
}

/** Channels may differ by this much and still be a grey. */
const GREY_SLACK = 2;

/** Pixels laid on a ground, three bytes each, and whether all of them are greys. */
function layOn(
  { data, width, height }: Pick<RgbaImage, "data" | "width" | "height">,
  ground: string,
): { readonly rgb: Uint8Array; readonly isGrey: boolean } {
  const { r, g, b } = parseHexColor(ground);
  const under = [r, g, b];
  const rgb = new Uint8Array(width * height * 3);
  let isGrey = true;
  for (let i = 0; i < width * height; i += 1) {
    const alpha = data[i * 4 + 3] as number;
    let [least, most] = [255, 0];
    for (let channel = 0; channel < 3; channel += 1) {
      const over = data[i * 4 + channel] as number;
      const value = Math.round((over * alpha + (under[channel] as number) * (255 - alpha)) / 255);
      rgb[i * 3 + channel] = value;
      least = Math.min(least, value);
      most = Math.max(most, value);
    }
    if (most - least > GREY_SLACK) isGrey = false;
  }
  return { rgb, isGrey };
}

/** Photographs have millions of colours. */
const MOST_KNOWN = 1_000_000;

/** Three bytes of each pixel as four of ink; equal pixels are turned once. */
function separate(rgb: Uint8Array, colors: PressColors): Uint8Array {
  const pixels = rgb.length / 3;
  const inks = new Uint8Array(pixels * 4);
  const known = new Map<number, number>();
  for (let i = 0; i < pixels; i += 1) {
    const [r, g, b] = [rgb[i * 3] as number, rgb[i * 3 + 1] as number, rgb[i * 3 + 2] as number];
    const key = (r << 16) | (g << 8) | b;
    const first = known.get(key);
    if (first === undefined) {
      if (known.size < MOST_KNOWN) known.set(key, i);
      const cmyk = colors.pictureInk([r, g, b]);
      for (let ink = 0; ink < 4; ink += 1)
        inks[i * 4 + ink] = Math.round((cmyk[ink] as number) * 255);
    } else inks.copyWithin(i * 4, first * 4, first * 4 + 4);
  }
  return inks;
}

/** Lightness of greys alone, as black shows it. */
function toBlack(rgb: Uint8Array): Uint8Array {
  return Uint8Array.from({ length: rgb.length / 3 }, (_, i) => rgb[i * 3 + 1] as number);
}

/** The ground of a picture that is turned into inks. */
export interface PressWay {
  readonly colors: PressColors;
  /** Seen through transparent places, `#rrggbb`. */
  readonly ground: string;
}

/** True for a PNG that `toPressImage` prints in black alone. */
export const isGreyPicture = (png: Uint8Array, ground: string): boolean =>
  layOn(readPng(png), ground).isGrey;

/**
 * A PNG in inks of the press: greys in black alone, colours in CMYK; transparent places show its
 * ground.
 */
export const toPressImage = (png: Uint8Array, way: PressWay): PressImage =>
  toInks(readPng(png), way);

function toInks(
  image: Pick<RgbaImage, "data" | "width" | "height">,
  { colors, ground }: PressWay,
): PressImage {
  const { width, height } = image;
  const { rgb, isGrey } = layOn(image, ground);
  const data = isGrey ? toBlack(rgb) : separate(rgb, colors);
  const space = isGrey ? "DeviceGray" : "DeviceCMYK";
  const whole = { width, height, space, data } as const;
  return { ...whole, isJpeg: false, isInverted: false, sha256: sha256(data) };
}

/** Undefined for a PNG in colours. */
function fromPng(bytes: Uint8Array, as: "given" | "gray"): ReadImage | undefined {
  const { data, width, height } = readPng(bytes);
  const grey = new Uint8Array(width * height);
  let isColored = false;
  for (let i = 0; i < grey.length; i += 1) {
    const [r = 0, g = 0, b = 0, a = 255] = data.subarray(i * 4, i * 4 + 4);
    if (a > 0 && Math.max(r, g, b) - Math.min(r, g, b) > GREY_SLACK) isColored = true;
    const luma = 0.299 * r + 0.587 * g + 0.114 * b;
    // Transparent places show the paper.
    grey[i] = Math.round((luma * a + 255 * (255 - a)) / 255);
  }
  if (isColored && as === "given") return undefined;
  return {
    image: {
      width,
      height,
      space: "DeviceGray",
      data: grey,
      isJpeg: false,
      isInverted: false,
      sha256: sha256(bytes),
    },
  };
}

const SVG_HINT =
  "turn texts, outlines and effects into filled shapes, or save it as a PNG of 300 ppi";

/** A drawing of filled shapes; all else is refused by its name. */
async function fromSvg(
  bytes: Uint8Array,
  file: string,
  { as, open }: { readonly as: "given" | "gray"; readonly open: OpenColors },
): Promise<ReadImage> {
  if (bytes.length > MAX_SVG_BYTES)
    return refuse(file, `must be an SVG of at most ${MAX_SVG_BYTES / 1e6} MB`, SVG_HINT);
  try {
    const read = await readSvgPicture(bytes, as, open);
    if (typeof read === "string") return refuse(file, read, SVG_HINT);
    const { isConverted, ...drawn } = read;
    const image = { ...drawn, data: new Uint8Array(), isJpeg: false, isInverted: false };
    return isConverted ? { image, isConverted } : { image };
  } catch (error) {
    const isUnsupported = error instanceof SvgUnsupported;
    const rule = isUnsupported ? "must be an SVG of filled shapes, got" : "must be a harmless SVG:";
    return refuse(file, `${rule} ${toMessage(error)}`, SVG_HINT);
  }
}

/**
 * Reads a picture; RGB colours become inks unless they are to be greys. Never throws for a faulty
 * file.
 */
export async function readImage(
  file: string,
  as: "given" | "gray",
  open: OpenColors,
): Promise<ReadImage> {
  let bytes: Uint8Array;
  try {
    bytes = await readFile(file);
  } catch (error) {
    return refuse(file, `must be a file that can be read, got ${toMessage(error)}`);
  }
  if (bytes[0] === 0xff && bytes[1] === 0xd8) return fromJpeg(bytes, file, { as, open });
  if (bytes[0] === 0x89 && bytes[1] === 0x50) {
    try {
      const grey = fromPng(bytes, as);
      return grey ?? (await convert(bytes, file, { kind: "PNG", open }));
    } catch (error) {
      return refuse(file, `must be a whole PNG with 8 bits a channel, got: ${toMessage(error)}`);
    }
  }
  if (isSvgFile(bytes)) return fromSvg(bytes, file, { as, open });
  return refuse(file, "must be a PNG, JPEG or SVG, got another kind of file");
}
