/** Greys of a part that is cut out of a picture and cleaned. */
import { expect, test } from "vitest";

import type { GreyImage } from "../../src/qr/read/decode.ts";
import { cutOut, greyBelow, stretchGreys, takeSpecks } from "../../src/scan/cut-out.ts";
import { applyFit, type Fit } from "../../src/scan/fit.ts";
import { makeRandom } from "./scanner.ts";

const random = makeRandom(7);
const [width, height] = [40, 30];
const image: GreyImage = {
  data: Uint8Array.from({ length: width * height }, () => random() * 256),
  width,
  height,
};
const greyAt = (x: number, y: number): number =>
  x < 0 || y < 0 || x >= width || y >= height ? Number.NaN : (image.data[y * width + x] ?? 0);

test("a pixel without its specks is the middle one of nine", () => {
  const clean = takeSpecks(image);
  for (let y = 1; y < height - 1; y += 1)
    for (let x = 1; x < width - 1; x += 1) {
      const near = [-1, 0, 1].flatMap((dy) => [-1, 0, 1].map((dx) => greyAt(x + dx, y + dy)));
      expect(clean.data[y * width + x]).toBe(near.toSorted((a, b) => a - b)[4]);
    }
  expect(clean.data.subarray(0, width)).toEqual(image.data.subarray(0, width));
});

test("of stretched greys, the darkest 2 % are black and the lightest white", () => {
  const { data: stretched } = stretchGreys(image);
  const [dark, light] = [greyBelow(image.data, 0.02), greyBelow(image.data, 0.98)];
  const wanted = Array.from(image.data, (grey) =>
    Math.max(0, Math.min(255, Math.round(((grey - dark) * 255) / (light - dark)))),
  );
  expect([...stretched]).toEqual(wanted);
  expect(stretched).toContain(0);
});

/** The grey where the fit leads from a place. */
function seeAt(fit: Fit, place: { readonly x: number; readonly y: number }): number {
  const { x, y } = applyFit(fit, place);
  const [left, top] = [Math.floor(x - 0.5), Math.floor(y - 0.5)];
  const [across, down] = [x - 0.5 - left, y - 0.5 - top];
  const [a, b] = [greyAt(left, top), greyAt(left + 1, top)];
  const [c, d] = [greyAt(left, top + 1), greyAt(left + 1, top + 1)];
  const mean =
    (a * (1 - across) + b * across) * (1 - down) + (c * (1 - across) + d * across) * down;
  return Number.isNaN(mean) ? 255 : mean;
}

test.each<readonly [string, number, Fit]>([
  ["a scanner", 1, [2, 0.3, 1, -0.2, 1.5, 3, 0, 0]],
  ["a camera", 1, [2, 0.3, 1, -0.2, 1.5, 3, 0.004, 0.003]],
  ["a camera", 3, [2, 0.3, 1, -0.2, 1.5, 3, 0.004, 0.003]],
])("a square is seen where the fit of %s leads, %d times a side", (_, samples, fit) => {
  const square = { x: -6, y: -5, side: 20 };
  const { data } = cutOut(image, fit, { square, px: 10, samples });
  const step = 2 / samples;
  for (const [at, seen] of data.entries()) {
    const [x, y] = [square.x + (at % 10) * 2, square.y + Math.floor(at / 10) * 2];
    let sum = 0;
    for (let i = 0; i < samples; i += 1)
      for (let j = 0; j < samples; j += 1)
        sum += seeAt(fit, { x: x + (j + 0.5) * step, y: y + (i + 0.5) * step });
    expect(Math.abs(seen - sum / samples ** 2)).toBeLessThan(0.51);
  }
  expect(data).toContain(255);
});
