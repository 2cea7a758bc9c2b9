/** A step that changes codes after their run: the report of that run says so until the step ends. */
import path from "node:path";

import { tellBegun, type BegunStep } from "../../pack/tell-begun.ts";
import type { Ports } from "../ports.ts";
import { chooseReportWords, REPORT } from "../stages/report-words.ts";

/** What tells it in the folder's report, before the first code is changed; in the language of that report. */
export async function openStepBegun(
  folder: string,
  step: BegunStep["step"],
  { commandOf, report }: Pick<Ports, "commandOf" | "report">,
): Promise<() => void> {
  const file = path.join(folder, REPORT);
  const words = await chooseReportWords(file, report && { words: report.words });
  return () => tellBegun(file, { step, command: commandOf(step) }, words);
}
