/** What a file that is neither UTF-8 nor UTF-16 looks like. */
import { createReadStream } from "node:fs";

import { countByLine, type LineCounts } from "./by-line.ts";
import { findDosWord, readDos, scoreDos, scoreMac, scoreWindows } from "./dos.ts";
import { isDoubleByte } from "./double-byte.ts";
import { findMacWord, weighMac } from "./mac-roman.ts";

/** A word as it is read, and as it was meant: `K\u0178che` and `K\u00fcche`. */
interface Word {
  readonly windows: string;
  /** Undefined where it can't be the Mac. */
  readonly mac: string | undefined;
  /** Undefined where it can't be DOS. */
  readonly dos: string | undefined;
}

export type Likeness =
  /** Lines of UTF-8 between others: each is read as what it is. */
  | ({ readonly kind: "lines" } & LineCounts)
  /** Letters of two bytes each. */
  | { readonly kind: "double-byte" }
  | ({ readonly kind: "old" } & Word);

const toLines = (counts: LineCounts): Likeness => ({ kind: "lines", ...counts });

// Decoded as a stream: in one go, Node treats windows-1252 like Latin-1.
const read = (encoding: string, word: string): string =>
  new TextDecoder(encoding).decode(Buffer.from(word, "latin1"), { stream: true });

/** Programs of the Mac before OS X, and of DOS. */
async function findOld(
  file: string,
  signal: AbortSignal | undefined,
): Promise<Likeness | undefined> {
  let [moreMac, mac, dos, windows] = [0, 0, 0, 0];
  let macWord: string | undefined;
  let dosWord: string | undefined;
  for await (const chunk of createReadStream(file, {
    highWaterMark: 1 << 18,
    encoding: "latin1",
  })) {
    signal?.throwIfAborted();
    const text = chunk as string;
    const [macHere, dosHere] = [weighMac(text), scoreDos(text)];
    moreMac += macHere;
    mac += scoreMac(text);
    dos += dosHere;
    windows += scoreWindows(text);
    // A search for words takes as long as all the rest.
    if (macHere > 0) macWord ??= findMacWord(text);
    if (dosHere > 0) dosWord ??= findDosWord(text);
  }
  const isMac = moreMac > 0 && mac >= dos;
  const isDos = dos > windows && dos >= mac;
  return toOld(isMac ? macWord : undefined, isDos ? dosWord : undefined);
}

function toOld(macWord: string | undefined, dosWord: string | undefined): Likeness | undefined {
  const word = dosWord ?? macWord;
  if (word === undefined) return undefined;
  return {
    kind: "old",
    windows: read("windows-1252", word),
    mac: macWord === undefined ? undefined : read("macintosh", word),
    dos: dosWord === undefined ? undefined : readDos(word),
  };
}

/** Undefined for files that may well be windows-1252. */
export async function findLikeness(
  file: string,
  signal: AbortSignal | undefined,
): Promise<Likeness | undefined> {
  const counts = await countByLine(file, signal);
  const asUtf8 = counts === undefined ? 0 : counts.utf8 + counts.halves;
  if (counts !== undefined && asUtf8 > 0 && asUtf8 >= counts.foreign) return toLines(counts);
  if (await isDoubleByte(file, signal)) return { kind: "double-byte" };
  const old = await findOld(file, signal);
  return old ?? (counts !== undefined && asUtf8 > 0 ? toLines(counts) : undefined);
}
