/**
 * What is wrong with a file, or a token, as a whole, in German: src/read/csv/csv.ts, src/read/csv/check-length.ts, src/desk/jobs.ts,
 * src/pipeline/address/job-client.ts; and where its rows lead: src/plan/placeholder.ts.
 */

import { foreignSayings } from "./foreign-files.ts";
import { keySayings } from "./key-reasons.ts";
import { linkSayings } from "./link-reasons.ts";
import { networkSayings } from "./network-reasons.ts";
import { productSayings } from "./product-reasons.ts";
import { scheduleSayings } from "./schedule-reasons.ts";
import { unitSayings } from "./unit-reasons.ts";
import { workbookSayings } from "./workbook-reasons.ts";

/** What the logo of a row must be: src/kinds/codes/logo-files.ts. */
const LOGO_RULES = [
  ["a file that can be read", "eine lesbare Datei"],
  [
    'a file, and nothing where the cell is empty, as {{ column | prefix: "folder/" }} writes it',
    'eine Datei, oder nichts, wo die Zelle leer ist (so schreibt es {{ column | prefix: "folder/" }}),',
  ],
  ["an image under 2 MB", "ein Bild unter 2 MB"],
  ["a PNG, JPEG, GIF, WebP or SVG image", "ein Bild (PNG, JPEG, GIF, WebP oder SVG)"],
  [
    "an SVG that says its size, as viewBox or as width and height",
    "ein SVG, das seine Größe nennt, als viewBox oder als width und height",
  ],
] as const;

/** English, German; `{}` as in `reasons.ts`. */
export const fileSayings: readonly (readonly [english: string, german: string])[] = [
  ...foreignSayings,
  ...keySayings,
  ...linkSayings,
  ...networkSayings,
  ...scheduleSayings,
  ...productSayings,
  ...workbookSayings,
  ...unitSayings,
  [
    "source.file must be a file of your own, got {} of output.dir, which makeready writes anew",
    "Die Tabelle (source.file) muss eine eigene Datei sein, nicht {} aus dem Ausgabeordner: Die schreibt makeready neu",
  ],
  [
    "name the spreadsheet that it was made from: makeready mend takes the rows that were mended in such a list",
    "Die Tabelle nennen, aus der sie entstand: makeready mend übernimmt die Zeilen, die in so einer Liste verbessert sind",
  ],
  [
    "what is sent must have at most 4 MB, got more",
    "Gesendet werden dürfen höchstens 4 MB, hier sind es mehr",
  ],
  [
    "nothing was changed: go back, and choose a smaller file; a logo must have at most 2 MB",
    "Geändert wurde nichts: Gehen Sie zurück, und wählen Sie eine kleinere Datei; ein Logo darf höchstens 2 MB haben",
  ],
  ...LOGO_RULES.map(
    ([english, german]) =>
      [
        `logo_file must be ${english}, got {}`,
        `Die Logodatei (logo_file) muss ${german} sein; hier steht {}`,
      ] as const,
  ),
  [
    "logo must be a PNG, JPEG, GIF, WebP or SVG image, got {}",
    "Das Logo muss ein Bild (PNG, JPEG, GIF, WebP oder SVG) sein, nicht {}",
  ],
  [
    "logo must be an image of at most {} million pixels, got {}",
    "Das Logo darf höchstens {} Millionen Pixel haben, hier sind es {}",
  ],
  ["save the image smaller: {} pixels are plenty", "Das Bild kleiner speichern: {} Pixel reichen"],
  [
    "logo must be an image that can be read, got {}",
    "Das Logo muss sich als Bild lesen lassen: {}",
  ],
  [
    "give a PNG, JPEG, GIF or WebP image of under 2 MB",
    "Ein Bild nehmen (PNG, JPEG, GIF oder WebP) mit weniger als 2 MB",
  ],
  ["a logo must have at most 2 MB, got {}", "Ein Logo darf höchstens 2 MB haben, hier sind es {}"],
  [
    "row makes the same code as an earlier one, and gets one of its own",
    "Aus der Zeile wird derselbe Code wie aus einer früheren, als eigener",
  ],
  [
    "line {} makes it: delete one of the rows, or let source.key name a column that tells them apart",
    "Zeile {} ergibt ihn schon: eine der Zeilen löschen, oder unter source.key eine Spalte nennen, die sie unterscheidet",
  ],
  [
    "another column has this name, too, so no job can use it",
    "Eine andere Spalte heißt auch so, kein Auftrag kann sie also verwenden",
  ],
  ["rename one of the two in the spreadsheet", "Eine der beiden in der Tabelle umbenennen"],
  [
    "the job must be in the desk's folder, got {}",
    "Der Auftrag muss im Ordner des Arbeitsplatzes liegen; dort fehlt {}",
  ],
  [
    "line {} looks like a row, not like names of columns: {}; it is taken as the header, so nothing is made of it",
    "Zeile {} sieht aus wie eine Datenzeile, nicht wie Spaltennamen: {}; sie gilt als Kopfzeile, aus ihr wird also nichts",
  ],
  [
    "the list must begin with the names of its columns, got a row on line {}: {}",
    "Die Liste muss mit den Namen ihrer Spalten beginnen; in Zeile {} steht schon eine Datenzeile: {}",
  ],
  [
    "put a line with a name above each column, such as Name, Link; where a line does hold the names, say which: --header-row {} (header_row in source of a manifest); nothing was written",
    "Schreiben Sie eine Zeile mit einem Namen über jede Spalte, etwa Name, Link; stehen die Namen doch in einer Zeile, geben Sie deren Nummer an: --header-row {} (header_row in source eines Manifests); geschrieben wurde nichts",
  ],
  [
    "put a line with names of columns above it; where a line does hold them, say which: header_row in source, --header-row of init",
    "Schreiben Sie eine Zeile mit Spaltennamen darüber; stehen sie doch in einer Zeile, nennen Sie deren Nummer: header_row in source, --header-row bei init",
  ],
  [
    "rename the columns in the file, or add their headers to the aliases in source.columns",
    "Die Spalten in der Datei umbenennen, oder ihre Namen in source.columns als aliases nennen",
  ],
  [
    "line {} looks like a row: put a line with the names above it: {}",
    "Zeile {} sieht aus wie eine Datenzeile: eine Zeile mit den Namen darüber schreiben: {}",
  ],
  [
    "line {} is taken as the header, since line {} has no names of columns",
    "Zeile {} wird als Kopfzeile genommen, denn in Zeile {} stehen keine Spaltennamen",
  ],
  [
    "column {} is used, but the file has none of that name: it is empty in every row",
    "Die Spalte {} wird gebraucht, aber keine in der Datei heißt so: Sie ist in jeder Zeile leer",
  ],
  [
    "column {} is used, but the file has none of that name: it is {}, its default, in every row",
    "Die Spalte {} wird gebraucht, aber keine in der Datei heißt so: In jeder Zeile gilt ihr Vorgabewert {}",
  ],
  ["column {} is read from {}, not from {}", "Die Spalte {} wird aus {} gelesen, nicht aus {}"],
  ["remove one of the two from the aliases", "Einen der beiden Namen aus den aliases nehmen"],
  ["headers found: {}", "Spalten der Datei: {}"],
  [
    "did you mean {}? add it to the aliases of {}",
    "Gemeint ist vielleicht {}? Den Namen als aliases nennen bei {}",
  ],
  [
    "header_row must be a line with headers, got line {}, which is blank",
    "header_row muss die Zeile mit den Spaltennamen nennen; leer ist Zeile {}",
  ],
  [
    "look at the columns; header_row in source says which line holds their names",
    "Bitte die Spalten ansehen; header_row in source nennt die Zeile mit ihren Namen",
  ],
  [
    "line {} looks like a row, and header_row in source names it: let it name the line with {}",
    "Zeile {} sieht aus wie eine Datenzeile, und header_row in source nennt sie: dort muss die Zeile stehen mit {}",
  ],
  [
    "the line with the names must be a whole number from 1, got {}",
    "Die Zeile mit den Namen muss eine ganze Zahl ab 1 sein, nicht {}",
  ],
  [
    "file is not UTF-8 and was read as windows-1252, but looks like Japanese, Chinese or Korean text (Shift-JIS, GBK, EUC-KR, Big5): its letters come out wrong",
    "Die Datei ist nicht UTF-8 und wurde als windows-1252 gelesen, sieht aber nach japanischem, chinesischem oder koreanischem Text aus (Shift-JIS, GBK, EUC-KR, Big5): Ihre Zeichen sind falsch",
  ],
  [
    "file is not UTF-8 and was read as windows-1252, but looks like Mac OS Roman: {} is {} there",
    "Die Datei ist nicht UTF-8 und wurde als windows-1252 gelesen, sieht aber nach Mac OS Roman aus: {} heißt dort {}",
  ],
  [
    "file is not UTF-8 and was read as windows-1252, but looks like text of DOS (code page 850 or 437): {} is {} there",
    "Die Datei ist nicht UTF-8 und wurde als windows-1252 gelesen, sieht aber nach einem DOS-Text aus (Codepage 850 oder 437): {} heißt dort {}",
  ],
  [
    "file is not UTF-8 and was read as windows-1252, but looks like text of DOS (code page 850 or 437) or like Mac OS Roman: {} is {} or {} there",
    "Die Datei ist nicht UTF-8 und wurde als windows-1252 gelesen, sieht aber nach einem DOS-Text (Codepage 850 oder 437) oder nach Mac OS Roman aus: {} heißt dort {} oder {}",
  ],
  [
    "where it is of the Mac, set source.encoding: macintosh; otherwise save it as CSV UTF-8 in the program that it came from, or in a spreadsheet program that imports it with this code page",
    "Kommt sie vom Mac, nennt der Auftrag source.encoding: macintosh; sonst die Datei in dem Programm, aus dem sie kommt, als CSV UTF-8 speichern oder in einer Tabellenkalkulation mit dieser Codepage importieren und so speichern",
  ],
  [
    "save it as CSV UTF-8 in the program that it came from, or in a spreadsheet program that imports it with this code page",
    "Die Datei in dem Programm, aus dem sie kommt, als CSV UTF-8 speichern; oder sie in einer Tabellenkalkulation mit dieser Codepage importieren und so speichern",
  ],
  [
    "file has lines in two encodings: {} in UTF-8, and {} in another one, which was read as windows-1252 (Western European); the first of these is line {}",
    "Die Datei hat Zeilen in zwei Kodierungen: {} in UTF-8 und {} in einer anderen, die als windows-1252 (westeuropäisch) gelesen wurde; die erste davon ist Zeile {}",
  ],
  [
    "check the letters of these lines; where lists were joined, save each of them as CSV UTF-8 and join them again",
    "Umlaute und Akzente dieser Zeilen ansehen; wurden Listen zusammengefügt, jede als CSV UTF-8 speichern und sie neu zusammenfügen",
  ],
  [
    "file has emoji or other rare characters in the form of CESU-8, as some databases write them; they were read as what they mean",
    "Die Datei hat Emojis oder andere seltene Zeichen in der Form CESU-8, wie manche Datenbanken sie schreiben; gelesen wurden sie so, wie sie gemeint sind",
  ],
  [
    "right where they look right; otherwise export the file as UTF-8 (utf8mb4 in MySQL, AL32UTF8 in Oracle)",
    "Richtig, wenn sie richtig aussehen; sonst die Datei als UTF-8 exportieren (utf8mb4 in MySQL, AL32UTF8 in Oracle)",
  ],
  [
    "file is not UTF-8 and was read as windows-1252 (Western European)",
    "Die Datei ist nicht UTF-8 und wurde als windows-1252 (westeuropäisch) gelesen",
  ],
  [
    "lines are read as one column of addresses, but {} parts them as well",
    "Die Zeilen werden als eine Spalte von Adressen gelesen; durch {} ließen sie sich ebenso trennen",
  ],
  [
    "lines are read as parted by {}, but {} parts them as well",
    "Die Zeilen werden als durch {} getrennt gelesen; durch {} ließen sie sich ebenso trennen",
  ],
  [
    "look at the columns; say which one is meant: source.delimiter: {} or {}",
    "Sehen Sie sich die Spalten an; welches Zeichen gemeint ist, sagt der Auftrag: source.delimiter: {} oder {}",
  ],
  [
    "line {} is taken as the header and has {} cells, but most rows below it have more: it may be a title",
    "Zeile {} gilt als Kopfzeile und hat {} Zellen, die meisten Zeilen darunter haben aber mehr: Sie ist vielleicht ein Titel",
  ],
  [
    "line {} is taken as the header and has 1 cell, but most rows below it have more: it may be a title",
    "Zeile {} gilt als Kopfzeile und hat 1 Zelle, die meisten Zeilen darunter haben aber mehr: Sie ist vielleicht ein Titel",
  ],
  [
    "where another line holds the names of the columns, say which: header_row in source, --header-row of init",
    "Stehen die Spaltennamen in einer anderen Zeile, nennen Sie deren Nummer: header_row in source, --header-row bei init",
  ],
  ["save the file as CSV UTF-8", "Die Datei als CSV UTF-8 speichern"],
  [
    "set source.encoding: macintosh, or save the file as CSV UTF-8",
    "Die Datei als CSV UTF-8 speichern; oder der Auftrag nennt source.encoding: macintosh",
  ],
  [
    "check the letters with accents: Polish, Czech and Hungarian files are likely windows-1250 (Cyrillic 1251, Greek 1253, Turkish 1254, Baltic 1257): set source.encoding, or save the file as CSV UTF-8",
    "Umlaute und Akzente ansehen und die Datei, wenn sie falsch sind, als CSV UTF-8 speichern; oder der Auftrag nennt unter source.encoding die richtige Kodierung (polnische, tschechische und ungarische Dateien haben meist windows-1250, kyrillische 1251, griechische 1253, türkische 1254, baltische 1257)",
  ],
  [
    "quote must be closed, got one that opens on line {} and never ends",
    "Ein Anführungszeichen muss geschlossen sein; das in Zeile {} endet nirgends",
  ],
  [
    "quote must be closed, got one that opens in the header or above it and swallows the next rows",
    "Ein Anführungszeichen muss geschlossen sein; eines in der Kopfzeile oder darüber verschluckt die nächsten Zeilen",
  ],
  [
    "row must have at most {} cells, got {}",
    "Eine Zeile darf höchstens {} Zellen haben; hier sind es {}",
  ],
  [
    "row must have at most {} characters, got a longer one",
    "Eine Zeile darf höchstens {} Zeichen haben; hier steht eine längere",
  ],
  [
    "check that it is a text file whose rows end with line breaks",
    "Ist es eine Textdatei, deren Zeilen mit Zeilenumbrüchen enden?",
  ],
  [
    "row must have {} cells, as the header has, got {}; too many: {} in column {}",
    "Die Zeile muss {} Zellen haben wie die Kopfzeile, hat aber {}; zu viel: {} in Spalte {}",
  ],
  [
    "{} mended row has moved in the spreadsheet: line {}",
    "{} korrigierte Zeile steht jetzt an anderer Stelle der Tabelle: Zeile {}",
  ],
  [
    "{} mended rows have moved in the spreadsheet: lines {}",
    "{} korrigierte Zeilen stehen jetzt an anderer Stelle der Tabelle: Zeilen {}",
  ],
  [
    "row must have {} cells, as the header has, got {}; too many: {}",
    "Die Zeile muss {} Zellen haben wie die Kopfzeile, hat aber {}; zu viel: {}",
  ],
  [
    "row must have {} cells, as the header has, got {}",
    "Die Zeile muss {} Zellen haben wie die Kopfzeile, hat aber {}",
  ],
  [
    "the server at {} does not know the token of {} (401)",
    "Der Server unter {} kennt das Token aus {} nicht (401)",
  ],
  [
    "it was revoked, has expired or belongs to another server: put a new one there, then run the same command again; what is finished stays finished",
    "Es wurde widerrufen, ist abgelaufen oder gehört zu einem anderen Server: Tragen Sie dort ein neues ein und setzen Sie den Lauf dann fort; was fertig ist, bleibt fertig",
  ],
  ["the name must be free, but {} is there already", "Der Name muss frei sein; {} gibt es schon"],
  ["go back and give the job another name", "Gehen Sie zurück, und nennen Sie den Auftrag anders"],
  [
    "a spreadsheet must be chosen, got the file that holds an API token: {}",
    "Gewählt werden muss eine Tabelle; diese Datei enthält ein API-Token: {}",
  ],
  ["choose another file", "Eine andere Datei wählen"],
  [
    "it was moved, renamed or removed: choose one in the list of jobs",
    "Er wurde verschoben, umbenannt oder gelöscht: Wählen Sie einen aus der Liste der Aufträge",
  ],
  [
    "leads to a placeholder: example.com, .net, .org and names that end in .test or .invalid are nobody's",
    "führt zu einem Platzhalter: example.com, .net, .org und Namen auf .test oder .invalid gehören niemandem",
  ],
  [
    "leads to localhost or another address of one's own device: phones look for it on themselves",
    "führt zu localhost oder einer anderen Adresse des eigenen Geräts: Telefone suchen sie bei sich selbst",
  ],
  [
    "put the real address in place of {} before anything is printed",
    "Schreiben Sie vor dem Druck die richtige Adresse anstelle von {}",
  ],
  [
    "right where the first one is meant; otherwise put the one that is meant in front",
    "Richtig, wenn der erste gemeint ist; sonst den gemeinten nach vorn stellen",
  ],
];
