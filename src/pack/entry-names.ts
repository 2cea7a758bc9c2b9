import { createHash } from "node:crypto";

import { invariant } from "../base/errors.ts";
import { toNameKey } from "../base/files/file-name.ts";

const MAX_NAME_BYTES = 65_535;

/** The fault of a name inside an archive, or undefined. */
export function checkEntryName(name: string): string | undefined {
  if (name === "") return "empty";
  if (Buffer.byteLength(name) > MAX_NAME_BYTES) return "longer than 65,535 bytes";
  // eslint-disable-next-line no-control-regex
  if (/[\u0000-\u001f\u007f]/u.test(name)) return "control character";
  if (name.includes("\\")) return "backslash";
  if (/^\w+:/u.test(name)) return "drive letter";
  if (name.startsWith("/")) return "absolute path";
  const segments = name.split("/");
  if (segments.some((segment) => segment === "" || segment === "." || segment === "..")) {
    return "empty, . or .. segment";
  }
  return name.isWellFormed() ? undefined : "not well-formed Unicode";
}

const FIRST_SLOTS = 1024;

/**
 * The names of one archive: clean relative paths, each once, also where case doesn't count.
 * Keeps 64 bits of a hash per name, 16 to 32 bytes of memory: a million names fit, and two
 * different ones of two million meet by chance once in ten million archives.
 */
export class EntryNames {
  #slots = new BigUint64Array(FIRST_SLOTS);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** Throws `bug` for an unclean or doubled name: names are made clean where they arise. */
  add(name: string): void {
    const fault = checkEntryName(name);
    invariant(
      fault === undefined,
      `name in an archive must be a clean relative path, got ${JSON.stringify(name)} (${fault})`,
    );
    const digest = createHash("sha256").update(toNameKey(name)).digest();
    // Zero marks an empty slot.
    const key = digest.readBigUInt64LE() | 1n;
    invariant(
      this.#insert(this.#slots, key),
      `name in an archive must be unique, got ${JSON.stringify(name)} twice`,
    );
    this.#size += 1;
    if (this.#size * 2 > this.#slots.length) this.#grow();
  }

  #insert(slots: BigUint64Array, key: bigint): boolean {
    const mask = slots.length - 1;
    let at = Number((key >> 1n) & BigInt(mask));
    while (slots[at] !== 0n) {
      if (slots[at] === key) return false;
      at = (at + 1) & mask;
    }
    slots[at] = key;
    return true;
  }

  #grow(): void {
    const larger = new BigUint64Array(this.#slots.length * 2);
    for (const key of this.#slots) if (key !== 0n) this.#insert(larger, key);
    this.#slots = larger;
  }
}
