import { createHash } from "node:crypto";
import { once } from "node:events";
import type { WriteStream } from "node:fs";
import { Writable } from "node:stream";
import { callbackify } from "node:util";

import { streamFileAtomic } from "../base/atomic-file.ts";

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

/** The same as a stream, for writers of others. */
export function toSink(write: WriteChunk): Writable {
  const put = callbackify(write);
  return new Writable({ write: (chunk: Buffer, _encoding, done) => put(chunk, done) });
}
