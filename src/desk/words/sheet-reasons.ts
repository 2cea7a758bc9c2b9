/** What is to be known of label sheets, in German: src/print/plan-sheets.ts, src/pipeline/preview. */

/** English, German; `{}` as in `reasons.ts`. */
type Saying = readonly [english: string, german: string];

const sources: readonly Saying[] = [
  ["sources that disagree", "Quellen, die sich widersprechen"],
  ["one source", "nur einer Quelle"],
  ["two sources, none of them a real sheet", "zwei Quellen, keine davon ein echter Bogen"],
];

const NO_ROOM: Saying = [
  "sheet {} has no room above or below its labels for the slug line; it is left out",
  "Auf dem Bogen {} ist über und unter den Etiketten kein Platz für die Fußzeile mit den Angaben zum Druck; sie bleibt weg",
];

export const sheetSayings: readonly Saying[] = [
  ...sources.map(([english, german]): Saying => [
    `sheet {}: its geometry is from ${english}; hold one printed page against real stock first`,
    `Bogen {}: Seine Maße stammen aus ${german}; erst eine gedruckte Seite gegen einen echten Bogen halten`,
  ]),
  [
    `${NO_ROOM[0]}: nothing on it says that this is a rehearsal`,
    `${NO_ROOM[1]}: Nichts auf ihm sagt, dass das eine Probe ist`,
  ],
  NO_ROOM,
  [
    "device_dpi {} is coarse: X can only be a multiple of {}",
    "device_dpi {} ist grob: Ein Modul kann nur ein Vielfaches von {} breit sein",
  ],
];
