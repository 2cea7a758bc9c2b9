/** Keys that are not those of earlier runs, in German: src/plan/changed-key.ts. */

/** English, German; `{}` as in `reasons.ts`. */
type Saying = readonly [english: string, german: string];

const changes: readonly Saying[] = [
  ["source.key changed from {} to {}", "Der Schlüssel (source.key) war {} und ist jetzt {}"],
  [
    "the keys of the rows (source.key: {}) are not those of earlier runs",
    "Die Schlüssel der Zeilen (source.key: {}) sind nicht die früherer Läufe",
  ],
];

const rows = [
  ["what 1 row would make was made before", "was aus 1 Zeile würde, gibt es schon", "es entstünde"],
  [
    "what {} rows would make was made before",
    "was aus {} Zeilen würde, gibt es schon",
    "es entstünde",
  ],
  ["1 row was made before", "1 Zeile hat schon einen Code", "er entstünde"],
  ["{} rows were made before", "{} Zeilen haben schon Codes", "sie entstünden"],
] as const;

const keys: readonly Saying[] = [
  ["under the old key", "unter dem alten Schlüssel"],
  ["under other keys", "unter anderen Schlüsseln"],
];

const twins: readonly Saying[] = [
  ["1 new row has", "1 neue Zeile hat"],
  ["{} new rows have", "{} neue Zeilen haben"],
];

const zeros: Saying = [
  "spreadsheet programs drop zeros in front where the column is not formatted as Text",
  "Tabellenprogramme lassen Nullen am Anfang weg, wenn die Spalte nicht als Text formatiert ist",
];

export const keySayings: readonly Saying[] = [
  ...changes.flatMap(([change, anders]) =>
    rows.flatMap(([made, gemacht, twice]) =>
      keys.map(([key, schlüssel]): Saying => [
        `${change}: ${made} ${key}, and would be made a second time`,
        `${anders}: ${gemacht} ${schlüssel}, und ${twice} ein zweites Mal`,
      ]),
    ),
  ),
  [
    "put source.key back to {}, or make every code anew with --fresh --yes",
    "source.key wieder auf {} setzen, oder mit --fresh --yes jeden Code neu machen",
  ],
  [
    "put source.key, or the cells that it names, back as they were, or make every code anew with --fresh --yes",
    "source.key, oder die Zellen, die es nennt, wieder so schreiben, wie sie waren, oder mit --fresh --yes jeden Code neu machen",
  ],
  [
    `put source.key, or the cells that it names, back as they were (${zeros[0]}), or make every code anew with --fresh --yes`,
    `source.key, oder die Zellen, die es nennt, wieder so schreiben, wie sie waren (${zeros[1]}), oder mit --fresh --yes jeden Code neu machen`,
  ],
  ...twins.map(([english, german]): Saying => [
    `${english} the key of a code that is there, but for zeros in front, such as {} for {}: a second code is made`,
    `${german} den Schlüssel eines Codes, den es schon gibt, bis auf Nullen am Anfang, etwa {} statt {}: Es entsteht ein zweiter Code`,
  ]),
  [
    `write the keys as they were: ${zeros[0]}`,
    `Die Schlüssel so schreiben, wie sie waren: ${zeros[1]}`,
  ],
];
