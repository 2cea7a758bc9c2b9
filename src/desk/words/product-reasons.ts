/** What is wrong with the product of a row, in German: src/kinds/product-fields.ts, src/gs1/identifiers.ts. */

/** English, German; `{}` as in `reasons.ts`. */
type Saying = readonly [english: string, german: string];

const rules: readonly Saying[] = [
  ["must be six digits, YYMMDD", "muss sechs Ziffern haben, JJMMTT"],
  ["must have a month from 01 to 12", "muss einen Monat von 01 bis 12 haben"],
  ["must have a day from 00 to {}", "muss einen Tag von 00 bis {} haben"],
  ["must be {} digits", "muss {} Ziffern haben"],
  ["must have the check digit {} at the end", "muss mit der Prüfziffer {} enden"],
  ["must have the check digit {} at position {}", "muss die Prüfziffer {} an Stelle {} haben"],
  [
    "must begin with a company prefix of at least 4 digits",
    "muss mit einer Basisnummer von mindestens 4 Ziffern beginnen",
  ],
  ["must have {} to {} characters", "muss {} bis {} Zeichen haben"],
  [
    "must consist of GS1's 82 characters",
    "darf nur die 82 Zeichen von GS1 haben, also keine Leerzeichen und Umlaute",
  ],
  ["must begin with {} digits", "muss mit {} Ziffern beginnen"],
  ["must begin with 0", "muss mit 0 beginnen"],
  ["must have at most {} characters", "darf höchstens {} Zeichen haben"],
  ["must have an allowed serial component", "muss hinten eine erlaubte Seriennummer haben"],
  ["must end in the check characters {}", "muss mit den Prüfzeichen {} enden"],
  [
    "must have a piece number from 01 to its total",
    "muss eine Stücknummer von 01 bis zur Gesamtzahl haben",
  ],
  ["must be a GTIN of 8, 12, 13 or 14 digits", "muss eine GTIN mit 8, 12, 13 oder 14 Ziffern sein"],
  ["must be something that a URL can hold", "muss in einer Adresse stehen können"],
];

const FIELDS = ["identifier_value", "batch_lot", "serial_number", "expiry_date"];

/** A field is made of no column, one or several. */
const PLACES: readonly Saying[] = [
  ["", ""],
  [" (column {})", " (Spalte {})"],
  [" (columns {})", " (Spalten {})"],
];

export const productSayings: readonly Saying[] = [
  [
    "expiry_date (column {}) must be six digits, YYMMDD, got {}: write {}",
    "expiry_date (Spalte {}) muss sechs Ziffern haben, JJMMTT; hier steht {}: {} schreiben",
  ],
  ...FIELDS.flatMap((field) =>
    PLACES.flatMap(([english, german]): readonly Saying[] => [
      ...rules.map(([rule, regel]): Saying => [
        `${field}${english} ${rule}, got {}`,
        `${field}${german} ${regel}; hier steht {}`,
      ]),
      [`${field}${english} must not be empty`, `${field}${german} darf nicht leer sein`],
    ]),
  ),
  ["title of {} must not be empty", "Der Titel (title) von {} darf nicht leer sein"],
  [
    "destination_url of {} must be an http or https URL, got {}",
    "Das Ziel (destination_url) von {} muss eine Webadresse mit http oder https sein; hier steht {}",
  ],
  [
    "a page should have a button, got none: it leads nowhere",
    "Eine Seite sollte einen Knopf haben; diese führt nirgendwohin",
  ],
  ["fill a cell that page.links names", "Die Zelle füllen, die einen Knopf nennt (page.links)"],
  [
    "{} (column {}) must be from {} to {} as YYMMDD, got {}: scanners would read {} as the year {}",
    "{} (Spalte {}) muss von {} bis {} liegen, denn GS1 schreibt Tage als JJMMTT; hier steht {}: Scanner würden {} als das Jahr {} lesen",
  ],
  [
    "GS1 has two digits for the year, which mean {} years back to {} ahead: write a nearer date, or leave it out",
    "GS1 hat zwei Ziffern für das Jahr: von vor {} Jahren bis in {} Jahren. Ein näheres Datum schreiben oder es weglassen",
  ],
  [
    "a product must lead somewhere, but every destination_url is empty",
    "Ein Produkt muss ein Ziel haben, aber alle destination_url sind leer",
  ],
];
