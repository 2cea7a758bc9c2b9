/** A part of a picture, set upright and made larger or smaller, and the greys in it. */
import type { GreyImage } from "../qr/read/decode.ts";
import type { Fit } from "./fit.ts";

/** A square of the sheet: its upper left corner and side, in what `fit` leads from. */
export interface Square {
  readonly x: number;
  readonly y: number;
  readonly side: number;
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
  const greyAt = greysBehind(image, fit);
  const step = square.side / (px * samples);
  for (let row = 0; row < px; row += 1) {
    for (let column = 0; column < px; column += 1) {
      let sum = 0;
      for (let i = 0; i < samples; i += 1) {
        const y = square.y + (row * samples + i + 0.5) * step;
        for (let j = 0; j < samples; j += 1)
          sum += greyAt(square.x + (column * samples + j + 0.5) * step, y);
      }
      data[row * px + column] = Math.round(sum / (samples * samples));
    }
  }
  return { data, width: px, height: px };
}

/** The grey of a place of the sheet, between four pixels; beyond the picture is white. */
function greysBehind(
  { data, width, height }: GreyImage,
  fit: Fit,
): (x: number, y: number) => number {
  const [a, b, c, d, e, f, g, h] = fit;
  // As `applyFit`, which would make an object of each of millions of places.
  return (x, y) => {
    const w = g * x + h * y + 1;
    const column = (a * x + b * y + c) / w - 0.5;
    const row = (d * x + e * y + f) / w - 0.5;
    const left = Math.floor(column);
    const top = Math.floor(row);
    if (left < 0 || top < 0 || left + 1 >= width || top + 1 >= height) return 255;
    const across = column - left;
    const down = row - top;
    const at = top * width + left;
    const upper = (data[at] as number) * (1 - across) + (data[at + 1] as number) * across;
    const lower =
      (data[at + width] as number) * (1 - across) + (data[at + width + 1] as number) * across;
    return upper * (1 - down) + lower * down;
  };
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

/** Pairs of places that are put in order so that the middle one of nine comes to stand in the middle. */
const MIDDLE_OF_NINE = Uint8Array.from("12457801346712457803584736142547426442", Number);

/** Each pixel the middle one of itself and its eight neighbours: takes specks away. */
export function takeSpecks({ data, width, height }: GreyImage): GreyImage {
  const clean = Uint8Array.from(data);
  const near = new Uint8Array(9);
  for (let y = 1; y < height - 1; y += 1) {
    for (let x = 1; x < width - 1; x += 1) {
      const at = y * width + x;
      for (let place = 0, from = at - width - 1; place < 9; place += 3, from += width) {
        near[place] = data[from] as number;
        near[place + 1] = data[from + 1] as number;
        near[place + 2] = data[from + 2] as number;
      }
      clean[at] = middleOf(near);
    }
  }
  return { data: clean, width, height };
}

/** Of nine, which it puts into another order. */
function middleOf(nine: Uint8Array): number {
  for (let pair = 0; pair < MIDDLE_OF_NINE.length; pair += 2) {
    const low = MIDDLE_OF_NINE[pair] as number;
    const high = MIDDLE_OF_NINE[pair + 1] as number;
    const one = nine[low] as number;
    const two = nine[high] as number;
    nine[low] = Math.min(one, two);
    nine[high] = Math.max(one, two);
  }
  return nine[4] as number;
}

/** The darkest becomes black and the lightest white. */
export function stretchGreys({ data, width, height }: GreyImage): GreyImage {
  const [dark, light] = [greyBelow(data, 0.02), greyBelow(data, 0.98)];
  const factor = 255 / Math.max(1, light - dark);
  const stretched = Uint8Array.from({ length: 256 }, (_, grey) => clamp((grey - dark) * factor));
  const greys = new Uint8Array(data.length);
  for (let at = 0; at < data.length; at += 1) greys[at] = stretched[data[at] as number] as number;
  return { data: greys, width, height };
}

const clamp = (grey: number): number => Math.max(0, Math.min(255, Math.round(grey)));
