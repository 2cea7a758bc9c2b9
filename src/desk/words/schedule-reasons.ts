/** What is wrong with a schedule, in German; English: src/base/time/cron.ts and src/desk/screens/schedule. */

/** English, German; `{}` stands for what differs. */
type Saying = readonly [english: string, german: string];

const FIVE: Saying = [
  'the schedule must be five fields (minute hour day month weekday) like "0 3 1 * *"',
  "Der Zeitplan muss aus fünf Feldern bestehen (Minute Stunde Tag Monat Wochentag) wie 0 3 1 * *",
];

const fields: readonly Saying[] = [
  ["minute of 0 to 59", "Minute von 0 bis 59"],
  ["hour of 0 to 23", "Stunde von 0 bis 23"],
  ["day of 1 to 31", "Tag von 1 bis 31"],
  ["month of 1 to 12", "Monat von 1 bis 12"],
  ["weekday of 0 to 7", "Wochentag von 0 bis 7"],
];

export const scheduleSayings: readonly Saying[] = [
  ...fields.map(([english, german]): Saying => [
    `${FIVE[0]}, with its ${english}, got {}`,
    `${FIVE[1]}, mit ${german}; hier steht {}`,
  ]),
  [`${FIVE[0]}, got {}`, `${FIVE[1]}; hier steht {}`],
  [
    "the schedule must name a moment that comes, got {}",
    "Der Zeitplan muss einen Zeitpunkt nennen, den es gibt; hier steht {}",
  ],
  [
    "the schedule must have a time such as 06:00, got {}",
    "Der Zeitplan muss eine Uhrzeit haben wie 06:00; hier steht {}",
  ],
  [
    "the time zone must be one like Europe/Berlin, got {}",
    "Die Zeitzone muss eine sein wie Europe/Berlin; hier steht {}",
  ],
];
