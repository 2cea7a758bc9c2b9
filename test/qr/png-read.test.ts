import { deflateSync } from "node:zlib";

import { assert, integer, property, uint8Array } from "../help/property.ts";
import sharp, { type Sharp } from "sharp";
import { describe, expect, test } from "vitest";

import { AppError } from "../../src/base/errors.ts";
import { resolveDesign } from "../../src/qr/draw/design.ts";
import { type Chunk, headerChunk, toPngFile, writeRgbaPng } from "../../src/qr/png/png-file.ts";
import { readPlainPng, readPng } from "../../src/qr/read/png-read.ts";
import { renderPng } from "../../src/qr/png/png.ts";
import { pixelAt } from "./images.ts";
import { refusalOf } from "./refusal.ts";

interface Raw {
  readonly width: number;
  readonly height: number;
  readonly depth: number;
  readonly type: number;
  /** Filter bytes included. */
  readonly rows: readonly number[];
  readonly extra?: readonly Chunk[];
}

function toPng({ width, height, depth, type, rows, extra = [] }: Raw): Uint8Array {
  return toPngFile([
    headerChunk({ widthPx: width, heightPx: height, bitDepth: depth, colorType: type }),
    ...extra,
    { type: "IDAT", data: deflateSync(Uint8Array.from(rows)) },
  ]);
}

const chunk = (type: string, ...data: number[]): Chunk => ({ type, data: Uint8Array.from(data) });

function refusal(file: Uint8Array): string {
  const { code, message } = refusalOf(() => readPlainPng(file));
  expect(code).toBe("verify-failed");
  return message;
}

describe("readPng", () => {
  test("grey of 1, 2, 4 and 8 bits", () => {
    const values: [number, number[], number[]][] = [
      [1, [0, 0b1010_0000], [255, 0, 255]],
      [2, [0, 0b0001_1000], [0, 85, 170]],
      [4, [0, 0x0f, 0x80], [0, 255, 136]],
      [8, [0, 1, 2, 250], [1, 2, 250]],
    ];
    for (const [depth, rows, expected] of values) {
      const image = readPng(toPng({ width: 3, height: 1, depth, type: 0, rows }));
      expect([0, 1, 2].map((x) => pixelAt(image, x, 0)[0])).toEqual(expected);
    }
  });

  test("palette with transparency, grey with a transparent value", () => {
    const extra = [chunk("PLTE", 255, 0, 0, 0, 0, 255), chunk("tRNS", 128)];
    const palette = toPng({
      width: 2,
      height: 1,
      depth: 1,
      type: 3,
      rows: [0, 0b0100_0000],
      extra,
    });
    expect(pixelAt(readPng(palette), 0, 0)).toEqual([255, 0, 0, 128]);
    expect(pixelAt(readPng(palette), 1, 0)).toEqual([0, 0, 255, 255]);
    expect(pixelAt(readPlainPng(palette), 0, 0)).toEqual([255, 127, 127, 255]);
    const grey = toPng({
      width: 2,
      height: 1,
      depth: 8,
      type: 0,
      rows: [0, 9, 10],
      extra: [chunk("tRNS", 0, 9)],
    });
    expect(pixelAt(readPng(grey), 0, 0)[3]).toBe(0);
    expect(pixelAt(readPng(grey), 1, 0)[3]).toBe(255);
  });

  test("RGB, RGBA, grey with alpha", () => {
    const rgb = toPng({ width: 1, height: 1, depth: 8, type: 2, rows: [0, 1, 2, 3] });
    expect(pixelAt(readPng(rgb), 0, 0)).toEqual([1, 2, 3, 255]);
    const rgba = toPng({ width: 1, height: 1, depth: 8, type: 6, rows: [0, 1, 2, 3, 0] });
    expect(pixelAt(readPng(rgba), 0, 0)).toEqual([1, 2, 3, 0]);
    expect(pixelAt(readPlainPng(rgba), 0, 0)).toEqual([255, 255, 255, 255]);
    const greyAlpha = toPng({ width: 1, height: 1, depth: 8, type: 4, rows: [0, 100, 255] });
    expect(pixelAt(readPng(greyAlpha), 0, 0)).toEqual([100, 100, 100, 255]);
  });

  test("all five filters", () => {
    // Five rows of two pixels; each adds 10 to what its filter expects.
    const rows = [0, 10, 10, 1, 10, 10, 2, 10, 10, 3, 10, 10, 4, 10, 10];
    const image = readPng(toPng({ width: 2, height: 5, depth: 8, type: 0, rows }));
    const seen = [0, 1, 2, 3, 4].map((y) => [pixelAt(image, 0, y)[0], pixelAt(image, 1, y)[0]]);
    expect(seen).toEqual([
      [10, 10],
      [10, 20],
      [20, 30],
      [20, 35],
      [30, 45],
    ]);
  });

  test("what writeRgbaPng writes comes back", () => {
    assert(
      property(
        integer({ min: 1, max: 9 }),
        integer({ min: 1, max: 9 }),
        uint8Array({ minLength: 324, maxLength: 324 }),
        (width, height, noise) => {
          const data = noise.subarray(0, width * height * 4);
          const image = readPng(writeRgbaPng({ data, width, height }));
          expect([image.width, image.height]).toEqual([width, height]);
          expect(Buffer.from(image.data).equals(data)).toBe(true);
        },
      ),
    );
  });
});

describe("against another library's files", () => {
  const pixels = Uint8Array.from(
    { length: 37 * 23 * 4 },
    (_, i) => (i * i * 31 + (i >> 3) * 7) & 255,
  );
  const source = () => sharp(pixels, { raw: { width: 37, height: 23, channels: 4 } });

  test.each([
    ["RGBA", (image: Sharp) => image],
    ["RGB", (image: Sharp) => image.removeAlpha()],
    ["grey", (image: Sharp) => image.removeAlpha().greyscale()],
    ["grey with alpha", (image: Sharp) => image.greyscale()],
  ])("%s, with and without adaptive filters", async (_, convert) => {
    for (const adaptiveFiltering of [false, true]) {
      const file = await convert(source()).png({ adaptiveFiltering }).toBuffer();
      const expected = await sharp(file).toColourspace("srgb").ensureAlpha().raw().toBuffer();
      expect(Buffer.from(readPng(file).data).equals(expected)).toBe(true);
    }
  });

  test.each([2, 4, 16, 200])("palette of %i colours", async (colours) => {
    const file = await source().png({ palette: true, colours }).toBuffer();
    const expected = await sharp(file).ensureAlpha().raw().toBuffer();
    expect(Buffer.from(readPng(file).data).equals(expected)).toBe(true);
  });

  test("sharp reads ours", async () => {
    const file = writeRgbaPng({ data: pixels, width: 37, height: 23 });
    expect((await sharp(file).raw().toBuffer()).equals(pixels)).toBe(true);
    const plain = await renderPng("both", resolveDesign({ eyeColor: "#cc0000" }));
    const theirs = await sharp(plain).ensureAlpha().raw().toBuffer();
    const ours = Buffer.from(readPng(plain).data);
    let differing = 0;
    // Where nothing is to be seen, the colour does not matter.
    for (let at = 0; at < ours.length; at += 4) {
      const isClear = ours[at + 3] === 0 && theirs[at + 3] === 0;
      if (!isClear && ours.readUInt32LE(at) !== theirs.readUInt32LE(at)) differing += 1;
    }
    expect(differing).toBe(0);
  });

  test("interlaced files are refused, not misread", async () => {
    expect(refusal(await source().png({ progressive: true }).toBuffer())).toContain("interlacing");
  });

  test("16-bit files are refused, not misread", async () => {
    const file = await source().toColourspace("rgb16").png().toBuffer();
    expect(refusal(file)).toContain("16 bits");
  });
});

describe("damage", () => {
  const good = renderPng("damage", resolveDesign());

  test("every flipped byte is noticed", async () => {
    const file = await good;
    for (let at = 0; at < file.length; at += 1) {
      const bad = file.slice();
      bad[at] = (bad[at] as number) ^ 0x10;
      expect(() => readPlainPng(bad)).toThrow(AppError);
    }
  });

  test("every cut is noticed", async () => {
    const file = await good;
    for (let length = 0; length < file.length; length += 1) {
      expect(() => readPlainPng(file.subarray(0, length))).toThrow(AppError);
    }
  });

  test("bytes after the end", async () => {
    const file = await good;
    expect(refusal(Buffer.concat([file, Uint8Array.of(0)]))).toContain("1 bytes more");
  });

  test("too many rows, too few rows", () => {
    const rows = [0, 1, 0, 1];
    expect(refusal(toPng({ width: 1, height: 3, depth: 8, type: 0, rows }))).toContain("6 bytes");
    expect(refusal(toPng({ width: 1, height: 1, depth: 8, type: 0, rows }))).toContain("inflate");
  });

  test("a filter that does not exist, a colour outside the palette, a palette that is missing", () => {
    expect(refusal(toPng({ width: 1, height: 1, depth: 8, type: 0, rows: [5, 1] }))).toContain(
      "got 5",
    );
    const extra = [chunk("PLTE", 1, 2, 3)];
    expect(
      refusal(toPng({ width: 1, height: 1, depth: 8, type: 3, rows: [0, 1], extra })),
    ).toContain("pixel 0, 0");
    expect(refusal(toPng({ width: 1, height: 1, depth: 8, type: 3, rows: [0, 0] }))).toContain(
      "PLTE",
    );
  });

  test("kinds that it does not read are named", () => {
    expect(refusal(toPng({ width: 1, height: 1, depth: 16, type: 0, rows: [0, 0, 0] }))).toContain(
      "16 bits",
    );
    const interlaced = headerChunk({ widthPx: 1, heightPx: 1, bitDepth: 8, colorType: 0 });
    interlaced.data[12] = 1;
    expect(refusal(toPngFile([interlaced]))).toContain("interlacing");
    const extra = [chunk("tRNS", 0, 1, 0, 1, 0, 1)];
    expect(
      refusal(toPng({ width: 1, height: 1, depth: 8, type: 2, rows: [0, 1, 1, 1], extra })),
    ).toContain("transparent");
  });

  test("a huge image is refused before it is inflated", () => {
    expect(
      refusal(toPng({ width: 60_000, height: 60_000, depth: 1, type: 0, rows: [0] })),
    ).toContain("60000 x 60000");
    expect(() =>
      readPlainPng(toPng({ width: 2, height: 1, depth: 8, type: 0, rows: [0, 1, 1] }), {
        maxPixels: 1,
      }),
    ).toThrow(AppError);
  });

  test("other files", () => {
    for (const text of ["", "GIF89a", "<svg/>", "\u0089PNG"]) {
      expect(refusal(Buffer.from(text, "latin1"))).toContain("signature");
    }
  });
});
