import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { drawContactSheet } from "../../src/qr/draw/contact-sheet.ts";
import type { QrDecoder } from "../../src/qr/read/decode.ts";
import { frameNames, resolveDesign } from "../../src/qr/draw/design.ts";
import { openQrEngine } from "../../src/qr/engine.ts";
import { rasterizeSvg, rasterizeSvgToPalettePng } from "../../src/qr/png/raster.ts";
import { readPlainPng } from "../../src/qr/read/png-read.ts";
import { openTextShaper, type TextShaper } from "../../src/qr/draw/text.ts";
import { fonts } from "./fonts.ts";
import { refusalOf } from "./refusal.ts";
import { openTestDecoder } from "./zxing.ts";

let shaper: TextShaper;
let decoder: QrDecoder;
beforeAll(async () => {
  shaper = await openTextShaper({ fonts });
  decoder = await openTestDecoder();
});
afterAll(() => shaper.close());

const cellOf = (caption: string, text = `https://example.com/${caption}`) => ({
  caption,
  text,
  design: resolveDesign({ backgroundColor: "#ffffff" }),
});

const sizeOf = (count: number, columns: number) => {
  const cells = Array.from({ length: count }, (_, i) => cellOf(String(i)));
  const svg = drawContactSheet(cells, { columns, cellPx: 100 }, shaper);
  return /^<svg [^>]*width="(\d+)" height="(\d+)"/u.exec(svg)?.slice(1).map(Number);
};

describe("a contact sheet", () => {
  test("holds one readable code per cell, each in its place", async () => {
    const cells = frameNames.map((frame) => ({
      ...cellOf(frame),
      design: resolveDesign({ frame, backgroundColor: "#ffffff" }),
    }));
    const image = await rasterizeSvg(drawContactSheet(cells, { columns: 4, cellPx: 240 }, shaper));
    expect(image.width).toBe(14 + 4 * 254);
    const found = await decoder.decode(image);
    const step = { x: 254, y: 280 };
    const names = found.map(({ text, x, y, width, height }) => {
      const column = Math.floor((x + width / 2 - 14) / step.x);
      const row = Math.floor((y + height / 2 - 14) / step.y);
      return [text.replace("https://example.com/", ""), row * 4 + column] as const;
    });
    expect(new Map(names)).toEqual(new Map(frameNames.map((name, i) => [name, i])));
  });

  test("is no wider than its codes, and has rows enough for all", () => {
    expect(sizeOf(2, 5)).toEqual([14 + 2 * 114, 14 + 140]);
    expect(sizeOf(5, 2)).toEqual([14 + 2 * 114, 14 + 3 * 140]);
  });

  test("writes captions as outlines and makes long ones smaller", () => {
    const svg = drawContactSheet([cellOf("<b>&\"'")], { columns: 1 }, shaper);
    expect(svg).not.toMatch(/<text|<b>|&/u);
    const long = drawContactSheet([cellOf("w".repeat(60))], { columns: 1, cellPx: 120 }, shaper);
    const caption = /fill="#444444" d="([^"]*)"/u.exec(long)?.[1] ?? "";
    const starts = [...caption.matchAll(/M(-?[\d.]+)/gu)].map(([, x]) => Number(x));
    expect(Math.min(...starts)).toBeGreaterThanOrEqual(14);
    expect(Math.max(...starts)).toBeLessThanOrEqual(134);
  });

  test("refuses a caption that no font can write", () => {
    expect(
      refusalOf(() => drawContactSheet([cellOf("\u{1f389}")], { columns: 1 }, shaper)).message,
    ).toContain("caption");
  });

  test("needs an engine with fonts", async () => {
    const engine = await openQrEngine();
    expect(() => engine.contactSheet([cellOf("x")], { columns: 1 })).toThrow(/font/u);
  });

  test("as a PNG of few colours reads as well", async () => {
    const svg = drawContactSheet([cellOf("one"), cellOf("two")], { columns: 2 }, shaper);
    const png = await rasterizeSvgToPalettePng(svg);
    expect(png.length).toBeLessThan(40_000);
    expect(await decoder.decode(readPlainPng(png))).toHaveLength(2);
  });
});
