/**
 * Text from old Mac programs. Almost every byte is a letter in both Mac OS Roman and windows-1252:
 * only the position in words shows which encoding it is.
 */
import { createReadStream } from "node:fs";

/**
 * Accented letters of the Mac, inside or at the end of a word, where windows-1252 has signs and
 * capitals. As characters with the byte's number.
 */
const MAC =
  /(?<=[A-Za-z])[\x81-\x84\x86-\x8b\x8d-\x90\x98\x9b\x9d\x9f\xa7](?=[a-z])|(?<=[a-z])[\x8a\x8d-\x90\x9d\x9f]/gu;
/** Letters of windows-1252 in such places, where the Mac has signs and capitals. */
const WINDOWS = /(?<=[A-Za-z])[\xdf-\xf6\xf8-\xff](?=[a-z])|(?<=[a-z])[\xe0-\xf6\xf8-\xff]/gu;
const WORD = /[A-Za-z\x80-\xff]+/gu;

const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;

/** A word in both encodings: `K\u0178che` and `K\u00fcche`. */
export interface TwoReadings {
  readonly windows: string;
  readonly mac: string;
}

/** Undefined when the bytes are windows-1252, or it can't be decided. */
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
  // Decoded as a stream: in one go, Node treats windows-1252 like Latin-1.
  const read = (encoding: string): string =>
    new TextDecoder(encoding).decode(Buffer.from(example ?? "", "latin1"), { stream: true });
  return { windows: read("windows-1252"), mac: read("macintosh") };
}
