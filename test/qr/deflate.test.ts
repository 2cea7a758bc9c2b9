import { deflateSync, inflateSync } from "node:zlib";

import {
  array,
  assert,
  constantFrom,
  integer,
  property,
  tuple,
  uint8Array,
} from "../help/property.ts";
import { describe, expect, test } from "vitest";

import { RowDeflater } from "../../src/qr/png/deflate.ts";

function deflateRows(rows: readonly (readonly [Uint8Array, number])[]): Uint8Array {
  const deflater = new RowDeflater((rows[0]?.[0] ?? new Uint8Array(3)).length);
  for (const [row, copies] of rows) deflater.add(row, copies);
  return deflater.finish();
}

const joinRows = (rows: readonly (readonly [Uint8Array, number])[]): Buffer =>
  Buffer.concat(rows.flatMap(([row, copies]) => Array<Uint8Array>(copies).fill(row)));

const rowsOf = (length: number) =>
  array(
    tuple(
      uint8Array({ minLength: length, maxLength: length, max: 255 }),
      constantFrom(1, 2, 3, 5, 87, 259, 1000),
    ),
    { minLength: 1, maxLength: 6 },
  );

describe("row deflate", () => {
  test("zlib inflates it to the rows, checksum included", () => {
    assert(
      property(
        integer({ min: 3, max: 700 }).chain((length) => rowsOf(length)),
        (rows) => {
          expect(inflateSync(deflateRows(rows)).equals(joinRows(rows))).toBe(true);
        },
      ),
      { numRuns: 150 },
    );
  });

  test("runs of every length inside a row", () => {
    for (let run = 1; run <= 600; run += 1) {
      const row = new Uint8Array(604).fill(7, 1, 1 + run);
      row[603] = 200;
      const rows = [[row, 2]] as const;
      expect(inflateSync(deflateRows(rows)).equals(joinRows(rows))).toBe(true);
    }
  });

  test("copies whose bytes leave every rest of 258", () => {
    for (let length = 3; length < 262; length += 1) {
      const rows = [[new Uint8Array(length).fill(0xa5), 3]] as const;
      expect(inflateSync(deflateRows(rows)).equals(joinRows(rows))).toBe(true);
    }
  });

  test("distances up to the largest", () => {
    for (const length of [4, 5, 257, 258, 1025, 4097, 24_577, 32_768]) {
      const row = Uint8Array.from({ length }, (_, i) => (i * 31) & 255);
      const rows = [[row, 3]] as const;
      expect(inflateSync(deflateRows(rows)).equals(joinRows(rows))).toBe(true);
    }
  });

  test("checksum in closed form over a million copies", () => {
    const row = new Uint8Array(400).fill(255, 1);
    const rows = [[row, 20_000]] as const;
    const ours = deflateRows(rows);
    const theirs = deflateSync(joinRows(rows));
    expect(Buffer.from(ours.subarray(-4)).equals(theirs.subarray(-4))).toBe(true);
  });
});
