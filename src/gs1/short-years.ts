/** Years of two digits, as the dates of GS1 have them (General Specifications, 7.12). */
import { aiTable } from "./ai-table.ts";

/** Scanners take them for a year from so many back to so many ahead. */
export const YEARS_BACK = 49;
export const YEARS_AHEAD = 50;

/** The year that scanners read in two digits of `year`, by the year of their clock. */
export function readShortYear(year: number, thisYear: number): number {
  const first = thisYear - YEARS_BACK;
  return first + ((((year - first) % 100) + 100) % 100);
}

const dated: ReadonlySet<string> = new Set(
  aiTable.split("\n").flatMap((line) => {
    const [ai = "", , parts = ""] = line.split(";");
    return parts.startsWith("N6,yymmd") ? [ai] : [];
  }),
);

/** True for an AI whose value begins with a date, as YYMMDD. */
export const isDated = (ai: string): boolean => dated.has(ai);
