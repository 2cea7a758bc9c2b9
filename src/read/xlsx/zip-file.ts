/** Reads ZIP archives from memory: list of entries with sizes, and single entries, within limits. */
import { createInflateRaw, crc32 } from "node:zlib";

const END_MARK = Buffer.from("PK\u0005\u0006", "latin1");
const ENTRY_SIGNATURE = 0x02014b50;
const LOCAL_SIGNATURE = 0x04034b50;
const ZIP64_LOCATOR_SIGNATURE = 0x07064b50;
const ZIP64_FIELD = 1;
/** In a 32-bit field: the value is in the ZIP64 field. */
const NOT_HERE = 0xffffffff;
const END_BYTES = 22;
const LOCAL_BYTES = 30;
/** Bytes after the end: a comment, or what a transfer has added. */
const MAX_BEHIND = 1 << 20;
/** Bytes before the archive: what a transfer has added. */
const MAX_BEFORE = 4096;
const MAX_ENTRIES = 20_000;
const ENCRYPTED_FLAG = 1;
/** Bytes passed on at a time, however they were packed. */
const CHUNK_BYTES = 1 << 16;
const STORED = 0;
const DEFLATED = 8;

/** The archive is damaged, cut off or above a limit; the message says so in words. */
export class ZipFault extends Error {
  readonly hint: string;

  constructor(message: string, hint = "save or copy the file again") {
    super(message);
    this.hint = hint;
  }
}

export interface ZipEntry {
  readonly name: string;
  readonly size: number;
  readonly packedSize: number;
  readonly crc: number;
  readonly method: number;
  readonly isEncrypted: boolean;
  readonly offset: number;
}

export interface ZipFile {
  readonly entries: ReadonlyMap<string, ZipEntry>;
  /** An entry by its name; else one whose name differs only in case. */
  find(name: string): ZipEntry | undefined;
  /**
   * Bytes of an entry. Throws a ZipFault, at the latest at the end, when size or checksum differ
   * from the archive's directory.
   */
  read(entry: ZipEntry, maxBytes: number): AsyncGenerator<Buffer>;
}

const CUT_OFF = "file must be a whole workbook, got one that is cut off or damaged";

function findEnd(bytes: Buffer): number {
  if (bytes.length < END_BYTES) throw new ZipFault(CUT_OFF);
  const at = bytes.lastIndexOf(END_MARK, bytes.length - END_BYTES);
  if (at < Math.max(0, bytes.length - END_BYTES - MAX_BEHIND)) throw new ZipFault(CUT_OFF);
  return at;
}

/** Values too large for 32 bits are in an extra field, in this order (ZIP64). */
const LARGE_FIELDS = ["size", "packedSize", "offset"] as const;
type LargeFields = Record<(typeof LARGE_FIELDS)[number], number>;

function readLargeFields(extra: Buffer, fields: LargeFields): Partial<LargeFields> {
  const large: Partial<LargeFields> = {};
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2)) {
    if (extra.readUInt16LE(at) !== ZIP64_FIELD) continue;
    let from = at + 4;
    for (const name of LARGE_FIELDS.filter((one) => fields[one] === NOT_HERE)) {
      if (from + 8 > extra.length) throw new ZipFault(CUT_OFF);
      large[name] = Number(extra.readBigUInt64LE(from));
      from += 8;
    }
  }
  return large;
}

/** Where the archive begins: computed from its directory, which ends where its end record begins. */
function findStart(bytes: Buffer, end: number): number {
  const start = end - bytes.readUInt32LE(end + 12) - bytes.readUInt32LE(end + 16);
  return start > 0 && start <= MAX_BEFORE ? start : 0;
}

/** Number of entries and offset of the directory. */
function readEnd(bytes: Buffer, end: number): { count: number; offset: number } {
  const locator = end - 20;
  const isLarge = locator >= 0 && bytes.readUInt32LE(locator) === ZIP64_LOCATOR_SIGNATURE;
  if (!isLarge)
    return { count: bytes.readUInt16LE(end + 10), offset: bytes.readUInt32LE(end + 16) };
  const at = Number(bytes.readBigUInt64LE(locator + 8));
  if (at + 56 > bytes.length) throw new ZipFault(CUT_OFF);
  const [count, offset] = [bytes.readBigUInt64LE(at + 32), bytes.readBigUInt64LE(at + 48)];
  return { count: Number(count), offset: Number(offset) };
}

/** Some programs write backslashes, or a slash at the beginning. */
const toName = (bytes: Buffer): string =>
  bytes.toString("utf8").replaceAll("\\", "/").replace(/^\/+/u, "");

function readEntry(bytes: Buffer, at: number): { entry: ZipEntry; next: number } {
  if (at + 46 > bytes.length || bytes.readUInt32LE(at) !== ENTRY_SIGNATURE) {
    throw new ZipFault(CUT_OFF);
  }
  const nameLength = bytes.readUInt16LE(at + 28);
  const extraStart = at + 46 + nameLength;
  const extraEnd = extraStart + bytes.readUInt16LE(at + 30);
  const entry = {
    name: toName(bytes.subarray(at + 46, at + 46 + nameLength)),
    isEncrypted: (bytes.readUInt16LE(at + 8) & ENCRYPTED_FLAG) !== 0,
    method: bytes.readUInt16LE(at + 10),
    crc: bytes.readUInt32LE(at + 16),
    packedSize: bytes.readUInt32LE(at + 20),
    size: bytes.readUInt32LE(at + 24),
    offset: bytes.readUInt32LE(at + 42),
  };
  const large = readLargeFields(bytes.subarray(extraStart, extraEnd), entry);
  return { entry: { ...entry, ...large }, next: extraEnd + bytes.readUInt16LE(at + 32) };
}

/** The packed bytes, if directory and entry agree. */
function findPacked(bytes: Buffer, { name, offset, packedSize }: ZipEntry): Buffer {
  if (offset + LOCAL_BYTES > bytes.length || bytes.readUInt32LE(offset) !== LOCAL_SIGNATURE) {
    throw new ZipFault(CUT_OFF);
  }
  const nameEnd = offset + LOCAL_BYTES + bytes.readUInt16LE(offset + 26);
  if (toName(bytes.subarray(offset + LOCAL_BYTES, nameEnd)) !== name) throw new ZipFault(CUT_OFF);
  const start = nameEnd + bytes.readUInt16LE(offset + 28);
  return bytes.subarray(start, start + packedSize);
}

function checkEntry(entry: ZipEntry, maxBytes: number): void {
  if (entry.isEncrypted) {
    throw new ZipFault("file must be readable, got an encrypted ZIP", "save it without password");
  }
  if (entry.size > maxBytes) {
    const most = Math.floor(maxBytes / 1_048_576);
    throw new ZipFault(
      `workbook must unpack to at most ${most} MB per part, got ${Math.ceil(entry.size / 1_048_576)} MB`,
      "delete empty formatted rows and unused sheets, or save the sheet as CSV",
    );
  }
  if (entry.method !== STORED && entry.method !== DEFLATED) throw new ZipFault(CUT_OFF);
}

async function* unpack(packed: Buffer, entry: ZipEntry): AsyncGenerator<Buffer> {
  if (entry.method === STORED) {
    for (let at = 0; at < packed.length; at += CHUNK_BYTES)
      yield packed.subarray(at, at + CHUNK_BYTES);
    return;
  }
  const inflate = createInflateRaw({ chunkSize: CHUNK_BYTES });
  inflate.end(packed);
  for await (const chunk of inflate) yield chunk as Buffer;
}

async function* readChunks(
  bytes: Buffer,
  entry: ZipEntry,
  maxBytes: number,
): AsyncGenerator<Buffer> {
  checkEntry(entry, maxBytes);
  let [size, crc] = [0, 0];
  const chunks = unpack(findPacked(bytes, entry), entry);
  try {
    for await (const chunk of chunks) {
      size += chunk.length;
      // An announced size that is too small must not let more bytes through.
      if (size > entry.size) throw new ZipFault(CUT_OFF);
      crc = crc32(chunk, crc);
      yield chunk;
    }
  } catch (error) {
    if (error instanceof Error && "code" in error) throw new ZipFault(CUT_OFF);
    throw error;
  }
  if (size !== entry.size || crc !== entry.crc) throw new ZipFault(CUT_OFF);
}

/** @throws ZipFault when the archive can't be read completely */
export function readZip(file: Buffer): ZipFile {
  const start = findStart(file, findEnd(file));
  const bytes = file.subarray(start);
  const { count, offset } = readEnd(bytes, findEnd(bytes));
  if (count > MAX_ENTRIES) throw new ZipFault(`ZIP must have at most ${MAX_ENTRIES} entries`);
  const entries = new Map<string, ZipEntry>();
  let at = offset;
  for (let n = 0; n < count; n += 1) {
    const { entry, next } = readEntry(bytes, at);
    if (entries.has(entry.name)) throw new ZipFault(CUT_OFF);
    entries.set(entry.name, entry);
    at = next;
  }
  const byCase = new Map([...entries].map(([name, entry]) => [name.toLowerCase(), entry]));
  const find = (name: string): ZipEntry | undefined =>
    entries.get(name) ?? byCase.get(name.toLowerCase());
  return { entries, find, read: (entry, maxBytes) => readChunks(bytes, entry, maxBytes) };
}
