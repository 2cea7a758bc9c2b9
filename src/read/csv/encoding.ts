import { createHash } from "node:crypto";
import { isAscii, isUtf8 } from "node:buffer";
import { createReadStream } from "node:fs";

import type { JobSource } from "../../job/job.ts";

import { readByLine } from "./by-line.ts";
import { findLikeness, type Likeness } from "./likeness.ts";
import { unreadable } from "../files/unreadable.ts";

export type Encoding = NonNullable<JobSource["encoding"]>;

export interface TextFacts {
  readonly sha256: string;
  readonly encoding: Encoding;
  /** Bytes of the byte order mark in front. */
  readonly bomBytes: number;
  /** Line of the first byte that isn't UTF-8, if UTF-8 was tried or requested. */
  readonly firstForeignLine: number | undefined;
  /** What a file looks like that is neither UTF-8 nor said to be anything else. */
  readonly likeness: Likeness | undefined;
  /** The requested encoding, if the file contradicts it. */
  readonly contradicted: Encoding | undefined;
}

const BOMS: readonly (readonly [Encoding, readonly number[]])[] = [
  ["utf-8", [0xef, 0xbb, 0xbf]],
  ["utf-16le", [0xff, 0xfe]],
  ["utf-16be", [0xfe, 0xff]],
];

function readBom(head: Buffer): { encoding: Encoding; bytes: number } | undefined {
  const found = BOMS.find(([, bom]) => bom.every((byte, at) => head[at] === byte));
  return found && { encoding: found[0], bytes: found[1].length };
}

/** UTF-16 without a mark: in Latin text, every other byte is zero. */
function guessUtf16(head: Buffer): Encoding | undefined {
  let even = 0;
  let odd = 0;
  for (const [at, byte] of head.entries()) {
    if (byte === 0) {
      if (at % 2 === 0) even += 1;
      else odd += 1;
    }
  }
  const pairs = head.length / 2;
  if (pairs < 2) return undefined;
  if (odd > pairs * 0.4 && even < pairs * 0.1) return "utf-16le";
  return even > pairs * 0.4 && odd < pairs * 0.1 ? "utf-16be" : undefined;
}

/** How many bytes at the end belong to a character that continues in the next chunk. */
function countUnfinished(chunk: Buffer): number {
  for (let back = 1; back <= Math.min(3, chunk.length); back += 1) {
    const byte = chunk[chunk.length - back] ?? 0;
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) {
      const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
      return length > back ? back : 0;
    }
  }
  return 0;
}

const countLines = (bytes: Buffer): number => {
  let lines = 0;
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) lines += 1;
  return lines;
};

/** Checks a stream of chunks for strict UTF-8, and notes the line of the first fault. */
class Utf8Check {
  foreignLine: number | undefined;
  #rest: Buffer = Buffer.alloc(0);
  #line = 1;

  add(chunk: Buffer, isLast: boolean): void {
    if (this.foreignLine !== undefined) return;
    const all = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    const whole = isLast ? all.length : all.length - countUnfinished(all);
    const part = all.subarray(0, whole);
    if (!isUtf8(part)) {
      this.foreignLine = this.#line + this.#findLine(part);
      return;
    }
    this.#line += countLines(part);
    this.#rest = Buffer.from(all.subarray(whole));
  }

  #findLine(part: Buffer): number {
    let line = 0;
    for (let from = 0; from < part.length; line += 1) {
      const end = part.indexOf(10, from);
      const to = end < 0 ? part.length : end;
      if (!isUtf8(part.subarray(from, to))) return line;
      from = to + 1;
    }
    return Math.max(0, line - 1);
  }
}

interface Scan {
  readonly sha256: string;
  readonly size: number;
  readonly head: Buffer;
  readonly foreignLine: number | undefined;
  /** ASCII only. */
  readonly isPlain: boolean;
}

async function scan(file: string, signal: AbortSignal | undefined): Promise<Scan> {
  const hash = createHash("sha256");
  const check = new Utf8Check();
  let head: Buffer | undefined;
  let size = 0;
  let isPlain = true;
  for await (const chunk of createReadStream(file, { highWaterMark: 1 << 18 })) {
    signal?.throwIfAborted();
    const bytes = chunk as Buffer;
    head ??= Buffer.from(bytes.subarray(0, 4096));
    size += bytes.length;
    hash.update(bytes);
    isPlain &&= isAscii(bytes);
    check.add(bytes, false);
  }
  check.add(Buffer.alloc(0), true);
  const { foreignLine } = check;
  const whole = { sha256: hash.digest("hex"), size, foreignLine, isPlain };
  return { ...whole, head: head ?? Buffer.alloc(0) };
}

/** A byte too many or too few turns everything after it into other letters. */
function checkPairs(file: string, encoding: Encoding, size: number): void {
  if (!encoding.startsWith("utf-16") || size % 2 === 0) return;
  const message = `file must be whole ${encoding.toUpperCase()} text, got an odd number of bytes`;
  throw unreadable(message, { hint: "copy or save the file again", where: { file } });
}

/** The encoding by the bytes: their mark, the zeros of UTF-16, non-ASCII letters in UTF-8. */
function findMarked({ head, foreignLine, isPlain }: Scan): Encoding | undefined {
  const found = readBom(head)?.encoding ?? guessUtf16(head);
  return found ?? (foreignLine === undefined && !isPlain ? "utf-8" : undefined);
}

/** The requested encoding, if the file contradicts it. */
function findContradicted(forced: Encoding | null, all: Scan): Encoding | undefined {
  const marked = findMarked(all);
  const isOther = forced !== null && marked !== undefined && marked !== forced;
  return isOther ? forced : undefined;
}

const guessEncoding = (foreign: number | undefined, likeness: Likeness | undefined): Encoding =>
  foreign === undefined || likeness?.kind === "lines" ? "utf-8" : "windows-1252";

/**
 * Reads the whole file once: checksum and encoding. A byte order mark counts first, then the
 * requested encoding, then strict UTF-8; else windows-1252, which accepts any byte. Where lines of UTF-8
 * stand between others, each line is read by itself.
 */
export async function readTextFacts(
  file: string,
  forced: Encoding | null,
  signal?: AbortSignal,
): Promise<TextFacts> {
  const all = await scan(file, signal);
  const { sha256, size, head, foreignLine } = all;
  const bom = readBom(head);
  const known = bom?.encoding ?? forced ?? guessUtf16(head);
  const isGuessed = known === undefined && foreignLine !== undefined;
  const likeness = isGuessed ? await findLikeness(file, signal) : undefined;
  const encoding = known ?? guessEncoding(foreignLine, likeness);
  checkPairs(file, encoding, size);
  const triesUtf8 = known === undefined || known === "utf-8";
  return {
    sha256,
    encoding,
    bomBytes: bom?.bytes ?? 0,
    firstForeignLine: triesUtf8 ? foreignLine : undefined,
    likeness,
    contradicted: findContradicted(forced, all),
  };
}

/** Parsed without a pause, in which no signal is noticed. */
const CHUNK_BYTES = 16 * 1024;

/** The bytes of the file as UTF-8, from any encoding; without byte order mark. */
export async function* readAsUtf8(
  file: string,
  { encoding, bomBytes, likeness }: Pick<TextFacts, "encoding" | "bomBytes" | "likeness">,
  signal?: AbortSignal,
): AsyncGenerator<Buffer> {
  const all = createReadStream(file, { start: bomBytes, highWaterMark: CHUNK_BYTES });
  const chunks = likeness?.kind === "lines" ? readByLine(all) : all;
  const decoder = encoding === "utf-8" ? undefined : new TextDecoder(encoding, { ignoreBOM: true });
  for await (const chunk of chunks) {
    signal?.throwIfAborted();
    const bytes = chunk as Buffer;
    yield decoder === undefined ? bytes : Buffer.from(decoder.decode(bytes, { stream: true }));
  }
  if (decoder !== undefined) yield Buffer.from(decoder.decode());
}
