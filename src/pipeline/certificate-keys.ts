/** Who signed the certificates that lie in a folder. */
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";

import { parseCertificate } from "../pack/certificate.ts";
import { CERTIFICATE } from "./stages/certificate.ts";

export interface SignedBy {
  /** Absolute. */
  readonly file: string;
  /** 64 hex digits. */
  readonly publicKey: string;
}

/** Jobs write to `out/NAME` unless they say otherwise. */
const DEPTH = 2;

/** Hold no output folder, and maybe very many files. */
const SKIPPED = /^(?:\.|node_modules$|artwork$)/u;

async function readKey(file: string): Promise<SignedBy[]> {
  try {
    const { signature } = parseCertificate(await readFile(file, "utf8"));
    return [{ file, publicKey: signature.publicKey }];
  } catch {
    // None, or one that `check` refuses.
    return [];
  }
}

/** Certificates of the folder and of output folders below it. */
export async function listSigned(folder: string, depth = DEPTH): Promise<SignedBy[]> {
  const found = await readKey(path.join(folder, CERTIFICATE));
  if (depth === 0) return found;
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const names = entries.filter((entry) => entry.isDirectory() && !SKIPPED.test(entry.name));
  for (const { name } of names.toSorted((a, b) => (a.name < b.name ? -1 : 1)))
    found.push(...(await listSigned(path.join(folder, name), depth - 1)));
  return found;
}
