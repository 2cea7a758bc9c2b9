/**
 * Files whose lines differ in their encoding, as lists that were joined: most of their lines are UTF-8,
 * others are not. Each line is read as what it is.
 */
import { isAscii, isUtf8 } from "node:buffer";
import { createReadStream } from "node:fs";

const LINE_FEED = 10;
/** Lines that go on for longer than this are none. */
const MAX_LINE_BYTES = 1 << 22;

/**
 * Letters and signs that UTF-8 text of one language has often. In windows-1252, some words end in two
 * characters that are another letter of UTF-8: "Spaß" and a quote behind it. Hebrew and Arabic count from
 * two letters on: one of them may be `×` or `Ø½`.
 */
const LIKELY =
  /[\u00a1-\u017f\u0386-\u03ce\u0401-\u045f\u0904-\ud7ff\uf900-\ufffc\u{10000}-\u{1ffff}]|[\u05d0-\u05ea]{2}|[\u0621-\u064a]{2}/u;

/** Characters beyond U+FFFF as two halves of three bytes each, in Latin-1. */
const HALVES = /\xed[\xa0-\xaf][\x80-\xbf]\xed[\xb0-\xbf][\x80-\xbf]/gu;

const toHalf = (text: string, at: number): number =>
  0xd000 | ((text.charCodeAt(at + 1) & 0x3f) << 6) | (text.charCodeAt(at + 2) & 0x3f);

/** A line in which halves have become whole characters; undefined without halves, or if it still isn't UTF-8. */
function joinHalves(line: Buffer): Buffer | undefined {
  const text = line.toString("latin1");
  const joined = text.replaceAll(HALVES, (pair) =>
    Buffer.from(String.fromCharCode(toHalf(pair, 0), toHalf(pair, 3))).toString("latin1"),
  );
  const bytes = Buffer.from(joined, "latin1");
  return joined !== text && isUtf8(bytes) ? bytes : undefined;
}

/** A line as UTF-8. */
const readLine = (line: Buffer): Buffer =>
  isUtf8(line)
    ? line
    : // As a stream: in one go, Node treats windows-1252 like Latin-1.
      (joinHalves(line) ??
      Buffer.from(new TextDecoder("windows-1252").decode(line, { stream: true })));

/** Pieces of whole lines; undefined instead of one where a line is too long. */
async function* toWholeLines(chunks: AsyncIterable<unknown>): AsyncGenerator<Buffer | undefined> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of chunks) {
    const all = rest.length === 0 ? (chunk as Buffer) : Buffer.concat([rest, chunk as Buffer]);
    const end = all.lastIndexOf(LINE_FEED) + 1;
    if (all.length - end > MAX_LINE_BYTES) yield undefined;
    rest = Buffer.from(all.subarray(end));
    if (end > 0) yield all.subarray(0, end);
  }
  if (rest.length > 0) yield rest;
}

function* splitLines(piece: Buffer): Generator<Buffer> {
  for (let from = 0; from < piece.length;) {
    const end = piece.indexOf(LINE_FEED, from);
    const to = end < 0 ? piece.length : end + 1;
    yield piece.subarray(from, to);
    from = to;
  }
}

/** The same text in UTF-8, each line read by itself. */
export async function* readByLine(chunks: AsyncIterable<unknown>): AsyncGenerator<Buffer> {
  for await (const piece of toWholeLines(chunks)) {
    if (piece === undefined) continue;
    yield isUtf8(piece) ? piece : Buffer.concat([...splitLines(piece)].map(readLine));
  }
}

/** Lines with other than ASCII characters, by how they are written. */
export interface LineCounts {
  readonly utf8: number;
  /** UTF-8 but for characters in two halves. */
  readonly halves: number;
  readonly foreign: number;
  readonly firstForeign: number;
}

/** Undefined where lines are too long to be lines. */
export async function countByLine(
  file: string,
  signal: AbortSignal | undefined,
): Promise<LineCounts | undefined> {
  const counts = { utf8: 0, halves: 0, foreign: 0, firstForeign: 0 };
  let at = 0;
  for await (const piece of toWholeLines(createReadStream(file, { highWaterMark: 1 << 18 }))) {
    signal?.throwIfAborted();
    if (piece === undefined) return undefined;
    for (const line of splitLines(piece)) {
      at += 1;
      if (isAscii(line)) continue;
      if (isUtf8(line)) counts.utf8 += LIKELY.test(line.toString()) ? 1 : 0;
      else if (joinHalves(line) !== undefined) counts.halves += 1;
      else {
        counts.foreign += 1;
        counts.firstForeign ||= at;
      }
    }
  }
  return counts;
}
