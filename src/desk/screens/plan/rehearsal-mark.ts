/** Whether the sheets of a rehearsal say that they are of one. */
import type { JobPlan, RunResult } from "../../../pipeline/results.ts";
import { areUnmarked } from "../../../print/plan-sheets.ts";
import type { RehearsalMark } from "../../words/rehearsal.ts";

export function markOfPlan({ sheetPages, warnings }: JobPlan): RehearsalMark {
  if (sheetPages === 0) return "none";
  return areUnmarked(warnings.map(({ message }) => message)) ? "unmarked" : "marked";
}

export function markOfResult({ files, isUnmarked }: RunResult): RehearsalMark {
  if (!files.some(({ role }) => role === "sheets")) return "none";
  return isUnmarked === true ? "unmarked" : "marked";
}
