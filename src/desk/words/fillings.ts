/** What stands in the holes of a German reason. */
import { looksInGerman } from "../../console/words/looks-de.ts";
import { foreignFiles } from "./foreign-files.ts";
import { saidGradeInGerman } from "./grade-reasons.ts";

/** Words that fill a hole and have a German one. */
const fillings = new Map(
  Object.entries({
    ...foreignFiles,
    embedded: "der eingebaute Dienst",
    "the design of codes": "Das Aussehen der Codes",
    "a map": "eine Gruppe von Feldern",
    "a list": "eine Liste",
    nothing: "nichts",
    "1 mistake": "1 Fehler",
    "another process": "ein anderes Programm",
    "in the spreadsheet": "in der Tabelle",
    "in what was read": "in dem, was gelesen wurde,",
    "in the folder": "im Ordner",
    "in the manifest": "im Manifest",
    "in the range": "im Bereich",
    "among the serials": "unter den Seriennummern",
    "among the codes": "unter den Codes",
  }),
);

const DECIMAL = /^\d+\.\d+$/u;
const POINTS = /^\d+\.\d+ pt$/u;
const OF_LENGTH = [" mm", " pt", " oder mehr", " × ", " Pixel"];
const OF_NUMBER = ["Note unter ", "mindestens ", "hier steht "];

/** Looks of codes, as lists of them name them. */
const looks = new Map(
  Object.entries({
    colours: "Farben",
    background: "Hintergrund",
    pattern: "Muster",
    eyes: "Augen",
    frame: "Rahmen",
    "frame text": "Rahmentext",
    logo: "Logo",
    design: "Gestaltung",
  }),
);

/** `colours, frame and logo`; undefined for any other text. */
function toLooks(hole: string): string | undefined {
  const named = hole.split(/, | and /u).map((look) => looks.get(look));
  if (named.some((look) => look === undefined)) return undefined;
  const last = named.pop() ?? "";
  return named.length === 0 ? last : `${named.join(", ")} und ${last}`;
}

/** What stands before frames. */
const OF_FRAMES = /Rahmen(?: nehmen:)? $/u;
const frames = new Map(Object.entries(looksInGerman["frame"] ?? {}));

/** A frame as the label page names it. */
export const toFrameName = (frame: string): string => {
  const named = frames.get(frame);
  return named === undefined ? frame : `„${named}“`;
};

const COUNT = /^\d{1,3}(?:,\d{3})+$/u;

/** `1,240` as German numbers are written. */
const toCount = (count: string): string => (COUNT.test(count) ? count.replaceAll(",", ".") : count);

const FILE = /^\S+\.[a-z]{2,4}$/iu;

/** `a.svg and b.svg`; undefined for any other text. */
function toFiles(hole: string): string | undefined {
  const files = hole.split(/, | and /u);
  const last = files.pop() ?? "";
  const areFiles = files.length > 0 && [...files, last].every((file) => FILE.test(file));
  return areFiles ? `${files.join(", ")} und ${last}` : undefined;
}

const HAS_ROW = /(?:^|\()line \d/u;
const ENDS_WITH_ROW = /(?:\d\)?| more)$/u;

/** Cells that messages quote are no lists of rows. */
const isRows = (hole: string): boolean =>
  !hole.includes('"') && HAS_ROW.test(hole) && ENDS_WITH_ROW.test(hole);

/** `line 4, line 5 and 2 more`, `A-1 (line 4) and A-2 (line 5)`; undefined for any other text. */
function toRows(hole: string): string | undefined {
  if (!isRows(hole)) return undefined;
  return hole
    .replace(/ and ([\d,]+) more$/u, (_all, more: string) => ` und ${toCount(more)} weitere`)
    .replace(/\) and (?=[^()]*\(line \d+\)$)/u, ") und ")
    .replace(/ and (?=line \d+$)/u, " und ")
    .replaceAll(/(^|[( ])line (?=\d)/gu, "$1Zeile ");
}

const TARGET = / to (\S+) instead of (\S+)/gu;

/** `"A-1" (line 2) to https://b.example instead of https://a.example`; undefined for any other text. */
function toTargets(hole: string): string | undefined {
  const said = hole.replaceAll(TARGET, " zu $1 statt $2");
  if (said === hole) return undefined;
  return said.replaceAll(/(^|[( ])line (?=\d)/gu, "$1Zeile ").replace(/(\d) more$/u, "$1 weitere");
}

const SCHEMES = /^https:\/\/ or /u;

/** `https:// or http://, sms: or geo:`; undefined for any other text. */
const toSchemes = (hole: string): string | undefined =>
  SCHEMES.test(hole) ? hole.replaceAll(" or ", " oder ") : undefined;

const NAMED =
  / (?:and )?the (name|folder) ("(?:[^"\\]|\\.)*"|none) instead of ("(?:[^"\\]|\\.)*"|none)/gu;
const namedDe: Readonly<Record<string, string>> = { name: "Name", folder: "Ordner" };

const orNone = (text: string): string => (text === "none" ? "keiner" : text);

/** `line 3 the name "A" instead of "B"`; undefined for any other text. */
function toNames(hole: string): string | undefined {
  const said = hole.replaceAll(
    NAMED,
    (all, part: string, now: string, before: string) =>
      `${all.startsWith(" and") ? " und" : ":"} ${namedDe[part] ?? part} ${orNone(now)} statt ${orNone(before)}`,
  );
  if (said === hole) return undefined;
  return said
    .replace(/^line (?=\d)/u, "Zeile ")
    .replaceAll(/([,(] ?)line (?=\d)/gu, "$1Zeile ")
    .replace(/(\d) more$/u, "$1 weitere");
}

/** `process 12 on shop`; undefined for any other text. */
function toHolder(hole: string): string | undefined {
  const [, id, host] = /^process (\d+) on (\S+)$/u.exec(hole) ?? [];
  return id === undefined ? undefined : `Prozess ${id} auf ${host ?? ""}`;
}

/** Pages with their addresses: `A-1 at https://a.example/page/x`; undefined for any other text. */
function toPlaces(hole: string): string | undefined {
  const said = hole
    .replaceAll(/ at (?=https?:)/gu, " unter ")
    .replace(/ and others$/u, " und andere");
  return said.includes(" unter ") ? said : undefined;
}

const others = [
  toSchemes,
  toTargets,
  toNames,
  toRows,
  toFiles,
  toHolder,
  toPlaces,
  saidGradeInGerman,
];

function toOther(hole: string): string | undefined {
  for (const say of others) {
    const said = say(hole);
    if (said !== undefined) return said;
  }
  return undefined;
}

/** What stands behind a count: codes, rows, more. */
const OF_COUNT = /^ (?!und )\p{L}/u;

/** Names of columns, which may be called `row` or `line 2`. */
const OF_COLUMNS = /(?:Spalten|Spalten der Datei|sie hat|darüber schreiben): $/u;

/** What a cell or a code holds. */
const QUOTED = /^"[^"]*"$/u;

/** A kind of place, before its number or name. */
const OF_PLACE = "zuerst: ";

/** Cells, characters or texts in quotes, the first of many. */
const AND_MORE = /("|…|[A-Z]\d+|U\+[\dA-F]+) and ([\d,]+) more$/u;

const sayMore = (hole: string): string =>
  hole
    .replace(/ and others$/u, " und andere")
    .replace(
      AND_MORE,
      (_all, last: string, more: string) => `${last} und ${toCount(more)} weitere`,
    );

/** What stands before a list of looks. */
const OF_LOOKS = /(?:ohne|seither geändert:) $/u;

/** A built-in template as the label page names it. */
const toTemplateName = (id: string): string | undefined => {
  const named = looksInGerman["template"]?.[id];
  return named && `„${named}“`;
};

function toNamed(hole: string, before: string): string | undefined {
  if (before.endsWith("Gestaltung ")) return toTemplateName(hole) ?? toOther(hole);
  if (OF_FRAMES.test(before)) return hole.split(", ").map(toFrameName).join(", ");
  if (POINTS.test(hole)) return hole.replace(".", ",");
  return OF_LOOKS.test(before) ? toLooks(hole) : toOther(hole);
}

/**
 * Lengths get the comma that German numbers have; what cells hold stays as it is.
 *
 * @param before the German text before the hole
 * @param after the one behind it
 */
export function toFilling(hole: string, before: string, after: string): string {
  if (QUOTED.test(hole)) return hole;
  if (OF_COLUMNS.test(before)) return sayMore(hole);
  if (before.endsWith(OF_PLACE)) return "Zeile";
  const hasUnit =
    OF_NUMBER.some((word) => before.endsWith(word)) ||
    OF_LENGTH.some((unit) => after.startsWith(unit));
  if (hasUnit && DECIMAL.test(hole)) return hole.replace(".", ",");
  if (COUNT.test(hole) && OF_COUNT.test(after)) return toCount(hole);
  return toNamed(hole, before) ?? fillings.get(hole) ?? sayMore(hole);
}
