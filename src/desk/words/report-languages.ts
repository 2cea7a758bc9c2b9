/** The languages that a report is written in: loaded where one other than English is written. */
import type { ReportWords } from "../../pipeline/ports.ts";

/** Undefined for English, and for a language that there are no words for. */
export const wordsOfReport = async (language: string): Promise<ReportWords | undefined> =>
  language === "de" ? (await import("./run-report.ts")).reportInGerman : undefined;
