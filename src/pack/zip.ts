/**
 * ZIP archives by archiver, fed one entry at a time so that little waits in memory, with the same
 * bytes for the same input.
 */
import { createHash } from "node:crypto";
import { once } from "node:events";
import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import path from "node:path";
import { Readable, type Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setImmediate as nextTurn } from "node:timers/promises";

import type { ZipArchive } from "archiver";

import { AppError, invariant, toMessage } from "../base/errors.ts";
import { readSmallFile } from "../base/files/small-file.ts";
import { EntryNames } from "./entry-names.ts";
import { toSink, writeHashedFile, type WriteChunk, type WrittenFile } from "./hashed-file.ts";

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
  /** Of all content so far, before packing. */
  readonly bytesIn: number;
  /** Resolves when the entry is in, with the SHA-256 of its content. One at a time. */
  add(entry: ZipEntry): Promise<string>;
}

// DOS dates know these years only (APPNOTE 4.4.6).
const FIRST_YEAR = 1980;
const LAST_YEAR = 2107;
/** A small window: most entries are drawings of some kilobytes, and setting up zlib costs more than they do. */
const ZLIB_OPTIONS = { level: 6, windowBits: 13, memLevel: 6 } as const;
// Above this a file is streamed instead of read whole.
const MAX_BUFFERED_BYTES = 16 * 1024 * 1024;
/** How much may wait for the disk before the next entry is taken. */
const MAX_WAITING_BYTES = 4 * 1024 * 1024;
/** Packed already: deflating again costs time and gains nothing. */
const STORED_EXTENSIONS = new Set([".png", ".zip", ".pdf", ".xlsx", ".jpg", ".jpeg"]);

function isZipDate(date: Date): boolean {
  const year = date.getUTCFullYear();
  return year >= FIRST_YEAR && year <= LAST_YEAR;
}

function toReadError(file: string, error: unknown): AppError {
  return new AppError(
    "artwork-unusable",
    `file to be packed must be readable, got ${toMessage(error)}`,
    { where: { file }, hint: "run the same command again", cause: error },
  );
}

/** The bytes when they're few or at hand, else a stream. */
async function openSource(source: ZipSource): Promise<Buffer | AsyncIterable<string | Uint8Array>> {
  if ("chunks" in source) return source.chunks;
  if ("data" in source) return Buffer.from(source.data);
  try {
    const { bytes } = readSmallFile(source.path);
    if (bytes !== undefined) return bytes;
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

/** Pieces on their way into the archive. A source that fails ends there: the archive goes no further. */
class HashedPieces {
  readonly #hash = createHash("sha256");
  #failure: { readonly error: unknown } | undefined;
  readonly stream: Readable;
  bytes = 0;

  constructor(chunks: AsyncIterable<string | Uint8Array>) {
    this.stream = Readable.from(this.#pass(chunks), { objectMode: false });
  }

  /** SHA-256 of all pieces; throws what the source threw. */
  finish(): string {
    if (this.#failure !== undefined) throw this.#failure.error;
    return this.#hash.digest("hex");
  }

  async *#pass(chunks: AsyncIterable<string | Uint8Array>): AsyncGenerator<Buffer> {
    try {
      for await (const chunk of chunks) {
        const bytes = Buffer.from(chunk);
        this.#hash.update(bytes);
        this.bytes += bytes.length;
        yield bytes;
      }
    } catch (error) {
      this.#failure = { error };
    }
  }
}

function checkHash(entry: ZipEntry, sha256: string): void {
  if (entry.sha256 === undefined || entry.sha256 === sha256) return;
  throw new AppError(
    "artwork-unusable",
    `file to be packed must have SHA-256 ${entry.sha256}, got ${sha256}`,
    {
      where: { file: "path" in entry ? entry.path : entry.name },
      hint: "run the same command again: it fetches the picture anew",
    },
  );
}

class ArchiveFile implements OpenZip {
  readonly #archive: ZipArchive;
  readonly #sink: Writable;
  readonly #written: Promise<void>;
  readonly #date: Date;
  readonly #names = new EntryNames();
  #waitingBytes = 0;
  /** Bytes of entries that are not deflated: at least so much will be written. */
  #storedBytes = 0;
  #writtenBytes = 0;
  #isBusy = false;
  #tellProgress: () => void = () => undefined;
  bytesIn = 0;

  constructor(archive: ZipArchive, write: WriteChunk, { createdAt }: ZipOptions) {
    this.#archive = archive;
    this.#date = createdAt;
    this.#sink = toSink(async (chunk) => {
      await write(chunk);
      this.#writtenBytes += chunk.length;
      this.#tellProgress();
    });
    this.#sink.once("close", () => this.#tellProgress());
    this.#written = pipeline(this.#archive, this.#sink);
    // The next add or end reports a failure.
    this.#written.catch(() => undefined);
  }

  async add(entry: ZipEntry): Promise<string> {
    invariant(!this.#isBusy, "entries of an archive must be added one at a time");
    this.#isBusy = true;
    this.#names.add(entry.name);
    const source = await openSource(entry);
    const sha256 = await (Buffer.isBuffer(source)
      ? this.#addBytes(entry.name, source)
      : this.#addStream(entry.name, source));
    checkHash(entry, sha256);
    this.#isBusy = false;
    return sha256;
  }

  /** Writes the directory and returns the number of entries. */
  async end(): Promise<number> {
    await Promise.all([this.#archive.finalize(), this.#written]);
    return this.#names.size;
  }

  /** Ends without an archive. */
  abort(): void {
    this.#archive.destroy();
    this.#sink.destroy();
  }

  async #addBytes(name: string, bytes: Buffer): Promise<string> {
    const store = STORED_EXTENSIONS.has(path.posix.extname(name).toLowerCase());
    await this.#append(bytes, name, store);
    this.bytesIn += bytes.length;
    if (store) this.#storedBytes += bytes.length;
    this.#waitingBytes += bytes.length;
    if (this.#waitingBytes > MAX_WAITING_BYTES) await this.#settle();
    return createHash("sha256").update(bytes).digest("hex");
  }

  /** Always deflated: readers that go front to back can't find the end of a stored stream. */
  async #addStream(name: string, chunks: AsyncIterable<string | Uint8Array>): Promise<string> {
    const pieces = new HashedPieces(chunks);
    await this.#append(pieces.stream, name, false);
    this.bytesIn += pieces.bytes;
    return pieces.finish();
  }

  async #append(source: Buffer | Readable, name: string, store: boolean): Promise<void> {
    this.#checkSink();
    // A failure of the archive or the disk is an error of the archive, and rejects this.
    const taken = once(this.#archive, "entry");
    this.#archive.append(source, { name, date: this.#date, store });
    await taken;
  }

  /** archiver takes everything at once, even with a slow disk: so wait until its queue is short. */
  async #settle(): Promise<void> {
    await nextTurn();
    while (this.#sink.writableNeedDrain || this.#isBehind()) {
      this.#checkSink();
      await new Promise<void>((resolve) => (this.#tellProgress = resolve));
      await nextTurn();
    }
    this.#checkSink();
    this.#waitingBytes = 0;
  }

  /** Streams between archiver and the disk hold bytes even while the last one asks for more. */
  #isBehind(): boolean {
    return this.#storedBytes - this.#writtenBytes > MAX_WAITING_BYTES;
  }

  #checkSink(): void {
    if (this.#sink.errored !== null) throw this.#sink.errored;
    invariant(!this.#sink.destroyed, "an archive that is being filled must be open");
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
  // Loaded for the first archive: most commands write none.
  const { ZipArchive } = await import("archiver");
  let entries = 0;
  const written = await writeHashedFile(file, async (write) => {
    const archive = new ArchiveFile(new ZipArchive({ zlib: ZLIB_OPTIONS }), write, options);
    try {
      await fill(archive);
      entries = await archive.end();
    } finally {
      archive.abort();
    }
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
