import { assert, double, property } from "../help/property.ts";
import { describe, expect, test } from "vitest";

import {
  circleHole,
  circlePath,
  growBox,
  polygonPath,
  roundedHole,
  roundedPath,
  strokePath,
  toNumber,
  toNumbers,
} from "../../src/qr/draw/outline.ts";
import { rasterizeSvg } from "../../src/qr/png/raster.ts";

/** Ink of a path in a square of 40 units, in square units. */
async function inkOf(path: string): Promise<number> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="800" height="800" viewBox="0 0 40 40"><path d="${path}"/></svg>`;
  const { data } = await rasterizeSvg(svg);
  let alpha = 0;
  for (let at = 3; at < data.length; at += 4) alpha += data[at] as number;
  return alpha / 255 / 400;
}

describe("numbers", () => {
  test.each([
    [0, "0"],
    [-0, "0"],
    [-0.0001, "0"],
    [0.5, ".5"],
    [-0.5, "-.5"],
    [10, "10"],
    [1 / 3, ".333"],
    [2.9996, "3"],
    [-12.3456, "-12.346"],
  ])("%s is %s", (value, text) => {
    expect(toNumber(value)).toBe(text);
  });

  test("a minus separates, everything else needs a blank", () => {
    expect(toNumbers(1, -2, 0.5, 3, -0.25)).toBe("1-2 .5 3-.25");
    expect(toNumbers(7)).toBe("7");
  });

  test("never off by more than half a thousandth", () => {
    assert(
      property(double({ min: -5000, max: 5000, noNaN: true }), (value) => {
        expect(Math.abs(Number(toNumber(value)) - value)).toBeLessThanOrEqual(0.000501);
      }),
    );
  });
});

describe("shapes cover what they should", () => {
  const box = { x: 5, y: 6, width: 20, height: 10 };
  const cases: [string, string, number][] = [
    ["sharp box", roundedPath(box, [0, 0, 0, 0]), 200],
    ["round box", roundedPath(box, [3, 3, 3, 3]), 200 - (4 - Math.PI) * 9],
    ["leaf", roundedPath(box, [0, 4, 0, 4]), 200 - ((4 - Math.PI) * 16) / 2],
    ["circle", circlePath(20, 20, 9), Math.PI * 81],
    ["ring", circlePath(20, 20, 9) + circleHole(20, 20, 5), Math.PI * 56],
    [
      "box ring",
      roundedPath(growBox(box, 2), [3, 3, 3, 3]) + roundedHole(box, [1, 1, 1, 1]),
      24 * 14 - (4 - Math.PI) * 9 - 200 + (4 - Math.PI),
    ],
    [
      "triangle",
      polygonPath([
        [0, 0],
        [10, 0],
        [0, 10],
      ]),
      50,
    ],
    ["stroke", strokePath([10, 10], [22, 26], 4), 20 * 4 + Math.PI * 4],
    ["stroke the other way", strokePath([30, 10], [10, 10], 2), 40 + Math.PI],
  ];

  test.each(cases)("%s", async (_, path, area) => {
    expect(await inkOf(path)).toBeCloseTo(area, 0);
  });
});
