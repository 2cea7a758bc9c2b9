/**
 * Text of old Mac programs. Any byte is a letter of Mac OS Roman and, but for five, of windows-1252: only where
 * the letters stand tells which it is.
 */
import { createReadStream } from "node:fs";

/**
 * Bytes as characters of the same number: accented letters of the Mac inside of a word, or at the end of one,
 * where windows-1252 has signs and capitals.
 */
const MAC =
  /(?<=[A-Za-z])[\x81-\x84\x86-\x8b\x8d-\x90\x98\x9b\x9d\x9f\xa7](?=[a-z])|(?<=[a-z])[\x8a\x8d-\x90\x9d\x9f]/gu;
/** Letters of windows-1252 in the same places, where the Mac has signs and capitals. */
const WINDOWS = /(?<=[A-Za-z])[\xdf-\xf6\xf8-\xff](?=[a-z])|(?<=[a-z])[\xe0-\xf6\xf8-\xff]/gu;
const WORD = /[A-Za-z\x80-\xff]+/gu;

const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;

/** A word as both encodings have it: `K\u0178che` and `K\u00fcche`. */
export interface TwoReadings {
  readonly windows: string;
  readonly mac: string;
}

/** Undefined where the bytes of a file are windows-1252, or nobody can tell. */
export async function findMacRoman(
  file: string,
  signal: AbortSignal | undefined,
): Promise<TwoReadings | undefined> {
  let more = 0;
  let example: string | undefined;
  for await (const chunk of createReadStream(file, {
    highWaterMark: 1 << 18,
    encoding: "latin1",
  })) {
    signal?.throwIfAborted();
    const text = chunk as string;
    more += count(text, MAC) - count(text, WINDOWS);
    example ??= text.match(WORD)?.find((word) => count(word, MAC) > 0);
  }
  if (more <= 0 || example === undefined) return undefined;
  // As whole files are decoded: in one go, Node takes windows-1252 for Latin-1.
  const read = (encoding: string): string =>
    new TextDecoder(encoding).decode(Buffer.from(example ?? "", "latin1"), { stream: true });
  return { windows: read("windows-1252"), mac: read("macintosh") };
}
