import { beforeAll, describe, expect, test } from "vitest";

import type { PixelImage, QrDecoder } from "../../src/qr/read/decode.ts";
import { type DesignInput, resolveDesign } from "../../src/qr/draw/design.ts";
import { openTestEngine } from "./fonts.ts";
import { blankImage } from "./images.ts";
import { loads } from "./payloads.ts";
import { writeRgbaPng } from "../../src/qr/png/png-file.ts";
import { readPng } from "../../src/qr/read/png-read.ts";
import { readCodes } from "../../src/qr/read/read-code.ts";
import { openTestDecoder } from "./zxing.ts";

const engine = await openTestEngine();
let decoder: QrDecoder;
beforeAll(async () => {
  decoder = await openTestDecoder();
});

/** Counts the pixels that the decoder was given. */
function counting(): { decoder: QrDecoder; pixels: number[] } {
  const pixels: number[] = [];
  return {
    pixels,
    decoder: {
      ...decoder,
      decode: (image, options) => {
        pixels.push(image.width * image.height);
        return decoder.decode(image, options);
      },
      decodeGrey: (image, part, options) => {
        const { width, height } = part ?? image;
        pixels.push(width * height);
        return decoder.decodeGrey(image, part, options);
      },
    },
  };
}

const draw = (text: string, input: DesignInput, widthPx = 400): Promise<Uint8Array> =>
  engine.png(text, resolveDesign(input), { widthPx });

describe("readCodes", () => {
  test.each([
    ["black on white", { primaryColor: "#000", backgroundColor: "#fff" }],
    ["transparent", {}],
    ["red eyes", { eyeColor: "#cc0000" }],
    ["pale grey page", { backgroundColor: "#eeeeee" }],
  ])("plain codes, %s, are sampled once per module", async (_, input) => {
    for (const text of Object.values(loads)) {
      const { decoder: watched, pixels } = counting();
      const [code] = await readCodes(watched, await draw(text, input, 777));
      expect(code?.text).toBe(text);
      expect(pixels).toEqual([((code?.version ?? 0) * 4 + 25) ** 2]);
    }
  });

  test("the place is that of the code in the file", async () => {
    // 41 modules at 10 pixels, 4 of quiet zone, no rest.
    const [code] = await readCodes(decoder, await draw(loads.A, {}, 410));
    expect(code).toMatchObject({ x: 40, y: 40, width: 330, height: 330 });
  });

  test.each([
    ["rounded eyes", { eyeStyle: "Rounded" }],
    ["triangles", { pattern: "Triangles" }],
    ["a card with a label", { text: "SCAN ME" }],
    ["a wide border", { frame: "border-large" }],
    ["a burst", { frame: "burst" }],
  ] satisfies [string, DesignInput][])("%s: read all the same", async (_, input) => {
    const [code] = await readCodes(
      decoder,
      await draw(loads.A, { ...input, backgroundColor: "#fff" }, 600),
    );
    expect(code?.text).toBe(loads.A);
  });

  test("a code that is not in the corner of its page", async () => {
    const code = readPng(await draw("off centre", {}, 300));
    const page: PixelImage = blankImage(500, 400, [255, 255, 255, 255]);
    for (let y = 0; y < 300; y += 1) {
      page.data.set(code.data.subarray(y * 1200, (y + 1) * 1200), ((y + 20) * 500 + 170) * 4);
    }
    expect((await readCodes(decoder, writeRgbaPng(page)))[0]?.text).toBe("off centre");
  });

  test("no code on a blank page, a black one, a bar", async () => {
    const pages = [
      blankImage(100, 100, [255, 255, 255, 255]),
      blankImage(100, 100, [0, 0, 0, 255]),
      blankImage(21, 1, [0, 0, 0, 255]),
    ];
    for (const page of pages) expect(await readCodes(decoder, writeRgbaPng(page))).toEqual([]);
  });

  test("an inverted code is no proof", async () => {
    const inverted = { primaryColor: "#ffffff", backgroundColor: "#000000" };
    expect(await readCodes(decoder, await draw("inverted", inverted))).toEqual([]);
  });

  test("a damaged file is refused, not read", async () => {
    const file = (await draw("damage", {})).slice();
    file[file.length - 20] = (file[file.length - 20] as number) ^ 1;
    await expect(readCodes(decoder, file)).rejects.toMatchObject({ code: "verify-failed" });
  });
});

describe("large pictures", () => {
  const styled: DesignInput = {
    pattern: "Circles",
    eyeStyle: "Rounded",
    text: "SCAN ME",
    backgroundColor: "#fff",
  };

  test("are read shrunk, and the place is that in the file", async () => {
    const { decoder: watched, pixels } = counting();
    const file = await draw(loads.A, { ...styled, eyeStyle: "Square" }, 1000);
    const [code] = await readCodes(watched, file);
    expect(code?.text).toBe(loads.A);
    expect(pixels).toHaveLength(1);
    expect(pixels[0]).toBeLessThan(150_000);
    const [exact] = await decoder.decode(readPng(file));
    for (const side of ["x", "y", "width", "height"] as const) {
      expect(Math.abs((code?.[side] ?? 0) - (exact?.[side] ?? 0))).toBeLessThan(12);
    }
  });

  test("are read in full when that finds nothing: the largest of codes", async () => {
    const text = "x".repeat(2900);
    const { decoder: watched, pixels } = counting();
    const file = await draw(text, { ...styled, errorCorrection: "L" }, 1000);
    expect((await readCodes(watched, file))[0]?.text).toBe(text);
    expect(pixels).toHaveLength(3);
  });

  test("transparent ones count as white", async () => {
    const [code] = await readCodes(decoder, await draw(loads.C, { frame: "swirl" }, 1100));
    expect(code?.text).toBe(loads.C);
  });

  test("two codes stay two", async () => {
    const [one, two] = [await draw("first", styled, 700), await draw("second", styled, 700)];
    const [left, right] = [readPng(one), readPng(two)];
    const page = blankImage(1400, left.height, [255, 255, 255, 255]);
    for (let y = 0; y < left.height; y += 1) {
      page.data.set(left.data.subarray(y * 2800, (y + 1) * 2800), y * 5600);
      page.data.set(right.data.subarray(y * 2800, (y + 1) * 2800), y * 5600 + 2800);
    }
    const found = await readCodes(decoder, writeRgbaPng(page));
    expect(found.map(({ text }) => text).toSorted()).toEqual(["first", "second"]);
  });
});
