/**
 * Images of this computer that rows want as logos: identified by their bytes, read when they are
 * sent.
 */
import { readFileSync, statSync } from "node:fs";
import path from "node:path";

import { limits } from "../../api/limits.ts";
import type { LogoFact } from "../../plan/logo.ts";
import { toLogoMark } from "../../plan/restyle.ts";
import { findLogoRule } from "../../qr/png/logo-file.ts";
import { isSvgFile } from "../../base/files/image-type.ts";
import type { Wanted } from "../../state/row.ts";

/** A good file, and its text where it is a drawing. */
type Judged = LogoFact & { readonly svg?: string };

const FILE_OR_NOTHING =
  'a file, and nothing where the cell is empty, as {{ column | prefix: "folder/" }} writes it';

function judge(file: string): Judged {
  const bad = (rule: string): LogoFact => ({ problem: `must be ${rule}, got ${file}` });
  let bytes: Buffer;
  try {
    // A device or a pipe never ends.
    const found = statSync(file);
    // The cell is empty, and the manifest puts the folder in front.
    if (found.isDirectory()) return bad(FILE_OR_NOTHING);
    if (!found.isFile()) return bad("a file that can be read");
    if (found.size >= limits.maxLogoBytes) return bad("an image under 2 MB");
    bytes = readFileSync(file);
  } catch {
    return bad("a file that can be read");
  }
  if (bytes.length >= limits.maxLogoBytes) return bad("an image under 2 MB");
  const rule = findLogoRule(bytes);
  if (rule !== undefined) return bad(rule);
  const mark = toLogoMark(bytes);
  return isSvgFile(bytes) ? { mark, svg: bytes.toString("utf8") } : { mark };
}

/** Each file is read once, however many rows name it. */
export class LogoFiles {
  readonly #folder: string;
  readonly #known = new Map<string, LogoFact>();
  /** Mark -> file. */
  readonly #files = new Map<string, string>();
  readonly #drawings = new Map<string, string>();

  /** `folder`: that of the manifest. */
  constructor(folder: string) {
    this.#folder = folder;
  }

  of(named: string): LogoFact {
    const file = path.resolve(this.#folder, named);
    const known = this.#known.get(file);
    if (known !== undefined) return known;
    const { svg, ...fact } = judge(file);
    this.#known.set(file, fact);
    if ("mark" in fact) this.#files.set(fact.mark, file);
    if ("mark" in fact && svg !== undefined) this.#drawings.set(fact.mark, svg);
    return fact;
  }

  /** A planned design, with the file of its logo in place of the mark. */
  unmark({ logo_file: mark, ...design }: Wanted["design"]): Wanted["design"] {
    const file = this.#files.get(String(mark));
    return file === undefined ? design : { ...design, logo_file: file };
  }

  /** Those that are good, by their marks. */
  get files(): ReadonlyMap<string, string> {
    return this.#files;
  }

  /** Texts of those that are SVG, by their marks. */
  get drawings(): ReadonlyMap<string, string> {
    return this.#drawings;
  }
}
