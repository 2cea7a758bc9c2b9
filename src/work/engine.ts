/** What runs this program: other versions of Node.js, and other processors, pack pages into other bytes. */
import { deflateSync } from "node:zlib";

import { sha256 } from "../base/ids/ids.ts";

export interface Engine {
  /** For people: `Node.js v20.20.2 on linux x64`. */
  readonly name: string;
  /** Equal on computers that pack pages into the same bytes. */
  readonly hash: string;
}

const SAMPLE_LINES = 3000;

/** A sample like the content of pages: numbers that are alike. */
const sample = (): string =>
  Array.from({ length: SAMPLE_LINES }, (_, i) => `${i * 7} ${(i * i) % 997}.${i % 89} re`).join(
    "\n",
  );

let known: Engine | undefined;

export function ownEngine(): Engine {
  if (known !== undefined) return known;
  const { version, platform, arch } = process;
  const packed = sha256(deflateSync(sample()));
  const name = `Node.js ${version} on ${platform} ${arch}`;
  known = { name, hash: sha256(`${version} ${arch} ${packed}`) };
  return known;
}
