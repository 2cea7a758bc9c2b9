import { deflateSync, inflateSync } from "node:zlib";

import { beforeAll, describe, expect, test } from "vitest";

import { AppError } from "../../src/base/errors.ts";
import type { QrDecoder } from "../../src/qr/read/decode.ts";
import { type DesignInput, resolveDesign } from "../../src/qr/draw/design.ts";
import { encodeQr, isDark } from "../../src/qr/encode/encode.ts";
import { pitchWarning } from "../../src/qr/png/pixel-grid.ts";
import { toPngFile } from "../../src/qr/png/png-file.ts";
import { readPlainPng, readPng } from "../../src/qr/read/png-read.ts";
import { renderPng } from "../../src/qr/png/png.ts";
import { StampLayers } from "../../src/qr/png/stamped-png.ts";
import { pixelAt } from "./images.ts";
import { loads } from "./payloads.ts";
import { openTestDecoder } from "./zxing.ts";

const render = (text: string, input: DesignInput = {}, widthPx?: number): Promise<Uint8Array> =>
  renderPng(text, resolveDesign(input), { widthPx });

interface Parsed {
  readonly depth: number;
  readonly colorType: number;
  readonly types: readonly string[];
  readonly idat: Buffer;
}

function parse(png: Uint8Array): Parsed {
  const file = Buffer.from(png);
  const types: string[] = [];
  const parts: Buffer[] = [];
  for (let at = 8; at < file.length;) {
    const length = file.readUInt32BE(at);
    const type = file.toString("latin1", at + 4, at + 8);
    types.push(type);
    if (type === "IDAT") parts.push(file.subarray(at + 8, at + 8 + length));
    at += length + 12;
  }
  return { depth: file[24] ?? 0, colorType: file[25] ?? 0, types, idat: Buffer.concat(parts) };
}

describe("plain PNG", () => {
  let decoder: QrDecoder;
  beforeAll(async () => {
    decoder = await openTestDecoder();
  });

  test.each([82, 83, 84, 122, 123, 124, 220, 256, 999, 1000, 1001, 4001])(
    "is exactly %i pixels wide and high, every module on whole pixels",
    async (widthPx) => {
      const image = readPlainPng(await render(loads.A, {}, widthPx));
      expect([image.width, image.height]).toEqual([widthPx, widthPx]);
      const matrix = encodeQr(loads.A);
      const pitch = Math.floor(widthPx / 41);
      const left = Math.floor((widthPx - 41 * pitch) / 2) + 4 * pitch;
      let wrong = 0;
      for (let y = 0; y < widthPx; y += 1) {
        for (let x = 0; x < widthPx; x += 1) {
          const dark = isDark(
            matrix,
            Math.floor((x - left) / pitch),
            Math.floor((y - left) / pitch),
          );
          if ((image.data[(y * widthPx + x) * 4] as number) < 128 !== dark) wrong += 1;
        }
      }
      expect(wrong).toBe(0);
    },
  );

  test("zlib's file of the same rows has the same pixels", async () => {
    for (const [load, level, widthPx] of [
      ["A", "Q", 220],
      ["B", "Q", 777],
      ["C", "H", 1000],
    ] as const) {
      const png = await render(
        loads[load],
        { errorCorrection: level, eyeColor: "#cc0000" },
        widthPx,
      );
      const rows = inflateSync(parse(png).idat);
      const file = Buffer.from(png);
      const palette = file.indexOf("PLTE") + 4;
      const theirs = toPngFile([
        { type: "IHDR", data: file.subarray(16, 29) },
        { type: "PLTE", data: file.subarray(palette, palette + 9) },
        { type: "IDAT", data: deflateSync(rows) },
      ]);
      const [ours, zlibs] = [png, theirs].map((file) => Buffer.from(readPlainPng(file).data));
      expect(ours?.equals(zlibs ?? Buffer.alloc(0))).toBe(true);
    }
  });

  test("1-bit grey for black on white", async () => {
    const png = await render("grey", { primaryColor: "#000", backgroundColor: "#ffffff" });
    expect(parse(png)).toMatchObject({ depth: 1, colorType: 0, types: ["IHDR", "IDAT", "IEND"] });
  });

  test("1-bit palette for other colours; a transparent background is transparent", async () => {
    const png = await render("palette", { primaryColor: "#1a237e" });
    expect(parse(png)).toMatchObject({ depth: 1, colorType: 3 });
    expect(parse(png).types).toEqual(["IHDR", "PLTE", "tRNS", "IDAT", "IEND"]);
    const image = readPng(png);
    expect(pixelAt(image, 0, 0)[3]).toBe(0);
    // 29 modules at 7 pixels, 8 over on the left: the eye begins at 8 + 28.
    expect(pixelAt(image, 40, 40)).toEqual([0x1a, 0x23, 0x7e, 255]);
    expect(pixelAt(readPlainPng(png), 0, 0)).toEqual([255, 255, 255, 255]);
  });

  test("2-bit palette with an own eye colour", async () => {
    const png = await render(
      "eyes",
      { primaryColor: "#003300", eyeColor: "#cc0000", backgroundColor: "#ffffee" },
      29 * 4,
    );
    expect(parse(png)).toMatchObject({ depth: 2, colorType: 3 });
    const image = readPng(png);
    const matrix = encodeQr("eyes");
    for (let y = 0; y < 21; y += 1) {
      for (let x = 0; x < 21; x += 1) {
        const inEye = (x < 7 && (y < 7 || y > 13)) || (x > 13 && y < 7);
        const ink = inEye ? [0xcc, 0, 0, 255] : [0, 0x33, 0, 255];
        const expected = isDark(matrix, x, y) ? ink : [255, 255, 0xee, 255];
        expect(pixelAt(image, (x + 4) * 4 + 2, (y + 4) * 4 + 2)).toEqual(expected);
      }
    }
  });

  test("reads back, pure and searched for", async () => {
    for (const text of Object.values(loads)) {
      const image = readPlainPng(await render(text, {}, 400));
      for (const pure of [true, false]) {
        const codes = await decoder.decode(image, { pure });
        expect(codes.map((code) => code.text)).toEqual([text]);
      }
    }
  });

  test("is small", async () => {
    expect((await render(loads.A, {}, 1000)).length).toBeLessThan(3500);
  });

  test("small files show the same pixels", async () => {
    const designs = [
      {},
      { eyeColor: "#cc0000" },
      { pattern: "Circles" },
      { eyeStyle: "Leaf" },
    ] as const;
    for (const input of designs) {
      const options = { widthPx: 1000, layers: new StampLayers() };
      const fast = await renderPng(loads.A, resolveDesign(input), options);
      const small = await renderPng(loads.A, resolveDesign(input), {
        ...options,
        compression: "small",
      });
      expect(small.length).toBeLessThan(fast.length * 0.7);
      expect(Buffer.from(readPng(small).data).equals(Buffer.from(readPng(fast).data))).toBe(true);
    }
  });

  test("the design's size is the default", async () => {
    expect(readPlainPng(await render("size", { sizePx: 333 })).width).toBe(333);
  });

  test("less than 2 pixels a module is refused with the least size", async () => {
    const refused = render("x", {}, 57);
    await expect(refused).rejects.toThrow(AppError);
    await expect(refused).rejects.toMatchObject({
      code: "design-invalid",
      where: { field: "size" },
    });
    await expect(refused).rejects.toThrow(/58 to 5000 pixels.*got 57/u);
    expect(readPlainPng(await render("x", {}, 58)).width).toBe(58);
  });

  test.each([0, -5, 220.5, 5001, Number.NaN])("width %s is refused", async (widthPx) => {
    await expect(render("x", {}, widthPx)).rejects.toMatchObject({ code: "design-invalid" });
  });

  test("2 pixels a module bring a warning, 3 none", () => {
    expect(pitchWarning({ width: 41, height: 41 }, 122)).toContain("at least 123");
    expect(pitchWarning({ width: 41, height: 41 }, 123)).toBeUndefined();
  });
});
