/**
 * The records of a ZIP file as bytes, after PKWARE's APPNOTE 6.3.10 (section numbers in the
 * comments). Only what makeready writes: UTF-8 names, stored or deflated, zip64 where 32 bits
 * don't reach.
 */

/** APPNOTE 4.4.5. */
type ZipMethod = "stored" | "deflated";

/** What the archive remembers of an entry. Sizes and `offset` in bytes. */
export interface EntryRecord {
  /** UTF-8. */
  readonly name: Uint8Array;
  readonly method: ZipMethod;
  readonly crc32: number;
  readonly packedBytes: number;
  readonly bytes: number;
  /** True when sizes and checksum stand behind the data, as they weren't known before. */
  readonly streamed: boolean;
  /** Where its local header starts. */
  readonly offset: number;
}

/** Where the central directory stands and how much it holds. */
export interface Directory {
  readonly entries: number;
  readonly bytes: number;
  readonly offset: number;
}

const METHODS = { stored: 0, deflated: 8 } as const satisfies Record<ZipMethod, number>;
const MAX_16 = 0xffff;
export const MAX_32 = 0xffff_ffff;
const VERSION_PLAIN = 20;
const VERSION_ZIP64 = 45;
const UNIX = 3;
// A regular file, rw-r--r--, in the upper half (4.4.15).
const FILE_ATTRIBUTES = 0o100_644 * 0x1_0000;
const FLAG_DESCRIPTOR = 1 << 3;
const FLAG_UTF8 = 1 << 11;
// DOS dates know these years only.
const FIRST_YEAR = 1980;
const LAST_YEAR = 2107;

/** True for dates that an archive can hold. */
export function isZipDate(date: Date): boolean {
  const year = date.getUTCFullYear();
  return year >= FIRST_YEAR && year <= LAST_YEAR;
}

/** DOS time in the lower, DOS date in the upper 16 bits: UTC, two seconds fine (4.4.6). */
export function toDosTime(date: Date): number {
  const time =
    (date.getUTCHours() << 11) | (date.getUTCMinutes() << 5) | (date.getUTCSeconds() >> 1);
  const day =
    ((date.getUTCFullYear() - FIRST_YEAR) << 9) |
    ((date.getUTCMonth() + 1) << 5) |
    date.getUTCDate();
  return day * 0x1_0000 + time;
}

function toFlags(record: EntryRecord): number {
  return FLAG_UTF8 | (record.streamed ? FLAG_DESCRIPTOR : 0);
}

/** 4.3.7. */
export function makeLocalHeader(record: EntryRecord, dosTime: number): Buffer {
  const out = Buffer.alloc(30 + record.name.length);
  out.writeUInt32LE(0x0403_4b50, 0);
  out.writeUInt16LE(VERSION_PLAIN, 4);
  out.writeUInt16LE(toFlags(record), 6);
  out.writeUInt16LE(METHODS[record.method], 8);
  out.writeUInt32LE(dosTime, 10);
  if (!record.streamed) {
    out.writeUInt32LE(record.crc32, 14);
    out.writeUInt32LE(record.packedBytes, 18);
    out.writeUInt32LE(record.bytes, 22);
  }
  out.writeUInt16LE(record.name.length, 26);
  out.set(record.name, 30);
  return out;
}

/** 4.3.9, behind the data of a streamed entry. */
export function makeDescriptor(record: EntryRecord): Buffer {
  const out = Buffer.alloc(16);
  out.writeUInt32LE(0x0807_4b50, 0);
  out.writeUInt32LE(record.crc32, 4);
  out.writeUInt32LE(record.packedBytes, 8);
  out.writeUInt32LE(record.bytes, 12);
  return out;
}

/** 4.3.12; the offset moves to a zip64 extra field (4.5.3) beyond 4 GiB. */
export function makeCentralHeader(record: EntryRecord, dosTime: number): Buffer {
  const isFar = record.offset >= MAX_32;
  const extraBytes = isFar ? 12 : 0;
  const out = Buffer.alloc(46 + record.name.length + extraBytes);
  out.writeUInt32LE(0x0201_4b50, 0);
  out.writeUInt16LE((UNIX << 8) | VERSION_ZIP64, 4);
  out.writeUInt16LE(isFar ? VERSION_ZIP64 : VERSION_PLAIN, 6);
  out.writeUInt16LE(toFlags(record), 8);
  out.writeUInt16LE(METHODS[record.method], 10);
  out.writeUInt32LE(dosTime, 12);
  out.writeUInt32LE(record.crc32, 16);
  out.writeUInt32LE(record.packedBytes, 20);
  out.writeUInt32LE(record.bytes, 24);
  out.writeUInt16LE(record.name.length, 28);
  out.writeUInt16LE(extraBytes, 30);
  out.writeUInt32LE(FILE_ATTRIBUTES, 38);
  out.writeUInt32LE(isFar ? MAX_32 : record.offset, 42);
  out.set(record.name, 46);
  if (isFar) {
    const extra = 46 + record.name.length;
    out.writeUInt16LE(0x0001, extra);
    out.writeUInt16LE(8, extra + 2);
    out.writeBigUInt64LE(BigInt(record.offset), extra + 4);
  }
  return out;
}

/** 4.3.14 and 4.3.15. */
function makeZip64End({ entries, bytes, offset }: Directory): Buffer {
  const out = Buffer.alloc(56 + 20);
  out.writeUInt32LE(0x0606_4b50, 0);
  out.writeBigUInt64LE(44n, 4);
  out.writeUInt16LE((UNIX << 8) | VERSION_ZIP64, 12);
  out.writeUInt16LE(VERSION_ZIP64, 14);
  out.writeBigUInt64LE(BigInt(entries), 24);
  out.writeBigUInt64LE(BigInt(entries), 32);
  out.writeBigUInt64LE(BigInt(bytes), 40);
  out.writeBigUInt64LE(BigInt(offset), 48);
  out.writeUInt32LE(0x0706_4b50, 56);
  out.writeBigUInt64LE(BigInt(offset + bytes), 64);
  out.writeUInt32LE(1, 72);
  return out;
}

/** 4.3.16, behind the zip64 records where a number is too large for it. */
export function makeEnd(directory: Directory): Buffer {
  const { entries, bytes, offset } = directory;
  const needsZip64 = entries >= MAX_16 || bytes >= MAX_32 || offset >= MAX_32;
  const out = Buffer.alloc(22);
  out.writeUInt32LE(0x0605_4b50, 0);
  out.writeUInt16LE(Math.min(entries, MAX_16), 8);
  out.writeUInt16LE(Math.min(entries, MAX_16), 10);
  out.writeUInt32LE(Math.min(bytes, MAX_32), 12);
  out.writeUInt32LE(Math.min(offset, MAX_32), 16);
  return needsZip64 ? Buffer.concat([makeZip64End(directory), out]) : out;
}
