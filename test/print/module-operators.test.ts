import { deflateSync } from "node:zlib";

import { describe, expect, it } from "vitest";

import { moduleOperators } from "../../src/print/draw/module-operators.ts";
import { encodeQr } from "../../src/qr/encode/encode.ts";

const at = { x: 4, y: 4, withEyes: false } as const;

/** Radii of a dot around its module's centre, along its curves. */
function radiiOf(dot: string): number[] {
  const numbers = dot
    .split(/[^\d.-]+/u)
    .filter(Boolean)
    .map(Number);
  const points = Array.from({ length: numbers.length / 2 }, (_, i) => [
    numbers[2 * i] ?? 0,
    numbers[2 * i + 1] ?? 0,
  ]);
  const [[left = 0, middle = 0] = []] = points;
  const centre = [left + 0.5, middle];
  return [0, 3].flatMap((from) =>
    Array.from({ length: 21 }, (_, i) => {
      const t = i / 20;
      const weights = [(1 - t) ** 3, 3 * (1 - t) ** 2 * t, 3 * (1 - t) * t * t, t ** 3];
      const along = [0, 1].map((axis) =>
        weights.reduce((sum, w, k) => sum + w * (points[from + k]?.[axis] ?? 0), 0),
      );
      return Math.hypot((along[0] ?? 0) - (centre[0] ?? 0), (along[1] ?? 0) - (centre[1] ?? 0));
    }),
  );
}

describe("moduleOperators", () => {
  const matrix = encodeQr("https://qr.example/table-1", { level: "Q" });

  it("draws round modules with two curves, less than a hundredth of a module off", () => {
    const dots = moduleOperators(matrix, "Circles", { ...at, dots: "short" })
      .split(/(?<=c\n)(?=[\d. ]+m)/u)
      .filter((dot) => dot.includes("c"));
    expect(dots.length).toBeGreaterThan(150);
    for (const dot of dots)
      for (const r of radiiOf(dot)) expect(Math.abs(r - 0.5)).toBeLessThan(0.01);
  });

  it("takes, on a page of 24, less than a third of the bytes of four curves, which code_style keeps", () => {
    const page = Array.from({ length: 24 }, (_, i) =>
      encodeQr(`https://qr.example/table-${i}`, { level: "Q" }),
    );
    const bytes = (dots: "short" | "fine"): number =>
      deflateSync(page.map((code) => moduleOperators(code, "Circles", { ...at, dots })).join(""))
        .length;
    expect(bytes("short")).toBeLessThan(bytes("fine") / 3);
    expect(moduleOperators(matrix, "Circles", at)).toBe(
      moduleOperators(matrix, "Circles", { ...at, dots: "fine" }),
    );
  });
});
