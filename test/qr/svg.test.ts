import { describe, expect, test } from "vitest";

import { type DesignInput, eyeStyles, patterns, resolveDesign } from "../../src/qr/draw/design.ts";
import { encodeQr, isDark } from "../../src/qr/encode/encode.ts";
import { rasterizeSvg } from "../../src/qr/png/raster.ts";
import { renderSvg } from "../../src/qr/draw/svg.ts";
import { pixelAt } from "./images.ts";
import { loads } from "./payloads.ts";

const render = (text: string, input: DesignInput = {}): string =>
  renderSvg(text, resolveDesign(input));
const pathsOf = (svg: string): string[] =>
  [...svg.matchAll(/ d="([^"]+)"/gu)].map((m) => m[1] ?? "");

describe("plain SVG", () => {
  test("the whole file of the smallest code", () => {
    expect(render("7", { backgroundColor: "#ffffff", sizePx: 290 })).toMatchInlineSnapshot(
      `"<svg xmlns="http://www.w3.org/2000/svg" width="290" height="290" viewBox="0 0 29 29"><path fill="#ffffff" d="M0 0h29v29h-29z"/><path fill="#111111" d="M4 4h7v1h-7zM12 4h5v1h-5zM18 4h7v1h-7zM4 5h1v1h-1zM10 5h1v1h-1zM12 5h1v1h-1zM18 5h1v1h-1zM24 5h1v1h-1zM4 6h1v1h-1zM6 6h3v1h-3zM10 6h1v1h-1zM12 6h3v1h-3zM18 6h1v1h-1zM20 6h3v1h-3zM24 6h1v1h-1zM4 7h1v1h-1zM6 7h3v1h-3zM10 7h1v1h-1zM12 7h3v1h-3zM18 7h1v1h-1zM20 7h3v1h-3zM24 7h1v1h-1zM4 8h1v1h-1zM6 8h3v1h-3zM10 8h1v1h-1zM12 8h4v1h-4zM18 8h1v1h-1zM20 8h3v1h-3zM24 8h1v1h-1zM4 9h1v1h-1zM10 9h1v1h-1zM13 9h2v1h-2zM16 9h1v1h-1zM18 9h1v1h-1zM24 9h1v1h-1zM4 10h7v1h-7zM12 10h1v1h-1zM14 10h1v1h-1zM16 10h1v1h-1zM18 10h7v1h-7zM12 11h1v1h-1zM16 11h1v1h-1zM5 12h2v1h-2zM8 12h1v1h-1zM10 12h2v1h-2zM13 12h1v1h-1zM16 12h1v1h-1zM18 12h1v1h-1zM20 12h5v1h-5zM6 13h1v1h-1zM9 13h1v1h-1zM15 13h2v1h-2zM18 13h1v1h-1zM22 13h2v1h-2zM10 14h3v1h-3zM14 14h2v1h-2zM20 14h1v1h-1zM24 14h1v1h-1zM4 15h2v1h-2zM7 15h1v1h-1zM9 15h1v1h-1zM11 15h1v1h-1zM14 15h1v1h-1zM16 15h1v1h-1zM18 15h1v1h-1zM22 15h2v1h-2zM4 16h1v1h-1zM6 16h2v1h-2zM9 16h3v1h-3zM18 16h1v1h-1zM20 16h1v1h-1zM22 16h2v1h-2zM12 17h1v1h-1zM14 17h2v1h-2zM17 17h1v1h-1zM19 17h1v1h-1zM21 17h1v1h-1zM4 18h7v1h-7zM12 18h3v1h-3zM17 18h3v1h-3zM21 18h4v1h-4zM4 19h1v1h-1zM10 19h1v1h-1zM13 19h1v1h-1zM16 19h2v1h-2zM19 19h3v1h-3zM23 19h1v1h-1zM4 20h1v1h-1zM6 20h3v1h-3zM10 20h1v1h-1zM12 20h1v1h-1zM14 20h1v1h-1zM17 20h3v1h-3zM21 20h2v1h-2zM24 20h1v1h-1zM4 21h1v1h-1zM6 21h3v1h-3zM10 21h1v1h-1zM13 21h1v1h-1zM18 21h1v1h-1zM22 21h2v1h-2zM4 22h1v1h-1zM6 22h3v1h-3zM10 22h1v1h-1zM12 22h3v1h-3zM16 22h1v1h-1zM20 22h1v1h-1zM24 22h1v1h-1zM4 23h1v1h-1zM10 23h1v1h-1zM12 23h1v1h-1zM14 23h1v1h-1zM18 23h1v1h-1zM22 23h1v1h-1zM4 24h7v1h-7zM16 24h1v1h-1zM18 24h1v1h-1zM20 24h1v1h-1zM22 24h1v1h-1zM24 24h1v1h-1z"/></svg>"`,
    );
  });

  test("modules as units, the design's size as size", () => {
    const svg = render(loads.A, { sizePx: 500 });
    expect(svg).toContain('width="500" height="500" viewBox="0 0 41 41"');
    expect(pathsOf(svg)).toHaveLength(1);
  });

  test("one path per colour", () => {
    const svg = render(loads.A, { backgroundColor: "#ffffff", eyeColor: "#cc0000" });
    const fills = [...svg.matchAll(/fill="([^"]+)"/gu)].map((m) => m[1]);
    expect(fills).toEqual(["#ffffff", "#111111", "#cc0000"]);
  });

  test("the runs are exactly the dark modules", () => {
    const matrix = encodeQr(loads.A);
    const drawn = new Set<string>();
    for (const [, x, y, length] of (pathsOf(render(loads.A))[0] ?? "").matchAll(
      /M(\d+) (\d+)h(\d+)v1h-\d+z/gu,
    )) {
      for (let i = 0; i < Number(length); i += 1)
        drawn.add(`${Number(x) + i - 4} ${Number(y) - 4}`);
    }
    for (let y = 0; y < matrix.size; y += 1) {
      for (let x = 0; x < matrix.size; x += 1) {
        expect(drawn.has(`${x} ${y}`)).toBe(isDark(matrix, x, y));
      }
    }
  });

  test("small", () => {
    expect(render(loads.A).length).toBeLessThan(6000);
  });
});

describe("every pattern with every eye style", () => {
  const styles = patterns.flatMap((pattern) =>
    eyeStyles.map((eyeStyle) => ({ pattern, eyeStyle })),
  );

  test.each(styles)(
    "$pattern $eyeStyle: same bytes twice, nothing that renderers differ in",
    (style) => {
      const svg = render(loads.A, { ...style, eyeColor: "#aa0000" });
      expect(render(loads.A, { ...style, eyeColor: "#aa0000" })).toBe(svg);
      expect(svg).not.toMatch(
        /<text|clip-path|<use|filter|<style|url\(|http(?!:\/\/www\.w3\.org\/2000\/svg")/u,
      );
      expect(svg).not.toMatch(/\d\.\d{4}|NaN|undefined|Infinity|e-\d/u);
      expect(pathsOf(svg)).toHaveLength(2);
    },
  );

  test.each(styles)("$pattern $eyeStyle: dark and light where the code is", async (style) => {
    const matrix = encodeQr(loads.A);
    const image = await rasterizeSvg(
      render(loads.A, { ...style, backgroundColor: "#fff", sizePx: 41 * 12 }),
    );
    let wrong = 0;
    for (let y = 0; y < matrix.size; y += 1) {
      for (let x = 0; x < matrix.size; x += 1) {
        const [red] = pixelAt(image, (x + 4) * 12 + 6, (y + 4) * 12 + 6);
        if (red < 128 !== isDark(matrix, x, y)) wrong += 1;
      }
    }
    // Rounded eyes lose the module at their corners.
    expect(wrong).toBeLessThanOrEqual({ Square: 0, Rounded: 12, Drop: 9, Leaf: 6 }[style.eyeStyle]);
  });

  test("ink coverage of the patterns as measured for reading", async () => {
    const coverage: Record<string, number> = {};
    for (const pattern of patterns) {
      const matrix = encodeQr(loads.A);
      const image = await rasterizeSvg(
        render(loads.A, { pattern, backgroundColor: "#fff", sizePx: 41 * 20 }),
      );
      let [ink, modules] = [0, 0];
      for (let y = 9; y < matrix.size - 8; y += 1) {
        for (let x = 9; x < matrix.size - 9; x += 1) {
          // Alone among light neighbours, so that only its own ink is counted.
          const alone = [
            [-1, 0],
            [1, 0],
            [0, -1],
            [0, 1],
            [-1, -1],
            [1, 1],
            [-1, 1],
            [1, -1],
          ].every(([dx, dy]) => !isDark(matrix, x + (dx as number), y + (dy as number)));
          if (!isDark(matrix, x, y) || !alone) continue;
          modules += 1;
          for (let py = -10; py < 30; py += 1) {
            for (let px = -10; px < 30; px += 1) {
              const [red] = pixelAt(image, (x + 4) * 20 + px, (y + 4) * 20 + py);
              ink += (255 - red) / 238 / 400;
            }
          }
        }
      }
      coverage[pattern] = ink / modules;
    }
    expect(coverage["Original"]).toBeCloseTo(1, 1);
    expect(coverage["Squares"]).toBeCloseTo(0.85, 1);
    expect(coverage["Circles"]).toBeCloseTo(0.79, 1);
    expect(coverage["Diamonds"]).toBeCloseTo(0.77, 1);
    expect(coverage["Triangles"]).toBeCloseTo(0.85, 1);
  });
});
