/** What is odd but harmless about cells, in German: src/read/cells/notes.ts. */

/** English, German; `{}` as in `reasons.ts`. */
type Saying = readonly [english: string, german: string];

/** What cells of a column have, behind "cell has" or "12 cells of the column have". */
const notes: readonly Saying[] = [
  [
    "a quote that isn't doubled, and is read as {}",
    "ein Anführungszeichen, das nicht verdoppelt ist; gelesen wird {}",
  ],
  [
    "a ' in front that keeps programs from reading a formula, and is left out: {}, used as {}",
    "vorn ein ', das Programme davon abhält, eine Formel zu lesen, und das weggelassen wird: {}, verwendet wird {}",
  ],
  [
    "a blank in front of or behind its text, which is left out",
    "ein Leerzeichen vor oder hinter dem Text, das weggelassen wird",
  ],
  ["a letter that was lost before: {}", "einen Buchstaben, der schon vorher verloren ging: {}"],
  [
    "several values, of which only the first is used: {}",
    "mehrere Werte, von denen nur der erste genommen wird: {}",
  ],
  [
    "a blank in front of a quote, which is kept: {}",
    "ein Leerzeichen vor einem Anführungszeichen, das stehen bleibt: {}",
  ],
  [
    "invisible characters; codes and labels get them, too: {}",
    "unsichtbare Zeichen; auch Codes und Etiketten bekommen sie: {}",
  ],
  [
    "a value that isn't the one that is shown: {}, used as {}",
    "einen anderen Wert, als angezeigt wird: {}, verwendet wird {}",
  ],
  [
    "a value that the sheet doesn't show, and is used as empty: {}",
    "einen Wert, den das Blatt nicht anzeigt; verwendet wird nichts: {}",
  ],
  [
    "a link whose address only its formula knows; what the cell shows is used: {}",
    "einen Link, dessen Adresse nur seine Formel kennt; verwendet wird, was die Zelle zeigt: {}",
  ],
  [
    "a time of day, which columns of type date leave out: {}, used as {}",
    "eine Uhrzeit, die Spalten vom Typ date weglassen: {}, verwendet wird {}",
  ],
  [
    "a number that is shown with an exponent: {}, used as {}",
    "eine Zahl, die mit Exponent angezeigt wird: {}, verwendet wird {}",
  ],
  [
    "a number that is used in another form: {}, used as {}",
    "eine Zahl, die in anderer Form verwendet wird: {}, verwendet wird {}",
  ],
  [
    "a value that each computer shows in its own way, and is used as {}",
    "einen Wert, den jeder Rechner auf seine Art anzeigt; verwendet wird {}",
  ],
  [
    "a truth value, which each computer shows in its own language, and is used as {}",
    "einen Wahrheitswert, den jeder Rechner in seiner Sprache anzeigt; verwendet wird {}",
  ],
  [
    "a duration below zero, for which Excel shows #####, and is used as {}",
    "eine Dauer unter null, für die Excel ##### zeigt; verwendet wird {}",
  ],
  [
    "a number that spreadsheets shorten: {}, used as {}",
    "eine Zahl, die Tabellenprogramme kürzen: {}, verwendet wird {}",
  ],
];

const hints: readonly Saying[] = [
  [
    "right where it is a row; otherwise take it out of the file",
    "Richtig, wenn es eine Zeile ist; sonst sie aus der Datei nehmen",
  ],
  [
    "right where it parts the header from the rows, as programs write it",
    "Richtig, wo sie die Kopfzeile von den Zeilen trennt, wie Programme sie schreiben",
  ],
  [
    "right where a row has such a name; otherwise take it out of the file",
    "Richtig, wenn eine Zeile so heißt; sonst sie aus der Datei nehmen",
  ],
  [
    "right where it came in by accident; one that all networks have may stand in qr_data",
    "Richtig, wenn es versehentlich dort steht; eins, das alle Netze haben, kann in qr_data stehen",
  ],
  [
    "right where both are the same; otherwise put the address itself into the column: HYPERLINK with that address and nothing else shows it",
    "Richtig, wenn beides gleich ist; sonst die Adresse selbst in die Spalte schreiben: HYPERLINK mit dieser Adresse und sonst nichts zeigt sie",
  ],
  [
    "right where it only marks a text; write '' where one ' belongs to the text",
    "Richtig, wenn es nur einen Text kennzeichnet; gehört ein ' zum Text, '' schreiben",
  ],
  [
    'double a quote that belongs to the text: ""',
    'Ein Anführungszeichen, das zum Text gehört, verdoppeln: ""',
  ],
  [
    "take the headers below the first one out of the file",
    "Die Kopfzeilen unter der ersten aus der Datei nehmen",
  ],
  [
    "type the letter anew, or save the file as UTF-8 where it still is right",
    "Den Buchstaben neu eintippen, oder die Datei dort, wo er noch stimmt, als UTF-8 speichern",
  ],
  [
    "type the cell anew, unless they are meant",
    "Die Zelle neu eintippen, wenn sie nicht gewollt sind",
  ],
  [
    "in the spreadsheet, format the column so that it shows the whole value, and save it; a manifest can give it the type text instead, in source.columns",
    "Die Spalte in der Tabelle so formatieren, dass sie den ganzen Wert zeigt, und speichern; oder der Auftrag gibt ihr unter source.columns den Typ text",
  ],
  [
    "right where the cell should be empty; otherwise give it the format General in the spreadsheet and save it",
    "Richtig, wenn die Zelle leer sein soll; sonst ihr in der Tabelle das Format Standard geben und speichern",
  ],
  [
    "right where only the day counts; make it a column of type text to keep the time",
    "Richtig, wenn nur der Tag zählt; der Typ text behält die Uhrzeit",
  ],
  [
    "right where all digits are there; give the column the format 0 in the spreadsheet to see them",
    "Richtig, wenn alle Ziffern da sind; mit dem Format 0 zeigt die Tabelle sie",
  ],
  [
    "make it a column of type text to print it as it is written",
    "Der Spalte den Typ text geben, um sie so zu drucken, wie sie geschrieben ist",
  ],
  [
    "take the blank out where the quote should hold the text together, also with delimiters in it",
    "Das Leerzeichen herausnehmen, wenn das Anführungszeichen den Text zusammenhalten soll, auch mit Trennzeichen darin",
  ],
  [
    "right where TRUE and FALSE may stand there; otherwise write words into the cells, such as yes and no",
    "Richtig, wenn dort TRUE und FALSE stehen dürfen; sonst Wörter in die Zellen schreiben, etwa ja und nein",
  ],
  [
    "save the sheet as CSV and take that file: it holds what your computer shows; a manifest can name the type of the column instead, in source.columns: numbers are then used as 1234.5, dates as 2026-11-20",
    "Das Blatt als CSV speichern und diese Datei nehmen: In ihr steht, was Ihr Rechner anzeigt; oder der Auftrag nennt unter source.columns den Typ der Spalte: dann stehen Zahlen als 1234.5 da, Tage als 2026-11-20",
  ],
  [
    "right where it is meant to be below zero; otherwise mend the cell in the spreadsheet and save it",
    "Richtig, wenn sie unter null liegen soll; sonst die Zelle in der Tabelle berichtigen und speichern",
  ],
  [
    "in the spreadsheet, format the column as Text, or with the format 0, and save it; a manifest can name its type instead, in source.columns",
    "Die Spalte in der Tabelle als Text oder mit dem Format 0 formatieren und speichern; oder der Auftrag nennt unter source.columns ihren Typ",
  ],
];

export const noteSayings: readonly Saying[] = [
  ...notes.flatMap(([english, german]): readonly Saying[] => [
    [`cell has ${english}`, `Die Zelle hat ${german}`],
    [
      `{} cells of the column have ${english} (first one)`,
      `{} Zellen der Spalte haben ${german} (die erste)`,
    ],
  ]),
  [
    "row is nothing but strokes below the header: {}; it is left out",
    "Die Zeile besteht nur aus Strichen unter der Kopfzeile: {}; sie bleibt weg",
  ],
  [
    "row is like units or more names of columns below the header, and read as a row: {}",
    "Die Zeile sieht aus wie Einheiten oder weitere Spaltennamen unter der Kopfzeile und wird als Zeile gelesen: {}",
  ],
  [
    "row is like a title above the header, as printouts have on each page, and read as a row: {}",
    "Die Zeile sieht aus wie ein Titel über der Kopfzeile, wie Ausdrucke ihn auf jeder Seite haben, und wird als Zeile gelesen: {}",
  ],
  [
    "{} rows are like a title above the header, as printouts have on each page, and read as a row: {} (first one)",
    "{} Zeilen sehen aus wie ein Titel über der Kopfzeile, wie Ausdrucke ihn auf jeder Seite haben, und werden als Zeilen gelesen: {} (die erste)",
  ],
  [
    "row is like a sum below a list, and read as a row: {}",
    "Die Zeile sieht aus wie eine Summe unter einer Liste und wird als Zeile gelesen: {}",
  ],
  [
    "{} rows are like a sum below a list, and read as a row: {} (first one)",
    "{} Zeilen sehen aus wie eine Summe unter einer Liste und werden als Zeilen gelesen: {} (die erste)",
  ],
  ...hints,
];
