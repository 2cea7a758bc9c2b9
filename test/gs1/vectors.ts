/** GS1's own test vectors (`data/README.md`), row by row. */
import { readFileSync } from "node:fs";

export function readVectors<Row>(name: string): Row[] {
  return JSON.parse(readFileSync(new URL(`data/${name}.json`, import.meta.url), "utf8")) as Row[];
}

/** Rows about rules that makeready doesn't check, counted by name for the output. */
export class Skipped {
  readonly #counts = new Map<string, number>();

  add(name: string): void {
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
  }

  get total(): number {
    return [...this.#counts.values()].reduce((sum, count) => sum + count, 0);
  }

  /** `8110: 30, 8112: 24`. */
  toString(): string {
    return [...this.#counts]
      .toSorted(([a], [b]) => a.localeCompare(b))
      .map(([name, count]) => `${name}: ${count}`)
      .join(", ");
  }
}
