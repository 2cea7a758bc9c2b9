import { assert, asyncProperty, constantFrom, oneof, string } from "../help/property.ts";
import { beforeAll, describe, expect, test } from "vitest";

import type { AppError } from "../../src/base/errors.ts";
import type { QrDecoder } from "../../src/qr/read/decode.ts";
import { encodeQr, isDark, maxBytes, type QrLevel } from "../../src/qr/encode/encode.ts";
import { qrLevels } from "../../src/qr/encode/tables.ts";
import { loads, payloadSource, seededRandom } from "./payloads.ts";
import { refusalOf } from "./refusal.ts";
import { openOracle, openTestDecoder, type Oracle, toLines } from "./zxing.ts";

const isAscii = (text: string): boolean => !/[^\0-\u007f]/u.test(text);
const isLong = process.env["LONG"] === "1";
const TEXTS = isLong ? 2000 : 300;

const refusal = (text: string, level: QrLevel): AppError =>
  refusalOf(() => encodeQr(text, { level }));

/** 2 pixels a module, quiet zone 4. */
function toImage(text: string, level: QrLevel, eci: boolean) {
  const matrix = encodeQr(text, { level, eci });
  const side = (matrix.size + 8) * 2;
  const data = new Uint8ClampedArray(side * side * 4).fill(255);
  for (let y = 0; y < side; y += 1) {
    for (let x = 0; x < side; x += 1) {
      if (isDark(matrix, (x >> 1) - 4, (y >> 1) - 4))
        data.fill(0, (y * side + x) * 4, (y * side + x) * 4 + 3);
    }
  }
  return { matrix, image: { data, width: side, height: side } };
}

describe("against Zint's encoder", () => {
  let oracle: Oracle;
  beforeAll(async () => {
    oracle = await openOracle();
  });

  test(`${TEXTS} varied texts: same version, same mask, same modules`, async () => {
    const random = seededRandom(20261120);
    const source = payloadSource(random);
    const different: string[] = [];
    for (let i = 0; i < TEXTS; i += 1) {
      const text = source.pick();
      const level = qrLevels[i % 4] as QrLevel;
      const options = `ecLevel=${level}${isAscii(text) ? "" : ",eci=26"}`;
      if (maxBytes(level) < Buffer.byteLength(text)) continue;
      const expected = await oracle(text, options);
      if (toLines(encodeQr(text, { level })).join() !== expected.join()) different.push(text);
    }
    expect(different).toEqual([]);
  });

  test("every version, at two levels in turn, mask chosen", async () => {
    const different: string[] = [];
    for (let version = 1; version <= 40; version += 1) {
      for (const level of qrLevels.filter((_, at) => isLong || (version + at) % 2 === 0)) {
        const text = `v${version}${level}`;
        const expected = await oracle(text, `ecLevel=${level},version=${version}`);
        const matrix = encodeQr(text, { level, minVersion: version });
        expect(matrix.version).toBe(version);
        if (toLines(matrix).join() !== expected.join()) different.push(text);
      }
    }
    expect(different).toEqual([]);
  });

  test.runIf(isLong)("every version, level and mask", async () => {
    const different: string[] = [];
    for (let version = 1; version <= 40; version += 1) {
      for (const level of qrLevels) {
        for (let mask = 0; mask < 8; mask += 1) {
          const options = `ecLevel=${level},version=${version},dataMask=${mask}`;
          const lines = toLines(encodeQr("mask", { level, minVersion: version, mask }));
          if (lines.join() !== (await oracle("mask", options)).join()) different.push(options);
        }
      }
    }
    expect(different).toEqual([]);
  });

  test("masks can be forced", async () => {
    for (let mask = 0; mask < 8; mask += 1) {
      const matrix = encodeQr("forced", { level: "H", minVersion: 7, mask });
      expect(matrix.mask).toBe(mask);
      expect(toLines(matrix)).toEqual(
        await oracle("forced", `ecLevel=H,version=7,dataMask=${mask}`),
      );
    }
  });

  test("the fullest code of each level", async () => {
    for (const level of qrLevels) {
      const text = "a".repeat(maxBytes(level));
      expect(toLines(encodeQr(text, { level }))).toEqual(await oracle(text, `ecLevel=${level}`));
    }
  });

  test("text without ECI when asked", async () => {
    const matrix = encodeQr("Größe", { eci: false, level: "M" });
    expect(matrix.version).toBe(1);
    expect(matrix.level).toBe("M");
  });
});

describe("read back", () => {
  let decoder: QrDecoder;
  beforeAll(async () => {
    decoder = await openTestDecoder();
  });

  test("any text at any level comes back exactly", async () => {
    const anyText = oneof(
      string({ minLength: 1, maxLength: 120, unit: "grapheme" }),
      string({ minLength: 1, maxLength: 120, unit: "binary-ascii" }),
      string({ minLength: 1, maxLength: 60, unit: "binary" }),
    );
    await assert(
      asyncProperty(anyText, constantFrom(...qrLevels), async (text, level) => {
        const { matrix, image } = toImage(text, level, true);
        const [code] = await decoder.decode(image, { pure: true });
        expect(code?.text).toBe(text);
        expect(code?.level).toBe(level);
        expect(code?.version).toBe(matrix.version);
        expect(code?.hasEci).toBe(!isAscii(text));
      }),
      { numRuns: isLong ? 3000 : 400 },
    );
  });

  test("without ECI the bytes are the same text", async () => {
    const { image } = toImage("Größe 12 – naïve", "Q", false);
    const [code] = await decoder.decode(image, { pure: true });
    expect(code?.text).toBe("Größe 12 – naïve");
    expect(code?.hasEci).toBe(false);
  });
});

describe("sizes", () => {
  test.each([
    ["A", "Q", 4],
    ["B", "Q", 16],
    ["C", "H", 10],
  ] as const)("load %s at %s takes version %i", (load, level, version) => {
    expect(encodeQr(loads[load], { level }).version).toBe(version);
  });

  test("numeric, alphanumeric and byte capacities of version 1 to the character", () => {
    const rows: [string, QrLevel, number][] = [
      ["7", "L", 41],
      ["7", "H", 17],
      ["A", "L", 25],
      ["A", "Q", 16],
      ["a", "M", 14],
      ["a", "H", 7],
    ];
    for (const [letter, level, most] of rows) {
      expect(encodeQr(letter.repeat(most), { level }).version).toBe(1);
      expect(encodeQr(letter.repeat(most + 1), { level }).version).toBe(2);
    }
  });

  test("mixed text is cut into segments where that is shorter", () => {
    // 20 bytes and 60 digits: 3 + 20 bytes and 200 bits, against 82 bytes in one mode.
    const mixed = `https://example.com/${"1234567890".repeat(6)}`;
    expect(encodeQr(mixed, { level: "L" }).version).toBe(3);
  });

  test("the level is never raised and a smallest version is kept", () => {
    expect(encodeQr("a", { level: "L" })).toMatchObject({ level: "L", version: 1 });
    expect(encodeQr("a", { minVersion: 12 })).toMatchObject({ level: "Q", version: 12, size: 65 });
    expect(encodeQr("a".repeat(300), { minVersion: 2 }).version).toBeGreaterThan(10);
  });

  test("one call does not disturb the matrix of another", () => {
    const first = encodeQr("first");
    const before = toLines(first).join();
    encodeQr("another text of some length, to overwrite the scratch boards");
    expect(toLines(first).join()).toBe(before);
  });
});

describe("refusals", () => {
  test("too long says bytes, level, the most, and the way out", () => {
    const error = refusal("a".repeat(1664), "Q");
    expect(error.code).toBe("payload-too-long");
    expect(error.message).toContain("1663 bytes");
    expect(error.message).toContain("error correction Q");
    expect(error.message).toContain("got 1664 bytes");
    expect(error.hint).toContain("lower error_correction to M");
  });

  test("longer than any level holds: a dynamic code is the way out", () => {
    for (const text of ["ä".repeat(1477), "x".repeat(100_000), "9".repeat(7090)]) {
      const error = refusal(text, "L");
      expect(error.code).toBe("payload-too-long");
      expect(error.hint).toContain("dynamic");
      expect(error.message).toContain(`got ${Buffer.byteLength(text)} bytes`);
    }
  });

  test("7,089 digits are the most of all", () => {
    expect(encodeQr("9".repeat(7089), { level: "L" }).version).toBe(40);
  });

  test.each([
    ["\ud83c", 1, "U+D83C"],
    ["ab\udf89", 3, "U+DF89"],
    ["a\ud800\ud800b", 2, "U+D800"],
  ])("lone surrogate %j is named with its place", (text, place, unit) => {
    const error = refusal(text, "L");
    expect(error.code).toBe("payload-malformed");
    expect(error.message).toContain(unit);
    expect(error.message).toContain(`character ${place}`);
  });

  test("no text", () => {
    expect(refusal("", "L").code).toBe("payload-malformed");
  });

  test.each([0, 41, 1.5, Number.NaN])("minVersion %s is a programmer's fault", (minVersion) => {
    expect(() => encodeQr("a", { minVersion })).toThrow(RangeError);
  });

  test.each([-1, 8, 0.5])("mask %s is a programmer's fault", (mask) => {
    expect(() => encodeQr("a", { mask })).toThrow(RangeError);
  });
});

describe("reading a matrix", () => {
  test("outside is light", () => {
    const matrix = encodeQr("x");
    for (const [x, y] of [
      [-1, 0],
      [0, -1],
      [matrix.size, 0],
      [0, matrix.size],
    ] as const) {
      expect(isDark(matrix, x, y)).toBe(false);
    }
    expect(isDark(matrix, 0, 0)).toBe(true);
  });
});
