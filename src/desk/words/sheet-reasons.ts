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

const REPLACED = "\u{FFFD}";

/** Characters that no font has: src/print/fonts/glyph-census.ts. */
const missing: readonly Saying[] = [
  ["the lines in such scripts are left out", "die Zeilen in solchen Schriften bleiben weg"],
  [
    `the labels show ${REPLACED} in their place`,
    `die Etiketten zeigen ${REPLACED} an ihrer Stelle`,
  ],
  [
    `lines in scripts that no font has are left out, and the labels show ${REPLACED} for other characters`,
    `Zeilen in Schriften, die kein Font hat, bleiben weg, und die Etiketten zeigen ${REPLACED} für andere Zeichen`,
  ],
].flatMap(([english, german]): Saying[] => [
  [
    `the label of 1 row ({}) must show characters that no font has: {}; name fonts that have them in {}, or ${english}`,
    `Das Etikett von 1 Zeile ({}) soll Zeichen zeigen, die kein Font hat: {}; Fonts, die sie haben, in {} nennen, sonst gilt: ${german}`,
  ],
  [
    `the labels of {} rows ({}) must show characters that no font has: {}; name fonts that have them in {}, or ${english}`,
    `Die Etiketten von {} Zeilen ({}) sollen Zeichen zeigen, die kein Font hat: {}; Fonts, die sie haben, in {} nennen, sonst gilt: ${german}`,
  ],
]);

/** One text of a row: src/print/fonts/caption.ts, src/print/fonts/text-fit.ts. */
const texts: readonly Saying[] = [
  ["caption line", "die Textzeile"],
  ["text of the label", "der Text"],
].flatMap(([english, german]): Saying[] => [
  [
    `row {}: ${english} {} is left out: no font has {}; name one that does in {}`,
    `Zeile {}: ${german} {} bleibt weg: Kein Font hat {}; einen, der sie hat, in {} nennen`,
  ],
  [
    `row {}: ${english} {} shows ${REPLACED} for some characters: no font has {}; name one that does in {}`,
    `Zeile {}: ${german} {} zeigt ${REPLACED} für einige Zeichen: Kein Font hat {}; einen, der sie hat, in {} nennen`,
  ],
]);

/** What is printed in inks, and symbols beside codes: src/print/art/check-art.ts, src/print/symbols. */
const items: readonly Saying[] = [
  ["label, item {} (code)", "Etikett, Teil {} (Code):"],
  ["label, item {} (symbol)", "Etikett, Teil {} (Symbol):"],
  ["back.label, item {} (code)", "Rückseite, Teil {} (Code):"],
  ["back.label, item {} (symbol)", "Rückseite, Teil {} (Symbol):"],
  ["{}, item {} ({})", "{}, Teil {} ({}):"],
  ["{}", "{}:"],
].flatMap(([english, german]): Saying[] => [
  [
    `${english} has bars of about {} mm; {} asks for {} mm at X {} in {}, lower ones take several tries where a scanner does not see them straight`,
    `${german} Die Striche sind etwa {} mm hoch; {} verlangt {} mm bei X {} ({}): Niedrigere werden oft erst nach mehreren Versuchen gelesen, wenn ein Scanner schräg darauf sieht`,
  ],
  [
    `${english} lies {} mm from the {}, middle to middle; tills look for both within {} mm`,
    `${german} Seine Mitte liegt {} mm von der Mitte des {} entfernt; Kassen suchen beide innerhalb von {} mm`,
  ],
  [
    `${english} has a symbol contrast of about {}; {} are wanted for grade A`,
    `${german} Der Kontrast ist etwa {}; Note A braucht {}`,
  ],
  [
    `${english} can hardly be seen by scanners with red light (contrast about {}); phones read it`,
    `${german} Scanner mit rotem Licht sehen ihn kaum (Kontrast etwa {}); Handys lesen ihn`,
  ],
]);

/** Frames that can't show the text of a design: src/plan/frame-swap.ts. */
const frameSayings: readonly Saying[] = [
  [
    "the frame {} shows no text: the code gets the frame {} instead",
    "Der Rahmen {} zeigt keinen Text: Der Code bekommt stattdessen den Rahmen {}",
  ],
  ...[
    [
      "the frame {} shows no text of the template {}",
      "Der Rahmen {} zeigt keinen Text der Gestaltung {}",
    ],
    [
      "the frame {} of the template {} shows no text",
      "Der Rahmen {} der Gestaltung {} zeigt keinen Text",
    ],
  ].flatMap(([english = "", german = ""]): readonly Saying[] => [
    [
      `${english}: 1 code gets the frame {} instead (row {})`,
      `${german}: 1 Code bekommt stattdessen den Rahmen {} (Schlüssel {})`,
    ],
    [
      `${english}: {} codes get the frame {} instead (rows {})`,
      `${german}: {} Codes bekommen stattdessen den Rahmen {} (Schlüssel {})`,
    ],
  ]),
  [
    "take one of {}, or leave out the text",
    "Einen dieser Rahmen nehmen: {}; oder den Text weglassen",
  ],
];

/** Of a row's label. */
const ofLabels: readonly Saying[] = [
  [
    "its code is printed without its {}: the label has no room for it",
    "Ihr Code wird ohne {} gedruckt: Auf dem Etikett ist kein Platz dafür",
  ],
  [
    "its code is printed black: in inks of the press its colours are too much alike",
    "Ihr Code wird schwarz gedruckt: In Druckfarben sind seine Farben einander zu ähnlich",
  ],
  [
    "the text of its frame has {}, smaller than {} pt",
    "Der Text im Rahmen hat {}, weniger als {} pt",
  ],
  [
    "the text of its frame has nearly the colour that is behind it",
    "Der Text im Rahmen hat fast die Farbe dahinter",
  ],
  [
    "its caption fits at {} only, which is hard to read",
    "Ihre Beschriftung hat nur mit {} Platz und ist schwer zu lesen",
  ],
];

export const sheetSayings: readonly Saying[] = [
  ...items,
  ["printers must be readable, got {}", "printers.json muss sich lesen lassen: {}"],
  ["printers must be JSON, got {}", "printers.json muss JSON sein: {}"],
  [
    "printers must be a map of names, got something else",
    "printers.json muss zum Namen jedes Druckers seine Zahlen enthalten",
  ],
  [
    "label has symbols and no code: the rows' own codes are not printed",
    "Das Etikett hat Symbole und keinen Code: Die Codes der Zeilen werden nicht gedruckt",
  ],
  ...sources.map(([english, german]): Saying => [
    `sheet {}: its geometry is from ${english}; hold one printed page against real stock first`,
    `Bogen {}: Seine Maße stammen aus ${german}; erst eine gedruckte Seite gegen einen echten Bogen halten`,
  ]),
  [
    `${NO_ROOM[0]}: nothing on it says that this is a rehearsal`,
    `${NO_ROOM[1]}: Nichts auf ihm sagt, dass das eine Probe ist`,
  ],
  NO_ROOM,
  ...missing,
  ...texts,
  ...ofLabels.map(([english, german]): Saying => [`row {}: ${english}`, `Zeile {}: ${german}`]),
  [
    "row {}: caption {} is left out: the label has no room for text",
    "Zeile {}: Die Beschriftung {} bleibt weg: Auf dem Etikett ist kein Platz für Text",
  ],
  [
    "row {}: caption {} does not fit at {} pt and was cut",
    "Zeile {}: Die Beschriftung {} passt auch mit {} pt nicht und ist gekürzt",
  ],
  [
    "row {}: text {} does not fit at {} pt and was cut",
    "Zeile {}: Der Text {} passt auch mit {} pt nicht und ist gekürzt",
  ],
  [
    "device_dpi {} is coarse: X can only be a multiple of {}",
    "device_dpi {} ist grob: Ein Modul kann nur ein Vielfaches von {} breit sein",
  ],
  [
    "with its marks the page is {} x {} mm: print it on larger paper, or name the paper that it must fit (paper: {})",
    "Mit ihren Marken ist die Seite {} × {} mm groß: auf größeres Papier drucken, oder das Papier nennen, auf das sie passen muss (paper: {})",
  ],
  [
    "X of {} mm is {} pixels at {} dpi: dark modules grow by up to {}; say device_dpi, and modules are whole pixels",
    "Ein Modul von {} mm ist {} Pixel breit (bei {} dpi): Dunkle Module wachsen um bis zu {}; mit device_dpi sind es ganze Pixel",
  ],
  [
    "{} is screened: edges of modules become dots; solid inks keep them sharp",
    "{} wird gerastert: Die Kanten der Module werden zu Punkten; volle Druckfarben halten sie scharf",
  ],
  [
    "{} takes {} plates: where they don't meet, modules get rims; one ink has none",
    "{} braucht {} Platten: Wo sie nicht genau passen, bekommen Module Ränder; mit einer einzigen Druckfarbe nicht",
  ],
  ...frameSayings,
];
