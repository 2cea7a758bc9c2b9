/** Why a label can't be printed as it is set, in German: src/print/plan-sheets.ts, src/kinds/design-rules.ts. */
import { warningInGerman } from "../../console/words/warnings-de.ts";

type Saying = readonly [english: string, german: string];

const OF_MODULE = [
  "module (X) must be at least {} mm, got {} mm",
  "Ein Modul muss mindestens {} mm breit sein und wäre {} mm",
] as const;
const ON_GRID = [" on the grid of {} dpi", ", im Raster von {} dpi"] as const;
const grids: readonly Saying[] = [ON_GRID, ["", ""]];

/** What must be true of a field, behind its name. */
export const labelRules: readonly Saying[] = [
  [
    "must be a cell of the sheet, {} to {}, got {}",
    "muss ein Platz auf dem Bogen sein, {} bis {}; hier steht {}",
  ],
  ...grids.map(([english, german]): Saying => [
    `must be at least {} for a version {} code, got {}: ${OF_MODULE[0]}${english}`,
    `muss mindestens {} sein, für einen Code der Version {}; hier steht {}: ${OF_MODULE[1]}${german}`,
  ]),
  [
    "must be at most {} characters in the frame {}, got {}",
    "darf höchstens {} Zeichen haben im Rahmen {}; es sind {}",
  ],
  ["must be at least {}, got {}", "muss mindestens {} sein; hier steht {}"],
  [
    "must leave room for a code on a label of {} × {} mm, got {} mm clear of every edge",
    "muss auf einem Etikett von {} × {} mm Platz für einen Code lassen; an jeder Kante sollen {} mm frei bleiben",
  ],
  [
    "must be a file that can be read, got {}",
    "muss eine Datei sein, die sich lesen lässt; hier steht {}",
  ],
];

export const labelSayings: readonly Saying[] = [
  ...grids.map(([english, german]): Saying => [
    `${OF_MODULE[0]}${english} for a version {} code on {}`,
    `${OF_MODULE[1]}${german}, mit einem Code der Version {} auf {}`,
  ]),
  [
    "a version {} code with its quiet zone must fit {} mm of a label of {}, got {} mm at X {} mm",
    "Ein Code der Version {} muss mit seiner Ruhezone in {} mm eines Etiketts von {} passen; er hat {} mm, mit Modulen von {} mm",
  ],
  [
    "say {} or more, or leave it out: codes are then as large as fits",
    "{} oder mehr angeben oder leer lassen: Dann sind Codes so groß wie möglich",
  ],
  [
    "say less, or leave it out: the default is {} mm",
    "Weniger angeben oder leer lassen: Üblich sind {} mm",
  ],
  ["shorten the label", "Den Text kürzen"],
  ["the path is relative to the manifest", "Der Pfad gilt ab dem Ordner des Auftrags"],
  [
    "take a darker ink or a lighter background",
    "Eine dunklere Farbe oder einen helleren Hintergrund nehmen",
  ],
];

const COLOUR =
  /^must be a colour that scanners read, got ("[^"]*"): (.*?)(?: \(safe is ink [^()]*\))?$/u;

/** Colours are told part by part, as the console tells them. */
function colourInGerman(text: string): string | undefined {
  const [, color = "", why = ""] = COLOUR.exec(text) ?? [];
  const said = warningInGerman(why);
  return said && `muss eine Farbe sein, die Scanner lesen; hier steht ${color}: ${said}`;
}

/** What gives a code more room. */
const helps: readonly Saying[] = [
  ["lower x_dimension_mm", "x_dimension_mm kleiner"],
  ["lower qr_size_mm", "qr_size_mm kleiner"],
  ["use larger labels", "größere Etiketten"],
  ["fewer caption lines", "weniger Textzeilen"],
  ["a smaller safe_mm", "safe_mm kleiner"],
  ["shorter content (a dynamic code is short)", "kürzerer Inhalt (ein dynamischer Code ist kurz)"],
  ["a lower error correction", "eine niedrigere Fehlerkorrektur"],
];
const DEFAULT = / \(the default is ([\d.]+) mm\)$/u;
const NEEDS = /^a version (\d+) code needs a qr_size_mm of ([\d.]+) or more$/u;

function helpOf(help: string): string | undefined {
  const [of = "", usual] = DEFAULT.exec(help) ?? [];
  const said = helps.find(([english]) => english === help.slice(0, help.length - of.length))?.[1];
  return said && usual !== undefined ? `${said} (üblich sind ${usual.replace(".", ",")} mm)` : said;
}

function roomInGerman(text: string): string | undefined {
  const [helping = "", needs] = text.split("; ");
  const said = helping.split(/, | or /u).map(helpOf);
  if (said.some((help) => help === undefined)) return undefined;
  const last = said.pop() ?? "";
  const ways = said.length === 0 ? last : `${said.join(", ")} oder ${last}`;
  const [, version, least = ""] = NEEDS.exec(needs ?? "") ?? [];
  const most = `ein Code der Version ${version} braucht qr_size_mm ab ${least.replace(".", ",")}`;
  return `Das hilft: ${ways}${version === undefined ? "" : `; ${most}`}`;
}

/** What is put together of parts. */
export const labelInGerman = (text: string): string | undefined =>
  colourInGerman(text) ?? roomInGerman(text);
