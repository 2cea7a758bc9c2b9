/** A part of a picture, set upright and made larger or smaller, and the greys in it. */
import type { GreyImage } from "../qr/read/decode.ts";
import { applyFit, type Fit, type Point } from "./fit.ts";

/** A square of the sheet: its upper left corner and side, in what `fit` leads from. */
export interface Square {
  readonly x: number;
  readonly y: number;
  readonly side: number;
}

/** Between four pixels; beyond the picture is white. */
function greyAt({ data, width, height }: GreyImage, { x, y }: Point): number {
  const [left, top] = [Math.floor(x - 0.5), Math.floor(y - 0.5)];
  if (left < 0 || top < 0 || left + 1 >= width || top + 1 >= height) return 255;
  const [across, down] = [x - 0.5 - left, y - 0.5 - top];
  const at = top * width + left;
  const upper = (data[at] as number) * (1 - across) + (data[at + 1] as number) * across;
  const lower =
    (data[at + width] as number) * (1 - across) + (data[at + width + 1] as number) * across;
  return upper * (1 - down) + lower * down;
}

/** Looks at a square as `px` by `px` pixels, each the mean of `samples` by `samples` places. */
export function cutOut(
  image: GreyImage,
  fit: Fit,
  {
    square,
    px,
    samples,
  }: { readonly square: Square; readonly px: number; readonly samples: number },
): GreyImage {
  const data = new Uint8Array(px * px);
  const step = square.side / (px * samples);
  for (let row = 0; row < px; row += 1) {
    for (let column = 0; column < px; column += 1) {
      let sum = 0;
      for (let i = 0; i < samples; i += 1) {
        for (let j = 0; j < samples; j += 1) {
          const x = square.x + (column * samples + j + 0.5) * step;
          const y = square.y + (row * samples + i + 0.5) * step;
          sum += greyAt(image, applyFit(fit, { x, y }));
        }
      }
      data[row * px + column] = Math.round(sum / (samples * samples));
    }
  }
  return { data, width: px, height: px };
}

/** The grey that this share of pixels is darker than. */
export function greyBelow(data: Uint8Array, share: number): number {
  const counts = new Uint32Array(256);
  for (const grey of data) counts[grey] = (counts[grey] ?? 0) + 1;
  let sum = 0;
  for (let grey = 0; grey < 256; grey += 1) {
    sum += counts[grey] ?? 0;
    if (sum > share * data.length) return grey;
  }
  return 255;
}

/** Each pixel the middle one of itself and its eight neighbours: takes specks away. */
export function takeSpecks({ data, width, height }: GreyImage): GreyImage {
  const clean = Uint8Array.from(data);
  const near: number[] = [];
  for (let y = 1; y < height - 1; y += 1) {
    for (let x = 1; x < width - 1; x += 1) {
      near.length = 0;
      for (let dy = -1; dy <= 1; dy += 1)
        for (let dx = -1; dx <= 1; dx += 1) near.push(data[(y + dy) * width + x + dx] as number);
      clean[y * width + x] = near.toSorted((a, b) => a - b)[4] as number;
    }
  }
  return { data: clean, width, height };
}

/** The darkest becomes black and the lightest white. */
export function stretchGreys({ data, width, height }: GreyImage): GreyImage {
  const [dark, light] = [greyBelow(data, 0.02), greyBelow(data, 0.98)];
  const factor = 255 / Math.max(1, light - dark);
  return { data: Uint8Array.from(data, (grey) => clamp((grey - dark) * factor)), width, height };
}

const clamp = (grey: number): number => Math.max(0, Math.min(255, Math.round(grey)));
