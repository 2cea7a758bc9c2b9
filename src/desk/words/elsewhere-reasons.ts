/** Codes that lie on another server, or in data that can't be read, in German: src/state/pin.ts, src/service/store. */

/** English, German; `{}` as in `reasons.ts`. */
type Saying = readonly [english: string, german: string];

const TWICE: Saying = [
  "Another output folder (--out) makes every code a second time",
  "Ein anderer Ausgabeordner macht jeden Code ein zweites Mal",
];

export const elsewhereSayings: readonly Saying[] = [
  [
    "{} must be a whole database, got {}",
    "{} muss eine ganze Datenbank sein, ist aber beschädigt oder keine: {}",
  ],
  [
    "put the data folder back from a backup ({}): its codes answer from there only",
    "Den Datenordner aus einer Sicherung zurückholen ({}): Nur mit ihm antworten seine Codes",
  ],
  [
    "{} must be used with server {}, got {}",
    "{} gehört zum Server {}, hier ist ein anderer eingestellt: {}",
  ],
  [
    "{} must be used with workspace {}, got {}",
    "{} gehört zum Arbeitsbereich {}, hier ist ein anderer eingestellt: {}",
  ],
  ...[
    ["set {} to {}", "{} auf {} setzen"],
    [
      "leave the other one out ({}), since these codes lie in a data folder",
      "Den anderen weglassen ({}): Diese Codes liegen in einem Datenordner",
    ],
    [
      "put back the folder that holds its codes, or name its data folder with --data",
      "Den Ordner zurücklegen, in dem seine Codes liegen, oder den Desk mit dessen Datenordner öffnen (--data)",
    ],
  ].flatMap(([english, german]): Saying[] => [
    [
      `${english}. Where it is the same server under another address, or the data of the job is served there now, add --change-server to plan or run. ${TWICE[0]}`,
      `${german}. Ist es derselbe Server unter anderer Adresse, oder liegen die Daten jetzt dort, den Auftrag einmal mit --change-server ausführen. ${TWICE[1]}`,
    ],
    [`${english}. ${TWICE[0]}`, `${german}. ${TWICE[1]}`],
  ]),
];
