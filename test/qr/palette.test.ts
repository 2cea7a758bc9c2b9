import { describe, expect, test } from "vitest";

import { toIndexed } from "../../src/qr/png/palette.ts";

const words = (...colors: number[]): { data: Uint8Array; width: number; height: number } => ({
  data: new Uint8Array(Uint32Array.from(colors).buffer),
  width: colors.length,
  height: 1,
});

const colorsOf = (image: ReturnType<typeof toIndexed>): number[] => {
  const colors = new Uint32Array(image?.colors.slice().buffer ?? new ArrayBuffer(0));
  return Array.from(image?.indices ?? [], (index) => colors[index] as number);
};

describe("toIndexed", () => {
  test("fixed colours keep the lowest indices, used or not", () => {
    const image = toIndexed(words(0xff0000ff, 7, 0xff0000ff, 9), [9, 7, 5]);
    expect(image?.indices).toEqual(Uint8Array.of(3, 1, 3, 0));
    expect(colorsOf(image)).toEqual([0xff0000ff, 7, 0xff0000ff, 9]);
  });

  test("up to 256 colours are kept exactly", () => {
    const colors = Array.from({ length: 240 }, (_, i) => (0xff000000 + i * 70_001) >>> 0);
    expect(colorsOf(toIndexed(words(...colors), [1, 2]))).toEqual(colors);
  });

  test("more share the most frequent of similar ones, at most 7 levels off", () => {
    const ramp = Array.from(
      { length: 600 },
      (_, i) => (0xff000000 | (i % 256) | ((i >> 2) << 8)) >>> 0,
    );
    const common = Array<number>(50).fill(0xff000000 + 101);
    const image = toIndexed(words(...ramp, ...common), [0]);
    const seen = colorsOf(image);
    let most = 0;
    for (const [i, color] of [...ramp, ...common].entries()) {
      for (const shift of [0, 8, 16, 24]) {
        const off = ((color >>> shift) & 255) - (((seen[i] as number) >>> shift) & 255);
        most = Math.max(most, Math.abs(off));
      }
    }
    expect(most).toBeLessThanOrEqual(7);
    expect(seen.slice(-50)).toEqual(common);
  });

  test("a photograph has too many", () => {
    const noise = Array.from({ length: 5000 }, (_, i) => Math.imul(i + 1, 2_654_435_761) >>> 0);
    expect(toIndexed(words(...noise), [0])).toBeUndefined();
  });
});
