import { isNumberedName, toFreeName, toNameKey, toNumberedName } from "../base/file-name.ts";
import { TextNumbers } from "../base/text-numbers.ts";
import type { GroupWish } from "./wish.ts";

/** What is known of a name. */
const [FREE, HELD, USED] = [0, 1, 2] as const;

/** A name that a plan gave to a row. */
export interface PlannedName {
  readonly fileBase: string;
  /** The name that it asked for, where that is another one. */
  readonly wished?: string | undefined;
}

/** Names that a row has from earlier runs. */
export interface OwnNames {
  /** That of its files; null without files. */
  readonly base: string | null;
  /** That of its last plan; undefined for a row that has made nothing. */
  readonly planned: () => PlannedName | undefined;
}

/** Names of files over all rows of a job: equal wishes get `-2`, `-3` …, rows and groups keep theirs. */
export class FreeNames {
  readonly #names = new TextNumbers();
  /** name -> the last number that was tried for another row of the same wish. */
  readonly #numbers = new TextNumbers();
  readonly #groups = new Map<string, string>();
  readonly #groupFiles = new Set<string>();
  /** Names that files of earlier runs have; undefined once they are known. */
  #held: (() => Iterable<string>) | undefined;

  /** @param held names that files of earlier runs have: no other row gets them; asked once, if at all */
  constructor(held?: () => Iterable<string>) {
    this.#held = held;
  }

  /** A path below `artwork/` that no other row has. A row whose wish is the same keeps its name. */
  toFile(wished: string, own?: OwnNames): string {
    const key = toNameKey(wished);
    if (own?.base === wished && this.#names.get(key) !== USED) return this.#use(wished, key);
    const kept = own && this.#findKept(wished, own);
    if (kept !== undefined) return this.#use(kept);
    this.#learnHeld();
    if (own !== undefined) this.#release(own);
    return this.#isTaken(key) ? this.#use(this.#toNumbered(wished)) : this.#use(wished, key);
  }

  /** True for a name that a row of this plan has. */
  isUsed(name: string): boolean {
    return this.#names.get(toNameKey(name)) === USED;
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

  #findKept(wished: string, { base, planned }: OwnNames): string | undefined {
    const last = planned();
    if (last === undefined) return undefined;
    return (
      [base, last.fileBase].find(
        (name) => name !== null && !this.isUsed(name) && this.#isOfWish(name, wished, last),
      ) ?? undefined
    );
  }

  /**
   * A number stays as long as somebody else has the name. An older makeready didn't note what a numbered
   * name was asked for as.
   */
  #isOfWish(name: string, wished: string, last: PlannedName): boolean {
    if (name === wished) return true;
    if (!isNumberedName(name, wished)) return false;
    if (last.wished !== undefined && last.wished !== wished) return false;
    this.#learnHeld();
    return this.#isTaken(toNameKey(wished));
  }

  #use(name: string, key = toNameKey(name)): string {
    this.#names.set(key, USED);
    return name;
  }

  /** Its row asks for another one now. */
  #release({ base, planned }: OwnNames): void {
    for (const name of [base, planned()?.fileBase]) {
      const key = toNameKey(name ?? "");
      if (this.#names.get(key) === HELD) this.#names.set(key, FREE);
    }
  }

  #learnHeld(): void {
    const held = this.#held?.() ?? [];
    this.#held = undefined;
    for (const name of held) {
      const key = toNameKey(name);
      if (!this.#names.has(key)) this.#names.set(key, HELD);
    }
  }

  #isTaken(key: string): boolean {
    return (this.#names.get(key) ?? FREE) !== FREE;
  }

  #toNumbered(wished: string): string {
    const key = toNameKey(wished);
    const from = (this.#numbers.get(key) ?? 1) + 1;
    const { name, number } = toNumberedName(wished, from, (other) => this.#isTaken(other));
    this.#numbers.set(key, number);
    return name;
  }
}
