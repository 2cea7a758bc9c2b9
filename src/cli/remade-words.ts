/** Why a run makes finished files anew, in words. */
import type { RemadeReason } from "../pipeline/remade.ts";
import { sayFiles } from "./lists.ts";

const reasons: Readonly<Record<Exclude<RemadeReason, "unfinished">, readonly [string, string]>> = {
  missing: ["it is missing", "they are missing"],
  damaged: ["it is not as it was written", "they are not as they were written"],
  program: ["another version of makeready wrote it", "another version of makeready wrote them"],
  changed: ["layout or labels have changed since", "layout or labels have changed since"],
  contents: ["what is packed in it has changed since", "what is packed in them has changed since"],
  input: ["the spreadsheet has changed since", "the spreadsheet has changed since"],
};

export function sayRemade(why: RemadeReason, files: readonly string[]): string {
  if (why === "unfinished") return "the last run did not end: a run finishes its files";
  const [one, several] = reasons[why];
  return `a run makes ${sayFiles(files)} anew: ${files.length === 1 ? one : several}`;
}
