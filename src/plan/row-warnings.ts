import type { Problem } from "../base/errors.ts";
import { formatCount } from "../base/text/words.ts";

/** Messages that are kept. */
const MOST_KEPT = 1000;

/** Warnings about good rows: each message once, at the first row that has it. */
export class RowWarnings {
  readonly #known = new Map<string, { readonly first: Problem; rows: number }>();

  add(warnings: readonly Problem[]): void {
    for (const warning of warnings) {
      const known = this.#known.get(warning.message);
      if (known !== undefined) known.rows += 1;
      else if (this.#known.size < MOST_KEPT)
        this.#known.set(warning.message, { first: warning, rows: 1 });
    }
  }

  list(): Problem[] {
    return [...this.#known.values()].map(({ first }) => first);
  }

  /** The same, each with how many rows more it holds for. */
  counted(): Problem[] {
    return [...this.#known.values()].map(({ first, rows }) =>
      rows === 1
        ? first
        : { ...first, message: `${first.message}; and ${formatCount(rows - 1)} more like it` },
    );
  }
}
