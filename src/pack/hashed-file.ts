import { createHash } from "node:crypto";
import { once } from "node:events";
import type { WriteStream } from "node:fs";
import { Writable } from "node:stream";
import { callbackify } from "node:util";

import { streamFileAtomic } from "../base/files/atomic-file.ts";

export interface WrittenFile {
  readonly file: string;
  readonly bytes: number;
  /** Of the whole file, lower-case hex. */
  readonly sha256: string;
}

/** Takes bytes, or text as UTF-8; resolves when more may come. One call at a time. */
export type WriteChunk = (chunk: string | Uint8Array) => Promise<void>;

async function closeFailed(sink: WriteStream): Promise<void> {
  sink.destroy();
  if (!sink.closed) await once(sink, "close").catch(() => undefined);
}

/** Writes a file piece by piece, whole or not at all, and tells its length and hash. */
export async function writeHashedFile(
  file: string,
  fill: (write: WriteChunk) => Promise<void>,
): Promise<WrittenFile> {
  const hash = createHash("sha256");
  let bytes = 0;
  await streamFileAtomic(file, async (sink) => {
    try {
      await fill(async (chunk) => {
        const data = typeof chunk === "string" ? Buffer.from(chunk) : chunk;
        hash.update(data);
        bytes += data.length;
        if (sink.errored !== null) throw sink.errored;
        if (!sink.write(data)) await once(sink, "drain");
      });
    } catch (error) {
      await closeFailed(sink);
      throw error;
    }
  });
  return { file, bytes, sha256: hash.digest("hex") };
}

/** The same for text that arrives in pieces. */
export async function writeTextFile(
  file: string,
  chunks: AsyncIterable<string> | Iterable<string>,
): Promise<WrittenFile> {
  return writeHashedFile(file, async (write) => {
    for await (const chunk of chunks) await write(chunk);
  });
}

/**
 * Writers of archives hand over some bytes at a time, dozens of times a file: these are gathered up
 * to this size.
 */
const GATHERED_BYTES = 64 * 1024;

/**
 * The same as a stream, for writers of packages: gathers small pieces, and finishes when all is
 * written.
 */
export function toSink(write: WriteChunk): Writable {
  const put = callbackify(write);
  let room = Buffer.alloc(0);
  let held = 0;
  const flush = (done: (error?: Error | null) => void): void => {
    // Passed on as it is: its writer keeps it until the disk has it.
    const gathered = room.subarray(0, held);
    room = Buffer.alloc(0);
    held = 0;
    if (gathered.length === 0) done();
    else put(gathered, done);
  };
  const take = (chunk: Buffer, done: (error?: Error | null) => void): void => {
    if (chunk.length >= GATHERED_BYTES) {
      put(chunk, done);
      return;
    }
    if (held === 0) room = Buffer.allocUnsafe(GATHERED_BYTES);
    held += chunk.copy(room, held);
    done();
  };
  return new Writable({
    write(chunk: Buffer, _encoding, done) {
      if (held + chunk.length <= GATHERED_BYTES) take(chunk, done);
      else flush((error) => (error ? done(error) : take(chunk, done)));
    },
    final: flush,
  });
}
