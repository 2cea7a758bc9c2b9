import { describe, expect, test } from "vitest";

import { alignmentPlaces, formatBits, versionBoards } from "../../src/qr/encode/boards.ts";
import { blockOfCodeword } from "../../src/qr/encode/codewords.ts";
import {
  alignmentCentres,
  blockPlan,
  qrLevels,
  rawModules,
  sizeOfVersion,
} from "../../src/qr/encode/tables.ts";

describe("tables", () => {
  test.each([
    [1, "L", 19],
    [1, "H", 9],
    [5, "Q", 62],
    [7, "M", 124],
    [10, "H", 122],
    [27, "L", 1468],
    [40, "L", 2956],
    [40, "H", 1276],
  ] as const)("version %i at %s holds %i data codewords", (version, level, data) => {
    expect(blockPlan(version, level).data).toBe(data);
  });

  test.each([
    [1, []],
    [2, [6, 18]],
    [7, [6, 22, 38]],
    [14, [6, 26, 46, 66]],
    [32, [6, 34, 60, 86, 112, 138]],
    [36, [6, 24, 50, 76, 102, 128, 154]],
    [40, [6, 30, 58, 86, 114, 142, 170]],
  ])("alignment of version %i", (version, centres) => {
    expect(alignmentCentres(version)).toEqual(centres);
  });

  test("blocks add up in every version and level", () => {
    for (let version = 1; version <= 40; version += 1) {
      for (const level of qrLevels) {
        const { blocks, check, shortData, shortBlocks, data, total } = blockPlan(version, level);
        expect(total).toBe(Math.floor(rawModules(version) / 8));
        expect(shortBlocks * shortData + (blocks - shortBlocks) * (shortData + 1)).toBe(data);
        expect(data + blocks * check).toBe(total);
      }
    }
  });

  test("every codeword belongs to a block, each block to as many as it has", () => {
    for (const [version, level] of [
      [1, "L"],
      [5, "Q"],
      [14, "H"],
      [40, "M"],
    ] as const) {
      const { blocks, check, shortData, shortBlocks, total } = blockPlan(version, level);
      const counts = Array<number>(blocks).fill(0);
      for (let i = 0; i < total; i += 1) {
        const block = blockOfCodeword(i, version, level);
        counts[block] = (counts[block] ?? 0) + 1;
      }
      expect(counts).toEqual(counts.map((_, i) => check + shortData + (i < shortBlocks ? 0 : 1)));
    }
  });

  test("versions outside 1 to 40", () => {
    for (const version of [0, 41, 2.5]) expect(() => blockPlan(version, "L")).toThrow(RangeError);
  });
});

describe("boards", () => {
  test("format bits of known codes", () => {
    expect(formatBits("M", 5).toString(2).padStart(15, "0")).toBe("100000011001110");
    expect(formatBits("L", 0).toString(2)).toBe("111011111000100");
  });

  test("every module is either reserved or has its place in the order, on both boards", () => {
    for (const version of [1, 2, 6, 7, 13, 21, 40]) {
      const { plainOrder, transposedOrder, reserved, size, words } = versionBoards(version);
      expect(plainOrder).toHaveLength(rawModules(version));
      const taken = reserved.plain.slice();
      for (const place of plainOrder)
        taken[place >> 5] = (taken[place >> 5] as number) ^ (1 << (place & 31));
      const free: string[] = [];
      for (let y = 0; y < size; y += 1) {
        for (let x = 0; x < size; x += 1) {
          const isTaken = ((taken[y * words + (x >> 5)] as number) >>> (x & 31)) & 1;
          if (isTaken !== 1) free.push(`${version}: ${x}, ${y}`);
        }
      }
      expect(free).toEqual([]);
      const transposed = [...plainOrder].map((place) => {
        const [x, y] = [
          ((place >> 5) % words) * 32 + (place & 31),
          Math.floor((place >> 5) / words),
        ];
        return ((x * words + (y >> 5)) << 5) | (y & 31);
      });
      expect([...transposedOrder]).toEqual(transposed);
    }
  });

  test("alignment patterns leave the eyes alone", () => {
    expect(alignmentPlaces(1)).toEqual([]);
    expect(alignmentPlaces(2)).toEqual([{ x: 18, y: 18 }]);
    expect(alignmentPlaces(7)).toHaveLength(6);
    expect(alignmentPlaces(40)).toHaveLength(46);
    expect(sizeOfVersion(40)).toBe(177);
  });
});
