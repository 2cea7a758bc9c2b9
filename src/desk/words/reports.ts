/** What the desk says of reports of scans, in both languages. */
import { many } from "./many.ts";

export const reportsInEnglish = {
  done: "The report is made",
  made: (when: string): string => `Report made on ${when}.`,
  plan: "A report changes nothing. Each run reads the figures anew and writes the files.",
  run: (codes: string): string => `Make the report: ${many(codes, "code", "codes")}`,
  figures: { codes: "Codes", scans: "Scans" },
};

export const reportsInGerman: typeof reportsInEnglish = {
  done: "Die Auswertung ist fertig",
  made: (when) => `Auswertung vom ${when}.`,
  plan: "Eine Auswertung ändert nichts. Jeder Lauf liest die Zahlen neu und schreibt die Dateien.",
  run: (codes) => `Auswertung machen: ${many(codes, "Code", "Codes")}`,
  figures: { codes: "Codes", scans: "Scans" },
};
