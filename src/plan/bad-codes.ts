import { TextNumbers } from "../base/flow/text-numbers.ts";
import type { GoneRow } from "./gone-row.ts";

/** So many are named; `failed-rows.csv` has all. */
const KEPT = 100;

/** Bad rows of which an earlier run made something; none that a good row has by its key. */
export class BadCodes {
  /** 1: bad so far; 0: a good row has it. */
  readonly #keys = new TextNumbers();
  #count = 0;
  #rows: GoneRow[] = [];

  add(row: GoneRow): void {
    if (this.#keys.get(row.key) === 1) return;
    this.#keys.set(row.key, 1);
    this.#count += 1;
    if (this.#rows.length < KEPT) this.#rows.push(row);
  }

  /** A good row has this key. */
  remove(key: string): void {
    if (this.#count === 0 || this.#keys.get(key) !== 1) return;
    this.#keys.set(key, 0);
    this.#count -= 1;
    this.#rows = this.#rows.filter((row) => row.key !== key);
  }

  /** As a plan has it. */
  summary(): { readonly badWithCode?: number; readonly badCodeRows?: readonly GoneRow[] } {
    return this.#count === 0 ? {} : { badWithCode: this.#count, badCodeRows: this.#rows };
  }
}
