/** What the page of a scan report says, in English. Other languages have the same shape. */
import type { CodeSelect } from "../base/shapes/code-select.ts";
import { toCountText } from "./report-text.ts";

const same = (says: string): string => says;

export const scansInEnglish = {
  over: "scans",
  title: (job: string) => `${job}: scans`,
  /** `2026-11-14 to 2026-11-20`. */
  window: same,
  compared: (says: string) => `compared with ${says}`,
  made: (at: Date) => `made ${at.toISOString().replace("T", " ").slice(0, 16)} UTC`,
  selection: (says: string, _of: CodeSelect) => says,
  server: same,
  /** Why a code is pointed out, and the heading of those. */
  flag: same,
  /** Of a folder, or of what stands for none. */
  group: same,
  /** What became of a figure: `+12 %`, `new`. */
  change: same,
  codes: "codes",
  scans: "scans",
  uniqueScans: "unique scans",
  changed: "change",
  by: (group: string) => `By ${group}`,
  firstOf: (shown: string, all: string) => `The first ${shown} of ${all}.`,
  legend: "Blue: this time. Grey behind it: the time before.",
  columns: {
    code: "code",
    folder: "folder",
    leadsTo: "leads to",
    scans: "scans",
    unique: "unique",
    before: "before",
    change: "change",
  },
  codesTitle: "Codes",
  mostOf: (shown: string, all: string) => `The ${shown} with most scans, of ${all}.`,
  noneFlagged: "None: every code was scanned.",
  /** `top_countries` -> `countries`. */
  list: (name: string) => name.replace(/^top_/u, "").replaceAll("_", " "),
  unknown: "unknown",
  none: "none",
  notTracked: "not tracked",
  scansOf: (scans: number) => `${toCountText(scans)} scans`,
  days: "Scans a day",
  daysOf: (code: string) => `scans a day of ${code}`,
  day: same,
  mostADay: (scans: string) => `most ${scans} a day`,
  ofMost: (codes: string) => `Of the ${codes} codes with most scans together.`,
  daysTogether: "scans a day of these codes together",
  codeByCode: "Code by code",
};
