import { readFileSync } from "node:fs";
import { crc32, inflateRawSync } from "node:zlib";

export interface ReadEntry {
  readonly name: string;
  readonly method: number;
  readonly dosTime: number;
  readonly flags: number;
  readonly data: Buffer;
}

interface End {
  readonly entries: number;
  readonly offset: number;
  readonly isZip64: boolean;
}

function readEnd(file: Buffer): End {
  const at = file.length - 22;
  if (file.readUInt32LE(at) !== 0x06054b50) throw new Error("no end of central directory");
  const entries = file.readUInt16LE(at + 10);
  const offset = file.readUInt32LE(at + 16);
  if (entries !== 0xffff && offset !== 0xffffffff) return { entries, offset, isZip64: false };
  const locator = at - 20;
  if (file.readUInt32LE(locator) !== 0x07064b50) throw new Error("no zip64 locator");
  const record = Number(file.readBigUInt64LE(locator + 8));
  if (file.readUInt32LE(record) !== 0x06064b50) throw new Error("no zip64 end");
  return {
    entries: Number(file.readBigUInt64LE(record + 32)),
    offset: Number(file.readBigUInt64LE(record + 48)),
    isZip64: true,
  };
}

/** Reads a small archive by its central directory, checking lengths and checksums on the way. */
export function readZip(path: string): { entries: ReadEntry[]; isZip64: boolean } {
  const file = readFileSync(path);
  const end = readEnd(file);
  const entries: ReadEntry[] = [];
  let at = end.offset;
  for (let i = 0; i < end.entries; i += 1) {
    if (file.readUInt32LE(at) !== 0x02014b50) throw new Error(`no central header ${i}`);
    const nameBytes = file.readUInt16LE(at + 28);
    const name = file.subarray(at + 46, at + 46 + nameBytes).toString("utf8");
    const method = file.readUInt16LE(at + 10);
    const packedBytes = file.readUInt32LE(at + 20);
    const local = file.readUInt32LE(at + 42);
    if (file.readUInt32LE(local) !== 0x04034b50) throw new Error(`no local header for ${name}`);
    const start = local + 30 + file.readUInt16LE(local + 26) + file.readUInt16LE(local + 28);
    const packed = file.subarray(start, start + packedBytes);
    const data = method === 8 ? inflateRawSync(packed) : packed;
    if (data.length !== file.readUInt32LE(at + 24)) throw new Error(`length of ${name}`);
    if (crc32(data) !== file.readUInt32LE(at + 16)) throw new Error(`checksum of ${name}`);
    entries.push({
      name,
      method,
      data,
      dosTime: file.readUInt32LE(at + 12),
      flags: file.readUInt16LE(at + 8),
    });
    at += 46 + nameBytes + file.readUInt16LE(at + 30) + file.readUInt16LE(at + 32);
  }
  return { entries, isZip64: end.isZip64 };
}
