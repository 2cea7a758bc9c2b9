import { array, assert, constantFrom, property, string } from "../help/property.ts";
import { describe, expect, test } from "vitest";

import {
  ALPHANUMERIC,
  alphanumericValue,
  BYTE,
  countBits,
  findSegments,
  leastBits,
  NUMERIC,
} from "../../src/qr/encode/segments.ts";

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

/** What one segment of a mode costs in bits; undefined where the mode can't write it. */
function segmentBits(part: Uint8Array, mode: number, group: number): number | undefined {
  const values = Array.from(part, (byte) => alphanumericValue[byte] as number);
  const head = 4 + countBits(group, mode);
  if (mode === BYTE) return head + part.length * 8;
  if (mode === ALPHANUMERIC) {
    if (values.some((value) => value === 255)) return undefined;
    return head + Math.floor(part.length / 2) * 11 + (part.length % 2) * 6;
  }
  if (values.some((value) => value > 9)) return undefined;
  return head + Math.floor(part.length / 3) * 10 + ([0, 4, 7][part.length % 3] as number);
}

/** The fewest bits of all ways to cut, by trying every cut. */
function fewestBits(bytes: Uint8Array, group: number): number {
  const best: number[] = [0];
  for (let end = 1; end <= bytes.length; end += 1) {
    best[end] = Infinity;
    for (let start = 0; start < end; start += 1) {
      for (const mode of [NUMERIC, ALPHANUMERIC, BYTE]) {
        const bits = segmentBits(bytes.subarray(start, end), mode, group);
        if (bits !== undefined) {
          best[end] = Math.min(best[end] as number, (best[start] as number) + bits);
        }
      }
    }
  }
  return best[bytes.length] as number;
}

function cut(text: string, group: number): { bits: number; parts: [number, string][] } {
  const bytes = encode(text);
  const segments = findSegments(bytes, bytes.length, group);
  let from = 0;
  const parts: [number, string][] = [];
  for (let i = 0; i < segments.count; i += 1) {
    const to = segments.ends[i] as number;
    parts.push([segments.modes[i] as number, new TextDecoder().decode(bytes.subarray(from, to))]);
    from = to;
  }
  return { bits: segments.bits, parts };
}

const mixed = array(
  constantFrom("1", "42", "987654", "A", "Z:", "HELLO/", "a", "xyz", "?", "é", "漢", "🎉"),
  { minLength: 1, maxLength: 14 },
).map((parts) => parts.join(""));

describe("segments", () => {
  test("no way to cut takes fewer bits", () => {
    assert(
      property(mixed, constantFrom(0, 1, 2), (text, group) => {
        expect(cut(text, group).bits).toBe(fewestBits(encode(text), group));
      }),
      { numRuns: 400 },
    );
  });

  test("parts cost what is stated, join to the text, and split no character", () => {
    assert(
      property(string({ minLength: 1, maxLength: 80, unit: "grapheme" }), (text) => {
        const { bits, parts } = cut(text, 1);
        expect(parts.map(([, part]) => part).join("")).toBe(text);
        const sum = parts.reduce((total, [mode, part]) => {
          return total + (segmentBits(encode(part), mode, 1) ?? Number.NaN);
        }, 0);
        expect(sum).toBe(bits);
      }),
    );
  });

  test("the lower bound never exceeds the truth", () => {
    assert(
      property(mixed, constantFrom(0, 1, 2), (text, group) => {
        const bytes = encode(text);
        expect(leastBits(bytes, bytes.length)).toBeLessThanOrEqual(cut(text, group).bits);
      }),
    );
  });

  test.each([
    ["123456", [[NUMERIC, "123456"]]],
    ["ABC-123", [[ALPHANUMERIC, "ABC-123"]]],
    ["abc", [[BYTE, "abc"]]],
    [
      "漢字123456789012",
      [
        [BYTE, "漢字"],
        [NUMERIC, "123456789012"],
      ],
    ],
    ["a1b2", [[BYTE, "a1b2"]]],
  ])("%s", (text, expected) => {
    expect(cut(text, 0).parts).toEqual(expected);
  });
});
