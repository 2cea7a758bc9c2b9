/** What is wrong with a schedule, in German; English: src/base/time/cron.ts and src/desk/screens/schedule. */

/** English, German; `{}` stands for what differs. */
type Saying = readonly [english: string, german: string];

const FIVE: Saying = [
  'the schedule must be five fields (minute hour day month weekday) like "0 3 1 * *"',
  "Der Zeitplan muss aus fünf Feldern bestehen (Minute Stunde Tag Monat Wochentag) wie 0 3 1 * *",
];

const fields: readonly (readonly [name: string, german: string, numbers: Saying])[] = [
  ["minute", "Minute", ["0 to 59", "0 bis 59"]],
  ["hour", "Stunde", ["0 to 23", "0 bis 23"]],
  ["day", "Tag", ["1 to 31", "1 bis 31"]],
  ["month", "Monat", ["1 to 12", "1 bis 12"]],
  ["weekday", "Wochentag", ["0 to 7", "0 bis 7"]],
];

const sayings: readonly Saying[] = [
  ...fields.flatMap(([name, german, [numbers, germanNumbers]]): Saying[] => [
    [
      `${FIVE[0]}, with its ${name} of ${numbers}`,
      `${FIVE[1]}, mit ${german} von ${germanNumbers}`,
    ],
    [
      `${FIVE[0]}, with steps of its ${name} like */2`,
      `${FIVE[1]}, mit Schritten wie */2 im Feld ${german}`,
    ],
  ]),
  [
    `${FIVE[0]}, with 1 to 5 behind the # of its weekday`,
    `${FIVE[1]}, mit 1 bis 5 hinter dem # im Feld Wochentag`,
  ],
  FIVE,
  [
    "the schedule must name a moment that comes",
    "Der Zeitplan muss einen Zeitpunkt nennen, den es gibt",
  ],
  ["the schedule must have a time such as 06:00", "Der Zeitplan muss eine Uhrzeit haben wie 06:00"],
  ["the time zone must be one like Europe/Berlin", "Die Zeitzone muss eine sein wie Europe/Berlin"],
];

export const scheduleSayings: readonly Saying[] = sayings.flatMap(([english, german]): Saying[] => [
  [`${english}, got nothing`, `${german}; hier steht nichts`],
  [`${english}, got {}`, `${german}; hier steht {}`],
]);
