import { showKey } from "../base/row-key.ts";
import { toPlainText } from "../base/format-problem.ts";
import { formatCount, formatMany } from "../base/words.ts";
import type { ReprintView } from "./view.ts";

const LABELS_SHOWN = 20;

/** What is about to be printed again, so that nobody holds the wrong person's label. */
export function formatReprint({ from, sheets, labels }: ReprintView): string {
  if (sheets !== null) {
    const word = sheets.length === 1 ? "sheet" : "sheets";
    return `printing again ${word} ${sheets.join(", ")} of ${from}`;
  }
  const hidden = labels.length - LABELS_SHOWN;
  return [
    `printing again ${formatMany(labels.length, "label")} of ${from}`,
    ...labels
      .slice(0, LABELS_SHOWN)
      .map(({ place, key, caption }) =>
        toPlainText(
          `  ${place}, key ${JSON.stringify(showKey(key))}${caption === "" ? "" : `: ${caption}`}`,
        ),
      ),
    ...(hidden > 0 ? [`  … and ${formatCount(hidden)} more`] : []),
  ].join("\n");
}
