/** Links that no phone opens, in German: src/plan/odd-link.ts. */

/** English, German; `{}` as in `reasons.ts`. */
type Saying = readonly [english: string, german: string];

const rules: readonly Saying[] = [
  ["must have at most {} characters", "darf höchstens {} Zeichen haben"],
  ["must have no blanks", "darf keine Leerzeichen haben"],
  [
    "must have no control characters, such as tabs",
    "darf keine Steuerzeichen haben, etwa Tabulatoren",
  ],
  [
    "must begin with {}, and name an address",
    "muss so beginnen: {}; danach muss eine Adresse stehen",
  ],
];

const MAYBE: Saying = ["the server may refuse it", "Vielleicht lehnt der Server es ab"];
const BLANK: Saying = ["write %20 for a blank", "Für ein Leerzeichen %20 schreiben"];
const TEXT: Saying = ["code.type: Text holds it as it is", "code.type: Text nimmt es, wie es ist"];

const hints: readonly Saying[] = [
  [`${BLANK[0]}; or ${TEXT[0]}`, `${BLANK[1]}; oder ${TEXT[1]}`],
  BLANK,
  TEXT,
];

export const linkSayings: readonly Saying[] = [
  ...rules.flatMap(([english, german]): readonly Saying[] => [
    [`qr_data of a Link ${english}, got {}`, `Das Ziel des Codes ${german}; hier steht {}`],
    [`qr_data of a Link ${english}`, `Das Ziel des Codes ${german}`],
  ]),
  ...hints.map(([english, german]): Saying => [
    `${MAYBE[0]}; ${english}`,
    `${MAYBE[1]}; ${german}`,
  ]),
  ...hints,
  MAYBE,
];
