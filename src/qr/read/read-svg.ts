/**
 * A drawing of any server -> the code that it shows. Plain drawings are read from their geometry, as
 * modules or as pixels. All others, and those in which that finds no code, are rendered by a
 * graphics library: small first, which is cheapest and enough for most codes, then larger.
 */
import { Turns } from "../../base/flow/turns.ts";
import { checkSvg, readQuickDrawing } from "../../svg/check-svg.ts";
import type { PlainDrawing } from "../../svg/plain-drawing.ts";
import { toCovered, toModules, toPixels, toUnits } from "./plain-svg.ts";
import type { DecodedCode, GreyImage, PixelImage, QrDecoder } from "./decode.ts";
import { rasterizeSvgToFit } from "../png/raster.ts";

/**
 * Pixels of the longer side. 160: 3 per module up to version 6 without a frame; 1000: 5 per module
 * of the largest version.
 */
const SIDES_PX = [160, 400, 1000] as const;

/** Larger drawings (in bytes) take a graphics library much memory. */
const LARGE = 500_000;
/** Large drawings are rendered one at a time. */
const turns = new Turns();

export interface SvgCodes {
  readonly codes: readonly DecodedCode[];
  /** The drawing as pixels, for when no code is found. */
  readonly look: () => Promise<PixelImage>;
}

/** Reads modules, one pixel each, with only their quiet zone around them. */
const readModules = (decoder: QrDecoder, modules: GreyImage | undefined): DecodedCode[] =>
  modules === undefined ? [] : decoder.decodeGrey(modules, undefined, { pure: true });

const search = (decoder: QrDecoder, pixels: GreyImage | undefined): DecodedCode[] =>
  pixels === undefined ? [] : decoder.decodeGrey(pixels, undefined, { tryHarder: false });

/** The codes that a plain drawing's geometry shows. */
function readGeometry(decoder: QrDecoder, drawing: PlainDrawing): DecodedCode[] {
  const whole = readModules(decoder, toModules(drawing));
  if (whole.length > 0) return whole;
  const units = toUnits(drawing);
  const shaped = readModules(decoder, units && toCovered(units));
  if (shaped.length > 0) return shaped;
  const found = search(decoder, units);
  return found.length > 0 ? found : search(decoder, toPixels(drawing, SIDES_PX[0]));
}

/**
 * The codes in a drawing, mostly one. Rejects when it isn't safe to open (`answer-unusable`), and
 * when it can't be drawn.
 */
export async function readSvgCodes(decoder: QrDecoder, svg: Uint8Array): Promise<SvgCodes> {
  const plain = readQuickDrawing(svg);
  const codes = plain === undefined ? [] : readGeometry(decoder, plain);
  if (codes.length > 0) return { codes, look: () => rasterizeSvgToFit(svg, SIDES_PX[0]) };
  await checkSvg(svg);
  return svg.length < LARGE
    ? drawAndRead(decoder, svg)
    : turns.take(() => drawAndRead(decoder, svg));
}

async function drawAndRead(decoder: QrDecoder, svg: Uint8Array): Promise<SvgCodes> {
  let image: PixelImage = { data: new Uint8Array(), width: 0, height: 0 };
  const look = (): Promise<PixelImage> => Promise.resolve(image);
  for (const side of SIDES_PX) {
    image = await rasterizeSvgToFit(svg, side);
    const codes = await decoder.decode(image, { tryHarder: false });
    if (codes.length > 0) return { codes, look };
  }
  return { codes: await decoder.decode(image), look };
}
