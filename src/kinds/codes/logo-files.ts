/** Images of this computer that rows want as logos: told apart by their bytes, read when they are sent. */
import { readFileSync, statSync } from "node:fs";
import path from "node:path";

import { limits } from "../../api/limits.ts";
import { isLogoImage } from "../../base/image-type.ts";
import type { LogoFact } from "../../plan/logo.ts";
import { toLogoMark } from "../../plan/restyle.ts";

function judge(file: string): LogoFact {
  const bad = (rule: string): LogoFact => ({ problem: `must be ${rule}, got ${file}` });
  let bytes: Uint8Array;
  try {
    // A device or a pipe never ends.
    const found = statSync(file);
    if (!found.isFile()) return bad("a file that can be read");
    if (found.size >= limits.maxLogoBytes) return bad("an image under 2 MB");
    bytes = readFileSync(file);
  } catch {
    return bad("a file that can be read");
  }
  if (bytes.length >= limits.maxLogoBytes) return bad("an image under 2 MB");
  return isLogoImage(bytes) ? { mark: toLogoMark(bytes) } : bad("a PNG, JPEG, GIF or WebP image");
}

/** Each file is read once, however many rows name it. */
export class LogoFiles {
  readonly #folder: string;
  readonly #known = new Map<string, LogoFact>();
  /** Mark -> file. */
  readonly #files = new Map<string, string>();

  /** `folder`: that of the manifest. */
  constructor(folder: string) {
    this.#folder = folder;
  }

  of(named: string): LogoFact {
    const file = path.resolve(this.#folder, named);
    const known = this.#known.get(file);
    if (known !== undefined) return known;
    const fact = judge(file);
    this.#known.set(file, fact);
    if ("mark" in fact) this.#files.set(fact.mark, file);
    return fact;
  }

  /** Those that are good, by their marks. */
  get files(): ReadonlyMap<string, string> {
    return this.#files;
  }
}
