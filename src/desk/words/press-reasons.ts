/** Warnings before printing and titles of sheets that are cut, in German; the English ones stand in src/base/shapes/press-warning.ts and templates/sheets. */

/** English, German; `{}` stands for what differs. */
type Saying = readonly [english: string, german: string];

const warnings: readonly Saying[] = [
  [
    "1 code is printed black: in inks of the press its colours are too much alike",
    "1 Code wird schwarz gedruckt: In Druckfarben sind seine Farben einander zu ähnlich",
  ],
  [
    "{} codes are printed black: in inks of the press their colours are too much alike",
    "{} Codes werden schwarz gedruckt: In Druckfarben sind ihre Farben einander zu ähnlich",
  ],
  [
    "1 code has text in its frame that can hardly be read: it has nearly the colour behind it",
    "1 Code hat Text im Rahmen, der kaum zu lesen ist: Er hat fast die Farbe dahinter",
  ],
  [
    "{} codes have text in their frames that can hardly be read: it has nearly the colour behind it",
    "{} Codes haben Text im Rahmen, der kaum zu lesen ist: Er hat fast die Farbe dahinter",
  ],
  [
    "1 code has colours that many scanners don't read",
    "1 Code hat Farben, die viele Scanner nicht lesen",
  ],
  [
    "{} codes have colours that many scanners don't read",
    "{} Codes haben Farben, die viele Scanner nicht lesen",
  ],
  [
    "1 caption is left out: there is no room",
    "1 Beschriftung bleibt weg: Es ist kein Platz für sie",
  ],
  [
    "{} captions are left out: there is no room",
    "{} Beschriftungen bleiben weg: Es ist kein Platz für sie",
  ],
  [
    "1 label lacks a line in a script that no font has",
    "1 Etikett fehlt eine Zeile in einer Schrift, die kein Font hat",
  ],
  [
    "{} labels lack a line in a script that no font has",
    "{} Etiketten fehlt eine Zeile in einer Schrift, die kein Font hat",
  ],
  ['1 text is cut with "…"', "1 Text ist mit „…“ gekürzt"],
  ['{} texts are cut with "…"', "{} Texte sind mit „…“ gekürzt"],
  [
    "1 label shows \u{FFFD} for characters that no font has",
    "1 Etikett zeigt \u{FFFD} für Zeichen, die kein Font hat",
  ],
  [
    "{} labels show \u{FFFD} for characters that no font has",
    "{} Etiketten zeigen \u{FFFD} für Zeichen, die kein Font hat",
  ],
  [
    "the colour bar is left out: there is no room between the crop marks",
    "Der Farbbalken bleibt weg: Zwischen den Schnittmarken ist kein Platz",
  ],
  [
    "an older makeready made the other labels: captions and codes may look different on them; run the job again, and print all of them",
    "Die anderen Etiketten hat ein älteres makeready gemacht: Beschriftungen und Codes können dort anders aussehen; den Auftrag noch einmal ausführen und alle drucken",
  ],
  [
    "the sheets have 1 warning: see the report",
    "Die Bogen haben 1 Warnung: siehe Bericht (report.html)",
  ],
  [
    "the sheets have {} warnings: see the report",
    "Die Bogen haben {} Warnungen: siehe Bericht (report.html)",
  ],
];

const hints: readonly Saying[] = [
  [
    "take larger labels, a smaller module (x_dimension_mm), or a design with a smaller frame",
    "Größere Etiketten nehmen, ein kleineres Modul (x_dimension_mm) oder ein Aussehen mit kleinerem Rahmen",
  ],
  [
    "shorten the text, take larger labels, or a design without a frame",
    "Den Text kürzen, größere Etiketten nehmen oder ein Aussehen ohne Rahmen",
  ],
  [
    "name a darker ink for the colour in output.sheets.artwork_inks",
    "Unter output.sheets.artwork_inks eine dunklere Druckfarbe für die Farbe nennen",
  ],
  [
    "take a darker frame_color, or another background_color: letters in a filled frame have that colour, white unless given",
    "Eine dunklere frame_color nehmen oder eine andere background_color: Schrift in einem gefüllten Rahmen hat diese Farbe, sonst Weiß",
  ],
  [
    "turn texts, outlines and effects of the logo into filled shapes",
    "Texte, Konturen und Effekte des Logos in gefüllte Flächen umwandeln",
  ],
  [
    "mend the rows, then run the job again",
    "Die Zeilen berichtigen, dann den Auftrag noch einmal ausführen",
  ],
  [
    "leave these codes out (their rows, or by select), or throw their labels away",
    "Diese Codes weglassen (ihre Zeilen, oder durch select) oder ihre Etiketten wegwerfen",
  ],
  [
    "shorten these captions, or use larger labels",
    "Diese Beschriftungen kürzen oder größere Etiketten nehmen",
  ],
];

const titles: readonly Saying[] = ["plain ", ""].flatMap((plain): readonly Saying[] => {
  const on = plain === "" ? "auf" : "auf unbedrucktem";
  return [
    [
      `1 label of {} x {} mm on ${plain}{}, to be cut`,
      `1 Etikett von {} × {} mm ${on} {}, zum Schneiden`,
    ],
    [
      `{} labels of {} x {} mm on ${plain}{}, to be cut`,
      `{} Etiketten von {} × {} mm ${on} {}, zum Schneiden`,
    ],
  ];
});

/** A warning may name its rows. */
export const pressSayings: readonly Saying[] = [
  ...warnings.flatMap(([english, german]): readonly Saying[] => [
    [`${english} (row {})`, `${german} (Schlüssel {})`],
    [`${english} (rows {} and {} more)`, `${german} (Schlüssel {} und {} weitere)`],
    [`${english} (rows {})`, `${german} (Schlüssel {})`],
    [english, german],
  ]),
  ...hints,
  ...titles,
];
