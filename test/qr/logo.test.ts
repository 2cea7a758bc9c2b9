import sharp from "sharp";
import { beforeAll, describe, expect, test } from "vitest";

import type { QrDecoder } from "../../src/qr/read/decode.ts";
import { type DesignInput, resolveDesign } from "../../src/qr/draw/design.ts";
import { drawCode } from "../../src/qr/draw/drawing.ts";
import { writeRgbaPng } from "../../src/qr/png/png-file.ts";
import { readPlainPng } from "../../src/qr/read/png-read.ts";
import { renderPng } from "../../src/qr/png/png.ts";
import { rasterizeSvg } from "../../src/qr/png/raster.ts";
import { renderSvg, toSvg, wholeView } from "../../src/qr/draw/svg.ts";
import { cameras, photograph } from "./camera.ts";
import { blankImage, pixelAt } from "./images.ts";
import { isEveryCase } from "../help/every-pair.ts";
import { loads } from "./payloads.ts";
import { refusalOf } from "./refusal.ts";
import { openTestDecoder } from "./zxing.ts";

const RED = [255, 0, 0, 255] as const;
const logoOf = (width: number, height: number): Uint8Array =>
  writeRgbaPng(blankImage(width, height, RED));

let decoder: QrDecoder;
beforeAll(async () => {
  decoder = await openTestDecoder();
});

const design = (input: DesignInput) => resolveDesign({ backgroundColor: "#ffffff", ...input });

describe("logo", () => {
  test("raises the version to 5, no further than needed", () => {
    const logo = logoOf(60, 60);
    expect(drawCode("x", design({ logo })).matrix).toMatchObject({ version: 5, level: "H" });
    expect(drawCode("x", design({ logo, errorCorrection: "L" })).matrix).toMatchObject({
      version: 5,
      level: "L",
    });
    expect(drawCode(loads.B, design({ logo })).matrix.version).toBe(
      drawCode(loads.B, design({ errorCorrection: "H" })).matrix.version,
    );
  });

  test("raises the version further for a long thin one", () => {
    const { matrix } = drawCode("x", design({ logo: logoOf(400, 30) }));
    expect(matrix.version).toBeGreaterThan(5);
  });

  test("nothing is drawn under it, and it stands in the middle", async () => {
    const svg = renderSvg(loads.A, design({ logo: logoOf(40, 40), sizePx: 450 }));
    expect(svg).toMatch(
      /<image x="[\d.]+" y="[\d.]+" width="[\d.]+" height="[\d.]+" href="data:image\/png;base64,/u,
    );
    const { width } = drawCode(loads.A, design({ logo: logoOf(40, 40) }));
    const image = await rasterizeSvg(
      svg.replace(/width="450" height="450"/u, 'width="900" height="900"'),
    );
    let [left, right, top, bottom] = [900, 0, 900, 0];
    for (let y = 0; y < 900; y += 1) {
      for (let x = 0; x < 900; x += 1) {
        const [r, g] = pixelAt(image, x, y);
        if (r < 200 || g > 100) continue;
        [left, right] = [Math.min(left, x), Math.max(right, x)];
        [top, bottom] = [Math.min(top, y), Math.max(bottom, y)];
      }
    }
    expect((left + right) / 2).toBeCloseTo(449.5, -0.5);
    expect((top + bottom) / 2).toBeCloseTo(449.5, -0.5);
    const around = ((right - left) / 900) * width;
    expect(around).toBeGreaterThan(8);
  });

  test("round: a circle, transparent outside, cut from the middle of any shape", async () => {
    const svg = renderSvg(loads.A, design({ logo: logoOf(80, 40), logoRound: true }));
    const href = /base64,([^"]+)"/u.exec(svg)?.[1] ?? "";
    const { data, info } = await sharp(Buffer.from(href, "base64"))
      .raw()
      .toBuffer({ resolveWithObject: true });
    expect([info.width, info.height]).toEqual([40, 40]);
    const image = { data, width: 40, height: 40 };
    expect(pixelAt(image, 0, 0)[3]).toBe(0);
    expect(pixelAt(image, 39, 39)[3]).toBe(0);
    expect(pixelAt(image, 20, 1)[3]).toBe(255);
    expect(pixelAt(image, 20, 20)).toEqual([...RED]);
  });

  test.each([
    ["A", "H", false],
    ["A", "Q", true],
    ["A", "M", false],
    ["A", "L", true],
    ["B", "H", true],
    ["B", "M", false],
    ["C", "H", false],
    ["C", "Q", false],
  ] as const)("load %s at %s, round %s, reads", async (load, errorCorrection, logoRound) => {
    const logo = logoOf(120, 120);
    for (const pattern of ["Original", "Triangles"] as const) {
      const input = { logo, logoRound, errorCorrection, pattern, eyeStyle: "Leaf" } as const;
      const png = await renderPng(loads[load], design(input), { widthPx: 500 });
      const [code] = await decoder.decode(readPlainPng(png));
      expect(code?.text).toBe(loads[load]);
    }
  });

  test("a logo that no code bears is refused with the shape and the way out", () => {
    const error = refusalOf(() => drawCode("x", design({ logo: logoOf(1000, 4) })));
    expect(error).toMatchObject({ code: "design-invalid", where: { field: "logo" } });
    expect(error.message).toContain("250.00");
    expect(error.hint).toContain("less long");
  });

  test("bytes that are no PNG are refused", () => {
    const error = refusalOf(() => drawCode("x", design({ logo: Uint8Array.of(1, 2, 3) })));
    expect(error).toMatchObject({ code: "design-invalid", where: { field: "logo" } });
  });

  test("codes with the largest logos allowed read through a mild camera", async () => {
    const unread: string[] = [];
    const logo = logoOf(100, 100);
    for (const [at, errorCorrection] of (["H", "Q", "M"] as const).entries()) {
      for (const logoRound of [false, true]) {
        for (const [which, text] of Object.values(loads).entries()) {
          // Every day each load at two levels, once round and once not.
          if (!isEveryCase && (at + Number(logoRound) + which) % 3 !== 0) continue;
          const drawing = drawCode(text, design({ logo, logoRound, errorCorrection }));
          const image = await rasterizeSvg(toSvg(drawing, wholeView(drawing, drawing.width * 8)));
          const photo = photograph(image, 8, cameras.mild);
          const [code] = await decoder.decode(photo, { max: 1 });
          if (code?.text !== text) unread.push(`${errorCorrection} ${logoRound} ${text}`);
        }
      }
    }
    expect(unread).toEqual([]);
  });
});
