/** Labels whose rows are bad now: their codes live on, but no PDF of today has them. */
import { formatMany, quoteText } from "../../base/text/words.ts";
import type { Problem } from "../../base/errors.ts";
import { toRowWord } from "../../plan/row-place.ts";
import { BAD_WITH_CODE } from "../../state/which-rows.ts";
import type { Work } from "../stages/work.ts";

const SHOWN = 10;

/** Takes keys and lines of bad rows out of those that are asked for; undefined where none is. */
export function takeBad(
  { state, job: { source } }: Pick<Work, "state" | "job">,
  { keys, lines }: { readonly keys: Set<string>; readonly lines: Set<number> },
): Problem | undefined {
  const badKeys = [...keys].filter((key) => state.is(key, BAD_WITH_CODE));
  const badLines: number[] = [];
  if (lines.size > 0)
    for (const { line } of state.bad.list()) if (lines.has(line)) badLines.push(line);
  for (const key of badKeys) keys.delete(key);
  for (const line of badLines) lines.delete(line);
  const word = source === null ? "line" : toRowWord(source);
  const names = [
    ...badLines.map((line) => `${word} ${line}`),
    ...badKeys.map((key) => quoteText(key)),
  ];
  if (names.length === 0) return undefined;
  const isOne = names.length === 1;
  return {
    message: `the ${isOne ? "row" : "rows"} of ${formatMany(names.length, "label")} ${isOne ? "is" : "are"} bad now: ${names.slice(0, SHOWN).join(", ")}${names.length > SHOWN ? " …" : ""}`,
    hint: `mend the ${isOne ? "row" : "rows"} in the spreadsheet and run the job, then do this again`,
  };
}
