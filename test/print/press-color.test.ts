import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { openColors, pressOfColors } from "../../src/print/art/design-inks.ts";
import { readIccTable } from "../../src/print/pdf/icc-table.ts";
import { openPressColors, type Rgb, toLab } from "../../src/print/pdf/press-color.ts";

const read = (name: string): Promise<Uint8Array> =>
  readFile(new URL(`../../templates/icc/${name}.icc`, import.meta.url));

async function open(name: string) {
  const colors = openPressColors(await read(name));
  if (colors === undefined) throw new Error("no colours");
  return colors;
}

const int32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
};

const text = (letters: string): Buffer => Buffer.from(letters, "latin1");

/** Numbers of 16 bits as a curve, filled up to a multiple of four. */
const toCurve = (numbers: Buffer): Buffer =>
  Buffer.concat([
    text("curv"),
    int32(0),
    int32(numbers.length / 2),
    numbers,
    Buffer.alloc(numbers.length % 4),
  ]);

/** The same colours in a table of version 4: A curves, grid, M curves, matrix, B curves. */
function toVersion4(old: Buffer): Buffer {
  const count = old.readUInt32BE(128);
  const entry = Array.from({ length: count }, (_, i) => 132 + 12 * i).find(
    (at) => old.toString("latin1", at, at + 4) === "A2B1",
  );
  const from = old.readUInt32BE((entry ?? 0) + 4);
  const grid = old.readUInt8(from + 10);
  const [before, after] = [old.readUInt16BE(from + 48), old.readUInt16BE(from + 50)];
  const curves = (at: number, entries: number, number: number): Buffer =>
    Buffer.concat(
      Array.from({ length: number }, (_, i) =>
        toCurve(old.subarray(at + 2 * i * entries, at + 2 * (i + 1) * entries)),
      ),
    );
  const gridAt = from + 52 + 2 * 4 * before;
  const gridEnd = gridAt + 2 * 3 * grid ** 4;
  const head = Buffer.alloc(20);
  head.fill(grid, 0, 4);
  head.writeUInt8(2, 16);
  const table = Buffer.concat([head, old.subarray(gridAt, gridEnd)]);
  const scale = int32(Math.round((65535 / 65280) * 65536));
  const none = int32(0);
  const matrix = [scale, none, none, none, scale, none, none, none, scale, none, none, none];
  const line = Buffer.concat([text("para"), none, none, int32(65536)]);
  const parts = [
    Buffer.concat([line, line, line]),
    Buffer.concat(matrix),
    curves(gridEnd, after, 3),
    Buffer.concat([table, Buffer.alloc((4 - (table.length % 4)) % 4)]),
    curves(from + 52, before, 4),
  ];
  let at = 32;
  const offsets = parts.map((part) => int32((at += part.length) - part.length));
  const tag = Buffer.concat([text("mAB "), none, Buffer.from([4, 3, 0, 0]), ...offsets, ...parts]);
  const made = Buffer.concat([old.subarray(0, 128), int32(1), text("A2B1"), int32(144)]);
  return Buffer.concat([made, int32(tag.length), tag]);
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

  it("a profile of version 4 gives the same inks as its twin of version 2", async () => {
    const old = Buffer.from(await read("coated39"));
    const twin = openPressColors(toVersion4(old));
    const colors = await open("coated39");
    for (const rgb of [
      [0x6a, 0x6d, 0x92],
      [0xb0, 0x5c, 0x4c],
      [10, 61, 98],
      [255, 200, 0],
    ] as const)
      expect(twin?.inkOf(rgb)).toEqual(colors.inkOf(rgb));
    const [seen, before] = [twin?.seen([0.3, 0.6, 0.2, 0.1]), colors.seen([0.3, 0.6, 0.2, 0.1])];
    for (const [i, value] of (seen ?? []).entries()) expect(value).toBeCloseTo(before[i] ?? 0, 1);
    expect(seen).toHaveLength(3);
    // Cut off, its tables are none.
    const cut = toVersion4(old);
    expect(readIccTable(cut.subarray(0, cut.length - 9), "A2B1")).toBeUndefined();
  });

  it("no colour or picture takes more ink than its condition does", async () => {
    const dark = [0, 20, 40, 60].flatMap((r) => [0, 20, 60].map((b) => [r, 10, b] as Rgb));
    for (const [icc, limit] of [
      ["SNAP", 2.6],
      ["FOGRA39", 3],
    ] as const) {
      const colors = await openColors({ icc });
      const sums = dark.flatMap((rgb) =>
        [colors.pictureInk(rgb), colors.inkOf(rgb).cmyk].map((cmyk) =>
          cmyk.reduce((sum, share) => sum + share, 0),
        ),
      );
      expect(Math.max(...sums)).toBeLessThanOrEqual(limit + 1e-9);
    }
  });

  it("where a profile has no such table, plan and report say whose inks they are", async () => {
    const blind = Buffer.from(await read("coated39"));
    for (const tag of ["A2B0", "A2B1"]) blind.write("none", blind.indexOf(tag), "latin1");
    const folder = await mkdtemp(path.join(tmpdir(), "icc-"));
    const file = path.join(folder, "shop.icc");
    await writeFile(file, blind);
    expect(await pressOfColors({ icc: { file, condition: "shop" } })).toEqual([
      { code: "colours-by-fogra39", count: 1, rows: [], what: ["shop.icc"] },
    ]);
    await writeFile(file, await read("coated39"));
    expect(await pressOfColors({ icc: { file, condition: "shop" } })).toEqual([]);
    expect(await pressOfColors({ icc: "GRACoL" })).toEqual([]);
  });

  it("a profile without such a table is reported", async () => {
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
