/** What is not as wanted on sheets, with lists of rows and looks, in German; English: src/base/shapes/press-warning.ts. */

/** English, German; `{}` stands for what differs. */
type Saying = readonly [english: string, german: string];

/** One and several. */
const counted = (
  [one, many]: readonly [string, string],
  [eins, viele]: readonly [string, string],
): readonly Saying[] => [
  [one, eins],
  [many, viele],
];

const rowsAndCodes: readonly Saying[] = [
  ...counted(
    ["1 row of the job is missing: {}", "{} rows of the job are missing: {}"],
    ["1 Zeile des Auftrags fehlt: {}", "{} Zeilen des Auftrags fehlen: {}"],
  ),
  ...counted(
    [
      "1 row of the job is bad now, and its label is as an earlier run made it: {}",
      "{} rows of the job are bad now, and their labels are as an earlier run made them: {}",
    ],
    [
      "1 Zeile des Auftrags ist jetzt fehlerhaft, ihr Etikett ist das eines früheren Laufs: {}",
      "{} Zeilen des Auftrags sind jetzt fehlerhaft, ihre Etiketten sind die eines früheren Laufs: {}",
    ],
  ),
  ...counted(
    [
      "the server refused to change 1 code, so it is not as the job wants it: {}",
      "the server refused to change {} codes, so they are not as the job wants them: {}",
    ],
    [
      "Der Server hat die Änderung von 1 Code abgelehnt; er ist nicht so, wie der Auftrag ihn will: {}",
      "Der Server hat die Änderung von {} Codes abgelehnt; sie sind nicht so, wie der Auftrag sie will: {}",
    ],
  ),
  ...counted(
    [
      "the files of 1 code are missing: {}; a run fetches them",
      "the files of {} codes are missing: {}; a run fetches them",
    ],
    [
      "Die Dateien von 1 Code fehlen: {}; ein Lauf holt sie",
      "Die Dateien von {} Codes fehlen: {}; ein Lauf holt sie",
    ],
  ),
  ...counted(
    [
      "1 code is no longer at the server: its label leads nowhere",
      "{} codes are no longer at the server: their labels lead nowhere",
    ],
    [
      "1 Code ist nicht mehr beim Server: Sein Etikett führt nirgendwohin",
      "{} Codes sind nicht mehr beim Server: Ihre Etiketten führen nirgendwohin",
    ],
  ),
  ...counted(
    ["1 code leads to this computer only: {}", "{} codes lead to this computer only: {}"],
    ["1 Code führt nur zu diesem Rechner: {}", "{} Codes führen nur zu diesem Rechner: {}"],
  ),
  ...counted(
    [
      "1 code leads to a placeholder, such as {}, where nobody's site is: {}",
      "{} codes lead to a placeholder, such as {}, where nobody's site is: {}",
    ],
    [
      "1 Code führt zu einem Platzhalter wie {}, wo niemand eine Website hat: {}",
      "{} Codes führen zu einem Platzhalter wie {}, wo niemand eine Website hat: {}",
    ],
  ),
  ...counted(
    [
      "1 code leads to an address such as {}, which phones look for on themselves: {}",
      "{} codes lead to an address such as {}, which phones look for on themselves: {}",
    ],
    [
      "1 Code führt zu einer Adresse wie {}, die jedes Telefon bei sich selbst sucht: {}",
      "{} Codes führen zu einer Adresse wie {}, die jedes Telefon bei sich selbst sucht: {}",
    ],
  ),
  ...counted(
    ["1 void code is printed again: {}", "{} void codes are printed again: {}"],
    [
      "1 ungültiger Code wird noch einmal gedruckt: {}",
      "{} ungültige Codes werden noch einmal gedruckt: {}",
    ],
  ),
];

const looks: readonly Saying[] = [
  ...counted(
    [
      "the sheets print 1 code plain black: without {}",
      "the sheets print {} codes plain black: without {}",
    ],
    [
      "Die Bogen drucken 1 Code einfach schwarz: ohne {}",
      "Die Bogen drucken {} Codes einfach schwarz: ohne {}",
    ],
  ),
  ...counted(
    ["the sheets print 1 code without {}", "the sheets print {} codes without {}"],
    ["Die Bogen drucken 1 Code ohne {}", "Die Bogen drucken {} Codes ohne {}"],
  ),
];

/** These may name their rows. */
const labels: readonly Saying[] = [
  ...counted(
    ["1 caption is too small to be read well: {}", "{} captions are too small to be read well: {}"],
    [
      "1 Beschriftung ist zu klein, um gut gelesen zu werden: {}",
      "{} Beschriftungen sind zu klein, um gut gelesen zu werden: {}",
    ],
  ),
  ...counted(
    [
      "1 code has text in its frame that is too small to be read well: {}",
      "{} codes have text in their frames that is too small to be read well: {}",
    ],
    [
      "1 Code hat Text im Rahmen, der zu klein ist, um gut gelesen zu werden: {}",
      "{} Codes haben Text im Rahmen, der zu klein ist, um gut gelesen zu werden: {}",
    ],
  ),
  ...counted(
    [
      "1 code has a predicted grade under {}, such as {}",
      "{} codes have a predicted grade under {}, such as {}",
    ],
    [
      "1 Code hat eine vorausgesagte Note unter {}: {}",
      "{} Codes haben eine vorausgesagte Note unter {}, etwa {}",
    ],
  ),
];

const files: readonly Saying[] = [
  ...counted(
    [
      "1 RGB picture is printed in inks of the press, and may look different from the screen: {}",
      "{} RGB pictures are printed in inks of the press, and may look different from the screen: {}",
    ],
    [
      "1 RGB-Bild wird in Druckfarben gedruckt und kann anders aussehen als am Bildschirm: {}",
      "{} RGB-Bilder werden in Druckfarben gedruckt und können anders aussehen als am Bildschirm: {}",
    ],
  ),
  ["the proof has 1 warning: {}", "Die Prüfung hat 1 Warnung: {}"],
  ["the proof has {} warnings: {}", "Die Prüfung hat {} Warnungen: {}"],
  ["{} are left out: the stock is pre-cut", "{} bleiben weg: Das Material ist vorgestanzt"],
  [
    "the manifest or a file of it has changed since {} was made: labels there may look different from these; run the job again, and print all of them",
    "Der Auftrag oder eine Datei davon ist geändert, seit {} gemacht wurde: Etiketten dort können anders aussehen als diese; den Auftrag noch einmal ausführen und alle drucken",
  ],
  [
    "the last run did not end: the labels in {} may look different from these; finish it, and print all of them",
    "Der letzte Lauf ist nicht zu Ende gekommen: Die Etiketten in {} können anders aussehen als diese; ihn zu Ende führen und alle drucken",
  ],
];

const hints: readonly Saying[] = [
  [
    "put the real addresses into these rows, run the job again, and print only then",
    "Die richtigen Adressen in diese Zeilen eintragen, den Auftrag noch einmal ausführen und erst dann drucken",
  ],
  [
    "failed-rows.csv says why; mend the manifest or the rows, then run the job again",
    "In failed-rows.csv steht, warum; den Auftrag oder die Zeilen berichtigen, dann noch einmal ausführen",
  ],
  [
    "start the server with its address again (makeready serve --public-url), then run this job again",
    "Den Server wieder mit seiner Adresse starten (makeready serve --public-url), dann diesen Auftrag noch einmal ausführen",
  ],
  [
    "restore a newer backup of the server's data; codes of the embedded service are made anew by makeready retry of the job that made them, and their printed labels stay dead",
    "Eine neuere Sicherung der Daten des Servers zurückholen; Codes des eingebauten Dienstes macht makeready retry neu, ihre gedruckten Etiketten bleiben tot",
  ],
  [
    "application: gs1-pos prints plain codes, which tills are sure of; leave it out where no till reads them",
    "application: gs1-pos druckt schlichte Codes, die Kassen sicher lesen; wo keine Kasse sie liest, weglassen",
  ],
  [
    "output.sheets.print: designed prints them as they were designed; code_style asks for pattern, eyes and inks alone",
    "output.sheets.print: designed druckt sie, wie sie gestaltet sind; code_style verlangt nur Muster, Augen und Farben",
  ],
  [
    "this is in the artwork only; inks for colours are artwork_inks or code_style",
    "Das steht nur in den Bilddateien; Druckfarben für Farben sind artwork_inks oder code_style",
  ],
  [
    "hold a proof against the screen; a CMYK JPEG made for the printing condition is printed as it is, as: gray in shades of black",
    "Einen Probedruck mit dem Bildschirm vergleichen; ein CMYK-JPEG für die Druckbedingung wird gedruckt, wie es ist, mit as: gray in Grautönen",
  ],
];

export const sheetWarnings: readonly Saying[] = [
  ...rowsAndCodes,
  ...looks,
  ...labels.flatMap(([english, german]): readonly Saying[] => [
    [`${english} (row {})`, `${german} (Schlüssel {})`],
    [`${english} (rows {} and {} more)`, `${german} (Schlüssel {} und {} weitere)`],
    [`${english} (rows {})`, `${german} (Schlüssel {})`],
    [english, german],
  ]),
  ...files,
  ...hints,
];
