/** What everyday work with the desk meets beside rows and sheets, in German. */
import { many } from "./many.ts";

/** English, German; `{}` as in `reasons.ts`. */
type Saying = readonly [english: string, german: string];

const preview: readonly Saying[] = [
  [
    "the short link doesn't exist yet: a sample of usual length stands in for it",
    "Den Kurzlink gibt es noch nicht: Ein Muster der üblichen Länge vertritt ihn",
  ],
  ["the short link doesn't exist yet", "Den Kurzlink gibt es noch nicht"],
  [
    "the product isn't registered yet: its server may put more in front of this",
    "Das Produkt ist noch nicht angelegt: Sein Server setzt vielleicht noch etwas davor",
  ],
  [
    "the short link begins with {} instead of {}: a run makes it so",
    "Der Kurzlink beginnt mit {} statt mit {}: Ein Lauf macht ihn so",
  ],
  [
    "the logo of logo_url is drawn by the server and isn't shown here",
    "Das Logo unter logo_url zeichnet der Server; hier ist es nicht zu sehen",
  ],
];

const URL_RULE: Saying = [
  "must be a URL without spaces and invisible characters",
  "muss eine Webadresse (URL) ohne Leerzeichen und unsichtbare Zeichen sein",
];

const fields: readonly Saying[] = [
  [`${URL_RULE[0]}, got {}`, `${URL_RULE[1]}; hier steht {}`],
  URL_RULE,
  [
    "must be a number of millimetres from {} to {}, got {}",
    "muss eine Zahl von {} bis {} (in Millimetern) sein; hier steht {}",
  ],
  ...[", or a template that gives one", ""].map((more): Saying => [
    `must be a whole number from {} to {}${more}, got {}`,
    "muss eine ganze Zahl von {} bis {} sein; hier steht {}",
  ]),
  ['must be a colour like "#0a3d62", got {}', "muss eine Farbe wie #0a3d62 sein; hier steht {}"],
  [
    "must name a column of the source, got {}",
    "muss eine Spalte der Tabelle nennen; hier steht {}",
  ],
  // What follows there is for manifests.
  ["columns: {}; or give the text: {}", "Spalten: {}. Auch ein fester Text geht"],
  [
    "did you mean {}? columns: {}; or give the text: {}",
    "Gemeint ist vielleicht {}? Spalten: {}. Auch ein fester Text geht",
  ],
  ["columns: {}", "Spalten: {}"],
  ["did you mean {}? columns: {}", "Gemeint ist vielleicht {}? Spalten: {}"],
  ["did you mean {}?", "Gemeint ist vielleicht {}?"],
  ...["--lines", "line"].map((named): Saying => [
    `${named} must be lines that hold a row, got {}`,
    "Genannt werden müssen Zeilen der Tabelle, in denen etwas steht; hier steht {}",
  ]),
  [
    "the last row stands on line {}; header and blank lines count, too",
    "Die letzte Zeile der Liste ist Zeile {} der Tabelle; Kopfzeile und leere Zeilen zählen mit",
  ],
  [
    "lines are those of the spreadsheet, header and blank lines counted",
    "Gezählt sind die Zeilen der Tabelle, auch Kopfzeile und leere Zeilen",
  ],
  [
    "{}: scan must be PNG, JPEG, WebP, TIFF or PDF, got something else",
    "{}: Das Bild muss PNG, JPEG, WebP, TIFF oder PDF sein, nicht etwas anderes",
  ],
  [
    "{}: scan must be PNG, JPEG, WebP, TIFF or PDF, got {}",
    "{}: Das Bild muss PNG, JPEG, WebP, TIFF oder PDF sein, nicht {}",
  ],
  ["{}: scan must be an image that can be read, got {}", "{}: Das Bild muss sich lesen lassen: {}"],
  [
    "{}: scan must be at most 512 MB, got {} bytes",
    "{}: Das Bild darf höchstens 512 MB haben, nicht {} Byte",
  ],
  [
    "a form must ask a question, got none",
    "Ein Formular muss etwas fragen; beide Fragen sind leer",
  ],
  ["go back and write one of the two", "Gehen Sie zurück und schreiben Sie eine der beiden"],
  [
    "between {{ and }} a form must name a column of its spreadsheet, got {}",
    "Zwischen {{ und }} muss ein Formular eine Spalte seiner Tabelle nennen; hier steht {}",
  ],
  [
    "go back and write the text without {{ and }}",
    "Gehen Sie zurück und schreiben Sie den Text ohne {{ und }}",
  ],
  [
    'template must close every "{{" with "}}", got {}',
    "Eine Vorlage muss jedes {{ mit }} schließen; hier steht {}",
  ],
  ['add the missing "}}"', "Die fehlenden }} ergänzen"],
  [
    'template must name a column between "{{" and "}}", got nothing',
    "Zwischen {{ und }} muss eine Spalte stehen; hier steht nichts",
  ],
  ["filter must be one of {}, got {}", "Der Filter muss einer von diesen sein: {}; hier steht {}"],
  ["known: {}", "Bekannt: {}"],
  // What its argument must be is written in the hint, too.
  ["argument of the filter {} must be {}, got {}", "Die Angabe zum Filter {} passt nicht"],
  ["write it like {}", "So schreiben: {}"],
  [
    'must be a share of the rows, like "2%", got {}',
    "muss ein Anteil der Zeilen wie „2 %“ sein; hier steht {}",
  ],
  ...["changes", "change"].map((verb): Saying => [
    `output.sheets.label says all that stands on a label: {} beside it ${verb} nothing`,
    "output.sheets.label sagt alles, was auf einem Etikett steht; nichts ändert daneben {}",
  ]),
  [
    "put the text into label.items as a text of its own, or leave label out for the code with its caption",
    "Den Text als eigenen Text unter label.items schreiben oder label weglassen: Dann steht der Code mit seiner Beschriftung da",
  ],
];

/** Mended rows: src/read/rows/mended.ts. */
const unused = (one: boolean): readonly Saying[] => {
  const [english, german] = one
    ? ["1 mended row is", "1 verbesserte Zeile wird"]
    : ["{} mended rows are", "{} verbesserte Zeilen werden"];
  return [
    [
      `${english} not used, since the spreadsheet has changed there: {}`,
      `${german} nicht verwendet, denn die Tabelle hat sich dort geändert: {}`,
    ],
    [
      `${english} not used, since the spreadsheet no longer has the column {}: {}`,
      `${german} nicht verwendet, denn der Tabelle fehlt die Spalte {}: {}`,
    ],
    [
      `${english} not used, since the spreadsheet no longer has the columns {}: {}`,
      `${german} nicht verwendet, denn der Tabelle fehlen die Spalten {}: {}`,
    ],
  ];
};

const mended: readonly Saying[] = [
  ...unused(true),
  ...unused(false),
  ["the spreadsheet counts; {} is left as it is", "Die Tabelle gilt; {} bleibt, wie sie ist"],
  [
    "give the column its name again, or mend the row again; until then the spreadsheet counts",
    "Der Spalte ihren Namen wiedergeben oder die Zeile noch einmal verbessern; bis dahin gilt die Tabelle",
  ],
  [
    "give the column its name again, or mend the rows again; until then the spreadsheet counts",
    "Der Spalte ihren Namen wiedergeben oder die Zeilen noch einmal verbessern; bis dahin gilt die Tabelle",
  ],
  [
    "give the columns their names again, or mend the row again; until then the spreadsheet counts",
    "Den Spalten ihre Namen wiedergeben oder die Zeile noch einmal verbessern; bis dahin gilt die Tabelle",
  ],
  [
    "give the columns their names again, or mend the rows again; until then the spreadsheet counts",
    "Den Spalten ihre Namen wiedergeben oder die Zeilen noch einmal verbessern; bis dahin gilt die Tabelle",
  ],
];

/** Of one code and of several: the English words with the number, and the German ones. */
const ofCodes = (
  english: (codes: string, isOne: boolean) => string,
  german: (codes: string, isOne: boolean) => string,
): readonly Saying[] =>
  ["1", "{}"].map((count): Saying => {
    const isOne = count === "1";
    return [
      english(many(count, "code", "codes"), isOne),
      german(many(count, "Code", "Codes"), isOne),
    ];
  });

/** Looks that changed, and codes that are printed otherwise: src/base/shapes/press-warning.ts. */
const press: readonly Saying[] = [
  ...ofCodes(
    (codes, isOne) =>
      `the sheets print ${codes} plain black: without the {} that ${isOne ? "it has" : "they have"} at the service, since this job gave ${isOne ? "it" : "them"} no design`,
    (codes, isOne) =>
      `Die Bogen drucken ${codes} einfach schwarz, denn dieser Auftrag gab ${isOne ? "ihm" : "ihnen"} keine Gestaltung; beim Dienst geändert, auf den Bogen ohne {}`,
  ),
  ...ofCodes(
    (codes) =>
      `the sheets print ${codes} in the look that this job knows, which the service has changed since: {}`,
    (codes) =>
      `Die Bogen drucken ${codes} so, wie dieser Auftrag sie kennt; beim Dienst seither geändert: {}`,
  ),
  ...ofCodes(
    (codes) =>
      `the pictures of ${codes} show a look that the service has changed since: {}; a run fetches them anew`,
    (codes) =>
      `Die Bilder von ${codes} zeigen ein Aussehen, das beim Dienst seither geändert ist: {}; ein Lauf holt sie neu`,
  ),
  ...ofCodes(
    (codes) =>
      `the pictures of ${codes} show the look that this job gave them, which the service has changed since: {}`,
    (codes) =>
      `Die Bilder von ${codes} zeigen das Aussehen dieses Auftrags; beim Dienst seither geändert: {}`,
  ),
  ...ofCodes(
    (codes) =>
      `the pictures of ${codes} show a look that the service has given them since, not that of this job: {}`,
    (codes) =>
      `Die Bilder von ${codes} zeigen ein Aussehen, das ihnen der Dienst seither gab, nicht das dieses Auftrags: {}`,
  ),
  ...ofCodes(
    (codes, isOne) =>
      `${codes} ${isOne ? "is printed without its" : "are printed without their"} {}: there is no room`,
    (codes, isOne) => `${codes} ${isOne ? "wird" : "werden"} gedruckt ohne {}: Es ist kein Platz`,
  ),
  ...ofCodes(
    (codes, isOne) =>
      `${codes} ${isOne ? "is" : "are"} printed plain black, since the server's drawing {}`,
    (codes, isOne) =>
      `${codes} ${isOne ? "wird" : "werden"} einfach schwarz gedruckt; der Grund steht in der Zeichnung des Servers: {}`,
  ),
  ...ofCodes(
    (codes, isOne) =>
      `${codes} ${isOne ? "has" : "have"} another error correction in print than in the artwork: there is no room for {}`,
    (codes, isOne) =>
      `${codes} ${isOne ? "hat" : "haben"} im Druck eine andere Fehlerkorrektur als in den Bilddateien; kein Platz ist für {}`,
  ),
  [
    "1 SVG logo is printed as a picture of 512 pixels at most: {}",
    "1 SVG-Logo wird als Bild mit höchstens 512 Pixeln gedruckt: {}",
  ],
  [
    "{} SVG logos are printed as pictures of 512 pixels at most: {}",
    "{} SVG-Logos werden als Bilder mit höchstens 512 Pixeln gedruckt: {}",
  ],
  [
    "colours become inks by FOGRA39: {} has no table of colours that can be read",
    "Farben werden nach FOGRA39 zu Druckfarben: {} hat keine lesbare Tabelle der Farben",
  ],
  [
    "colours become inks by FOGRA39: {} have no table of colours that can be read",
    "Farben werden nach FOGRA39 zu Druckfarben: {} haben keine lesbare Tabelle der Farben",
  ],
];

const pressHints: readonly Saying[] = [
  [
    "give code.design of this job the same look, or print these codes by a job of kind export",
    "Diesem Auftrag unter code.design dasselbe Aussehen geben oder diese Codes mit einem Auftrag der Art „Dateien und Bogen bestehender Codes“ drucken",
  ],
  [
    "give code.design of this job the same look, or fetch the files of these codes by a job of kind export",
    "Diesem Auftrag unter code.design dasselbe Aussehen geben oder die Dateien dieser Codes mit einem Auftrag der Art „Dateien und Bogen bestehender Codes“ holen",
  ],
  [
    "give code.design of this job the same look, or undo the job that has changed it",
    "Diesem Auftrag unter code.design dasselbe Aussehen geben oder den Auftrag rückgängig machen, der es geändert hat",
  ],
  [
    "take a profile with a table from CMYK to Lab (A2B1 or A2B0), or name inks in artwork_inks",
    "Ein Farbprofil mit einer Tabelle von CMYK nach Lab (A2B1 oder A2B0) nehmen oder Druckfarben unter artwork_inks nennen",
  ],
];

export const everydaySayings: readonly Saying[] = [
  ...preview,
  ...fields,
  ...mended,
  ...press.flatMap(([english, german]): readonly Saying[] => [
    [`${english} (row {})`, `${german} (Schlüssel {})`],
    [`${english} (rows {} and {} more)`, `${german} (Schlüssel {} und {} weitere)`],
    [`${english} (rows {})`, `${german} (Schlüssel {})`],
    [english, german],
  ]),
  ...pressHints,
  [
    "the PDF must be as it was written, got a damaged one: {}",
    "Das PDF ist beschädigt und nicht mehr so, wie es geschrieben wurde: {}",
  ],
  [
    "run the job again: it makes the file anew",
    "Den Auftrag noch einmal laufen lassen: Das macht die Datei neu",
  ],
  ["rows must be pasted, got none", "Zeilen müssen eingefügt sein"],
];
