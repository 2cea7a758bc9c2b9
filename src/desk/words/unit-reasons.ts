/** What does not fit where codes and labels are accounted for, in German: src/pipeline/units. */

/** English, German; `{}` as in `reasons.ts`. */
type Saying = readonly [english: string, german: string];

const RUN: Saying = [": run the job", ": den Auftrag ausführen"];

/** What a run puts right. */
const byRun: readonly Saying[] = [
  ["replacements are not made yet", "Ersatz ist noch nicht gemacht"],
  ["more serials were minted than there are rows", "Es gibt mehr Seriennummern als Zeilen"],
  ["sheet-map.json is gone", "sheet-map.json fehlt"],
  [
    "cells of sheet-map.json are not those of the state",
    "In sheet-map.json stehen andere Etiketten als im Stand des Auftrags",
  ],
  ["labels stand in no cell of sheet-map.json", "Etiketten fehlen in sheet-map.json"],
  ["PDFs are gone", "PDFs fehlen"],
  ["PDFs are not the ones that were written", "PDFs sind nicht, wie sie geschrieben wurden"],
  ["rows have no code yet", "Zeilen haben noch keinen Code"],
  ["codes are on no sheet", "Codes stehen auf keinem Bogen"],
  ["codes lie in PDFs that are not proven", "Codes stehen in PDFs, die nicht geprüft sind"],
  [
    "the sheets have more or fewer labels than rows, copies and overs ask for",
    "Die Bogen haben mehr oder weniger Etiketten, als Zeilen, Kopien und Zugaben verlangen",
  ],
  [
    "labels lie in spare cells, which are empty",
    "Etiketten liegen auf Reserveplätzen, die leer sein sollen",
  ],
].map(([english = "", german = ""]): Saying => [english + RUN[0], german + RUN[1]]);

const what: readonly Saying[] = [
  ...byRun,
  [
    "codes are replaced and not void: make them void",
    "Codes sind ersetzt und noch gültig: sie ungültig machen",
  ],
  [
    "codes hold the same text as another code: give each row a text of its own, and run the job",
    "Codes haben denselben Text wie ein anderer: jeder Zeile einen eigenen Text geben und den Auftrag ausführen",
  ],
  [
    "rows of the source are bad and have no code: mend them and run the job",
    "Zeilen sind fehlerhaft und haben keinen Code: sie verbessern und den Auftrag ausführen",
  ],
  [
    "rows are bad today, and their codes live on as they were made: mend them and run the job",
    "Zeilen sind jetzt fehlerhaft, ihre Codes bleiben, wie sie gemacht wurden: sie verbessern und den Auftrag ausführen",
  ],
  [
    "the ledger has codes {}, but the job has no row for them: put their rows back and run the job, or put its state.db back from a backup",
    "Der Nachweis hat Codes ({}), zu denen der Auftrag keine Zeile hat: ihre Zeilen wieder eintragen und den Auftrag ausführen, oder state.db aus einer Sicherung holen",
  ],
  [
    "fewer serials were minted than there are rows: run the job; if that does not help, put serials.db back from a backup",
    "Es gibt weniger Seriennummern als Zeilen: den Auftrag ausführen; hilft das nicht, serials.db aus einer Sicherung holen",
  ],
  [
    "more serials were minted than there are rows: put a state.db that knows them back from a backup, or set source.rows to {} again and run the job; then lower it, run the job and retire them",
    "Es gibt mehr Seriennummern als Zeilen: eine state.db, die sie kennt, aus einer Sicherung holen; oder source.rows wieder auf {} setzen und den Auftrag ausführen, dann die Zahl senken, ihn noch einmal ausführen und diese Codes ablegen oder löschen",
  ],
  [
    "codes live on whose rows are no longer {}; to file or delete them: {}",
    "Codes bleiben, deren Zeilen nicht mehr {} stehen; ablegen oder löschen mit: {}",
  ],
  [
    "rows are no longer {}, and the service no longer has their codes; to note that: {}",
    "Zeilen stehen nicht mehr {}, und der Dienst hat ihre Codes nicht mehr; das vermerkt: {}",
  ],
  [
    "rows that are gone may have codes all the same; to look for them: {}",
    "Zeilen, die es nicht mehr gibt, haben vielleicht doch Codes; danach sucht: {}",
  ],
  [
    "void codes still lead to their destinations: make them void again",
    "Ungültige Codes führen noch zu ihren Zielen: sie noch einmal ungültig machen",
  ],
  ...(
    [
      ["print them again", "noch einmal drucken"],
      ["give them fresh serials", "ihnen neue Seriennummern geben"],
      ["take them out of use", "sie aus dem Verkehr ziehen"],
    ] as const
  ).map(([english, german]): Saying => [
    `labels that a scan found damaged or missing are neither void nor replaced; to ${english}: {}`,
    `Etiketten, die eine Prüfung beschädigt oder nicht fand, sind weder ungültig noch ersetzt; ${german} mit: {}`,
  ]),
  ...(
    [
      ["make their codes void", "ihre Codes ungültig machen"],
      ["replace them", "sie ersetzen"],
    ] as const
  ).flatMap(([english, german]): readonly Saying[] => [
    [
      `more labels are spoiled than were printed: ${english}`,
      `Mehr Etiketten sind verdorben, als gedruckt wurden: ${german}`,
    ],
    [
      `spoiled labels are not printed again: ${english}`,
      `Verdorbene Etiketten sind nicht noch einmal gedruckt: ${german}`,
    ],
  ]),
  [
    "the last run did not end: files may be missing or unproven; finish it with: {}",
    "Der letzte Lauf endete nicht, Dateien können fehlen oder ungeprüft sein; zu Ende bringt ihn: {}",
  ],
];

/** Each with how many there are, and examples. */
export const unitSayings: readonly Saying[] = what.map(([english, german]): Saying => [
  `${english} ({}): {}`,
  `${german} ({}): {}`,
]);
