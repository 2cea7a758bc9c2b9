import { afterAll, beforeAll, describe, expect, test } from "vitest";

import type { QrDecoder } from "../../src/qr/read/decode.ts";
import {
  type Design,
  type DesignInput,
  eyeStyles,
  patterns,
  resolveDesign,
} from "../../src/qr/draw/design.ts";
import { writeRgbaPng } from "../../src/qr/png/png-file.ts";
import { layOnWhite, readPlainPng, readPng } from "../../src/qr/read/png-read.ts";
import { renderPng } from "../../src/qr/png/png.ts";
import { StampLayers } from "../../src/qr/png/stamped-png.ts";
import { openTextShaper, type TextShaper } from "../../src/qr/draw/text.ts";
import { fonts } from "./fonts.ts";
import { blankImage, pixelAt } from "./images.ts";
import { loads, seededRandom } from "./payloads.ts";
import { openTestDecoder } from "./zxing.ts";

let shaper: TextShaper;
let decoder: QrDecoder;
beforeAll(async () => {
  shaper = await openTextShaper({ fonts });
  decoder = await openTestDecoder();
});
afterAll(() => shaper.close());

/** Largest difference of a channel between the stamped and the whole render, on white. */
async function difference(text: string, design: Design, widthPx: number): Promise<number> {
  const stamped = await renderPng(text, design, { widthPx, shaper, layers: new StampLayers() });
  // 3 is the colour type of a palette: the stamps were taken.
  expect(stamped[25]).toBe(3);
  const ours = layOnWhite(readPng(stamped));
  const whole = layOnWhite(readPng(await renderPng(text, design, { widthPx, shaper })));
  expect([ours.width, ours.height]).toEqual([whole.width, whole.height]);
  let most = 0;
  for (let i = 0; i < ours.data.length; i += 1) {
    most = Math.max(most, Math.abs((ours.data[i] as number) - (whole.data[i] as number)));
  }
  return most;
}

const STEP = 17;
const styles = patterns.flatMap((pattern, i) =>
  (
    [
      ["card", "#ffffff"],
      ["burst", null],
      [null, "#fff3e0"],
    ] as const
  ).map(([frame, backgroundColor], j): DesignInput => ({
    pattern,
    // A plain code takes another path.
    eyeStyle: eyeStyles[1 + ((i + j) % 3)] ?? "Leaf",
    frame,
    backgroundColor,
    text: frame === "card" ? "Scan me" : "",
    primaryColor: "#1a237e",
    eyeColor: "#aa0000",
    frameColor: "#00695c",
  })),
);

describe("stamps against the whole render", () => {
  test.each(styles)("$pattern, $eyeStyle, $frame on $backgroundColor", async (style) => {
    const design = resolveDesign(style);
    expect(await difference(loads.A, design, 517)).toBeLessThanOrEqual(STEP);
  });

  test("several sizes and versions", async () => {
    const design = resolveDesign({
      pattern: "Circles",
      frame: "round-frame",
      backgroundColor: "#fff",
    });
    for (const [load, widthPx] of [
      ["A", 220],
      ["B", 700],
      ["C", 401],
    ] as const) {
      expect(await difference(loads[load], design, widthPx)).toBeLessThanOrEqual(STEP);
    }
  });

  test("modules in the colour of their ground", async () => {
    const same = { primaryColor: "#747390", backgroundColor: "#747390", eyeColor: "#f9bdbf" };
    const design = resolveDesign({ ...same, pattern: "Circles", frameColor: "#89fa6f" });
    expect(await difference(loads.A, design, 330)).toBeLessThanOrEqual(STEP);
  });

  test("a frame of upright edges smears nothing, however wide the picture", async () => {
    const style = {
      pattern: "Circles",
      eyeStyle: "Leaf",
      eyeColor: "#aa0000",
      frame: "square",
    } as const;
    const layers = new StampLayers();
    const image = readPng(
      await renderPng(loads.A, resolveDesign(style), { widthPx: 2943, layers }),
    );
    // A line between the code and its frame.
    const alphas = Array.from({ length: 2400 }, (_, at) => pixelAt(image, 270 + at, 2700)[3]);
    expect(Math.max(...alphas)).toBe(0);
  });

  test("with a logo of few colours", async () => {
    const logo = writeRgbaPng(blankImage(50, 50, [230, 0, 60, 255]));
    for (const logoRound of [false, true]) {
      const design = resolveDesign({
        logo,
        logoRound,
        backgroundColor: "#ffffff",
        pattern: "Squares",
      });
      expect(await difference(loads.A, design, 600)).toBeLessThanOrEqual(STEP);
    }
  });

  test("a photograph as logo takes the whole render", async () => {
    const random = seededRandom(5);
    const noise = blankImage(200, 200, [0, 0, 0, 255]);
    for (let i = 0; i < noise.data.length; i += 1) if (i % 4 < 3) noise.data[i] = random() * 256;
    const design = resolveDesign({ logo: writeRgbaPng(noise), backgroundColor: "#ffffff" });
    const png = await renderPng(loads.A, design, { widthPx: 800, layers: new StampLayers() });
    expect(png[25]).not.toBe(3);
    expect((await decoder.decode(readPlainPng(png)))[0]?.text).toBe(loads.A);
  });
});

describe("layers", () => {
  const design = resolveDesign({ pattern: "Circles", text: "Scan me", backgroundColor: "#ffffff" });

  test("one layer serves all codes of a version; each shows its own text", async () => {
    const layers = new StampLayers();
    const texts = Array.from({ length: 12 }, (_, i) => `https://example.com/${1000 + i}`);
    const files = await Promise.all(
      texts.map((text) => renderPng(text, design, { widthPx: 300, layers, shaper })),
    );
    const once = layers.bytes;
    for (const [i, file] of files.entries()) {
      expect((await decoder.decode(readPlainPng(file)))[0]?.text).toBe(texts[i]);
    }
    await renderPng("https://example.com/9999", design, { widthPx: 300, layers, shaper });
    expect(layers.bytes).toBe(once);
    // A byte a pixel at most, and the stamps.
    const { width, height } = readPng(files[0] as Uint8Array);
    expect(once / (width * height)).toBeGreaterThan(1);
    expect(once / (width * height)).toBeLessThan(1.1);
  });

  test("what changes the picture changes the layer", async () => {
    const layers = new StampLayers();
    const variants: Design[] = [
      design,
      { ...design, text: "Other" },
      { ...design, eyeColor: "#aa0000" },
      { ...design, backgroundColor: "#ffffee" },
      { ...design, hasBorder: true },
    ];
    const files = [];
    for (const variant of variants) {
      files.push(await renderPng("same text", variant, { widthPx: 300, layers, shaper }));
    }
    const seen = new Set(files.map((file) => Buffer.from(readPng(file).data).toString("latin1")));
    expect(seen.size).toBe(variants.length);
    for (const [i, variant] of variants.entries()) {
      const again = await renderPng("same text", variant, { widthPx: 300, layers, shaper });
      expect(Buffer.from(again).equals(files[i] as Uint8Array)).toBe(true);
    }
  });

  test("memory is bounded: the least recently used goes first", async () => {
    const layers = new StampLayers(250_000);
    for (let i = 0; i < 8; i += 1) {
      await renderPng(
        "bounded",
        { ...design, text: `Label ${i}` },
        { widthPx: 300, layers, shaper },
      );
      expect(layers.bytes).toBeLessThanOrEqual(250_000);
    }
    expect(layers.bytes).toBeGreaterThan(0);
  });

  test("a design that can't be drawn fails every time, and is not kept", async () => {
    const layers = new StampLayers();
    for (let i = 0; i < 2; i += 1) {
      const drawn = renderPng("x", { ...design, text: "漢字" }, { widthPx: 300, layers, shaper });
      await expect(drawn).rejects.toMatchObject({ code: "design-invalid" });
    }
    expect(layers.bytes).toBe(0);
  });
});
