/**
 * ZIP archives, written one entry at a time so that memory stays flat, with the same bytes for the
 * same input (`jobs.md` section 5).
 */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import path from "node:path";
import { Readable } from "node:stream";
import { promisify } from "node:util";
import { crc32, createDeflateRaw, deflateRaw, deflateRawSync } from "node:zlib";

import { AppError, invariant, toMessage } from "../base/errors.ts";
import { EntryNames } from "./entry-names.ts";
import { writeHashedFile, type WriteChunk, type WrittenFile } from "./hashed-file.ts";
import {
  isZipDate,
  makeCentralHeader,
  makeDescriptor,
  makeEnd,
  makeLocalHeader,
  MAX_32,
  toDosTime,
  type EntryRecord,
} from "./zip-format.ts";

/** Where the bytes of an entry come from: a file on disk, memory, or pieces made while writing. */
type ZipSource =
  | { readonly path: string }
  | { readonly data: string | Uint8Array }
  | { readonly chunks: AsyncIterable<string | Uint8Array> };

/** One file of an archive. `sha256` is checked against the bytes that really went in. */
export type ZipEntry = ZipSource & {
  /** Relative, `/` between segments, unique also where case doesn't count. */
  readonly name: string;
  readonly sha256?: string | undefined;
};

export interface ZipOptions {
  /** The date of every entry, UTC, to two seconds: a fixed one makes the bytes repeatable. */
  readonly createdAt: Date;
}

export interface ZipResult extends WrittenFile {
  readonly entries: number;
}

/** An archive that is being filled. */
export interface OpenZip {
  /** Resolves when the entry is in, with the SHA-256 of its content. One at a time. */
  add(entry: ZipEntry): Promise<string>;
}

const ZLIB_OPTIONS = { level: 6 } as const;
// Up to here the thread pool costs more than it saves.
const MAX_SYNC_BYTES = 64 * 1024;
// Above this a file is streamed instead of read whole.
const MAX_BUFFERED_BYTES = 16 * 1024 * 1024;
const DIRECTORY_CHUNK_BYTES = 1024 * 1024;
/** Packed already: deflating again costs time and gains nothing. */
const STORED_EXTENSIONS = new Set([".png", ".zip", ".pdf", ".xlsx", ".jpg", ".jpeg"]);

const deflateRawAsync = promisify(deflateRaw);

async function deflate(bytes: Uint8Array): Promise<Uint8Array> {
  return bytes.length <= MAX_SYNC_BYTES
    ? deflateRawSync(bytes, ZLIB_OPTIONS)
    : deflateRawAsync(bytes, ZLIB_OPTIONS);
}

function toReadError(file: string, error: unknown): AppError {
  return new AppError(
    "artwork-unusable",
    `file to be packed must be readable, got ${toMessage(error)}`,
    { where: { file }, hint: "run the same command again", cause: error },
  );
}

/** The bytes when they're few or at hand, else a stream. */
async function openSource(
  source: ZipSource,
): Promise<Uint8Array | AsyncIterable<string | Uint8Array>> {
  if ("chunks" in source) return source.chunks;
  if ("data" in source) {
    return typeof source.data === "string" ? Buffer.from(source.data) : source.data;
  }
  try {
    const handle = await open(source.path);
    try {
      const { size } = await handle.stat();
      if (size <= MAX_BUFFERED_BYTES) return await handle.readFile();
    } finally {
      await handle.close();
    }
    return createReadStream(source.path);
  } catch (error) {
    throw toReadError(source.path, error);
  }
}

/** Bytes end to end in large pieces: a million small buffers would cost more than they hold. */
class ByteList {
  readonly #full: Uint8Array[] = [];
  #open = Buffer.alloc(DIRECTORY_CHUNK_BYTES);
  #used = 0;

  append(bytes: Uint8Array): void {
    if (this.#used + bytes.length > this.#open.length) {
      this.#full.push(this.#open.subarray(0, this.#used));
      this.#open = Buffer.alloc(DIRECTORY_CHUNK_BYTES);
      this.#used = 0;
    }
    this.#open.set(bytes, this.#used);
    this.#used += bytes.length;
  }

  *[Symbol.iterator](): Generator<Uint8Array> {
    yield* this.#full;
    yield this.#open.subarray(0, this.#used);
  }
}

class ArchiveFile implements OpenZip {
  readonly #sink: WriteChunk;
  readonly #dosTime: number;
  readonly #names = new EntryNames();
  readonly #directory = new ByteList();
  #offset = 0;
  #isBusy = false;

  constructor(sink: WriteChunk, createdAt: Date) {
    this.#sink = sink;
    this.#dosTime = toDosTime(createdAt);
  }

  async add(entry: ZipEntry): Promise<string> {
    invariant(!this.#isBusy, "entries of an archive must be added one at a time");
    this.#isBusy = true;
    this.#names.add(entry.name);
    const source = await openSource(entry);
    const sha256 =
      source instanceof Uint8Array
        ? await this.#addBytes(entry.name, source)
        : await this.#addStream(entry.name, source);
    if (entry.sha256 !== undefined && entry.sha256 !== sha256) {
      const where = { file: "path" in entry ? entry.path : entry.name };
      throw new AppError(
        "artwork-unusable",
        `file to be packed must have SHA-256 ${entry.sha256}, got ${sha256}`,
        { where, hint: "run the same command again" },
      );
    }
    this.#isBusy = false;
    return sha256;
  }

  /** Writes the directory and tells how many entries there are. */
  async end(): Promise<number> {
    const offset = this.#offset;
    for (const chunk of this.#directory) await this.#write(chunk);
    const entries = this.#names.size;
    await this.#write(makeEnd({ entries, offset, bytes: this.#offset - offset }));
    return entries;
  }

  async #addBytes(name: string, bytes: Uint8Array): Promise<string> {
    const isPacked = STORED_EXTENSIONS.has(path.posix.extname(name).toLowerCase());
    const deflated = isPacked ? bytes : await deflate(bytes);
    const isSmaller = deflated.length < bytes.length;
    const packed = isSmaller ? deflated : bytes;
    const record: EntryRecord = {
      name: Buffer.from(name),
      method: isSmaller ? "deflated" : "stored",
      crc32: crc32(bytes),
      packedBytes: packed.length,
      bytes: bytes.length,
      streamed: false,
      offset: this.#offset,
    };
    await this.#write(makeLocalHeader(record, this.#dosTime));
    await this.#write(packed);
    this.#directory.append(makeCentralHeader(record, this.#dosTime));
    return createHash("sha256").update(bytes).digest("hex");
  }

  /** Always deflated: readers that go front to back can't find the end of a stored stream. */
  async #addStream(name: string, chunks: AsyncIterable<string | Uint8Array>): Promise<string> {
    const hash = createHash("sha256");
    const seen = { crc32: 0, bytes: 0 };
    async function* measured(): AsyncGenerator<Buffer> {
      for await (const chunk of chunks) {
        const bytes = Buffer.from(chunk);
        hash.update(bytes);
        seen.crc32 = crc32(bytes, seen.crc32);
        seen.bytes += bytes.length;
        yield bytes;
      }
    }
    const opening: EntryRecord = {
      name: Buffer.from(name),
      method: "deflated",
      crc32: 0,
      packedBytes: 0,
      bytes: 0,
      streamed: true,
      offset: this.#offset,
    };
    await this.#write(makeLocalHeader(opening, this.#dosTime));
    const packedBytes = await this.#deflateInto(Readable.from(measured(), { objectMode: false }));
    invariant(
      Math.max(seen.bytes, packedBytes) < MAX_32,
      `file in an archive must be smaller than 4 GiB, got ${seen.bytes} bytes for ${name}`,
    );
    const record: EntryRecord = { ...opening, ...seen, packedBytes };
    await this.#write(makeDescriptor(record));
    this.#directory.append(makeCentralHeader(record, this.#dosTime));
    return hash.digest("hex");
  }

  async #deflateInto(source: Readable): Promise<number> {
    const start = this.#offset;
    const deflater = createDeflateRaw(ZLIB_OPTIONS);
    source.once("error", (error) => deflater.destroy(error));
    try {
      for await (const chunk of source.pipe(deflater)) await this.#write(chunk as Buffer);
    } finally {
      source.destroy();
    }
    return this.#offset - start;
  }

  async #write(bytes: Uint8Array): Promise<void> {
    this.#offset += bytes.length;
    await this.#sink(bytes);
  }
}

/**
 * Writes an archive that `fill` feeds, atomically: the file is there whole or not at all. Entries
 * stand in the order in which they're added; hand them over sorted where the order must repeat.
 */
export async function writeZipWith(
  file: string,
  options: ZipOptions,
  fill: (zip: OpenZip) => Promise<void>,
): Promise<ZipResult> {
  invariant(
    isZipDate(options.createdAt),
    `date in an archive must lie in 1980 to 2107, got ${String(options.createdAt)}`,
  );
  let entries = 0;
  const written = await writeHashedFile(file, async (write) => {
    const archive = new ArchiveFile(write, options.createdAt);
    await fill(archive);
    entries = await archive.end();
  });
  return { ...written, entries };
}

/** Writes `entries` as an archive. Errors: `artwork-unusable`; `bug` for an unclean or doubled name. */
export async function writeZip(
  file: string,
  entries: AsyncIterable<ZipEntry> | Iterable<ZipEntry>,
  options: ZipOptions,
): Promise<ZipResult> {
  return writeZipWith(file, options, async (zip) => {
    for await (const entry of entries) await zip.add(entry);
  });
}
