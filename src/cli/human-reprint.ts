import { showKey } from "../base/row-key.ts";
import { toPlainText } from "../base/format-problem.ts";
import { formatMany } from "../base/words.ts";
import { withMore } from "./lists.ts";
import type { ReprintView } from "./view.ts";

const LABELS_SHOWN = 20;

/** Names what is about to be printed again, so that no wrong label comes out. */
export function formatReprint({ from, sheets, labels }: ReprintView): string {
  if (sheets !== null) {
    const word = sheets.length === 1 ? "sheet" : "sheets";
    return `printing again ${word} ${sheets.join(", ")} of ${from}`;
  }
  const shown = labels.slice(0, LABELS_SHOWN).map(({ place, key, caption }) => {
    const text = caption === "" ? "" : `: ${caption}`;
    return toPlainText(`  ${place}, key ${JSON.stringify(showKey(key))}${text}`);
  });
  const files = [...new Set(labels.map(({ file }) => file))].join(", ");
  return [
    `printing again ${formatMany(labels.length, "label")} of ${files}`,
    ...withMore(shown, labels.length, (left) => `  … and ${left} more`),
  ].join("\n");
}
