import { beforeAll, describe, expect, test } from "vitest";

import type { PixelImage, QrDecoder } from "../../src/qr/read/decode.ts";
import { encodeQr } from "../../src/qr/encode/encode.ts";
import { resolveDesign } from "../../src/qr/draw/design.ts";
import { readPlainPng, readPng } from "../../src/qr/read/png-read.ts";
import { renderPng } from "../../src/qr/png/png.ts";
import { blankImage } from "./images.ts";
import { openOracle, openTestDecoder } from "./zxing.ts";

let decoder: QrDecoder;
beforeAll(async () => {
  decoder = await openTestDecoder();
});

const draw = async (
  text: string,
  primaryColor = "#000000",
  backgroundColor: string | null = "#ffffff",
) => readPng(await renderPng(text, resolveDesign({ primaryColor, backgroundColor, sizePx: 300 })));

/** Copies one image into another. */
function paste(onto: PixelImage, image: PixelImage, left: number, top: number): void {
  for (let y = 0; y < image.height; y += 1) {
    const row = image.data.subarray(y * image.width * 4, (y + 1) * image.width * 4);
    onto.data.set(row, ((y + top) * onto.width + left) * 4);
  }
}

describe("decode", () => {
  test("text, level, version, ECI and place", async () => {
    const [code] = await decoder.decode(await draw("Grüße"), { pure: true });
    expect(code).toMatchObject({ text: "Grüße", level: "Q", version: 1, hasEci: true });
    // 29 modules at 10 pixels, 5 over on the left, 4 modules of quiet zone.
    expect(code?.x).toBeGreaterThanOrEqual(44);
    expect(code?.x).toBeLessThanOrEqual(46);
    expect(code?.width).toBeGreaterThanOrEqual(208);
    expect(code?.width).toBeLessThanOrEqual(211);
  });

  test("control characters come back as they are", async () => {
    const text = "(01)09506000134352\u001d21ABC\u001d\u0000\u0007";
    for (const pure of [true, false]) {
      const [code] = await decoder.decode(await draw(text), { pure });
      expect(code?.text).toBe(text);
    }
  });

  test("inverted codes are not read: most scanners can't either", async () => {
    for (const pure of [true, false]) {
      expect(await decoder.decode(await draw("inverted", "#ffffff", "#000000"), { pure })).toEqual(
        [],
      );
    }
  });

  test("transparent pixels count as white, half transparent ones as what they look like", async () => {
    const image = await draw("clear", "#111111", null);
    expect(image.data[3]).toBe(0);
    const before = image.data.slice();
    expect((await decoder.decode(image, { pure: true }))[0]?.text).toBe("clear");
    expect(image.data).toEqual(before);
  });

  test("nothing on a blank page", async () => {
    expect(await decoder.decode(blankImage(200, 100, [255, 255, 255, 255]))).toEqual([]);
    expect(await decoder.decode(blankImage(1, 1, [0, 0, 0, 255]), { pure: true })).toEqual([]);
  });

  test("several codes on one page, each in its place; max holds", async () => {
    const page = blankImage(700, 700, [255, 255, 255, 255]);
    paste(page, await draw("one"), 0, 0);
    paste(page, await draw("two"), 380, 350);
    const codes = await decoder.decode(page);
    const sorted = codes.toSorted((a, b) => a.x - b.x);
    expect(sorted.map((code) => code.text)).toEqual(["one", "two"]);
    expect(sorted[1]?.x).toBeGreaterThan(380);
    expect(await decoder.decode(page, { max: 1 })).toHaveLength(1);
  });

  test("a damaged code is no code", async () => {
    const image = readPlainPng(await renderPng("damaged", resolveDesign({ sizePx: 290 })));
    for (let y = 110; y < 260; y += 1) image.data.fill(0, (y * 290 + 40) * 4, (y * 290 + 250) * 4);
    expect(await decoder.decode(image, { pure: true })).toEqual([]);
  });

  test("an image of another size than it says is a programmer's fault", async () => {
    const data = new Uint8ClampedArray(16);
    await expect(decoder.decode({ data, width: 3, height: 2 })).rejects.toThrow(
      /24 bytes, got 16/u,
    );
  });

  test("decoders share one module; opening again is harmless", async () => {
    const again = await openTestDecoder();
    expect((await again.decode(await draw("again"), { pure: true }))[0]?.text).toBe("again");
  });

  test("a part of a grey picture, and nothing beside it", async () => {
    const page = blankImage(700, 700, [255, 255, 255, 255]);
    paste(page, await draw("one"), 0, 0);
    paste(page, await draw("two"), 380, 350);
    const data = Uint8Array.from({ length: 700 * 700 }, (_, i) => page.data[i * 4] ?? 0);
    const grey = { data, width: 700, height: 700 };
    const texts = decoder.decodeGrey(grey).map(({ text }) => text);
    expect(texts.toSorted()).toEqual(["one", "two"]);
    const [two] = decoder.decodeGrey(grey, { left: 380, top: 350, width: 300, height: 300 });
    const [alone] = await decoder.decode(await draw("two"));
    expect(two).toEqual(alone);
    const beside = { left: 320, top: 350, width: 200, height: 300 };
    expect(decoder.decodeGrey(grey, beside)).toEqual([]);
  });

  test.each([
    { left: -1, top: 0, width: 2, height: 2 },
    { left: 0, top: 0, width: 0, height: 2 },
    { left: 3, top: 0, width: 2, height: 2 },
    { left: 0, top: 3, width: 2, height: 2 },
  ])("a part that is not inside is a programmer's fault: %o", (part) => {
    const grey = { data: new Uint8Array(16), width: 4, height: 4 };
    expect(() => decoder.decodeGrey(grey, part)).toThrow(RangeError);
    const short = { data: new Uint8Array(15), width: 4, height: 4 };
    expect(() => decoder.decodeGrey(short)).toThrow(RangeError);
  });
});

test("Micro QR isn't accepted: worn print is mistaken for its smallest version", async () => {
  const lines = await (await openOracle("MicroQRCode"))("2754", "");
  const side = (lines.length + 8) * 8;
  const image = { data: new Uint8Array(side * side).fill(255), width: side, height: side };
  for (let at = 0; at < side * side; at += 1) {
    const module = lines[Math.floor(at / side / 8) - 4]?.[Math.floor((at % side) / 8) - 4];
    if (module === "1") image.data[at] = 0;
  }
  expect((await openTestDecoder()).look(image)).toEqual([]);
  expect((await openTestDecoder()).decodeGrey(image, undefined, { pure: true })).toEqual([]);
});

/** A code as a picture of a pixel a module. */
function modulesOf(text: string, minVersion: number) {
  const { rows, size, words } = encodeQr(text, { level: "M", minVersion });
  const side = size + 8;
  const data = new Uint8Array(side * side).fill(255);
  for (let y = 0; y < size; y += 1)
    for (let x = 0; x < size; x += 1)
      if (((rows[y * words + (x >> 5)] ?? 0) >>> (x & 31)) & 1) data[(y + 4) * side + x + 4] = 0;
  return { data, width: side, height: side };
}

test("a pixel a module, as most artwork is sampled, is read at once", async () => {
  const modules = modulesOf("https://go.example.com/ab2cdefg", 1);
  const found = (await openTestDecoder()).decodeGrey(modules, undefined, { pure: true });
  expect(found.map(({ text }) => text)).toEqual(["https://go.example.com/ab2cdefg"]);
});

test("clean modules that were just read are distinguished from others of the same size", async () => {
  const decoder = await openTestDecoder();
  const read = (image: ReturnType<typeof modulesOf>) =>
    decoder.decodeGrey(image, undefined, { pure: true }).map(({ text }) => text);
  const [one, two] = [modulesOf("https://a.example/1", 2), modulesOf("https://a.example/2", 2)];
  const bare = { ...one, data: new Uint8Array(one.data.length).fill(255) };
  expect([one, one, two, bare, one, two].map(read)).toEqual([
    ["https://a.example/1"],
    ["https://a.example/1"],
    ["https://a.example/2"],
    [],
    ["https://a.example/1"],
    ["https://a.example/2"],
  ]);
  // Who changes the pixels afterwards has another picture.
  one.data.set(two.data);
  expect(read(one)).toEqual(["https://a.example/2"]);
  // The same pixels in another shape show no code.
  expect(read({ data: two.data, width: two.data.length, height: 1 })).toEqual([]);
});
