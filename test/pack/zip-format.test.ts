import { describe, expect, test } from "vitest";

import {
  isZipDate,
  makeCentralHeader,
  makeDescriptor,
  makeEnd,
  makeLocalHeader,
  toDosTime,
  type EntryRecord,
} from "../../src/pack/zip-format.ts";

const record: EntryRecord = {
  name: Buffer.from("é.svg"),
  method: "deflated",
  crc32: 0xdeadbeef,
  packedBytes: 12,
  bytes: 34,
  streamed: false,
  offset: 56,
};

test("the local header carries sizes when they're known, else the descriptor does", () => {
  const known = makeLocalHeader(record, 0);
  expect([known.readUInt32LE(14), known.readUInt32LE(18), known.readUInt32LE(22)]).toEqual([
    0xdeadbeef, 12, 34,
  ]);
  expect(known.readUInt16LE(6)).toBe(0x800);
  expect(known.subarray(30).toString()).toBe("é.svg");
  const streamed = makeLocalHeader({ ...record, streamed: true }, 0);
  expect(streamed.readUInt16LE(6)).toBe(0x808);
  expect(streamed.subarray(14, 26).equals(Buffer.alloc(12))).toBe(true);
  const descriptor = makeDescriptor(record);
  expect([4, 8, 12].map((at) => descriptor.readUInt32LE(at))).toEqual([0xdeadbeef, 12, 34]);
});

describe("beyond 32 bits", () => {
  test("an offset of 4 GiB and more stands in the zip64 field", () => {
    const near = makeCentralHeader({ ...record, offset: 0xfffffffe }, 0);
    expect(near.readUInt32LE(42)).toBe(0xfffffffe);
    expect(near.readUInt16LE(30)).toBe(0);
    for (const offset of [0xffffffff, 5 * 2 ** 32 + 7]) {
      const far = makeCentralHeader({ ...record, offset }, 0);
      expect(far.readUInt32LE(42)).toBe(0xffffffff);
      expect(far.readUInt16LE(30)).toBe(12);
      const extra = 46 + record.name.length;
      expect(far.readUInt16LE(extra)).toBe(1);
      expect(Number(far.readBigUInt64LE(extra + 4))).toBe(offset);
      expect(far.length).toBe(extra + 12);
    }
  });

  test.each([
    [65_534, 100, 100, false],
    [65_535, 100, 100, true],
    [3, 0xffffffff, 100, true],
    [3, 100, 2 ** 33, true],
  ])("%i entries, %i bytes at %i: zip64 %s", (entries, bytes, offset, isZip64) => {
    const end = makeEnd({ entries, bytes, offset });
    expect(end.length).toBe(isZip64 ? 98 : 22);
    const plain = end.subarray(-22);
    expect(plain.readUInt16LE(10)).toBe(Math.min(entries, 0xffff));
    if (!isZip64) return;
    expect(Number(end.readBigUInt64LE(32))).toBe(entries);
    expect(Number(end.readBigUInt64LE(40))).toBe(bytes);
    expect(Number(end.readBigUInt64LE(48))).toBe(offset);
    expect(Number(end.readBigUInt64LE(64))).toBe(offset + bytes);
  });
});

test("dates: UTC, 1980 to 2107", () => {
  expect(toDosTime(new Date("1980-01-01T00:00:00Z"))).toBe(0x0021_0000);
  expect(toDosTime(new Date("2107-12-31T23:59:59Z"))).toBe(0xff9f_bf7d);
  expect(isZipDate(new Date("2107-12-31T23:59:59Z"))).toBe(true);
  expect(isZipDate(new Date("2108-01-01T00:00:00Z"))).toBe(false);
  expect(isZipDate(new Date("nonsense"))).toBe(false);
});
