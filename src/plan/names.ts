import { toFreeName, toNameKey, toNumberedName } from "../base/file-name.ts";
import { TextNumbers } from "../base/text-numbers.ts";
import type { GroupWish } from "./wish.ts";

/** Names of files over all rows of a job: equal wishes get `-2`, `-3` …, groups keep theirs. */
export class FreeNames {
  /** name -> the last number that was tried for another row of the same wish. */
  readonly #files = new TextNumbers();
  readonly #groups = new Map<string, string>();
  readonly #groupFiles = new Set<string>();

  /** A path below `artwork/` that no other row has. */
  toFile(wished: string): string {
    const key = toNameKey(wished);
    const before = this.#files.get(key);
    if (before === undefined) {
      this.#files.set(key, 1);
      return wished;
    }
    const { name, number } = toNumberedName(wished, before + 1, (other) => this.#files.has(other));
    this.#files.set(key, number);
    this.#files.set(toNameKey(name), 1);
    return name;
  }

  /** Groups are told apart by the value of their column; two values with one name get two files. */
  toGroup(kind: "zip" | "sheets", group: GroupWish | null): string | null {
    if (group === null) return null;
    const id = `${kind}\n${group.value}`;
    const known = this.#groups.get(id);
    if (known !== undefined) return known;
    const name = toFreeName(group.name, (key) => this.#groupFiles.has(key));
    this.#groups.set(id, name);
    this.#groupFiles.add(toNameKey(name));
    return name;
  }
}
