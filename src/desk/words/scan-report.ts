/** The page of a scan report (src/pack/scan-page.ts) in German. */
import { numberFormat } from "../../base/text/number-format.ts";
import type { ReportWords } from "../../pipeline/ports.ts";
import { many } from "./many.ts";
import { windowInGerman } from "./notes.ts";

type ScanWords = ReportWords["scans"];

const count = (n: number): string => numberFormat("de").format(n);

const groups: Readonly<Record<string, string>> = {
  folder: "Ordnern",
  workspace: "Arbeitsbereichen",
};

const lists: Readonly<Record<string, string>> = {
  scans_by_day: "Tage",
  top_countries: "Länder",
  top_cities: "Orte",
  top_os: "Systeme",
  top_browsers: "Browser",
};

/** `dynamische Codes vom Typ Link in Tische und darunter, mit den Schlagwörtern a, b`. */
function saySelection(_says: string, of: Parameters<ScanWords["selection"]>[1]): string {
  const { folder, subfolders, tags, q, dynamic, type } = of;
  const kind = dynamic === null ? "Codes" : dynamic ? "dynamische Codes" : "statische Codes";
  const place =
    folder === null
      ? undefined
      : folder === "none"
        ? "in keinem Ordner"
        : `in ${folder}${subfolders ? " und darunter" : ""}`;
  const parts = [
    type === null ? undefined : `vom Typ ${type}`,
    place,
    tags.length === 0 ? undefined : `mit Schlagwort ${tags.join(", ")}`,
    q === null ? undefined : `mit „${q}“`,
  ].filter((part) => part !== undefined);
  const said = [kind, ...parts].join(" ");
  return folder === null && tags.length === 0 ? `${said}, ohne Kurzlinks` : said;
}

export const scansInGerman: ScanWords = {
  over: "Scans",
  title: (job) => `${job}: Scans`,
  window: windowInGerman,
  compared: (says) => `verglichen mit ${says}`,
  made: (at) =>
    `erstellt am ${windowInGerman(at.toISOString().slice(0, 10))}, ${at.toISOString().slice(11, 16)} UTC`,
  selection: saySelection,
  server: (says) => says.replace(/^embedded service, data in /u, "eingebauter Dienst, Daten in "),
  flag: (says) =>
    says === "new, no scan yet"
      ? "neu, noch kein Scan"
      : says.replace(/^no scan for (\d+) days$/iu, (_all, days: string) =>
          days === "1" ? "Kein Scan seit 1 Tag" : `Kein Scan seit ${days} Tagen`,
        ),
  group: (name) =>
    name === "(in no folder)"
      ? "(in keinem Ordner)"
      : name === "workspace"
        ? "Arbeitsbereich"
        : name,
  change: (says) => (says === "new" ? "neu" : says),
  codes: "Codes",
  scans: "Scans",
  uniqueScans: "Von neuen Geräten",
  changed: "Veränderung",
  by: (group) => `Nach ${groups[group] ?? group}`,
  firstOf: (shown, all) => `Die ersten ${shown} von ${all}.`,
  legend: "Blau: diese Zeit. Grau dahinter: die Zeit davor.",
  columns: {
    code: "Code",
    folder: "Ordner",
    leadsTo: "Führt zu",
    scans: "Scans",
    unique: "Von neuen Geräten",
    before: "Davor",
    change: "Veränderung",
  },
  codesTitle: "Codes",
  mostOf: (shown, all) => `Die ${shown} mit den meisten Scans, von ${all}.`,
  noneFlagged: "Keiner: Jeder Code wurde gescannt.",
  list: (name) => lists[name] ?? name,
  unknown: "unbekannt",
  none: "keine",
  notTracked: "wird nicht gezählt",
  scansOf: (scans) => many(count(scans), "Scan", "Scans"),
  days: "Scans je Tag",
  daysOf: (code) => `Scans je Tag von ${code}`,
  day: windowInGerman,
  mostADay: (scans) => `höchstens ${scans} am Tag`,
  ofMost: (codes) =>
    codes === "1"
      ? "Von dem Code mit den meisten Scans."
      : `Von den ${codes} Codes mit den meisten Scans zusammen.`,
  daysTogether: "Scans je Tag dieser Codes zusammen",
  codeByCode: "Code für Code",
};
