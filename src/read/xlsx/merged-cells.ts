/** What is said of merged cells, and which cells that was. */
import type { Problem } from "../../base/errors.ts";
import { formatCount } from "../../base/text/words.ts";

export const sayMerged = (ref: string): string =>
  `cells ${ref} are merged: only the first one has the text`;

const SAID = /^cells (\S+) (?:and others \([\d,]+ areas\) )?are merged:/u;

/** The addresses of merged cells among the warnings of a workbook, as `A3:A4`; of many the first. */
export const listMerged = (warnings: readonly Problem[]): string[] =>
  warnings.flatMap(({ message }) => SAID.exec(message)?.[1] ?? []);

const isMerged = ({ message }: Problem): boolean => SAID.test(message);

/** The same warnings, with one for all areas. */
export function joinMerged(warnings: readonly Problem[]): readonly Problem[] {
  const merged = warnings.filter(isMerged);
  const [first, second] = merged.toSorted((a, b) => (a.where?.line ?? 0) - (b.where?.line ?? 0));
  if (first === undefined || second === undefined) return warnings;
  const [ref = ""] = listMerged([first]);
  const message = `cells ${ref} and others (${formatCount(merged.length)} areas) are merged: only the first cell of each has the text`;
  return [{ ...first, message }, ...warnings.filter((one) => !isMerged(one))];
}
