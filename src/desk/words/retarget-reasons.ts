/** What is wrong with a row of new destinations, in German: src/plan/retarget.ts. */

/** English, German; `{}` as in `reasons.ts`. */
type Saying = readonly [english: string, german: string];

/** What a list can name a code by, each with what has it. */
const names: readonly (readonly [english: string, german: string, having: string])[] = [
  ["id", "Kennung (id)", "diese Kennung (id)"],
  ["short link", "Kurzlink", "diesen Kurzlink"],
  ["name", "Namen", "diesen Namen"],
];

const orList = (words: readonly string[], or: string): string =>
  [words.slice(0, -1).join(", "), ...words.slice(-1)].filter((part) => part !== "").join(` ${or} `);

/** Every choice of them, in their order. */
const choices = [1, 2, 3, 4, 5, 6, 7].map((bits) =>
  names.filter((_, at) => (bits >> at) % 2 === 1),
);

const ofNames = choices.flatMap((chosen): readonly Saying[] => {
  const english = orList(
    chosen.map(([word]) => word),
    "or",
  );
  const german = orList(
    chosen.map(([, word]) => word),
    "oder",
  );
  const having = orList(
    chosen.map(([, , word]) => word),
    "oder",
  );
  return [
    [
      `must name a code that exists, got {}: no code has this ${english}`,
      `muss einen Code nennen, den es gibt; hier steht {}: Kein Code hat ${having}`,
    ],
    [
      `write the ${english} of a code that is there, or delete the row`,
      `${german} eines Codes eintragen, den es gibt, oder die Zeile löschen`,
    ],
  ];
});

const ofColumn: readonly Saying[] = [
  ...ofNames,
  ["must name a code, got nothing", "muss einen Code nennen; hier steht nichts"],
  ["fill the cell", "Die Zelle ausfüllen"],
  [
    "must be where the code leads today, got {}: it leads to {}: {}",
    "muss die Adresse sein, zu der der Code heute führt; hier steht {}: Er führt zu {}: {}",
  ],
  [
    "look whether the code is the right one; then write where it leads today, or nothing to change it all the same",
    "Nachsehen, ob es der richtige Code ist; dann eintragen, wohin er heute führt, oder nichts, um ihn trotzdem zu ändern",
  ],
  [
    "must mean one code, got {}, the id of several: {}",
    "muss einen einzigen Code nennen; hier steht {}, die Kennung (id) von mehreren: {}",
  ],
  [
    "must mean one code, got {}, the short link of several: {}",
    "muss einen einzigen Code nennen; hier steht {}, der Kurzlink von mehreren: {}",
  ],
  [
    "must mean one code, got {}, the name of several: {}",
    "muss einen einzigen Code nennen; hier steht {}, der Name von mehreren: {}",
  ],
  [
    "must mean one code, got {}: this job found {} by it, and by now it is the name of {}",
    "muss einen einzigen Code nennen; hier steht {}: Dieser Auftrag fand damit {}, inzwischen heißt so {}",
  ],
];

/** A field that several columns make up is named itself. */
export const retargetSayings: readonly Saying[] = [
  ...ofColumn,
  ...["match.value", "expect"].flatMap((field) =>
    ofColumn.map(([english, german]): Saying => [`${field} ${english}`, `${field} ${german}`]),
  ),
  [
    "write the id or the short link of the one that is meant",
    "Die Kennung (id) oder den Kurzlink des gemeinten Codes eintragen",
  ],
  [
    "every code must be named once, got {} again (first on line {})",
    "Jeder Code darf nur einmal genannt sein; {} steht schon in Zeile {}",
  ],
  ["delete one of the two rows", "Eine der beiden Zeilen löschen"],
  [
    "a static code carries its destination in print: {} can't lead to {}",
    "Ein statischer Code trägt sein Ziel im Druck: {} kann nicht zu {} führen",
  ],
  [
    "the new destination must be a URL, got {}",
    "Das neue Ziel muss eine Webadresse (URL) sein; hier steht {}",
  ],
  [
    "a code must not lead to its own short link: {}",
    "Ein Code darf nicht zu seinem eigenen Kurzlink führen: {}",
  ],
  [
    "a short link has neither folder nor tags: {}",
    "Ein Kurzlink hat weder Ordner noch Schlagworte: {}",
  ],
];
