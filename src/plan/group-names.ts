/** Names of the files of groups: a group keeps its own, and never gets the one that another's finished file has. */
import { isNumberedName, toFreeName, toNameKey } from "../base/file-name.ts";
import type { GroupWish } from "./wish.ts";

type GroupKind = "zip" | "sheets";

/** The file of a group. */
export interface GroupFile {
  readonly kind: GroupKind;
  /** Value of the column that splits the groups. */
  readonly value: string;
  readonly name: string;
}

const toId = (kind: GroupKind, value: string): string => `${kind}\n${value}`;

/** Groups are told apart by the value of their column; two values with one name get two files. */
export class GroupNames {
  readonly #own = new Map<string, string>();
  /** Key of a finished file -> that file. */
  readonly #held = new Map<string, GroupFile>();
  readonly #awaited = new Set<GroupFile>();
  readonly #files = new Map<string, GroupFile>();
  readonly #used = new Set<string>();

  /** `finished`: files of earlier runs that their groups may go on with. */
  constructor(finished: Iterable<GroupFile> = []) {
    for (const file of finished) {
      this.#own.set(toId(file.kind, file.value), file.name);
      this.#held.set(toNameKey(file.name), file);
    }
  }

  /** The file of a row's group. */
  toGroup(kind: GroupKind, group: GroupWish | null): string | null {
    if (group === null) return null;
    const { value } = group;
    const id = toId(kind, value);
    const known = this.#files.get(id);
    if (known !== undefined) return known.name;
    const name = this.#findOwn(id, group.name) ?? this.#toFree(id, group.name);
    this.#files.set(id, { kind, value, name });
    this.#used.add(toNameKey(name));
    return name;
  }

  /** Files of all groups so far. */
  files(): GroupFile[] {
    return [...this.#files.values()];
  }

  /** Finished files whose names other groups were numbered for, though no group of these rows has them. */
  awaited(): GroupFile[] {
    return [...this.#awaited].filter(({ name }) => !this.#used.has(toNameKey(name)));
  }

  #findOwn(id: string, wished: string): string | undefined {
    const own = this.#own.get(id);
    if (own === undefined || this.#used.has(toNameKey(own))) return undefined;
    return own === wished || isNumberedName(own, wished) ? own : undefined;
  }

  #toFree(id: string, wished: string): string {
    return toFreeName(wished, (key) => {
      if (this.#used.has(key)) return true;
      const held = this.#held.get(key);
      if (held === undefined || toId(held.kind, held.value) === id) return false;
      this.#awaited.add(held);
      return true;
    });
  }
}
