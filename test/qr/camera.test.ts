import { beforeAll, describe, expect, test } from "vitest";

import type { PixelImage, QrDecoder } from "../../src/qr/read/decode.ts";
import { eyeStyles, type PatternName, patterns, resolveDesign } from "../../src/qr/draw/design.ts";
import { rasterizeSvg } from "../../src/qr/png/raster.ts";
import { drawCode } from "../../src/qr/draw/drawing.ts";
import { toSvg, wholeView } from "../../src/qr/draw/svg.ts";
import { type Camera, cameras, photograph } from "./camera.ts";
import { blankImage, pixelAt } from "./images.ts";
import { loads } from "./payloads.ts";
import { openTestDecoder } from "./zxing.ts";

const PITCH = 8;
const isLong = process.env["LONG"] === "1";

describe("the simulated camera", () => {
  const still: Camera = {
    ...cameras.mild,
    turnDegrees: 0,
    perspective: 0,
    blurPx: 0.01,
    falloff: 0,
    noise: 0,
  };

  test("the same seed takes the same picture", () => {
    const page = blankImage(20, 20, [200, 100, 0, 255]);
    const first = photograph(page, 4, cameras.hard, 7);
    expect(photograph(page, 4, cameras.hard, 7)).toEqual(first);
    expect(photograph(page, 4, cameras.hard, 8)).not.toEqual(first);
  });

  test("white becomes a grey page's white, the table around it 215", () => {
    const photo = photograph(blankImage(40, 40, [255, 255, 255, 255]), 4, still);
    const middle = Math.floor(photo.width / 2);
    expect(pixelAt(photo, middle, middle)[0]).toBeCloseTo(255 * 0.9 + 12, -0.5);
    expect(pixelAt(photo, 0, 0)[0]).toBeCloseTo(215 * 0.9 + 12, -0.5);
  });

  test("transparent pixels show white paper", () => {
    const photo = photograph(blankImage(40, 40, [0, 0, 0, 0]), 4, still);
    const middle = Math.floor(photo.width / 2);
    expect(pixelAt(photo, middle, middle)[0]).toBeGreaterThan(235);
  });

  test("light falls off to the right", () => {
    const photo = photograph(blankImage(60, 60, [255, 255, 255, 255]), 4, {
      ...still,
      falloff: 0.4,
    });
    const row = Math.floor(photo.height / 2);
    expect(pixelAt(photo, 20, row)[0]).toBeGreaterThan(
      pixelAt(photo, photo.width - 20, row)[0] + 30,
    );
  });
});

async function draw(
  pattern: PatternName,
  eyeStyle: (typeof eyeStyles)[number],
  text: string,
): Promise<PixelImage> {
  const design = resolveDesign({
    pattern,
    eyeStyle,
    backgroundColor: "#ffffff",
    primaryColor: "#000000",
  });
  const drawing = drawCode(text, design);
  return rasterizeSvg(toSvg(drawing, wholeView(drawing, drawing.width * PITCH)));
}

describe("patterns of default size, photographed hard", () => {
  let decoder: QrDecoder;
  beforeAll(async () => {
    decoder = await openTestDecoder();
  });

  test.runIf(isLong)("each reads as often as whole modules", async () => {
    const read: Record<string, number> = {};
    for (const pattern of patterns) {
      let count = 0;
      for (const eyeStyle of eyeStyles) {
        for (let i = 0; i < 12; i += 1) {
          const text = `${Object.values(loads)[i % 3]}${i}`;
          const photo = photograph(await draw(pattern, eyeStyle, text), PITCH, cameras.hard, i);
          const [code] = await decoder.decode(photo, { max: 1 });
          if (code?.text === text) count += 1;
        }
      }
      read[pattern] = count;
    }
    const least = Math.min(...Object.values(read));
    // 48 codes each; three more or less are the noise of the simulation.
    expect(least, JSON.stringify(read)).toBeGreaterThanOrEqual((read["Original"] ?? 0) - 3);
    expect(least, JSON.stringify(read)).toBeGreaterThanOrEqual(36);
  });
});
