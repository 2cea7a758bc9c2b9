/** Sentences of the desk that count: one thing is told in the singular. */
import { expect, test } from "vitest";

import { de } from "../../src/desk/words/de.ts";
import { en } from "../../src/desk/words/en.ts";

test.each([
  [en.result.retireRows("1", ["file", "delete"]), "A command files or deletes it."],
  [en.result.retireRows("2", ["delete"]), "A command deletes them."],
  [de.result.retireRows("1", ["file", "delete"]), "Ein Befehl legt ihn ab oder löscht ihn."],
  [de.result.retireRows("2", ["delete"]), "Ein Befehl löscht sie."],
  [en.result.undone("1"), "Planned and run again, the job changes it again."],
  [de.result.undone("1"), "Neu geplant und gelaufen, ändert der Auftrag ihn wieder."],
  [en.units.replaced("1"), "1 code is void now, with a fresh serial."],
  [en.units.replaced("2"), "2 codes are void now, with a fresh serial each."],
  [de.units.replaced("1"), "1 Code ist jetzt ungültig, mit einer neuen Seriennummer."],
  [de.units.replaced("2"), "2 Codes sind jetzt ungültig, mit je einer neuen Seriennummer."],
  [en.result.missingSince(["a.pdf"]), "A file is missing: a.pdf. Run again to make it."],
  [de.result.missingSince(["a.pdf"]), "Eine Datei fehlt: a.pdf. Noch einmal laufen lassen, um sie"],
  [en.result.damagedSince(["a.pdf"]), "A file is not as it was written: a.pdf."],
  [de.result.damagedSince(["a.pdf"]), "Eine Datei ist nicht mehr so, wie sie geschrieben wurde:"],
])("%s", (said, part) => {
  expect(said).toContain(part);
});

const VOID = { code: "void-codes", examples: ["N1"] } as const;

test.each([
  [
    en.notes,
    1,
    "1 code on the sheets is void: N1. If a run makes its PDF anew, that prints it again: do not use that label.",
  ],
  [en.notes, 2, "If a run makes their PDF anew, that prints them again: do not use those labels."],
  [
    de.notes,
    1,
    "Macht ein Lauf seine PDF neu, steht er wieder darauf: Verwenden Sie dieses Etikett nicht.",
  ],
  [
    de.notes,
    2,
    "Macht ein Lauf ihre PDF neu, stehen sie wieder darauf: Verwenden Sie diese Etiketten nicht.",
  ],
])("void codes are counted: %#", (notes, count, part) => {
  expect(notes["void-codes"]({ ...VOID, count })).toContain(part);
});
