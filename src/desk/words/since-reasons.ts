/**
 * What has become of codes at the service, and what is wrong with a file that was sent, in German; English:
 * src/pipeline/rows, src/pipeline/reprint/dead-labels.ts, src/read/table.ts and src/read/header/start.ts.
 */

/** English, German; `{}` as in `reasons.ts`. */
type Saying = readonly [english: string, german: string];

/** Each for one thing and for several: English and German words for them. */
const counts = [
  { things: "1 code", leads: "leads", it: "it", thingsDe: "1 Code", fuehrt: "führt", ihn: "ihn" },
  {
    things: "{} codes",
    leads: "lead",
    it: "them",
    thingsDe: "{} Codes",
    fuehrt: "führen",
    ihn: "sie",
  },
  {
    things: "1 product",
    leads: "leads",
    it: "it",
    thingsDe: "1 Produkt",
    fuehrt: "führt",
    ihn: "es",
  },
  {
    things: "{} products",
    leads: "lead",
    it: "them",
    thingsDe: "{} Produkte",
    fuehrt: "führen",
    ihn: "sie",
  },
] as const;

/** What a code is called and where it is filed: as a message and its hint name it, in English and German. */
const parts = [
  { said: "name", both: "name", newDe: "den neuen Namen", oldDe: "den alten Namen" },
  { said: "folder", both: "folder", newDe: "den neuen Ordner", oldDe: "den alten Ordner" },
  {
    said: "name or folder",
    both: "name and folder",
    newDe: "den neuen Namen und Ordner",
    oldDe: "den alten Namen und Ordner",
  },
] as const;
const otherDe = {
  name: "einen anderen Namen",
  folder: "einen anderen Ordner",
  "name or folder": "einen anderen Namen oder Ordner",
} as const;

/** A sentence that may end with what the index still has. */
const withIndex = (
  [english, german]: Saying,
  [index, indexDe]: readonly [index: string, indexDe: string],
): Saying[] => [
  [
    `${english}; the index has the old ${index}`,
    `${german}; die Tabelle der Codes hat noch ${indexDe}`,
  ],
  [english, german],
];

const moved: readonly Saying[] = counts.flatMap(({ things, leads, it, thingsDe, fuehrt, ihn }) => {
  const since = `The answer to a change was lost, or another job or a person has changed ${it} since`;
  const german = `Die Antwort auf eine Änderung ging verloren, oder ein anderer Auftrag oder jemand hat ${ihn} seither geändert`;
  return [
    ...withIndex(
      [
        `${things} ${leads} elsewhere than this job made ${it}: {}. ${since}`,
        `${thingsDe} ${fuehrt} woanders hin, als dieser Auftrag ${ihn} gemacht hat: {}. ${german}`,
      ],
      ["destination", "das alte Ziel"],
    ),
    ...parts.flatMap(({ said, both, oldDe }) =>
      withIndex(
        [
          `${things} ${it === "it" ? "has" : "have"} another ${said} than this job gave ${it}: {}. ${since}`,
          `${thingsDe} ${it === "it" ? "hat" : "haben"} ${otherDe[said]} als von diesem Auftrag: {}. ${german}`,
        ],
        [both, oldDe],
      ),
    ),
  ];
});

const gone: readonly Saying[] = ["the service in", "the server at"].flatMap((where) =>
  // The last ones first: their words have the others in them.
  ["1 code", "the last {} codes", "{} codes"].map((codes): Saying => [
    `${where} {} must have the codes of this job, but no longer has {} of ${codes}: {}; their short links lead nowhere`,
    `${where === "the service in" ? "Der Dienst in" : "Der Server unter"} {} muss die Codes dieses Auftrags haben, hat aber {} von ${codes.replace("1 code", "1 Code").replace("the last {} codes", "den letzten {} Codes").replace("codes", "Codes")} nicht mehr: {}; ihre Kurzlinks führen ins Leere`,
  ]),
);

const BACKUP = "if its data comes from a backup, restore a newer one";
const DEAD = "(printed labels of those that are gone stay dead)";
const BACKUP_DE = "Kommen seine Daten aus einer Sicherung, eine neuere zurückspielen";
const DEAD_DE = "(schon gedruckte Etiketten der gelöschten bleiben tot)";
const BUTTON_DE = "auf „Gelöschte Codes neu machen“ klicken";

const unread: readonly Saying[] = [
  [
    "the data of the service in {} must be readable, got: {}",
    "Die Daten des Dienstes in {} müssen lesbar sein; Fehler: {}",
  ],
  [
    "{} must hold codes to select from, got no data",
    "In {} müssen Codes liegen, aus denen gewählt wird; dort liegen noch keine",
  ],
  [
    "run a job that makes codes first, or name a server with --base-url",
    "Zuerst einen Auftrag ausführen, der Codes macht, oder im Auftrag unter api.base_url einen Server nennen",
  ],
];

const goneHints: readonly Saying[] = [
  ...[
    [
      "; if somebody deleted it on purpose, take its row out of the source",
      "; hat jemand ihn absichtlich gelöscht, seine Zeile aus der Tabelle nehmen",
    ],
    [
      "; if somebody deleted them on purpose, take their rows out of the source",
      "; hat jemand sie absichtlich gelöscht, ihre Zeilen aus der Tabelle nehmen",
    ],
    [
      "; if somebody deleted it on purpose, note that it is void: {}",
      "; hat jemand ihn absichtlich gelöscht, beim Ergebnis sein Etikett wählen und „Gewählte Codes ungültig machen“",
    ],
    [
      "; if somebody deleted them on purpose, note that they are void: {}",
      "; hat jemand sie absichtlich gelöscht, beim Ergebnis ihre Etiketten wählen und „Gewählte Codes ungültig machen“",
    ],
    ["", ""],
  ].map(([meant = "", meantDe = ""]): Saying => [
    `${BACKUP}${meant}; to make the codes that are gone anew: {} ${DEAD}`,
    `${BACKUP_DE}${meantDe}; oder ${BUTTON_DE}, hier oder beim Ergebnis ${DEAD_DE}`,
  ]),
  ...["it", "them"].map((them): Saying => {
    const sie = them === "it" ? "ihn" : "sie";
    return [
      `${BACKUP}; to go on without ${them}: {}; to make ${them} anew: makeready retry of the job that made ${them} ${DEAD}`,
      `${BACKUP_DE}; um ohne ${sie} weiterzumachen, diesen Auftrag planen und ausführen; um ${sie} neu zu machen, im Auftrag, der ${sie} gemacht hat, ${BUTTON_DE} ${DEAD_DE}`,
    ];
  }),
  [
    "it has those again that these rows had before; to take them back: {} (printed labels of the others stay dead)",
    `Er hat die wieder, die diese Zeilen vorher hatten; um sie zurückzunehmen, ${BUTTON_DE} (schon gedruckte Etiketten der anderen bleiben tot)`,
  ],
  [
    "restore a newer backup of the server's data; codes of the embedded service are made anew by makeready retry of the job that made them, and their printed labels stay dead",
    `Eine neuere Sicherung der Daten des Servers zurückspielen; oder im Auftrag, der die Codes gemacht hat, ${BUTTON_DE}: Ihre schon gedruckten Etiketten bleiben tot`,
  ],
  [
    "to keep this, write the new destination into the rows; to take it back, undo the other job; if there is none, write the new destination into the rows, run the job, and write the old one again",
    "Soll es so bleiben, das neue Ziel in die Zeilen schreiben; sonst den anderen Auftrag rückgängig machen; gibt es keinen, das neue Ziel in die Zeilen schreiben, laufen lassen und dann wieder das alte schreiben",
  ],
  [
    "to keep this, write the new destination into the rows; to take it back, write the old destination into the rows of the job that has changed it, and run that job",
    "Soll es so bleiben, das neue Ziel in die Zeilen schreiben; sonst das alte in die Zeilen des Auftrags schreiben, der es geändert hat, und diesen laufen lassen",
  ],
  [
    "to take it back, make it lead to the old destination again, in the console or by a job of kind retarget",
    "Soll es nicht so bleiben, unter „Codes“ oder mit einem Auftrag der Art „Neue Ziele für bestehende Codes“ wieder zum alten Ziel führen",
  ],
  ...parts.map(({ both, newDe }): Saying => [
    `to keep this, write the new ${both} into the rows; to take it back, undo the other job`,
    `Soll es so bleiben, ${newDe} in die Zeilen schreiben; sonst den anderen Auftrag rückgängig machen`,
  ]),
];

/** A run that asks for a yes: src/pipeline/checks/confirm.ts. */
const asks: readonly Saying[] = [
  ...[
    ["1 change", "1 Änderung"],
    ["{} changes", "{} Änderungen"],
  ].map(([changes = "", changesDe = ""]): Saying => [
    `safety.confirm_over allows ${changes} without a yes, and this would {}`,
    `safety.confirm_over erlaubt ${changesDe} ohne ein Ja, und dieser Lauf macht mehr`,
  ]),
  [
    "look first: {}; then: {}",
    "Erst den Plan ansehen; dann zum Lauf zurückkommen und auf „Fortsetzen“ klicken",
  ],
];

const ANEW = "the service no longer has";

/** What a retry makes anew, and what it leaves: src/pipeline/rows/retry-gone.ts. */
const retried: readonly Saying[] = [
  [
    `${ANEW} 1 code of this job, {}: a retry makes it anew`,
    "Der Dienst hat 1 Code dieses Auftrags nicht mehr, {}: Er wird neu gemacht",
  ],
  [
    `${ANEW} {} codes of this job, {}: a retry makes them anew`,
    "Der Dienst hat {} Codes dieses Auftrags nicht mehr, {}: Sie werden neu gemacht",
  ],
  ["printed labels of them stay dead", "Ihre schon gedruckten Etiketten bleiben tot"],
  [
    "1 page is still there, {}: a page gets no new code, so a retry makes another page",
    "1 Seite gibt es noch, {}: Eine Seite bekommt keinen neuen Code, darum wird eine andere gemacht",
  ],
  [
    "{} pages are still there, {}: a page gets no new code, so a retry makes other pages",
    "{} Seiten gibt es noch, {}: Eine Seite bekommt keinen neuen Code, darum werden andere gemacht",
  ],
  ...["it has", "they have"].map((theyHave): Saying => [
    `a slug that ${theyHave} stays taken: write another one into the row`,
    "Das Ende ihrer Adresse (slug) bleibt vergeben: ein anderes in die Zeile schreiben",
  ]),
  [
    "it answers at the old address as before",
    "Unter der alten Adresse ist sie zu sehen wie bisher",
  ],
  [
    "they answer at the old addresses as before",
    "Unter den alten Adressen sind sie zu sehen wie bisher",
  ],
  [
    "1 form is still there, {}: it gets a new code, and keeps its answers",
    "1 Formular gibt es noch, {}: Es bekommt einen neuen Code und behält seine Antworten",
  ],
  [
    "{} forms are still there, {}: they get new codes, and keep their answers",
    "{} Formulare gibt es noch, {}: Sie bekommen neue Codes und behalten ihre Antworten",
  ],
  [
    "1 code is void and gone, {}: a retry makes none anew",
    "1 Code ist ungültig und gelöscht, {}: Er wird nicht neu gemacht",
  ],
  [
    "{} codes are void and gone, {}: a retry makes none anew",
    "{} Codes sind ungültig und gelöscht, {}: Sie werden nicht neu gemacht",
  ],
];

/** Another run has the folder: src/state/lock.ts and src/pipeline/mend/mend-list.ts. */
const locked: readonly Saying[] = [
  [
    "{} is in use by {}, which reads its rows",
    "In {} arbeitet gerade ein anderer Lauf und liest seine Zeilen: {}",
  ],
  ["{} is in use by {}", "In {} arbeitet gerade ein anderer Lauf: {}"],
  [
    "wait until that run has ended, or stop it; its state is safe either way",
    "Warten, bis dieser Lauf zu Ende ist, oder ihn anhalten; sein Stand ist in beiden Fällen sicher",
  ],
  [
    "wait until it makes codes, or stop it; then mend the rows",
    "Warten, bis er Codes macht, oder ihn anhalten; dann die Zeilen verbessern",
  ],
];

/** Labels that are printed again: src/pipeline/reprint/dead-labels.ts. */
const dead: readonly Saying[] = [
  [
    "labels to print again must have codes that work, but the server no longer has the code of {}: its label leads nowhere",
    "Nachgedruckte Etiketten müssen Codes haben, die gehen; der Server hat aber den Code von {} nicht mehr: Das Etikett führt ins Leere",
  ],
  [
    "labels to print again must have codes that work, but the server no longer has the codes of {}: their labels lead nowhere",
    "Nachgedruckte Etiketten müssen Codes haben, die gehen; der Server hat aber die Codes von {} nicht mehr: Die Etiketten führen ins Leere",
  ],
  ...["it", "them"].map((them): Saying => [
    `leave ${them} out, or take ${them} out of use: {}`,
    "Weglassen, oder wählen und „Gewählte Codes ungültig machen“",
  ]),
  ["the code is gone", "Den Code gibt es nicht mehr"],
];

const files: readonly Saying[] = [
  [
    "spoiled labels of earlier scans are not kept: {} can't be read as their list",
    "Verdorbene Etiketten früherer Prüfungen werden nicht behalten: {} lässt sich nicht als ihre Liste lesen",
  ],
  ["scan those sheets again", "Deren Bogen noch einmal prüfen"],
  ...(
    [
      ["line", "Zeile"],
      ["number", "Nummer"],
      ["serial", "Seriennummer"],
      ["file", "Datei"],
    ] as const
  ).map(([of, von]): Saying => [
    `${of} {} can't be made`,
    `Aus ${von} {} lässt sich nichts machen`,
  ]),
  [
    "the job must have a good row, got none",
    "Der Auftrag muss eine gute Zeile haben, hat aber keine",
  ],
  ["the file must be CSV, TSV or XLSX, got {}", "Die Datei muss CSV, TSV oder XLSX sein, nicht {}"],
  [
    "open it in Excel, Numbers or LibreOffice, save it as XLSX or CSV, and choose that file",
    "Sie in Excel, Numbers oder LibreOffice öffnen, als XLSX oder CSV speichern und diese Datei wählen",
  ],
  [
    "the file must have at most 200 MB, got {}",
    "Die Datei darf höchstens 200 MB haben, hier sind es {}",
  ],
  [
    "put the file into the folder of the desk and choose it from the list",
    "Die Datei in den Ordner des Arbeitsplatzes legen und in der Liste wählen",
  ],
  ["a file must be sent or chosen, got none", "Eine Datei muss gesendet oder gewählt sein"],
  [
    "the job must have a spreadsheet, got none",
    "Der Auftrag muss eine Tabelle haben, hat aber keine",
  ],
  [
    "source must have rows, got an empty file: {}",
    "Die Tabelle muss Zeilen haben; diese Datei ist leer: {}",
  ],
  [
    "source must have rows, got blank lines only: {}",
    "Die Tabelle muss Zeilen haben; diese hat nur leere: {}",
  ],
  [
    "source file must be readable, but access is denied ({}): {}",
    "Die Tabelle muss lesbar sein, aber der Zugriff ist verweigert ({}): {}",
  ],
  [
    "source file must be readable, but another program uses it ({}): {}",
    "Die Tabelle muss lesbar sein, aber ein anderes Programm hält sie offen ({}): {}",
  ],
  [
    "close the programs that use the file, or let this user read it, and try again",
    "Die Programme schließen, die die Datei offen halten, oder diesem Benutzer das Lesen erlauben; dann noch einmal versuchen",
  ],
  [
    "source must have rows, got only a header: {}",
    "Die Tabelle muss Zeilen haben; diese hat nur eine Kopfzeile: {}",
  ],
  [
    "the spreadsheet must have rows below its header, got none",
    "Unter der Kopfzeile der Tabelle müssen Zeilen stehen; dort sind keine",
  ],
  [
    "header must have the required columns, but {} is missing; it has: {}",
    "Die Kopfzeile muss die nötigen Spalten haben; {} fehlt; sie hat: {}",
  ],
  [
    "header must have the required columns, but {} are missing; it has: {}",
    "Die Kopfzeile muss die nötigen Spalten haben; {} fehlen; sie hat: {}",
  ],
  [
    'header must name each used column once, got "{}" twice',
    "Die Kopfzeile muss jede verwendete Spalte einmal nennen; „{}“ steht zweimal da",
  ],
  ["rename or remove one of the two columns", "Eine der beiden Spalten umbenennen oder entfernen"],
];

/** A check of finished files: src/pipeline/standing/verify.ts. */
const checks: readonly Saying[] = [
  ["file must be there, got none", "Die Datei fehlt"],
  [
    "file must be as it was written, got other bytes",
    "Die Datei muss sein, wie sie geschrieben wurde; ihr Inhalt ist ein anderer",
  ],
  [
    "row {}: file must be as it was written, got other bytes: code must say {}, got {}",
    "Zeile {}: Die Datei ist nicht mehr, wie sie geschrieben wurde: Der Code muss {} sagen und sagt {}",
  ],
  [
    "row {}: file must be as it was written, got other bytes: {}",
    "Zeile {}: Die Datei ist nicht mehr, wie sie geschrieben wurde ({})",
  ],
  [
    "file was changed after it was written: its SHA-256 differs",
    "Die Datei wurde geändert, nachdem sie geschrieben war: Ihre SHA-256 ist eine andere",
  ],
  ["made anew by: {}", "Ein Lauf macht sie neu"],
  ["first do what is said above of the codes", "Zuerst tun, was darüber zu den Codes steht"],
  [
    "only the files were proven, not what their codes do today: {}",
    "Nur die Dateien wurden geprüft, nicht, was ihre Codes heute tun: {}",
  ],
];

export const sinceSayings: readonly Saying[] = [
  ...moved,
  ...gone,
  ...unread,
  ...goneHints,
  ...asks,
  ...retried,
  ...locked,
  ...dead,
  ...files,
  ...checks,
];
