import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

import sharp from "sharp";
import { describe, expect, test } from "vitest";

import { readPng } from "../../src/qr/read/png-read.ts";
import {
  BLOCKED_LOADERS,
  MAX_LOGO_BYTES,
  normalizeImage,
  normalizeLogo,
  rasterizeSvg,
} from "../../src/qr/png/raster.ts";
import { pixelAt } from "./images.ts";

const blue = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 4, background: { r: 0, g: 0, b: 255, alpha: 1 } } });

const svg = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>',
);

describe("normalizeImage", () => {
  const rules = {
    field: "image",
    maxBytes: 5000,
    maxPixels: 600,
    maxSidePx: 15,
    format: "jpeg",
  } as const;

  test("makes a JPEG of the size allowed, on white", async () => {
    const clear = sharp({ create: { width: 30, height: 20, channels: 4, background: "#0000" } });
    const jpeg = await normalizeImage(await clear.png().toBuffer(), rules);
    const { format, width, height } = await sharp(jpeg).metadata();
    expect([format, width, height]).toEqual(["jpeg", 15, 10]);
    const { channels } = await sharp(jpeg).stats();
    expect(channels.map(({ min }) => min)).toEqual([255, 255, 255]);
  });

  test("more pixels than allowed are refused before they are unpacked", async () => {
    const larger = await blue(31, 20).png().toBuffer();
    await expect(normalizeImage(larger, rules)).rejects.toMatchObject({
      code: "design-invalid",
      message: "image must be an image of at most 600 pixels, got 31 x 20",
      hint: "save the image smaller: 15 pixels are plenty",
    });
  });

  test("more bytes than allowed are refused", async () => {
    const padded = Buffer.concat([await blue(30, 20).png().toBuffer(), Buffer.alloc(5000)]);
    await expect(normalizeImage(padded, rules)).rejects.toMatchObject({
      message: expect.stringMatching(
        /^image must be at most 5000 bytes, got \d+ bytes$/u,
      ) as string,
    });
  });
});

describe("normalizeLogo", () => {
  test.each(["png", "jpeg", "gif", "webp"] as const)(
    "%s becomes RGBA PNG of the same size",
    async (format) => {
      const image = readPng(await normalizeLogo(await blue(30, 20)[format]().toBuffer()));
      expect([image.width, image.height]).toEqual([30, 20]);
      const [r, g, b, a] = pixelAt(image, 15, 10);
      expect(r + g).toBeLessThan(12);
      expect(b).toBeGreaterThan(248);
      expect(a).toBe(255);
    },
  );

  test("large ones are scaled to 512 pixels, small ones are left alone", async () => {
    const wide = readPng(await normalizeLogo(await blue(2000, 500).png().toBuffer()));
    expect([wide.width, wide.height]).toEqual([512, 128]);
  });

  test("the camera's orientation is applied, its metadata dropped", async () => {
    const turned = await blue(40, 20)
      .jpeg()
      .withMetadata({ orientation: 6 })
      .withExif({ IFD0: { Copyright: "somebody" } })
      .toBuffer();
    expect(turned.includes("somebody")).toBe(true);
    const png = await normalizeLogo(turned);
    expect([readPng(png).width, readPng(png).height]).toEqual([20, 40]);
    expect(Buffer.from(png).includes("somebody")).toBe(false);
  });

  test("an animation gives its first frame", async () => {
    const red = await sharp({
      create: { width: 10, height: 10, channels: 3, background: "#ff0000" },
    })
      .png()
      .toBuffer();
    const green = await sharp({
      create: { width: 10, height: 10, channels: 3, background: "#00ff00" },
    })
      .png()
      .toBuffer();
    for (const format of ["gif", "webp"] as const) {
      const animation = sharp([red, green], { join: { animated: true } });
      const file = await animation.toFormat(format).toBuffer();
      const image = readPng(await normalizeLogo(file));
      expect([image.width, image.height]).toEqual([10, 10]);
      expect(pixelAt(image, 5, 5)[0]).toBeGreaterThan(240);
    }
  });

  test("16-bit, interlaced and CMYK images become plain RGBA", async () => {
    const files = [
      await blue(6, 6).toColourspace("rgb16").png().toBuffer(),
      await blue(6, 6).png({ progressive: true }).toBuffer(),
      await blue(6, 6).toColourspace("cmyk").jpeg().toBuffer(),
    ];
    for (const file of files) {
      const [r, , b, a] = pixelAt(readPng(await normalizeLogo(file)), 3, 3);
      expect(b).toBeGreaterThan(r + 80);
      expect(a).toBe(255);
    }
  });

  test("the same image twice gives the same bytes", async () => {
    const file = await blue(33, 44).webp().toBuffer();
    expect(Buffer.from(await normalizeLogo(file)).equals(await normalizeLogo(file))).toBe(true);
    // What came out goes in again unchanged in its pixels.
    const once = await normalizeLogo(file);
    expect(readPng(await normalizeLogo(once)).data).toEqual(readPng(once).data);
  });

  test("transparency stays", async () => {
    const clear = sharp({
      create: { width: 5, height: 5, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } },
    });
    expect(pixelAt(readPng(await normalizeLogo(await clear.png().toBuffer())), 2, 2)[3]).toBe(0);
  });

  test("grey and palette images become RGBA too", async () => {
    const grey = await blue(8, 8).greyscale().png({ palette: true }).toBuffer();
    const image = readPng(await normalizeLogo(grey));
    const [r, g, b] = pixelAt(image, 4, 4);
    expect([g, b]).toEqual([r, r]);
  });

  test.each([
    ["SVG", svg],
    [
      "SVG",
      Buffer.from('<?xml version="1.0"?>\n<!-- logo --><svg xmlns="http://www.w3.org/2000/svg"/>'),
    ],
    ["HTML", Buffer.from("<!DOCTYPE html><html></html>")],
    ["PDF", Buffer.from("%PDF-1.7\n")],
    ["TIFF", Buffer.from("II*\0........", "latin1")],
    ["BMP", Buffer.from("BM......")],
    ["AVIF", Buffer.from("\0\0\0\u0020ftypavif", "latin1")],
    ["something else", Buffer.from("hello")],
    ["no bytes", Buffer.alloc(0)],
  ])("%s is refused by name", async (name, file) => {
    await expect(normalizeLogo(file)).rejects.toMatchObject({
      code: "design-invalid",
      where: { field: "logo" },
      message: expect.stringContaining(`got ${name}`) as unknown,
    });
  });

  test("2 MB and more", async () => {
    const file = Buffer.alloc(MAX_LOGO_BYTES);
    file.set(await blue(2, 2).png().toBuffer());
    await expect(normalizeLogo(file)).rejects.toThrow(/under 2 MB, got 2097152 bytes/u);
  });

  test("a bomb of pixels", async () => {
    const bomb = await blue(2100, 2000).png({ compressionLevel: 9 }).toBuffer();
    expect(bomb.length).toBeLessThan(200_000);
    await expect(normalizeLogo(bomb)).rejects.toMatchObject({ code: "design-invalid" });
  });

  test("damage, and one format behind the first bytes of another", async () => {
    const png = await blue(50, 50).png().toBuffer();
    await expect(normalizeLogo(png.subarray(0, 60))).rejects.toMatchObject({
      code: "design-invalid",
    });
    const disguised = Buffer.concat([png.subarray(0, 8), svg]);
    await expect(normalizeLogo(disguised)).rejects.toMatchObject({ code: "design-invalid" });
  });

  test("other readers stay shut", async () => {
    const ppm = Buffer.from("P6\n1 1\n255\n\u0001\u0002\u0003", "latin1");
    await expect(sharp(ppm).raw().toBuffer()).rejects.toThrow(/unsupported|load/iu);
    // Scans may be TIFF; logos and pictures never.
    const tiff = await blue(4, 4).tiff().toBuffer();
    await expect(normalizeLogo(tiff)).rejects.toMatchObject({ code: "design-invalid" });
  });
});

describe("rasterizeSvg", () => {
  test("one pixel for each unit of its size", async () => {
    const { width, height, data } = await rasterizeSvg(svg.toString());
    expect([width, height, data.length]).toEqual([9, 9, 324]);
    expect(pixelAt({ data, width, height }, 8, 8)).toEqual([0, 0, 0, 255]);
  });
});

// Blocking counts for all threads at once: a list that also named these, and allowed them again, would
// refuse the pictures of other threads meanwhile.
test("the picture library has no loader that is neither wanted nor blocked", () => {
  const platform = `@img/sharp-libvips-${process.platform}-${process.arch}`;
  const file = createRequire(import.meta.resolve("sharp")).resolve(`${platform}/binary`);
  const names = new Set(
    Array.from(
      readFileSync(file, "latin1").matchAll(
        /(?<=\0)VipsForeignLoad([A-Z]\w*?)(?:File|Source|Buffer)?(?=\0)/gu,
      ),
      ([, name = ""]) => name,
    ),
  );
  const open = [...names].filter((name) => !BLOCKED_LOADERS.includes(name));
  expect(open.toSorted()).toEqual(["Jpeg", "Nsgif", "Png", "Svg", "Tiff", "Webp"]);
});
