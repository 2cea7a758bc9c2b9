import { toPlainText } from "../../base/text/format-problem.ts";
import { showKey } from "../../base/shapes/row-key.ts";
import { andMore, formatCount, formatMany } from "../../base/text/words.ts";
import type { RetirePlan } from "../../pipeline/retire/retire-plan.ts";

const FILES_SHOWN = 3;

/** The first files, and how many there are besides. */
export const sayFiles = (files: readonly string[]): string =>
  `${files.slice(0, FILES_SHOWN).join(", ")}${andMore(files.length - FILES_SHOWN)}`;

/** `3 created, 1 failed`: the counts above 0. */
export const sayCounts = (parts: readonly (readonly [count: number, says: string])[]): string =>
  parts
    .filter(([count]) => count > 0)
    .map(([count, says]) => `${formatCount(count)} ${says}`)
    .join(", ");

/** `12 more faults`: a row may have several. */
export const moreFaults = (left: number): string => formatMany(left, "more fault", "more faults");

/** Lines of the first, and one that says how many are left out. */
export const withMore = (
  lines: readonly string[],
  all: number,
  says: (left: string, count: number) => string,
): string[] => {
  const left = all - lines.length;
  return left > 0 ? [...lines, says(formatCount(left), left)] : [...lines];
};

/** Of pictures of a row that is gone. */
const OLD_ADDRESS = " (shows the address before)";

/** `"Linde / 2" (line 3): https://…, artwork/linde-2.svg`. */
export function sayGone({
  displayName,
  key,
  place,
  shortLink,
  id,
  files,
  showsOldAddress = false,
}: RetirePlan["rows"][number]): string {
  const old = showsOldAddress ? OLD_ADDRESS : "";
  const code = `${[shortLink ?? id, ...files].join(", ")}${old}`;
  const known = showKey(key);
  const shown = displayName || known;
  // Many rows may have one name; `retire --key` takes the key.
  const isNamed = shown === known || place === `file ${key}`;
  const named = isNamed ? place : `${place}, key "${known}"`;
  return toPlainText(`"${shown}" (${named}): ${code}`);
}
