/** The words of a job's report. */
import { readReportLanguage } from "../../pack/report.ts";
import { inEnglish, type ReportWords } from "../../pack/report-words.ts";
import type { ReportLanguages } from "../ports.ts";

export const REPORT = "report.html";

/** In the language that is asked for, else in that of the report that lies there, else in English. */
export async function chooseReportWords(
  file: string,
  { language, words }: Partial<ReportLanguages> = {},
): Promise<ReportWords> {
  const chosen = language ?? (await readReportLanguage(file));
  if (chosen === undefined || chosen === inEnglish.language) return inEnglish;
  return (await words?.(chosen)) ?? inEnglish;
}
