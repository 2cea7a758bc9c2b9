/** Lines that hold only blanks and delimiters; a file may have millions of them. */
const LINE_FEED = 0x0a;
const RETURN = 0x0d;

/** The bytes that blank lines consist of, line breaks included. */
export function makeBlanks(delimiter: string): Uint8Array {
  const blanks = new Uint8Array(256);
  for (const byte of [LINE_FEED, RETURN, 0x20, 0x09]) blanks[byte] = 1;
  const bytes = Buffer.from(delimiter);
  if (bytes.length === 1) blanks[bytes[0] ?? 0] = 1;
  return blanks;
}

function isBlank(chunk: Buffer, blanks: Uint8Array): boolean {
  for (let at = 0; at < chunk.length; at += 1) if (blanks[chunk[at] as number] === 0) return false;
  return true;
}

/** `\r\n` is one line break, and so is `\n` or `\r` alone. */
function countBreaks(chunk: Buffer, from: number, to: number): number {
  let breaks = 0;
  for (let at = from; at < to; at += 1) {
    const byte = chunk[at];
    if (byte === LINE_FEED || (byte === RETURN && chunk[at + 1] !== LINE_FEED)) breaks += 1;
  }
  return breaks;
}

export interface CutChunk {
  /** With only the first and last line. */
  readonly short: Buffer;
  /** The same, with an empty line for each line that was left out. */
  readonly counted: Buffer;
}

/**
 * Shortens a chunk of blank lines; undefined for any other chunk. No quote may be open before it.
 * The first and the last line stay as they are, since they may continue in neighbouring chunks.
 */
export function cutBlankLines(chunk: Buffer, blanks: Uint8Array): CutChunk | undefined {
  if (!isBlank(chunk, blanks)) return undefined;
  // Only whole line breaks are left out, so that no two halves become one break.
  const mark = chunk.includes(LINE_FEED) ? LINE_FEED : RETURN;
  const from = chunk.indexOf(mark) + 1;
  const last = chunk.lastIndexOf(mark);
  const to = mark === LINE_FEED && chunk[last - 1] === RETURN ? last - 1 : last;
  if (from === 0 || to <= from) return undefined;
  const head = chunk.subarray(0, from);
  const tail = chunk.subarray(to);
  const empty = Buffer.alloc(countBreaks(chunk, from, to), mark);
  return { short: Buffer.concat([head, tail]), counted: Buffer.concat([head, empty, tail]) };
}
