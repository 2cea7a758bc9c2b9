/**
 * What is wrong with a row, in German. The pipeline writes it in English; the rules of cells stand in
 * src/read/cells/cell-types.ts and src/read/rows/rows.ts, keys in src/plan/planner.ts.
 */

import { helpInGerman } from "./grade-reasons.ts";
import { everydaySayings } from "./everyday-reasons.ts";
import { fileSayings } from "./file-reasons.ts";
import { toFilling } from "./fillings.ts";
import { elsewhereSayings } from "./elsewhere-reasons.ts";
import { fieldRules, manifestHints } from "./manifest-reasons.ts";
import { labelInGerman, labelRules, labelSayings } from "./label-reasons.ts";
import { noteSayings } from "./note-reasons.ts";
import { pressSayings } from "./press-reasons.ts";
import { retargetSayings } from "./retarget-reasons.ts";
import { sinceSayings } from "./since-reasons.ts";
import { sheetSayings } from "./sheet-reasons.ts";
import { sheetWarnings } from "./sheet-warnings.ts";

/** English, German. `{}` stands for what differs from row to row; both have the same in one order. */
type Saying = readonly [english: string, german: string];

const ENTER_AGAIN: Saying = [
  "format the column as Text, enter the number again and save",
  "Die Spalte als Text formatieren, die Zahl neu eingeben und speichern",
];
const NO_EXPONENT = "muss ausgeschrieben sein, ohne Exponenten";

/** Each may be followed by what the cell holds. */
const rules: readonly Saying[] = [
  ["must not be empty", "darf nicht leer sein"],
  ["must be a URL", "muss eine Webadresse (URL) sein"],
  ["must be a whole number", "muss eine ganze Zahl sein"],
  ["must be a number", "muss eine Zahl sein"],
  [
    "must be a whole number that can be read in one way only",
    "muss eine ganze Zahl sein, die sich nur auf eine Art lesen lässt",
  ],
  [
    "must be a number that can be read in one way only",
    "muss eine Zahl sein, die sich nur auf eine Art lesen lässt",
  ],
  ["must be an e-mail address", "muss eine E-Mail-Adresse sein"],
  ["must be true or false", "muss wahr oder falsch (ja oder nein) sein"],
  ["must be a date", "muss ein Datum sein"],
  ["must be a date that exists", "muss ein Datum sein, das es gibt"],
  [
    "must be a date that can be read in one way only",
    "muss ein Datum sein, das sich nur auf eine Art lesen lässt",
  ],
  [
    "must be a day from 1900 to 9999: the cell has the format of a day, but its number is no day",
    "muss ein Tag von 1900 bis 9999 sein: Die Zelle hat das Format eines Tages, aber ihre Zahl ist keiner",
  ],
  ["must be a GTIN of digits only", "muss eine GTIN nur aus Ziffern sein"],
  ["must be a GTIN of 8, 12, 13 or 14 digits", "muss eine GTIN mit 8, 12, 13 oder 14 Ziffern sein"],
  [
    "must be a GTIN with a right check digit ({} at the end)",
    "muss eine GTIN mit richtiger Prüfziffer sein ({} am Ende)",
  ],
  [
    "must be written out, without scientific notation (the spreadsheet has dropped digits)",
    `${NO_EXPONENT} (die Tabelle hat Ziffern verloren)`,
  ],
  [
    "must be shown without scientific notation (the file has all digits)",
    `${NO_EXPONENT} (die Datei hat noch alle Ziffern)`,
  ],
  [
    "must be stored as text: as a number it keeps 15 digits only, the others are lost",
    "muss als Text gespeichert sein: Als Zahl behält sie nur 15 Ziffern, die anderen sind verloren",
  ],
  [
    "must hold its text or nothing, but holds what databases write for nothing",
    "muss ihren Text oder nichts enthalten; hier steht, was Datenbanken für nichts schreiben",
  ],
  [
    "must hold its text or nothing, but holds what spreadsheets write for an error",
    "muss ihren Text oder nichts enthalten, enthält aber, was Tabellenprogramme für einen Fehler schreiben",
  ],
  [
    "must be a time from zero on: the cell has the format of a time, but its number is below zero",
    "muss eine Zeit ab null sein: Die Zelle hat das Format einer Zeit, aber ihre Zahl ist kleiner als null",
  ],
  [
    "must have a result, but its formula was never calculated",
    "muss ein Ergebnis haben, aber ihre Formel wurde nie berechnet",
  ],
  [
    "must have a result, but its formula ends in an error",
    "muss ein Ergebnis haben, aber ihre Formel endet mit einem Fehler",
  ],
  [
    "must have a result, but holds its formula",
    "muss ein Ergebnis haben, enthält aber ihre Formel",
  ],
  [
    "must show its text, but its column was too narrow when the file was saved",
    "muss ihren Text zeigen, aber ihre Spalte war beim Speichern zu schmal",
  ],
  ["qr_data of a Link must be a URL", "Das Ziel des Codes muss eine Webadresse (URL) sein"],
  ["first_name of a vCard must not be empty", "Der Vorname eines Kontakts darf nicht leer sein"],
  ["qr_data of a Text code must not be empty", "Der Text des Codes darf nicht leer sein"],
  [
    "slug must be 1 to 100 letters, digits and hyphens",
    "Das Ende des Kurzlinks (slug) muss aus 1 bis 100 Buchstaben, Ziffern und Bindestrichen bestehen",
  ],
];

const others: readonly Saying[] = [
  [
    "row is the header again, as printouts have on each page; it is left out",
    "Die Zeile ist noch einmal die Kopfzeile, wie Ausdrucke sie auf jeder Seite haben; sie bleibt weg",
  ],
  [
    "{} rows are the header again, as printouts have on each page; it is left out (first one)",
    "{} Zeilen sind noch einmal die Kopfzeile, wie Ausdrucke sie auf jeder Seite haben; sie bleiben weg (die erste)",
  ],
  [
    "{} row is taken from {} instead of the spreadsheet: line {}",
    "{} Zeile wird statt aus der Tabelle aus {} genommen: Zeile {}",
  ],
  [
    "{} rows are taken from {} instead of the spreadsheet: lines {}",
    "{} Zeilen werden statt aus der Tabelle aus {} genommen: Zeilen {}",
  ],
  [
    "cell must be text without {} characters",
    "Die Zelle darf keine unsichtbaren Steuerzeichen ({}) enthalten",
  ],
  [
    "quote must be closed, got one that opens in this cell and swallows the next rows, up to line {}",
    "Ein Anführungszeichen, das in dieser Zelle beginnt, ist nicht geschlossen und verschluckt die nächsten Zeilen bis Zeile {}",
  ],
  [
    "row must be readable in one way, got a cell that may be one text of {} lines, or end on the first line and be followed by 1 other row",
    "Die Zeile muss eindeutig zu lesen sein; hier kann eine Zelle ein Text von {} Zeilen sein oder in der ersten enden, und die zweite ist eine eigene Zeile der Tabelle",
  ],
  [
    "row must be readable in one way, got a cell that may be one text of {} lines, or end on the first line and be followed by {} other rows",
    "Die Zeile muss eindeutig zu lesen sein; hier kann eine Zelle ein Text von {} Zeilen sein oder in der ersten enden, und die {} anderen sind eigene Zeilen der Tabelle",
  ],
  [
    "key [{}] must be unique, got {} again (first on {} {})",
    "Der Schlüssel [{}] muss eindeutig sein; {} steht noch einmal da (zuerst: {} {})",
  ],
  [
    "slug {} must be in one row only, got it again (first on {} {})",
    "Das Ende des Kurzlinks (slug) {} darf nur in einer Zeile stehen (zuerst: {} {})",
  ],
  [
    "product {} must be in one row only, got it again (first on {} {})",
    "Das Produkt {} darf nur in einer Zeile stehen (zuerst: {} {})",
  ],
  [
    "product {} with its batch and serial number must be in one row only, got it again (first on {} {})",
    "Das Produkt {} mit seiner Charge und Seriennummer darf nur in einer Zeile stehen (zuerst: {} {})",
  ],
];

const hints: readonly Saying[] = [
  ENTER_AGAIN,
  [
    "fix the cell, then plan or run again",
    "Die Zelle berichtigen, dann wieder planen oder ausführen",
  ],
  [
    "in the spreadsheet, give the column the format 0 and save it; a manifest can name its type instead, in source.columns",
    "Der Spalte in der Tabelle das Format 0 geben und speichern; oder der Auftrag nennt unter source.columns ihren Typ",
  ],
  [
    "export the table again, with empty cells for NULL",
    "Die Tabelle noch einmal ausgeben, mit leeren Zellen für NULL",
  ],
  [
    "open the file in Excel, save it and run again",
    "Die Datei in Excel öffnen, speichern und wieder ausführen",
  ],
  ["write its result here", "Ihr Ergebnis hier eintragen"],
  ["write the whole number here", "Die ganze Zahl hier eintragen"],
  [
    "widen the column in the spreadsheet and save it again",
    "Die Spalte in der Tabelle verbreitern und wieder speichern",
  ],
  [
    'write {} or {}, as it is meant, or say for the whole column which sign stands before decimals: decimal: "." or decimal: "," in source.columns',
    '{} oder {} schreiben, wie es gemeint ist; oder für die ganze Spalte sagen, welches Zeichen vor den Nachkommastellen steht: decimal: "." oder decimal: "," in source.columns',
  ],
  ["put %20 for a space, as in {}", "%20 statt eines Leerzeichens schreiben, wie in {}"],
  [
    "type it anew, with %20 for a space in it",
    "Neu eintippen, mit %20 statt eines Leerzeichens darin",
  ],
  ["begin it with https://, as in {}", "Mit https:// beginnen, wie in {}"],
  [
    "write the whole address, as in https://www.example.com/menu",
    "Die ganze Adresse schreiben, wie https://www.example.com/menu",
  ],
  ["begin it with https:// or http://", "Mit https:// oder http:// beginnen"],
  ["write it like 2026-11-20", "So schreiben: 2026-11-20"],
  [
    "enter the day again, as text if it is an earlier one, or format the cell as a number",
    "Den Tag neu eingeben, einen früheren als Text; oder die Zelle als Zahl formatieren",
  ],
  [
    "save the file as CSV with the values that are shown; if it is a text, write ' in front of it",
    "Die Datei als CSV mit den angezeigten Werten speichern; ist es ein Text, ' davor schreiben",
  ],
  [
    "enter the time as text, or format the cell as a number",
    "Die Zeit als Text eingeben, oder die Zelle als Zahl formatieren",
  ],
  [
    "write its text here or empty the cell; where a formula failed, mend it in the spreadsheet",
    "Den Text hier eintragen oder die Zelle leeren; eine fehlerhafte Formel in der Tabelle verbessern",
  ],
  [
    "empty the cell, or give its column a header",
    "Die Zelle leeren, oder ihrer Spalte eine Überschrift geben",
  ],
  [
    "a cell of this row has several lines: is a closing quote missing?",
    "Eine Zelle dieser Zeile hat mehrere Zeilen: Fehlt ein schließendes Anführungszeichen?",
  ],
  [
    "is a delimiter missing, or a cell with one not in quotes?",
    "Fehlt ein Trennzeichen, oder steht eine Zelle mit einem nicht in Anführungszeichen?",
  ],
  [
    "save the file again from the program that wrote it",
    "Die Datei aus dem Programm, das sie geschrieben hat, neu speichern",
  ],
  [
    'close it, or double a quote that belongs to the text: ""',
    'Schließen, oder ein Anführungszeichen, das zum Text gehört, verdoppeln: ""',
  ],
  [
    'if they are rows, double each quote that belongs to a text: "24"""; if it is a text, put a blank behind each of its quotes and delimiters',
    'Sind es Zeilen, jedes Anführungszeichen verdoppeln, das zu einem Text gehört: "24"""; ist es ein Text, hinter jedes seiner Anführungs- und Trennzeichen ein Leerzeichen setzen',
  ],
  [
    "change the cells that make the key, or delete one of the two rows",
    "Die Zellen des Schlüssels ändern oder eine der beiden Zeilen löschen",
  ],
  [
    "the two rows would be one on the server: change or delete one of them",
    "Auf dem Server wären beide Zeilen eine: eine davon ändern oder löschen",
  ],
];

/** What a check of printed sheets says of a label (src/scan/scan.ts). */
const ofLabels: readonly Saying[] = [
  ["nothing is printed there", "dort ist nichts gedruckt"],
  ["its code can't be read", "der Code ist nicht zu lesen"],
  ["the picture does not show it", "das Bild zeigt es nicht"],
  ["holds a code that is not of this job", "trägt einen Code, der nicht zu diesem Auftrag gehört"],
  [
    "holds the code of row {}, which no sheet of today holds",
    "trägt den Code der Zeile {}, den kein Bogen von heute hat",
  ],
  ["holds the code of row {}", "trägt den Code der Zeile {}"],
  [
    "is read with {} of its error correction left",
    "ist zu lesen, aber nur {} seiner Fehlerkorrektur sind übrig",
  ],
];

const HOLE = "{}";

const splitSaying = ([english, german]: Saying) => ({
  english: english.split(HOLE),
  german: german.split(HOLE),
});

/** A field of a manifest, and what must be true of it. */
const FIELD = /^(?!(?:row|header|file|it) )([a-z]\S*) (must .*)$/su;

const sayings = [
  ...rules.map(([english, german]): Saying => [`${english}, got {}`, `${german}; hier steht {}`]),
  ...rules,
  ...noteSayings,
  ...elsewhereSayings,
  ...everydaySayings,
  ...others,
  ...hints,
  ...ofLabels,
  ...pressSayings,
  ...fileSayings,
  ...sinceSayings,
  ...retargetSayings,
  ...sheetSayings,
  ...sheetWarnings,
  ...labelSayings,
  ...manifestHints,
].map(splitSaying);

const ofFields = [
  ...fieldRules,
  ...labelRules,
  ...rules.map(([english, german]): Saying => [`${english}, got {}`, `${german}; hier steht {}`]),
].map(splitSaying);

/** What fills the holes between these parts; undefined where the text isn't made of them. */
function findHoles(text: string, [first = "", ...parts]: readonly string[]): string[] | undefined {
  const last = parts.at(-1);
  if (last === undefined) return text === first ? [] : undefined;
  if (!text.startsWith(first) || !text.endsWith(last)) return undefined;
  let from = first.length;
  const holes: string[] = [];
  for (const [at, part] of parts.entries()) {
    const isLast = at === parts.length - 1;
    const end = isLast ? text.length - part.length : text.indexOf(part, from);
    if (end < from) return undefined;
    holes.push(text.slice(from, end));
    from = end + part.length;
  }
  return holes;
}

function findSaying(
  text: string,
  among: readonly ReturnType<typeof splitSaying>[],
): string | undefined {
  for (const { english, german } of among) {
    const holes = findHoles(text, english);
    if (holes === undefined) continue;
    // What has no hole in German is left out.
    const filled = german.slice(1).map((part, at) => {
      const before = german[at] ?? "";
      return toFilling(holes[at] ?? "", before, part) + part;
    });
    return (german[0] ?? "") + filled.join("");
  }
  return undefined;
}

/** Behind what is said once for many rows. */
const MORE = { before: "; and ", after: " more like it" };

function withMore(text: string): string | undefined {
  const at = text.lastIndexOf(MORE.before);
  if (at < 0 || !text.endsWith(MORE.after)) return undefined;
  const count = text.slice(at + MORE.before.length, text.length - MORE.after.length);
  const said = reasonInGerman(text.slice(0, at));
  return said && `${said}; und ${count.replaceAll(",", ".")} weitere ebenso`;
}

/** Undefined for a text that has no German one yet. */
export function reasonInGerman(text: string): string | undefined {
  const said =
    withMore(text) ?? findSaying(text, sayings) ?? helpInGerman(text) ?? labelInGerman(text);
  if (said !== undefined) return said;
  const [, field = "", rule = ""] = FIELD.exec(text) ?? [];
  const ofField = findSaying(rule, ofFields) ?? labelInGerman(rule);
  return ofField === undefined ? undefined : `${field} ${ofField}`;
}
