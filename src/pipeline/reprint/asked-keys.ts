/** Keys as people type them: as the state has them, or as lists and reports show them. */
import { badUsage } from "../../base/errors.ts";
import { showKey } from "../../base/shapes/row-key.ts";
import { quoteText } from "../../base/text/words.ts";
import type { State } from "../../state/state.ts";

/** The key among `rows` that lists show as `asked`. Throws `bad-usage` where several are shown so. */
export function findShown(
  rows: Iterable<{ readonly key: string }>,
  asked: string,
): string | undefined {
  const found: string[] = [];
  for (const { key } of rows) if (showKey(key) === asked) found.push(key);
  if (found.length < 2) return found[0];
  throw badUsage(
    `a key must name one row, got ${quoteText(asked)}, the key of ${found.length}`,
    `name it in full: ${found
      .slice(0, 3)
      .map((key) => quoteText(key))
      .join(", ")}`,
  );
}

/** The rows' own keys. Keys that no row has stay as they are. Throws `bad-usage` for one that means several. */
export const toOwnKeys = (state: State, asked: readonly string[]): string[] =>
  asked.map((key) => (state.row(key) === undefined ? (findShown(state.rows(), key) ?? key) : key));
