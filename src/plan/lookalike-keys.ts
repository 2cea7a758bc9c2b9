import { TextNumbers } from "../base/flow/text-numbers.ts";
import { cutKey } from "../base/text/words.ts";
import type { Problem } from "../base/errors.ts";
import type { JobRows } from "../job/job.ts";
import type { SourceRow } from "../read/rows/rows.ts";
import { toKeyPlace, toRowWord } from "./row-place.ts";

const UNSEEN = /[\p{Cf}\p{Cc}\p{Default_Ignorable_Code_Point}]/gu;

/** The visible part of a key: composed letters, single plain blanks, nothing invisible. */
const toVisible = (key: string): string =>
  key.normalize("NFC").replaceAll(/\s+/gu, " ").replaceAll(UNSEEN, "").trim();

/** `U+200B` for each character that the visible text lacks. */
function nameUnseen(key: string): string {
  const unseen = new Set(key.match(UNSEEN) ?? []);
  return [...unseen]
    .map((one) => `U+${(one.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`)
    .join(", ");
}

/**
 * Finds keys that look the same but differ: a pasted zero-width space would make a second code of a
 * row (docs/spec/jobs.md section 1).
 */
export class LookalikeKeys {
  readonly #source: JobRows;
  /** The visible part of keys with invisible characters -> line. */
  readonly #first = new TextNumbers();
  #isAnyHidden = false;

  constructor(source: JobRows) {
    this.#source = source;
  }

  /** The warning of a row whose key is like that of an earlier one; `lineOf` knows keys as they are. */
  find(row: SourceRow, key: string, lineOf: (key: string) => number | undefined): Problem[] {
    if (this.#source.key.length === 0) return [];
    const visible = toVisible(key);
    const isHidden = visible !== key;
    if (!isHidden && !this.#isAnyHidden) return [];
    const before = this.#first.get(visible) ?? (isHidden ? lineOf(visible) : undefined);
    if (isHidden) {
      this.#isAnyHidden = true;
      if (before === undefined) this.#first.set(visible, row.line);
    }
    if (before === undefined) return [];
    const unseen = nameUnseen(key);
    const why = unseen === "" ? "they differ in what can't be seen" : `this one holds ${unseen}`;
    return [
      {
        message: `keys that look the same should be the same, got "${cutKey(visible)}" on ${toRowWord(this.#source)}s ${before} and ${row.line}: ${why}, so that each row gets a code of its own`,
        where: toKeyPlace(this.#source, row),
        hint: "type the key of one of the two rows again, or delete one of them",
      },
    ];
  }
}
