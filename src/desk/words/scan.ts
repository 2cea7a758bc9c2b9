/** What the desk says of printed sheets that are checked, in both languages. */
import { many } from "./many.ts";

/** How a page of a PDF is named. */
const PAGE = / page (\d+)$/u;

export const scanInEnglish = {
  title: "Check printed sheets",
  hint: "Scan the printed sheets, or take photos of them. The desk reads every code and names each label good, damaged, missing or void. The pictures stay on this computer.",
  how: "PNG, JPEG, TIFF, WebP or PDF, several at once, in any order and turned anyhow. Scan at 300 dpi or more.",
  none: "This job has printed no sheets yet. Run it first, print the sheets, and check them here.",
  pictures: "Scans or photos of the sheets",
  drop: "Drop the pictures here, or choose them",
  add: (count: string) => `Together with the pictures of the last check (${count})`,
  send: "Check these pictures",
  running: "Pictures of this job are being checked.",
  watch: "Watch",
  stopped: "The check was stopped. Nothing was written.",
  died: "The check broke off, perhaps because the computer was switched off. Send the pictures again.",
  good: (count: string) =>
    `${many(count, "label is", "labels are")} good. Nothing has to be printed again.`,
  address: "The address of these codes",
  notGood: "Not everything is good. What was found stands below.",
  noSheet:
    "No label of this job was read in these pictures. Do they show sheets of this job? Scan them at 300 dpi or more, flat and sharp, and send them again.",
  noCodes:
    "Labels of this job have symbols and no QR codes, so no scan can judge them. Check them with a barcode reader. Then choose the spoiled ones on the result page.",
  noneJudged:
    "These sheets were printed before those of today were made. No label was judged: check sheets that were printed from the PDFs of today.",
  older: "Sheets of an earlier run",
  olderSince: (when: string) =>
    `They were printed before the run of ${when} made the sheets anew. Their labels are not judged.`,
  olderThanToday:
    "They were printed before the sheets of today were made. Their labels are not judged.",
  olderFix: "Print the PDFs of today, and check those sheets.",
  signs: {
    past: "It holds codes that no sheet of today holds.",
    moved: "Its codes are not where the sheets of today have them.",
    shifted: "Its labels are not where the sheets of today have them.",
    resized: "Its codes are of another size than on the sheets of today.",
    added: "It ends where the sheets ended before rows were added.",
  },
  readToday: (count: string) =>
    `${many(count, "code was", "codes were")} read that the sheets of today hold as well.`,
  past: {
    vanished: (key: string) => `the code of ${key}, whose row is gone`,
    bad: (key: string) => `the code of ${key}, whose row is bad now`,
    deleted: (key: string) => `the code of ${key}, which was deleted`,
    address: (key: string) => `the code of ${key} with an earlier address`,
    unprinted: (key: string) => `the code of ${key}, which is on no sheet now`,
  },
  lacks: (count: string) =>
    `${many(count, "label of today is", "labels of today are")} not on it yet.`,
  unfinished: (count: string) =>
    `The last run was cut short: ${many(count, "row has", "rows have")} no finished sheet yet.`,
  goOn: "Go on with the run",
  onNoSheet: "Rows without a finished sheet",
  figures: {
    sheets: "Sheets seen",
    good: "Good",
    damaged: "Damaged",
    missing: "Missing",
    outside: "Not in the picture",
    void: "Void",
    foreign: "Foreign codes",
    elsewhere: "Codes in a wrong place",
  },
  spoiled: "Spoiled labels",
  earlier: "Spoiled labels of earlier checks, which these pictures do not show",
  label: "Label",
  look: "Picture",
  pictureOf: (key: string) => `${key} as the picture shows it`,
  states: { damaged: "damaged", missing: "missing" },
  at: (file: string, page: string, row: string, column: string) =>
    `${file}, page ${page}, row ${row}, column ${column}`,
  picture: (name: string) => name.replace(PAGE, ", page $1"),
  inPicture: (picture: string) => `in ${picture}`,
  outside: "Labels that no picture shows",
  outsideHint: "Scan these sheets once more, whole, and send them together with the others.",
  void: "Labels of void codes",
  mustNotShip: "void, must not ship",
  takenOff: "void, and nothing is printed there",
  takeOff: "Take the void labels off the sheets, and throw them away.",
  strays: "Codes that do not belong there",
  foreign: (text: string) => `a foreign code: ${text}`,
  codeOf: (key: string) => `the code of ${key}`,
  voidCodeOf: (key: string) => `the void code of ${key}, which must not ship`,
  onNoLabel: "on no label",
  sheets: "Sheets that were seen",
  sheet: "Sheet",
  page: (file: string, page: string) => `${file}, page ${page}`,
  again: "seen before",
  goodOf: (good: string, all: string) => `${good} of ${all}`,
  unseen: (pages: string) => `Sheets in no picture: ${pages}.`,
  more: (count: string) => `and ${count} more`,
  symbols: (count: string) => `${many(count, "symbol was", "symbols were")} not looked at.`,
  empty: (picture: string) => `${picture}: no code of this job was read.`,
  emptyFix:
    "Look whether it shows a sheet of this job, sharp and at 300 dpi or more. A back without a code looks so, too.",
  unreadableFix: "Save it as PNG, JPEG, TIFF or PDF, and send it again.",
  unusable: "Pictures without a sheet of this job",
  download: "Download spoiled.csv",
  printAgain: "Print the spoiled labels again",
  replace: "Give the spoiled labels fresh serials",
  old: "A later scan or another program has written spoiled.csv since. Check the pictures once more before you replace labels.",
  printedAgain: (count: string) =>
    `${many(count, "of these labels was", "of these labels were")} printed again already.`,
  printedEarlier: (count: string) =>
    `${many(count, "of these labels was", "of these labels were")} printed again before the sheets were made anew. Where the pictures show paper of before, nothing of that is left to print.`,
  already: (count: string) =>
    `${many(count, "spoiled label is", "spoiled labels are")} void or printed again already.`,
  measured: "Measured on the print, with the errors of the scanner",
  growth: (percent: string) => `Dark modules are wider than drawn by ${percent} of a module.`,
  contrast: (percent: string) => `Contrast between ink and paper: ${percent}.`,
  turn: (degrees: string) => `Askew by ${degrees}°.`,
  printer: "For printers.json, where the scanner is true to size:",
  printerSince: (when: string) =>
    `For printers.json, where the scanner is true to size and the sheets were printed after the run of ${when}:`,
  otherDpi: ({ says, fits }: { readonly says: number; readonly fits: number }) =>
    `Nothing for printers.json: the picture says ${says} dpi, but by the size of its labels it must say ${fits} dpi. Give the scan as the scanner made it, or a print at 100%.`,
  unfit: ({
    field,
    value,
    least,
    most,
  }: Record<"field" | "value" | "least" | "most", string | number>) =>
    `Nothing for printers.json: ${field} must be from ${least} to ${most}, got ${value}. Print at 100% on paper that lies straight, then scan again.`,
};

const ofThese = (count: string): string =>
  count === "1" ? "Eines dieser Etiketten wurde" : `${count} dieser Etiketten wurden`;

export const scanInGerman: typeof scanInEnglish = {
  title: "Gedruckte Bogen prüfen",
  hint: "Scannen Sie die gedruckten Bogen, oder fotografieren Sie sie. Jeder Code wird gelesen, und jedes Etikett wird gut, beschädigt, fehlend oder ungültig genannt. Die Bilder bleiben auf diesem Rechner.",
  how: "PNG, JPEG, TIFF, WebP oder PDF, mehrere auf einmal, in beliebiger Reihenfolge und Lage. Scannen Sie mit 300 dpi oder mehr.",
  none: "Dieser Auftrag hat noch keine Bogen. Führen Sie ihn zuerst aus, drucken Sie die Bogen, und prüfen Sie sie hier.",
  pictures: "Scans oder Fotos der Bogen",
  drop: "Bilder hier ablegen oder auswählen",
  add: (count) => `Zusammen mit den Bildern der letzten Prüfung (${count})`,
  send: "Diese Bilder prüfen",
  running: "Bilder dieses Auftrags werden gerade geprüft.",
  watch: "Zusehen",
  stopped: "Die Prüfung wurde angehalten. Nichts wurde geschrieben.",
  died: "Die Prüfung brach ab, etwa weil der Rechner ausgeschaltet wurde. Schicken Sie die Bilder noch einmal.",
  good: (count) =>
    `${many(count, "Etikett ist", "Etiketten sind")} gut. Nichts muss noch einmal gedruckt werden.`,
  address: "Die Adresse dieser Codes",
  notGood: "Nicht alles ist gut. Was gefunden wurde, steht darunter.",
  noSheet:
    "In diesen Bildern wurde kein Etikett dieses Auftrags gelesen. Zeigen sie Bogen dieses Auftrags? Scannen Sie sie mit 300 dpi oder mehr, flach und scharf, und schicken Sie sie noch einmal.",
  noCodes:
    "Etiketten dieses Auftrags tragen Symbole und keine QR-Codes: Kein Scan kann sie beurteilen. Prüfen Sie sie mit einem Strichcode-Leser. Wählen Sie dann die verdorbenen auf der Seite „Ergebnis“.",
  noneJudged:
    "Diese Bogen wurden gedruckt, bevor die heutigen gemacht wurden. Kein Etikett wurde beurteilt: Prüfen Sie Bogen, die aus den heutigen PDFs gedruckt wurden.",
  older: "Bogen eines früheren Laufs",
  olderSince: (when) =>
    `Sie wurden gedruckt, bevor der Lauf vom ${when} die Bogen neu machte. Ihre Etiketten werden nicht beurteilt.`,
  olderThanToday:
    "Sie wurden gedruckt, bevor die heutigen Bogen gemacht wurden. Ihre Etiketten werden nicht beurteilt.",
  olderFix: "Drucken Sie die heutigen PDFs, und prüfen Sie diese Bogen.",
  signs: {
    past: "Er trägt Codes, die auf keinem heutigen Bogen stehen.",
    moved: "Seine Codes stehen nicht dort, wo die heutigen Bogen sie haben.",
    shifted: "Seine Etiketten liegen nicht dort, wo die heutigen Bogen sie haben.",
    resized: "Seine Codes haben eine andere Größe als auf den heutigen Bogen.",
    added: "Er endet dort, wo die Bogen endeten, bevor Zeilen hinzukamen.",
  },
  readToday: (count) =>
    `${many(count, "Code wurde", "Codes wurden")} gelesen, die auch auf den heutigen Bogen stehen.`,
  past: {
    vanished: (key) => `der Code von ${key}, dessen Zeile es nicht mehr gibt`,
    bad: (key) => `der Code von ${key}, dessen Zeile jetzt fehlerhaft ist`,
    deleted: (key) => `der Code von ${key}, der gelöscht wurde`,
    address: (key) => `der Code von ${key} mit einer früheren Adresse`,
    unprinted: (key) => `der Code von ${key}, der jetzt auf keinem Bogen steht`,
  },
  lacks: (count) =>
    `${many(count, "heutiges Etikett ist", "heutige Etiketten sind")} noch nicht darauf.`,
  unfinished: (count) =>
    `Der letzte Lauf wurde abgebrochen: ${many(count, "Zeile steht", "Zeilen stehen")} noch auf keinem fertigen Bogen.`,
  goOn: "Weiter mit dem Lauf",
  onNoSheet: "Zeilen ohne fertigen Bogen",
  figures: {
    sheets: "Gesehene Bogen",
    good: "Gut",
    damaged: "Beschädigt",
    missing: "Fehlend",
    outside: "Nicht im Bild",
    void: "Ungültig",
    foreign: "Fremde Codes",
    elsewhere: "Codes am falschen Platz",
  },
  spoiled: "Verdorbene Etiketten",
  earlier: "Verdorbene Etiketten früherer Prüfungen, die diese Bilder nicht zeigen",
  label: "Etikett",
  look: "Bild",
  pictureOf: (key) => `${key}, wie das Bild es zeigt`,
  states: { damaged: "beschädigt", missing: "fehlt" },
  at: (file, page, row, column) => `${file}, Seite ${page}, Reihe ${row}, Spalte ${column}`,
  picture: (name) => name.replace(PAGE, ", Seite $1"),
  inPicture: (picture) => `in ${picture}`,
  outside: "Etiketten, die kein Bild zeigt",
  outsideHint:
    "Scannen Sie diese Bogen noch einmal ganz, und schicken Sie sie zusammen mit den anderen.",
  void: "Etiketten mit ungültigen Codes",
  mustNotShip: "ungültig, darf nicht hinausgehen",
  takenOff: "ungültig, und dort ist nichts gedruckt",
  takeOff: "Nehmen Sie die ungültigen Etiketten von den Bogen, und werfen Sie sie weg.",
  strays: "Codes, die dort nicht hingehören",
  foreign: (text) => `ein fremder Code: ${text}`,
  codeOf: (key) => `der Code von ${key}`,
  voidCodeOf: (key) => `der ungültige Code von ${key}, der nicht hinausgehen darf`,
  onNoLabel: "auf keinem Etikett",
  sheets: "Bogen, die gesehen wurden",
  sheet: "Bogen",
  page: (file, page) => `${file}, Seite ${page}`,
  again: "schon gesehen",
  goodOf: (good, all) => `${good} von ${all}`,
  unseen: (pages) => `Bogen in keinem Bild: ${pages}.`,
  more: (count) => `und ${count} weitere`,
  symbols: (count) => `${many(count, "Symbol wurde", "Symbole wurden")} nicht angesehen.`,
  empty: (picture) => `${picture}: kein Code dieses Auftrags wurde gelesen.`,
  emptyFix:
    "Sehen Sie nach, ob es einen Bogen dieses Auftrags zeigt, scharf und mit 300 dpi oder mehr. Auch eine Rückseite ohne Code sieht so aus.",
  unreadableFix: "Speichern Sie es als PNG, JPEG, TIFF oder PDF, und schicken Sie es noch einmal.",
  unusable: "Bilder ohne Bogen dieses Auftrags",
  download: "spoiled.csv herunterladen",
  printAgain: "Verdorbene Etiketten noch einmal drucken",
  replace: "Verdorbenen Etiketten neue Seriennummern geben",
  old: "Eine spätere Prüfung oder ein anderes Programm hat spoiled.csv seitdem geschrieben. Prüfen Sie die Bilder noch einmal, bevor Sie Etiketten ersetzen.",
  printedAgain: (count) => `${ofThese(count)} bereits noch einmal gedruckt.`,
  printedEarlier: (count) =>
    `${ofThese(count)} noch einmal gedruckt, bevor die Bogen neu entstanden. Zeigen die Bilder Papier von vorher, ist davon nichts mehr zu drucken.`,
  already: (count) =>
    `${many(count, "verdorbenes Etikett ist", "verdorbene Etiketten sind")} schon ungültig oder noch einmal gedruckt.`,
  measured: "Am Druck gemessen, samt Fehlern des Scanners",
  growth: (percent) => `Dunkle Module sind um ${percent} eines Moduls breiter als gezeichnet.`,
  contrast: (percent) => `Kontrast zwischen Farbe und Papier: ${percent}.`,
  turn: (degrees) => `Um ${degrees}° schief.`,
  printer: "Für printers.json, wenn der Scanner maßgenau ist:",
  printerSince: (when) =>
    `Für printers.json, wenn der Scanner maßgenau ist und die Bogen nach dem Lauf vom ${when} gedruckt wurden:`,
  otherDpi: ({ says, fits }) =>
    `Nichts für printers.json: Das Bild nennt ${says} dpi, nach der Größe seiner Etiketten müssten es ${fits} dpi sein. Geben Sie den Scan, wie der Scanner ihn gemacht hat, oder einen Druck zu 100 %.`,
  unfit: ({ field, value, least, most }) =>
    `Nichts für printers.json: ${field} muss von ${least} bis ${most} sein, ist aber ${value}. Drucken Sie zu 100 % auf gerade eingelegtes Papier, und scannen Sie noch einmal.`,
};
