import {
  isNumbered,
  isNumberedName,
  toFreeName,
  toNameKey,
  toNumberedName,
} from "../base/files/file-name.ts";
import { TextNumbers } from "../base/flow/text-numbers.ts";
import type { GroupWish } from "./wish.ts";

/** What is known of a name: files of rows that are gone have it, those of rows of the last plan, of this plan. */
const [FREE, HELD, OWNED, USED] = [0, 1, 2, 3] as const;

/** Added where another row was numbered for it. */
const AWAITED = 4;

/** A name that a plan gave to a row. */
export interface PlannedName {
  readonly fileBase: string;
  /** The name that it asked for, where that is another one, or looks like a numbered one. */
  readonly wished?: string | undefined;
}

/** Names that a row has from earlier runs. */
export interface OwnNames {
  /** That of its files; null without files. */
  readonly base: string | null;
  /** That of its last plan; undefined for a row that has made nothing. */
  readonly planned: () => PlannedName | undefined;
  /** It had no good row by the last plan: an older makeready gave its names to others. */
  readonly isBack?: boolean | undefined;
}

/** A name that files have from earlier runs. */
export interface MadeName {
  readonly name: string;
  /** The last plan had a good row of it. */
  readonly isPresent: boolean;
}

/** True for the key of a name that its row leaves. */
export type LeftNames = (key: string) => boolean;

/** What is known from before the plan. */
export interface MadeNames {
  /** Names that files of earlier runs have: no other row gets them; asked once, if at all. */
  readonly all: () => Iterable<MadeName>;
  /** Of those: free all the same. */
  readonly left?: LeftNames | undefined;
}

/** An older makeready didn't note what a numbered name was asked for as. */
function isOfWish(name: string, wished: string, last: PlannedName | undefined): boolean {
  if (last === undefined || !isNumberedName(name, wished)) return false;
  const { fileBase, wished: asked = isNumbered(fileBase) ? wished : fileBase } = last;
  return asked === wished;
}

/** Names of files over all rows of a job: equal wishes get `-2`, `-3` …, rows and groups keep theirs. */
export class FreeNames {
  /** name -> what is known of it. */
  readonly #names = new TextNumbers();
  /** name -> the last number that was tried for another row of the same wish. */
  readonly #numbers = new TextNumbers();
  readonly #groups = new Map<string, string>();
  readonly #groupFiles = new Set<string>();
  /** Undefined once they are known. */
  #made: MadeNames | undefined;
  readonly #leftBefore: LeftNames | undefined;
  /** Names that rows were numbered for, and that nobody has now. */
  #leftCount = 0;

  constructor(made?: MadeNames) {
    this.#made = made;
    this.#leftBefore = made?.left;
  }

  /** A path below `artwork/` that no other row has. A row whose wish is the same keeps its name. */
  toFile(wished: string, own?: OwnNames): string {
    const key = toNameKey(wished);
    const kept = own && this.#findKept(wished, key, own);
    if (kept !== undefined) return this.#use(kept);
    this.#learnMade();
    return this.#isTaken(key) ? this.#use(this.#toNumbered(wished)) : this.#use(wished, key);
  }

  /** True for a name that a row of this plan has. */
  isUsed(name: string): boolean {
    return this.#statusOf(toNameKey(name)) === USED;
  }

  /**
   * Names that rows were numbered for though, now that all rows are known, nobody has them; undefined
   * where there is none. The rows get them where the same rows are named once more, without these.
   */
  left(): LeftNames | undefined {
    if (this.#leftCount === 0) return undefined;
    const [names, before] = [this.#names, this.#leftBefore];
    return (key) => names.get(key) === FREE + AWAITED || before?.(key) === true;
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

  /** Its own name, where it may go on with it; its others are free from now on. */
  #findKept(wished: string, key: string, own: OwnNames): string | undefined {
    const last = own.planned();
    const names = this.#namesOf(own, last);
    if (names.includes(wished) && this.#statusOf(key) !== USED) return this.#leave(names, wished);
    const numbered = names.find((name) => isOfWish(name, wished, last) && !this.isUsed(name));
    this.#leave(names, numbered);
    // A number stays as long as somebody else has the name.
    const isKept = numbered !== undefined && this.#isTaken(key);
    return isKept ? numbered : this.#leave(names);
  }

  #namesOf({ base, isBack = false }: OwnNames, last: PlannedName | undefined): string[] {
    const names = new Set([base, last?.fileBase].filter((name) => typeof name === "string"));
    if (!isBack) return [...names];
    this.#learnMade();
    return [...names].filter((name) => this.#statusOf(toNameKey(name)) !== OWNED);
  }

  /** Its row keeps none of them but `kept`. */
  #leave(names: readonly string[], kept?: string): string | undefined {
    for (const name of names) {
      if (name === kept) continue;
      this.#learnMade();
      const key = toNameKey(name);
      const status = this.#statusOf(key);
      if (status === FREE || status === USED) continue;
      const awaited = (this.#names.get(key) ?? FREE) - status;
      this.#leftCount += Number(awaited > 0);
      this.#names.set(key, FREE + awaited);
    }
    return kept;
  }

  #use(name: string, key = toNameKey(name)): string {
    if (this.#leftCount > 0 && this.#names.get(key) === FREE + AWAITED) this.#leftCount -= 1;
    this.#names.set(key, USED);
    return name;
  }

  #learnMade(): void {
    const { all, left } = this.#made ?? {};
    this.#made = undefined;
    for (const { name, isPresent } of all?.() ?? []) {
      const key = toNameKey(name);
      const status = this.#statusOf(key);
      if (status === USED || status === OWNED || left?.(key) === true) continue;
      this.#names.set(key, isPresent ? OWNED : HELD);
    }
  }

  #statusOf(key: string): number {
    return (this.#names.get(key) ?? FREE) % AWAITED;
  }

  /** Its row is numbered for that. */
  #isTaken(key: string): boolean {
    this.#learnMade();
    const status = this.#statusOf(key);
    if (status === HELD || status === OWNED) this.#names.set(key, status + AWAITED);
    return status !== FREE;
  }

  #toNumbered(wished: string): string {
    const key = toNameKey(wished);
    const from = (this.#numbers.get(key) ?? 1) + 1;
    const { name, number } = toNumberedName(
      wished,
      from,
      (other) => this.#statusOf(other) !== FREE,
    );
    this.#numbers.set(key, number);
    return name;
  }
}
