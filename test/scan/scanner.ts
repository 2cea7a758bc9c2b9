/** A scanner and a camera of the tests: pages of finished PDFs become pictures with all that goes wrong on paper and glass. */
import sharp from "sharp";

import type { GreyImage } from "../../src/qr/read/decode.ts";

/** Numbers from 0 to 1 that are the same in every run. */
export function makeRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** Paints a rectangle, in place. */
export function paint({ data, width, height }: GreyImage, box: Box, grey: number): void {
  const [left, top] = [Math.max(0, Math.round(box.left)), Math.max(0, Math.round(box.top))];
  const right = Math.min(width, Math.round(box.left + box.width));
  const bottom = Math.min(height, Math.round(box.top + box.height));
  for (let y = top; y < bottom; y += 1) data.fill(grey, y * width + left, y * width + right);
}

/** A round blot, in place. */
export function blot(
  { data, width, height }: GreyImage,
  at: { readonly x: number; readonly y: number; readonly radius: number },
  grey: number,
): void {
  for (let y = Math.max(0, Math.floor(at.y - at.radius)); y < at.y + at.radius; y += 1) {
    if (y >= height) break;
    const half = Math.sqrt(Math.max(0, at.radius ** 2 - (y - at.y) ** 2));
    const from = Math.max(0, Math.round(at.x - half));
    const to = Math.min(width, Math.round(at.x + half));
    if (to > from) data.fill(grey, y * width + from, y * width + to);
  }
}

/** Ink that spreads by a pixel on each side: every pixel is as dark as the darkest around it. */
export function spreadInk({ data, width, height }: GreyImage): GreyImage {
  const spread = Uint8Array.from(data);
  const across = Uint8Array.from(data);
  for (let at = 1; at < data.length - 1; at += 1)
    across[at] = Math.min(data[at - 1]!, data[at]!, data[at + 1]!);
  for (let y = 1; y < height - 1; y += 1) {
    for (let at = y * width + 1; at < (y + 1) * width - 1; at += 1)
      spread[at] = Math.min(across[at - width]!, across[at]!, across[at + width]!);
  }
  return { data: spread, width, height };
}

export interface Scanning {
  /** Degrees clockwise. */
  readonly turn?: number;
  readonly blur?: number;
  /** Of each pixel, greys up or down. */
  readonly noise?: number;
  readonly jpeg?: number;
  /** The lower and right edge is moved in by this share of the picture's size. */
  readonly perspective?: number;
  readonly seed?: number;
  readonly dpi?: number;
  readonly format?: "png" | "jpeg" | "tiff" | "webp";
}

/** As a camera sees it that is held askew: the lower edge is nearer, the right one farther. */
function bend({ data, width, height }: GreyImage, share: number): GreyImage {
  const bent = new Uint8Array(width * height).fill(200);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const w = 1 + share * (x / width) - share * 0.7 * (y / height);
      const [u, v] = [Math.round(x * w - share * 10), Math.round(y * w)];
      if (u >= 0 && v >= 0 && u < width && v < height)
        bent[y * width + x] = data[v * width + u] as number;
    }
  }
  return { data: bent, width, height };
}

function addNoise(data: Uint8Array, most: number, random: () => number): void {
  for (let at = 0; at < data.length; at += 1) {
    const grey = (data[at] as number) + (random() + random() - 1) * most;
    data[at] = Math.max(0, Math.min(255, grey));
  }
}

/** A page as a file of a scanner: ink is not black, paper not white. */
export async function scanPage(page: GreyImage, how: Scanning = {}): Promise<Buffer> {
  const { turn = 0, blur = 0, noise = 0, jpeg, perspective = 0, seed = 1, dpi = 300 } = how;
  const flat = perspective === 0 ? page : bend(page, perspective);
  const raw = { width: flat.width, height: flat.height, channels: 1 } as const;
  let image = sharp(flat.data, { raw, limitInputPixels: false });
  if (turn !== 0)
    image = sharp(await image.rotate(turn, { background: "#f4f4f4" }).png().toBuffer());
  if (blur > 0) image = image.blur(blur);
  const seen = await image
    .linear(0.8, 28)
    .toColourspace("b-w")
    .raw()
    .toBuffer({ resolveWithObject: true });
  if (noise > 0) addNoise(seen.data, noise, makeRandom(seed));
  const { width, height } = seen.info;
  const end = sharp(seen.data, { raw: { width, height, channels: 1 } }).withMetadata({
    density: dpi,
  });
  if (jpeg !== undefined) return end.jpeg({ quality: jpeg }).toBuffer();
  return end.toFormat(how.format ?? "png").toBuffer();
}
