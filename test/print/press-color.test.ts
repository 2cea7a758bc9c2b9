import { readFile } from "node:fs/promises";

import { describe, expect, it } from "vitest";

import { readIccTable } from "../../src/print/pdf/icc-table.ts";
import { openPressColors, type Rgb, toLab } from "../../src/print/pdf/press-color.ts";

const read = (name: string): Promise<Uint8Array> =>
  readFile(new URL(`../../templates/icc/${name}.icc`, import.meta.url));

async function open(name: string) {
  const colors = openPressColors(await read(name));
  if (colors === undefined) throw new Error("no colours");
  return colors;
}

describe("colours of screens in inks of the press", () => {
  it.each(["coated39", "uncoated29", "gracol", "swop3"])(
    "%s: what a press has, it prints",
    async (name) => {
      const colors = await open(name);
      const inGamut: Rgb[] = [
        [0x6a, 0x6d, 0x92],
        [0x5b, 0x7f, 0x6b],
        [0xb0, 0x5c, 0x4c],
        [0x76, 0x76, 0x76],
      ];
      for (const rgb of inGamut) {
        const { cmyk, spot, tint } = colors.inkOf(rgb);
        const [wanted, got] = [toLab(rgb), colors.seen(cmyk)];
        expect(Math.hypot(...wanted.map((value, i) => value - (got[i] ?? 0)))).toBeLessThan(3);
        expect([spot, tint]).toEqual([null, 1]);
        expect(cmyk.reduce((sum, share) => sum + share, 0)).toBeLessThanOrEqual(3);
        // Three plates at most: where four don't meet, modules get rims.
        expect(cmyk.filter((share) => share > 0).length).toBeLessThanOrEqual(3);
      }
    },
  );

  it("greys are black alone, paper is no ink, and the same colour is the same ink", async () => {
    const colors = await open("coated39");
    expect(colors.inkOf([128, 128, 128]).cmyk.slice(0, 3)).toEqual([0, 0, 0]);
    expect(colors.inkOf([255, 255, 255]).cmyk).toEqual([0, 0, 0, 0]);
    expect(colors.inkOf([10, 61, 98])).toBe(colors.inkOf([10, 61, 98]));
  });

  it("what no press has comes as near as it can", async () => {
    const colors = await open("coated39");
    const [, a, b] = colors.seen(colors.inkOf([255, 0, 0]).cmyk);
    expect(a).toBeGreaterThan(60);
    expect(b).toBeGreaterThan(40);
  });

  it("pictures keep to the ink limit, and white stays paper", async () => {
    const colors = await open("coated39");
    expect(colors.pictureInk([255, 255, 255])).toEqual([0, 0, 0, 0]);
    for (const rgb of [
      [0, 0, 0],
      [20, 0, 40],
      [90, 60, 30],
    ] as const) {
      const total = colors.pictureInk(rgb).reduce((sum, share) => sum + share, 0);
      expect(total).toBeLessThanOrEqual(3.0001);
      expect(total).toBeGreaterThan(1);
    }
  });

  it("a profile without such a table is told apart", async () => {
    const whole = await read("coated39");
    expect(openPressColors(whole.slice(0, 400))).toBeUndefined();
    expect(openPressColors(new Uint8Array(8))).toBeUndefined();
    const other = Uint8Array.from(whole);
    // The tag's type.
    const at = Buffer.from(other).indexOf("mft2");
    other.set(Buffer.from("mAB "), at);
    expect(
      readIccTable(other, "A2B1") === undefined || readIccTable(other, "A2B0") === undefined,
    ).toBe(true);
    expect(readIccTable(whole, "A2B7")).toBeUndefined();
  });
});
