/** Words of the desk that depend on a count. */
import { expect, test } from "vitest";

import { eyeStyles, frames, patterns } from "../../src/api/design.ts";
import { de as consoleInGerman } from "../../src/console/words/de.ts";
import { thingsInGerman as consoleWords } from "../../src/console/words/things-de.ts";
import { de } from "../../src/desk/words/de.ts";
import { en } from "../../src/desk/words/en.ts";
import { reasonInGerman } from "../../src/desk/words/reasons.ts";
import { notesInEnglish, notesInGerman, sayNote } from "../../src/desk/words/notes.ts";
import type { PlanNote } from "../../src/pipeline/paper/plan-notes.ts";

const counted: readonly ((count: number) => PlanNote)[] = [
  (count) => ({ code: "stronger-codes", count, of: count }),
  (count) => ({ code: "grown-codes", count }),
  (count) => ({ code: "needs-yes", over: count }),
  (count) => ({ code: "renamed-files", count, examples: ["a -> a-2"] }),
  (count) => ({ code: "files-missing", count, isZipped: true, examples: [] }),
  (count) => ({ code: "files-unproven", count }),
  (count) => ({ code: "frame-texts-empty", count }),
  (count) => ({ code: "serials", rows: count, form: "12 letters", tries: 1e6 }),
];

const said = (count: number): string[] =>
  counted
    .map((note) => note(count))
    .flatMap((note) => [sayNote(notesInEnglish, note), sayNote(notesInGerman, note)]);

test("one is one", () => {
  for (const text of said(1)) {
    expect(text).not.toMatch(
      /\b1 (?:codes|files|changes|random serials|new codes|Codes|Dateien|Änderungen|zufällige Seriennummern)\b/u,
    );
  }
});

test("many are many, written as the language has it", () => {
  expect(said(1200).filter((text) => !/1[.,]200/u.test(text))).toEqual([]);
});

test("the row of a numbered file is named in German", () => {
  const note: PlanNote = { code: "renamed-files", count: 1, examples: ["line 8: a -> a-2"] };
  expect(sayNote(notesInGerman, note)).toContain(": Zeile 8: a -> a-2");
});

test("of many colours the first are listed, and the others counted", () => {
  const inks = Array.from({ length: 40 }, (_, n) => ({
    color: `#0000${n + 10}`,
    ink: "K100",
    isDull: false,
  }));
  const text = sayNote(notesInEnglish, { code: "design-inks", inks });
  expect(text).toContain("#000015 as K100, and 34 more colours.");
});

test("a row that is known by all that it says is named by its beginning", () => {
  const row = `Anna / ${JSON.stringify({ position: "x".repeat(200) })}`;
  const examples = [{ file: "a.pdf", sizePt: 8, row }];
  const text = sayNote(notesInEnglish, { code: "caption-size", count: 1, examples });
  expect(text.length).toBeLessThan(140);
});

test("a size that all captions take is no single row's", () => {
  const examples = [{ file: "a.pdf", sizePt: 8, row: "F0", isOfAll: true as const }];
  const note = { code: "caption-size", count: 1, examples } as const;
  const texts = [notesInEnglish, notesInGerman].map((words) => sayNote(words, note));
  expect(texts).toEqual([
    "All captions of a PDF have one size: 8 pt in a.pdf, since no label has room for more.",
    "Alle Texte einer PDF haben eine Größe: 8 pt in a.pdf, denn mehr hat auf keinem Etikett Platz.",
  ]);
});

test("a plan's notes name days as the language does, and codes once", () => {
  const window = "2026-11-16 to 2026-11-22";
  expect(sayNote(notesInGerman, { code: "scans-of", window })).toBe(
    "Scans von 16.11.2026 bis 22.11.2026.",
  );
  const grades = { code: "grades", grade: 4, limit: "contrast", count: 300, of: 300 } as const;
  expect(sayNote(notesInEnglish, grades)).toBe(
    "Verifiers are expected to grade 4.0 (A) for all 300 codes.",
  );
});

test("a page of a scan in one PDF is named in the language of the page", () => {
  const names = [en, de].map(({ scan }) => scan.picture("scans/sheets 1.pdf page 12"));
  expect(names).toEqual(["scans/sheets 1.pdf, page 12", "scans/sheets 1.pdf, Seite 12"]);
  expect(de.scan.picture("page 1.png")).toBe("page 1.png");
});

test("what the desk makes is called as the console calls it", () => {
  expect(de.kinds.pages).toBe(consoleWords.pages.title);
  expect(de.wizard.things.page).toContain("Eine Landeseite");
});

test("a job is called as the page calls it where it is begun", () => {
  for (const words of [en, de]) expect(words.kinds.export).toBe(words.wizard.plainKinds.export);
  const hint =
    "give code.design of this job the same look, or print these codes by a job of kind export";
  expect(reasonInGerman(hint)).toContain(`„${de.kinds.export}“`);
});

const named = (field: string, value: string): boolean =>
  consoleInGerman.code.lookOf(field, value) !== value &&
  de.label.choices[field]?.[value] !== undefined;

test("patterns, eyes and frames have German names at the desk and in the console", () => {
  const unnamed = Object.entries({ pattern: patterns, eye_style: eyeStyles, frame: frames })
    .flatMap(([field, values]) => values.map((value) => [field, value] as const))
    .filter(([field, value]) => !named(field, value));
  expect(unnamed).toEqual([]);
});
