import * as fc from "../help/property.ts";
import { describe, expect, it } from "vitest";

import { circlePath, roundedPath, toNumber } from "../../src/qr/draw/outline.ts";
import { svgPathToPdf } from "../../src/print/art/svg-path.ts";

const numbersOf = (operators: string): number[] =>
  [...operators.matchAll(/-?\d+(?:\.\d+)?/gu)].map(([number]) => Number(number));

describe("svgPathToPdf", () => {
  it.each([
    ["M1 2h3v4h-3z", "1 2 m\n4 2 l\n4 6 l\n1 6 l\nh\n"],
    ["m1,2 3,4 5-6", "1 2 m\n4 6 l\n9 0 l\n"],
    ["M0 0C1 2 3 4 5 6s1 1 2 2", "0 0 m\n1 2 3 4 5 6 c\n7 8 6 7 7 8 c\n"],
    ["M0 0Q3 3 6 0t6 0", "0 0 m\n2 2 4 2 6 0 c\n8 -2 10 -2 12 0 c\n"],
    ["M0 0L1 1zl2 0", "0 0 m\n1 1 l\nh\n2 0 l\n"],
    ["M.5.5-1e1 2", "0.5 0.5 m\n-10 2 l\n"],
  ])("%s", (data, operators) => {
    expect(svgPathToPdf(data)).toBe(operators);
  });

  it("turns arcs into curves that stay on the circle, flags with or without blanks", () => {
    const operators = svgPathToPdf(circlePath(5, 5, 3));
    const ends = operators
      .split("\n")
      .filter((line) => line.endsWith("c"))
      .map((line) => numbersOf(line).slice(-2));
    expect(ends).toHaveLength(4);
    for (const [x = 0, y = 0] of ends) expect(Math.hypot(x - 5, y - 5)).toBeCloseTo(3, 3);
    expect(svgPathToPdf("M0 0a1 1 0 012 0")).toBe(svgPathToPdf("M0 0a1 1 0 0 1 2 0"));
  });

  it("keeps to the box of what was drawn, whatever the size", () => {
    fc.assert(
      fc.property(
        fc.double({ min: 1, max: 40, noNaN: true }),
        fc.double({ min: 1, max: 40, noNaN: true }),
        fc.double({ min: 0, max: 0.5, noNaN: true }),
        (width, height, share) => {
          const radius = Number(toNumber(share * Math.min(width, height)));
          const box = {
            x: 2,
            y: 3,
            width: Number(toNumber(width)),
            height: Number(toNumber(height)),
          };
          const path = roundedPath(box, [radius, radius, radius, radius]);
          const numbers = numbersOf(svgPathToPdf(path));
          const xs = numbers.filter((_, i) => i % 2 === 0);
          const ys = numbers.filter((_, i) => i % 2 === 1);
          expect(Math.min(...xs)).toBeGreaterThanOrEqual(2 - 0.01);
          expect(Math.max(...xs)).toBeLessThanOrEqual(2 + box.width + 0.01);
          expect(Math.min(...ys)).toBeGreaterThanOrEqual(3 - 0.01);
          expect(Math.max(...ys)).toBeLessThanOrEqual(3 + box.height + 0.01);
        },
      ),
    );
  });

  it.each(["1 2", "M1", "M1 2 3", "M1 2x", "M0 0L#", "M0 0z1"])("refuses %j", (data) => {
    expect(() => svgPathToPdf(data)).toThrow(SyntaxError);
  });
});
