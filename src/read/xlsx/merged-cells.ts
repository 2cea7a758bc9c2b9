/** What is said of merged cells, and which cells that was. */
import type { Problem } from "../../base/errors.ts";

export const sayMerged = (ref: string): string =>
  `cells ${ref} are merged: only the first one has the text`;

const SAID = /^cells (\S+) are merged:/u;

/** The addresses of merged cells among the warnings of a workbook, as `A3:A4`. */
export const listMerged = (warnings: readonly Problem[]): string[] =>
  warnings.flatMap(({ message }) => SAID.exec(message)?.[1] ?? []);
