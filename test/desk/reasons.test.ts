/** What is wrong with rows, in the language of the desk. */
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";

import { expect, test } from "vitest";

import type { AppError } from "../../src/base/errors.ts";
import {
  type PressWarning,
  sayPressWarning,
  toPressHint,
} from "../../src/base/shapes/press-warning.ts";
import { loadJob } from "../../src/kinds/manifest.ts";
import { findFrameSwap, warnOfTemplateFrames } from "../../src/plan/frame-swap.ts";
import { judgeLink } from "../../src/plan/odd-link.ts";
import { findOddText, networkFaultOf } from "../../src/plan/odd-text.ts";
import { listSheets } from "../../src/print/layout/sheet-files.ts";
import { Problems } from "../../src/desk/view/problems.tsx";
import { de } from "../../src/desk/words/de.ts";
import { en } from "../../src/desk/words/en.ts";
import { notesInGerman } from "../../src/desk/words/notes.ts";
import { reasonInGerman } from "../../src/desk/words/reasons.ts";
import { Notes } from "../../src/read/cells/notes.ts";
import type { Wanted } from "../../src/state/row.ts";

/** Texts of rules and hints in a source file, without those that are put together. */
const writtenIn = (file: string): string[] =>
  [
    ...readFileSync(new URL(`../../${file}`, import.meta.url), "utf8").matchAll(
      /(?:(?:rule|hint):|(?:HINT|FIX_CELL|WRITE_ISO) =|\breturn|\?)\s+"([^"]+ [^"]+)"/gu,
    ),
  ].map(([, text = ""]) => text);

test.each(["src/read/cells/cell-types.ts", "src/read/rows/rows.ts", "src/gs1/check-digit.ts"])(
  "every rule and hint of %s has German words",
  (file) => {
    const texts = writtenIn(file);
    expect(texts.length).toBeGreaterThan(1);
    expect(texts.filter((text) => reasonInGerman(text) === undefined)).toEqual([]);
  },
);

const isMixed = (text = "got"): boolean => /got|nicht an? |text in|commands/u.test(text);

test("every file that is no spreadsheet is named in German, with what to do", () => {
  const source = ["files/sniff", "xlsx/xlsx-package", "table"]
    .map((name) => readFileSync(new URL(`../../src/read/${name}.ts`, import.meta.url), "utf8"))
    .join("");
  const kinds = /"(an? [A-Za-z0-9][^"]*|text in [^"]+|SQL commands)"/gu;
  const whats = [...source.matchAll(kinds)].map(([, what = ""]) => what);
  expect(whats.length).toBeGreaterThan(40);
  const said = whats.map((what) => reasonInGerman(`source must be CSV or XLSX, got ${what}: a.b`));
  expect(whats.filter((_, at) => isMixed(said[at]))).toEqual([]);
  const hints = [...source.matchAll(/"((?:save|open|choose|ask|unpack|export) [^"]+)"/gu)];
  expect(hints.length).toBeGreaterThan(12);
  expect(hints.filter(([, hint = ""]) => reasonInGerman(hint) === undefined)).toEqual([]);
});

test("links that no phone opens, and quotes that never close, are named in German", () => {
  const links = [
    `https://a.example/${"x".repeat(5000)}`,
    "https://a.example/a b",
    "https://a.example/a\tb",
    "news:a.example",
  ];
  const found = links.flatMap((qrData) => {
    const wanted = { type: "Link", qrData, dynamic: false } as Wanted;
    return [...judgeLink(wanted, {}).refused, ...judgeLink(wanted, { baseUrl: "x" }).doubted];
  });
  expect(found).toHaveLength(8);
  const files = ["csv/csv", "header/start"].flatMap((name) => [
    ...readFileSync(new URL(`../../src/read/${name}.ts`, import.meta.url), "utf8").matchAll(
      /[`"]((?:quote must|row must have at most|check that it is) [^`"]+)[`"]/gu,
    ),
  ]);
  expect(files.length).toBeGreaterThan(3);
  const texts = [
    ...found.flatMap(({ message, hint = "" }) => [message, hint]),
    ...files.map(([, text = ""]) => text.replaceAll(/\$\{[^}]+\}/gu, "7")),
  ];
  const german = texts.map((text) => reasonInGerman(text) ?? text);
  expect(
    german.filter((text) => /\b(?:must|write|server|holds|quote|row|check)\b/u.test(text)),
  ).toEqual([]);
});

test("what does not fit where labels are accounted for has German words", () => {
  const source = ["reconcile", "sum-units"]
    .map((name) => readFileSync(new URL(`../../src/pipeline/units/${name}.ts`, import.meta.url)))
    .join("");
  const written =
    /(?:add\(|what =|bad =|SAME_TEXT =|CELLS =|CELL =|lost\)?:|vanished:)\s*["`]([^"`\n]{12,})["`]/gu;
  const texts = [...source.matchAll(written)]
    .map(([, text = ""]) => text)
    // Words of other rooms are told there.
    .filter((text) => !text.startsWith("${"));
  expect(texts.length).toBeGreaterThan(15);
  const said = texts.map((text) =>
    text
      .replaceAll("${next}", "replace them")
      .replaceAll("${gone}", "no longer in the spreadsheet")
      .replaceAll(/\$\{[^}]*\}/gu, "x"),
  );
  // The first part of a longer one.
  const whole = said.map((text) =>
    text.endsWith("there are rows") ? `${text}: run the job` : text,
  );
  const untold = whole.filter((text) => reasonInGerman(`${text} (1,002): A-1; A-2`) === undefined);
  expect(untold).toEqual([]);
  expect(
    reasonInGerman(
      "codes live on whose rows are no longer in the spreadsheet; to file or delete them: makeready retire ex.yaml (1): 010",
    ),
  ).toBe(
    "Codes bleiben, deren Zeilen nicht mehr in der Tabelle stehen; ablegen oder löschen mit: makeready retire ex.yaml (1): 010",
  );
});

test("every warning and hint about a workbook as a whole has German words", () => {
  const source = ["xlsx-open", "merged-cells"]
    .map((name) => readFileSync(new URL(`../../src/read/xlsx/${name}.ts`, import.meta.url), "utf8"))
    .join("")
    .replaceAll("${where}", "2 rows");
  const code = source.replaceAll(/\/\*\*.*?\*\/|\/\/[^\n]*/gsu, "");
  const quoted = /"([^"`\n]+)"/gu;
  const texts = [
    ...[...code.matchAll(/`([^`]+)`/gu)].map(([, text = ""]) => text),
    ...[...code.replaceAll(/`[^`]+`/gu, "").matchAll(quoted)].map(([, text = ""]) => text),
  ].map((text) => text.replaceAll(/\$\{[^}]+\}/gu, "7"));
  const warnings = texts.filter(
    (text) =>
      text.split(" ").length > 3 && !/^sheets:|must (?:be|have|hold)|^save it as/u.test(text),
  );
  expect(warnings.length).toBeGreaterThan(17);
  expect(warnings.filter((text) => reasonInGerman(text) === undefined)).toEqual([]);
});

test("sheets that are cut, and warnings without lists of looks, have German words", async () => {
  const titles = (await listSheets()).map(({ title }) => title);
  const cut = titles.filter((title) => title.endsWith("to be cut"));
  expect(cut.length).toBeGreaterThan(9);
  for (const title of cut) expect(reasonInGerman(title)).toMatch(/ auf .*\w, zum Schneiden$/u);
  const codes = [
    "codes-blackened",
    "codes-hard-to-scan",
    "captions-left-out",
    "lines-left-out",
    "captions-cut",
    "characters-replaced",
    "labels-differ",
    "sheet-warnings",
  ] as const;
  const said = codes.flatMap((code) =>
    [1, 2].flatMap((count) =>
      [[], ["A"], ["A", "B", "C"]].map((rows) =>
        sayPressWarning({ code, count: Math.max(count, rows.length), rows, what: [] }),
      ),
    ),
  );
  const hinted = codes.flatMap((code) => toPressHint({ code, count: 1, rows: [], what: [] }) ?? []);
  const texts = [...cut, ...said, ...hinted];
  expect(texts.filter((text) => reasonInGerman(text) === undefined)).toEqual([]);
});

test("what is not as wanted on sheets is said in German, with its rows and looks", () => {
  const lines = ["A-1 (line 2)", "A-2 (line 3)", "A-3 (line 4)"];
  const codes = [
    ["rows-missing", ["line 2", "line 3", "line 4"]],
    ["rows-kept", lines],
    ["changes-refused", lines],
    ["files-missing", lines],
    ["codes-gone", []],
    ["codes-lead-here", lines],
    ["codes-lead-nowhere", ["https://example.com/1", ...lines]],
    ["codes-lead-to-phone", ["http://localhost/1", ...lines]],
    ["codes-plain", ["colours", "frame", "frame text"]],
    ["codes-simpler", ["logo"]],
    ["codes-void", lines],
    ["captions-small", ["5.5 pt"]],
    ["frame-text-small", ["3.2 pt"]],
    ["frame-text-pale", []],
    ["codes-blackened", []],
    ["grades-low", ["B", "C (A-1)", ""]],
    ["pictures-converted", ["a.jpg"]],
    ["proof-warnings", ["rule images"]],
    ["marks-left-out", ["crop marks"]],
    ["labels-changed", ["a.pdf"]],
    ["labels-cut-short", ["a.pdf"]],
    ["codes-designed-since", ["colours", "frame"]],
    ["codes-otherwise", ["pattern"]],
    ["pictures-otherwise", ["pattern"]],
    ["pictures-as-made", ["pattern"]],
    ["pictures-as-there", ["pattern"]],
    ["codes-redrawn", ["…"]],
    ["codes-other-matrix", ["M"]],
    ["codes-no-room", ["frame", "design"]],
    ["logos-as-pictures", ["a.svg", "b.svg"]],
    ["colours-by-fogra39", ["a.icc", "b.icc"]],
  ] as const;
  const warnings = codes.flatMap(([code, what]) =>
    [1, 4].map((count) => ({ code, count, rows: [], what: what.slice(0, count + 1) })),
  );
  const texts = warnings.flatMap((one) => [sayPressWarning(one), toPressHint(one) ?? ""]);
  expect(texts.filter((text) => text !== "" && reasonInGerman(text) === undefined)).toEqual([]);
  const english = /\b(?:and|more|line|frame|(?<!code\.)design|without|its|their)\b/u;
  const german = texts.map((text) => reasonInGerman(text) ?? "");
  expect(german.filter((text) => english.test(text))).toEqual([]);
  // Rows by their keys, which are no lines.
  const keyed = sayPressWarning({
    code: "codes-no-room",
    count: 3,
    rows: ["A", "B", "C"],
    what: ["design"],
  });
  expect(reasonInGerman(keyed)).toBe(
    "3 Codes werden gedruckt ohne Gestaltung: Es ist kein Platz (Schlüssel A, B, C)",
  );
  // Sheets of an older makeready keep it so.
  expect(sayPressWarning({ code: "codes-no-room", count: 1, rows: [], what: ["its frame"] })).toBe(
    "1 code is printed without its frame: there is no room",
  );
});

test("networks that no phone joins are told in German, in the plan and before printing", () => {
  const codes = [
    "WIFI:T:WPA;S:a;P:1234567;;",
    "WIFI:S:a;P:secretpass;;",
    "WIFI:T:nopass;S:a;P:secretpass;;",
    "WIFI:T:WEP;S:a;P:;;",
    "WIFI:T:WPA;S:a;P:kein Passwort;;",
    "WIFI:T:WPA;S:;P:12345678;;",
    "wifi:T:WPA;S:a;P:12345678;;",
    "WIFI:T:WPA;S:a;P:1234;5678;;",
  ];
  const texts = codes.flatMap((qrData) => {
    const wanted = { type: "Text", qrData } as Wanted;
    const [{ message, hint } = { message: "", hint: "" }] = findOddText(wanted);
    const what = [networkFaultOf(wanted) ?? "", "a (line 2)", "b (line 3)", "c (line 4)"];
    const before = [1, 9].map((count) => {
      const warning = { code: "networks-dead", count, rows: [], what: what.slice(0, count + 1) };
      return warning as PressWarning;
    });
    const said = before.flatMap((one) => [sayPressWarning(one), toPressHint(one) ?? ""]);
    return [message, `${message}; and 3 more like it`, hint ?? "", ...said];
  });
  expect(texts.filter((text) => reasonInGerman(text) === undefined)).toEqual([]);
  const german = texts.map((text) => reasonInGerman(text) ?? "");
  expect(german.filter((text) => /\b(?:and|line|must|network)\b/u.test(text))).toEqual([]);
});

test.each([
  [
    "2 codes lead to a placeholder, such as https://example.com/1, where nobody's site is: 1 (line 2) and 3 (line 4)",
    "2 Codes führen zu einem Platzhalter wie https://example.com/1, wo niemand eine Website hat: 1 (Zeile 2) und 3 (Zeile 4)",
  ],
  [
    "5 rows of the job are missing: line 2, line 3, line 4 and 2 more",
    "5 Zeilen des Auftrags fehlen: Zeile 2, Zeile 3, Zeile 4 und 2 weitere",
  ],
  [
    "the sheets print 2 codes plain black: without colours, frame and frame text",
    "Die Bogen drucken 2 Codes einfach schwarz: ohne Farben, Rahmen und Rahmentext",
  ],
  [
    'must be a URL without spaces and invisible characters, got "https://a b"',
    'muss eine Webadresse (URL) ohne Leerzeichen und unsichtbare Zeichen sein; hier steht "https://a b"',
  ],
  [
    "1 mended row is not used, since the spreadsheet has changed there: line 8",
    "1 verbesserte Zeile wird nicht verwendet, denn die Tabelle hat sich dort geändert: Zeile 8",
  ],
  ['must be a URL, got "htp://a"', 'muss eine Webadresse (URL) sein; hier steht "htp://a"'],
  [
    'must be a GTIN with a right check digit (5 at the end), got "4006381333932"',
    'muss eine GTIN mit richtiger Prüfziffer sein (5 am Ende); hier steht "4006381333932"',
  ],
  [
    'key [site, table] must be unique, got "Nord / 12" again (first on line 4)',
    'Der Schlüssel [site, table] muss eindeutig sein; "Nord / 12" steht noch einmal da (zuerst: Zeile 4)',
  ],
  [
    'key [row] must be unique, got "1" again (first on row A-1)',
    'Der Schlüssel [row] muss eindeutig sein; "1" steht noch einmal da (zuerst: Zeile A-1)',
  ],
  [
    "header must have the required columns, but row is missing; it has: line",
    "Die Kopfzeile muss die nötigen Spalten haben; row fehlt; sie hat: line",
  ],
  [
    "headers found: line 1, line 2, … and 1,240 more",
    "Spalten der Datei: line 1, line 2, … und 1.240 weitere",
  ],
  ["columns: line 1, line 2", "Spalten: line 1, line 2"],
  [
    'must be a URL, got "visit us at https://a.example"',
    'muss eine Webadresse (URL) sein; hier steht "visit us at https://a.example"',
  ],
  [
    'must be a URL, got "from a to b instead of c"',
    'muss eine Webadresse (URL) sein; hier steht "from a to b instead of c"',
  ],
  [
    'row 2: caption line "北" is left out: no font has 北 U+5317, 京 U+4EAC and 1,240 more; name one that does in output.sheets.fonts',
    'Zeile 2: die Textzeile "北" bleibt weg: Kein Font hat 北 U+5317, 京 U+4EAC und 1.240 weitere; einen, der sie hat, in output.sheets.fonts nennen',
  ],
  [
    "cells A1,B2 and 3 more are merged: only the first one has the text",
    "Die Zellen A1,B2 und 3 weitere sind verbunden: Nur die erste hat den Text",
  ],
  [
    'row must have 3 cells, as the header has, got 5; too many: "a", "b"',
    'Die Zeile muss 3 Zellen haben wie die Kopfzeile, hat aber 5; zu viel: "a", "b"',
  ],
  [
    'row must have 3 cells, as the header has, got 4; too many: "extra" in column D',
    'Die Zeile muss 3 Zellen haben wie die Kopfzeile, hat aber 4; zu viel: "extra" in Spalte D',
  ],
  ["must not be empty", "darf nicht leer sein"],
  [
    "the server at a.example does not know the token of /b/tok.txt (401)",
    "Der Server unter a.example kennt das Token aus /b/tok.txt nicht (401)",
  ],
  [
    "1 code has colours that many scanners don't read (row A)",
    "1 Code hat Farben, die viele Scanner nicht lesen (Schlüssel A)",
  ],
  [
    "24 labels of 63.5 x 33.9 mm on plain A4, to be cut",
    "24 Etiketten von 63,5 × 33,9 mm auf unbedrucktem A4, zum Schneiden",
  ],
  [
    "row makes the same code as an earlier one, and gets one of its own; and 2 more like it",
    "Aus der Zeile wird derselbe Code wie aus einer früheren, als eigener; und 2 weitere ebenso",
  ],
  [
    "line 4 makes it: delete one of the rows, or let source.key name a column that tells them apart",
    "Zeile 4 ergibt ihn schon: eine der Zeilen löschen, oder unter source.key eine Spalte nennen, die sie unterscheidet",
  ],
  [
    'row 003: file must be as it was written, got other bytes: code must say "A", got "B"',
    'Zeile 003: Die Datei ist nicht mehr, wie sie geschrieben wurde: Der Code muss "A" sagen und sagt "B"',
  ],
  ["nothing is printed there", "dort ist nichts gedruckt"],
  ["holds the code of row A-1", "trägt den Code der Zeile A-1"],
  [
    "is read with 12 % of its error correction left",
    "ist zu lesen, aber nur 12 % seiner Fehlerkorrektur sind übrig",
  ],
  [
    "begin it with https://, as in https://www.a.de/x",
    "Mit https:// beginnen, wie in https://www.a.de/x",
  ],
])("%s", (english, german) => {
  expect(reasonInGerman(english)).toBe(german);
});

test.each(["must be a URL or a file", "must not be emptyish", "", 'something else, got "x"'])(
  "%j has no German words, and stays as it is",
  (text) => {
    expect(reasonInGerman(text)).toBeUndefined();
  },
);

const notes = [
  "quote",
  "loose",
  "header",
  "lost",
  "invisible",
  "local",
  "truth",
  "hidden",
  "rewritten",
  "shortened",
  "marked",
];

test.each(notes as readonly Parameters<Notes["add"]>[0][])(
  "the note of %s cells has German words, for one and for many",
  (kind) => {
    const texts = ["hidden", "rewritten", "shortened", "marked"].includes(kind)
      ? ["1,5", "1.5"]
      : ["a"];
    const examples = kind === "hidden" ? [texts, ["1E+12", "1234567890123"]] : [texts];
    for (const example of kind === "header" ? [[]] : examples)
      for (const count of [1, 1200]) {
        const found = new Notes();
        for (let line = 2; line < count + 2; line += 1)
          found.add(kind, { line, column: "Preis" }, ...example);
        for (const { message, hint = "" } of found.list()) {
          expect(reasonInGerman(message), message).toMatch(
            count === 1 ? /^Die Ze/u : /^1\.200 Ze/u,
          );
          expect(reasonInGerman(hint), hint).toBeDefined();
        }
      }
  },
);

test("what a label makes idle, and a share that is none, are said in German", () => {
  for (const [fields, verb] of [
    ["caption", "changes"],
    ["caption, caption_size", "change"],
  ] as const)
    expect(
      reasonInGerman(
        `output.sheets.label says all that stands on a label: ${fields} beside it ${verb} nothing`,
      ),
    ).toMatch(new RegExp(`nichts ändert daneben ${fields}$`, "u"));
  expect(reasonInGerman('must be a share of the rows, like "2%", got "viel"')).toBe(
    'muss ein Anteil der Zeilen wie „2 %“ sein; hier steht "viel"',
  );
});

test("mistakes of a manifest and how to mend them are said in German", async () => {
  const file = path.join(mkdtempSync(path.join(os.tmpdir(), "makeready-reasons-")), "a.yaml");
  writeFileSync(
    file,
    `version: 1
kind: codes
token: abc
name: { a: b }
source: { file: a.csv, key: 5, columns: { url: url }, header_row: "2", gues: true }
code: { type: Lnk, dynamic: yes, qr_data: [a], display_name: "x", design: plain }
output: { files: svg, zip: 3, sheets: { sheet: { label: 63.5 x 33.9 }, margins: [1] } }
`,
  );
  const refused: unknown = await loadJob(file, { env: {} }).catch((error: unknown) => error);
  const { problems } = refused as AppError;
  const texts = problems.flatMap(({ message, hint = "" }) => [message, hint]);
  const untold = texts.filter((text) => text !== "" && reasonInGerman(text) === undefined);
  expect(untold).toEqual([]);
  expect(texts.length).toBeGreaterThan(16);
  expect(reasonInGerman('output.files must be a list, got "svg"')).toBe(
    'output.files muss eine Liste sein; hier steht "svg"',
  );
  expect(reasonInGerman('sheet must be one of the workbook\'s, got "May"')).toBe(
    'Das Blatt muss eines der Arbeitsmappe sein, nicht "May"',
  );
});

function show(words: typeof en, ...messages: readonly string[]): Promise<string> {
  const problems = messages.map((message) => ({ message }));
  const node = Problems({ words, problems }) as { toString: () => string | Promise<string> };
  return Promise.resolve(node.toString());
}

test("the page says that some messages are English only where one is", async () => {
  const known = "must not be empty";
  expect(await show(de, known)).not.toContain("englisch");
  expect(await show(de, known, "must be unheard of")).toContain("sind englisch.");
  expect(await show(de, known, "must be unheard of")).toContain(
    '<span lang="en">must be unheard of<',
  );
  expect(await show(en, known, "must be unheard of")).not.toMatch(/englisch|lang=/u);
});

test("what is meant for manifests is left out of the hint at columns", () => {
  const how = 'or give the text: label: { template: asset-tag, texts: { title: "{{ COLUMN }}" } }';
  expect(reasonInGerman(`columns: Nr, Titel; ${how}`)).toBe(
    "Spalten: Nr, Titel. Auch ein fester Text geht",
  );
  expect(reasonInGerman(`did you mean "Titel"? columns: Nr, Titel; ${how}`)).toBe(
    'Gemeint ist vielleicht "Titel"? Spalten: Nr, Titel. Auch ein fester Text geht',
  );
  expect(en.reason(`did you mean "Titel"? columns: Nr, Titel; ${how}`)).toBe(
    'did you mean "Titel"? columns: Nr, Titel. A fixed text will do, too',
  );
});

test("sizes of a label have the names of the page, also where a message names them without their place", async () => {
  const coarse = "device_dpi 203 is coarse: X can only be a multiple of 0.125 mm";
  expect(await show(en, coarse)).toContain("“Dots per inch of the printer” 203 is coarse");
  expect(await show(de, coarse)).toContain("„Punkte je Zoll des Druckers“ 203 ist grob");
  const cell = 'must be a whole number, got "device_dpi"';
  expect(await show(en, cell)).toContain("got &quot;device_dpi&quot;");
});

test.each([
  "the service in /data must have the codes of this job, but no longer has 2 of 120 codes: A, B and others; their short links lead nowhere",
  "if its data comes from a backup, restore a newer one; if somebody deleted them on purpose, take their rows out of the source; to make the codes that are gone anew: makeready retry job.yaml (printed labels of those that are gone stay dead)",
  '1 code leads elsewhere than this job made it: "A" (line 2) to https://b.example instead of https://a.example. The answer to a change was lost, or another job or a person has changed it since; the index has the old destination',
  "1 code leads elsewhere than this job made it: line 8 to https://b.example instead of https://a.example. The answer to a change was lost, or another job or a person has changed it since; the index has the old destination",
  'labels to print again must have codes that work, but the server no longer has the code of "A": its label leads nowhere',
  "the code is gone",
  "the file must be CSV, TSV or XLSX, got alt.xls",
  "source must have rows, got an empty file: a.csv",
  "/data must hold codes to select from, got no data",
  "run a job that makes codes first, or name a server with --base-url",
  "source file must be readable, but access is denied (EACCES): a.csv",
  "source file must be readable, but another program uses it (EBUSY): a.csv",
  "close the programs that use the file, or let this user read it, and try again",
  "source must have rows, got only a header: a.csv",
  'header must have the required columns, but "name" is missing; it has: "x"',
  "a file must be sent or chosen, got none",
  "lines are those of the spreadsheet, header and blank lines counted",
  "a.csv: scan must be PNG, JPEG, WebP, TIFF or PDF, got something else",
  "rename the columns in the file, or add their headers to the aliases in source.columns",
  "line 3 looks like a row: put a line with the names above it: room",
  "line 2 is taken as the header, since line 3 has no names of columns",
  'column "room" is used, but the file has none of that name: it is empty in every row',
  'column "room" is used, but the file has none of that name: it is "A", its default, in every row',
  'column "room" is read from "Raum", not from "Zimmer"',
  "remove one of the two from the aliases",
  "headers found: Name, Link",
  'did you mean "Raum"? add it to the aliases of room',
  "header_row must be a line with headers, got line 3, which is blank",
  "line 3 looks like a row, and header_row in source names it: let it name the line with room",
  'the label of 1 row ("2") must show characters that no font has: ☕ U+2615; name fonts that have them in output.sheets.fonts, or the labels show \u{FFFD} in their place',
  'the labels of 2 rows ("2", "3") must show characters that no font has: 北 U+5317; name fonts that have them in output.sheets.fonts, or the lines in such scripts are left out',
  'the labels of 4 rows ("2", "3", "4" and 1 more) must show characters that no font has: ☕ U+2615, 北 U+5317; name fonts that have them in output.sheets.fonts, or lines in scripts that no font has are left out, and the labels show \u{FFFD} for other characters',
  'row 2: caption line "北京" is left out: no font has 北 U+5317; name one that does in output.sheets.fonts',
  'row 3: text of the label "Bar ☕" shows \u{FFFD} for some characters: no font has ☕ U+2615; name one that does in output.sheets.fonts',
  'row 4: caption "Hof: is left out" does not fit at 4 pt and was cut',
  "the server at https://x.example must have the codes of this job, but no longer has 2 of the last 8 codes: A, B; their short links lead nowhere",
  "if its data comes from a backup, restore a newer one; if somebody deleted it on purpose, note that it is void: makeready void JOB --key KEY; to make the codes that are gone anew: makeready retry 'a (1).yaml' (printed labels of those that are gone stay dead)",
  "if its data comes from a backup, restore a newer one; to go on without them: makeready run JOB; to make them anew: makeready retry of the job that made them (printed labels of those that are gone stay dead)",
  "it has those again that these rows had before; to take them back: makeready retry JOB (printed labels of the others stay dead)",
  '2 products lead elsewhere than this job made them: line 2 to https://b.example instead of https://a.example, "B" to https://b.example instead of https://a.example. The answer to a change was lost, or another job or a person has changed them since',
  '2 codes have another name or folder than this job gave them: line 3 the name "Renamed" instead of "A-02" and the folder none instead of "X", A-3 (line 4) the folder "Y" instead of "X". The answer to a change was lost, or another job or a person has changed them since; the index has the old name and folder',
  "to keep this, write the new name into the rows; to take it back, undo the other job",
  "to take it back, make it lead to the old destination again, in the console or by a job of kind retarget",
  "safety.confirm_over allows 5 changes without a yes, and this would make or change 11 codes",
  "look first: makeready plan job.yaml; then: makeready retry job.yaml --yes; on a schedule: schedule: { yes: true } in the manifest",
  ...[
    "1 code of this job, A: a retry makes it",
    "2 codes of this job, A, B and others: a retry makes them",
  ].map((codes) => `the service no longer has ${codes} anew`),
  "printed labels of them stay dead",
  "1 page is still there, A at http://a.example/page/x: a page gets no new code, so a retry makes another page",
  "4 pages are still there, A at http://a.example/page/x, B at http://a.example/page/y and others: a page gets no new code, so a retry makes other pages",
  "a slug that it has stays taken: write another one into the row",
  "a slug that they have stays taken: write another one into the row",
  "it answers at the old address as before",
  "they answer at the old addresses as before",
  "1 form is still there, A: it gets a new code, and keeps its answers",
  "2 forms are still there, A, B: they get new codes, and keep their answers",
  "1 code is void and gone, A: a retry makes none anew",
  "2 codes are void and gone, A, B: a retry makes none anew",
  "/data/out is in use by process 12 on here",
  "/data/out is in use by another process",
  "/data/service.db must be a whole database, got file is not a database",
  "/data/out/state.db must be used with server https://a.example/api/v2, got embedded",
  "set MAKEREADY_BASE_URL to https://a.example/api/v2. Where it is the same server under another address, or the data of the job is served there now, add --change-server to plan or run. Another output folder (--out) makes every code a second time",
  "label, item 2 (symbol) has bars of about 16.0 mm; GS1 asks for 17.5 mm at X 0.381 mm in retail, lower ones take several tries where a scanner does not see them straight",
  "label, item 2 (code) lies 60 mm from the EAN-13, middle to middle; tills look for both within 50 mm",
  "label, item 2 (code) has a symbol contrast of about 60%; 70% are wanted for grade A",
  "code_style can hardly be seen by scanners with red light (contrast about 20%); phones read it",
  'lines are read as one column of addresses, but "," parts them as well',
  "spoiled labels of earlier scans are not kept: spoiled.csv can't be read as their list",
  "line 2 can't be made",
  "serial 7K2M9 can't be made",
  "the job must have a good row, got none",
  "the data of the service in /data must be readable, got: file is not a database",
  "/data/out is in use by process 12 on here, which reads its rows",
  "wait until that run has ended, or stop it; its state is safe either way",
  "row must be readable in one way, got a cell that may be one text of 2 lines, or end on the first line and be followed by 1 other row",
  "row must be readable in one way, got a cell that may be one text of 3 lines, or end on the first line and be followed by 2 other rows",
  'if they are rows, double each quote that belongs to a text: "24"""; if it is a text, put a blank behind each of its quotes and delimiters',
])("%s is said in German, without a command", (text) => {
  expect(reasonInGerman(text)).toBeDefined();
  expect(reasonInGerman(text)).not.toMatch(
    /makeready|and others| to https| at https?:| instead of |\bline\b|\bthe\b|process\b/u,
  );
});

test("items of a label are German, columns of their names stay as they are", () => {
  const item =
    "back.label, item 2 (symbol) has a symbol contrast of about 60%; 70% are wanted for grade A";
  expect(reasonInGerman(item)).toContain("Rückseite, Teil 2 (Symbol): Der Kontrast");
  for (const name of ["code", "label", "symbol"]) {
    const twice = `header must name each used column once, got "${name}" twice`;
    expect(reasonInGerman(twice)).toContain(`„${name}“`);
  }
});

const ofTemplate = (design: object, count: number) =>
  warnOfTemplateFrames(
    { file: "a.yaml" },
    [{ design: { template: "ticket", ...design }, count, rows: ["A-1", "A-2"].slice(0, count) }],
    () => ("frame" in design ? { text: "SCAN ME" } : { frame: "swirl", text: "SCAN ME" }),
  );

test("frames that show no text have the names of the label page, and what to do is German", () => {
  const swaps = [
    ...[findFrameSwap({ frame: "round-frame", text: "SCAN ME" })].flatMap((one) => one ?? []),
    ...[1, 2].flatMap((count) => [
      ...ofTemplate({}, count),
      ...ofTemplate({ frame: "burst" }, count),
    ]),
  ];
  expect(swaps.map(({ message }) => reasonInGerman(message))).toEqual([
    "Der Rahmen „runder Rahmen“ zeigt keinen Text: Der Code bekommt stattdessen den Rahmen „Karte, Text unten“",
    "Der Rahmen „Wirbel“ der Gestaltung „Ticket: CHECK IN“ zeigt keinen Text: 1 Code bekommt stattdessen den Rahmen „Karte, Text unten“ (Schlüssel A-1)",
    "Der Rahmen „Strahlenkranz“ zeigt keinen Text der Gestaltung „Ticket: CHECK IN“: 1 Code bekommt stattdessen den Rahmen „Karte, Text unten“ (Schlüssel A-1)",
    "Der Rahmen „Wirbel“ der Gestaltung „Ticket: CHECK IN“ zeigt keinen Text: 2 Codes bekommen stattdessen den Rahmen „Karte, Text unten“ (Schlüssel A-1, A-2)",
    "Der Rahmen „Strahlenkranz“ zeigt keinen Text der Gestaltung „Ticket: CHECK IN“: 2 Codes bekommen stattdessen den Rahmen „Karte, Text unten“ (Schlüssel A-1, A-2)",
  ]);
  expect(new Set(swaps.map(({ hint = "" }) => reasonInGerman(hint)))).toEqual(
    new Set([
      "Einen dieser Rahmen nehmen: „Sprechblase, Text unten“, „Sprechblase, Text oben“, „Karte, Text unten“, „Karte, Text oben“, „Rahmen mit Text“; oder den Text weglassen",
    ]),
  );
  expect(
    notesInGerman["least-width"]({
      code: "least-width",
      frame: "card",
      codeMm: 15.6,
      textMm: undefined,
    }),
  ).toContain("Rahmen „Karte, Text unten“ mindestens 15,6 mm");
});

test("what a label has no room for is told in whole sentences", () => {
  expect(
    reasonInGerman(
      "output.sheets.safe_mm must leave room for a code on a label of 38.1 × 21.2 mm, got 12.5 mm clear of every edge",
    ),
  ).toBe(
    "output.sheets.safe_mm muss auf einem Etikett von 38,1 × 21,2 mm Platz für einen Code lassen; an jeder Kante sollen 12,5 mm frei bleiben",
  );
});

test.each([
  [
    "its code is printed without its design: the label has no room for it",
    "Ihr Code wird ohne Gestaltung gedruckt: Auf dem Etikett ist kein Platz dafür",
  ],
  [
    "its code is printed without its frame: the label has no room for it",
    "Ihr Code wird ohne Rahmen gedruckt: Auf dem Etikett ist kein Platz dafür",
  ],
  [
    "its code is printed black: in inks of the press its colours are too much alike",
    "Ihr Code wird schwarz gedruckt: In Druckfarben sind seine Farben einander zu ähnlich",
  ],
  [
    "the text of its frame has 3.7 pt, smaller than 4 pt",
    "Der Text im Rahmen hat 3,7 pt, weniger als 4 pt",
  ],
  [
    "the text of its frame has nearly the colour that is behind it",
    "Der Text im Rahmen hat fast die Farbe dahinter",
  ],
  [
    "its caption fits at 4.5 pt only, which is hard to read",
    "Ihre Beschriftung hat nur mit 4,5 pt Platz und ist schwer zu lesen",
  ],
  [
    'caption "A" does not fit at 5.5 pt and was cut',
    'Die Beschriftung "A" passt auch mit 5,5 pt nicht und ist gekürzt',
  ],
])("what a label of a proof doesn't show is German: %s", (english, german) => {
  expect(reasonInGerman(`row A-1: ${english}`)).toBe(`Zeile A-1: ${german}`);
});

test.each([
  [
    "a page should have a button, got none: it leads nowhere; and 1,200 more like it",
    "Eine Seite sollte einen Knopf haben; diese führt nirgendwohin; und 1.200 weitere ebenso",
  ],
  [
    'cell has invisible characters; codes and labels get them, too: "a"; and 2 more like it',
    'Die Zelle hat unsichtbare Zeichen; auch Codes und Etiketten bekommen sie: "a"; und 2 weitere ebenso',
  ],
  ["fill a cell that page.links names", "Die Zelle füllen, die einen Knopf nennt (page.links)"],
  [
    'expiry_date (column "Verfall") must be from 1977 to 2076 as YYMMDD, got 2080-02-01: scanners would read 800201 as the year 1980',
    'expiry_date (Spalte "Verfall") muss von 1977 bis 2076 liegen, denn GS1 schreibt Tage als JJMMTT; hier steht 2080-02-01: Scanner würden 800201 als das Jahr 1980 lesen',
  ],
  [
    "GS1 has two digits for the year, which mean 49 years back to 50 ahead: write a nearer date, or leave it out",
    "GS1 hat zwei Ziffern für das Jahr: von vor 49 Jahren bis in 50 Jahren. Ein näheres Datum schreiben oder es weglassen",
  ],
])("rows of pages and dates are told in German: %s", (english, german) => {
  expect(reasonInGerman(english)).toBe(german);
});

test("void codes are named once", () => {
  const warning = { code: "codes-void", count: 1, rows: ["R-3"], what: ["R-3"] } as const;
  const says = sayPressWarning(warning);
  expect(says).toBe("1 void code is printed again: R-3");
  expect(reasonInGerman(says)).toBe("1 ungültiger Code wird noch einmal gedruckt: R-3");
});

test("looks within a German sentence are German", () => {
  const text =
    "the pictures of 1 code show the look that this job gave them, which the service has changed since: colours (row A-1)";
  expect(reasonInGerman(text)).toContain("geändert: Farben");
});

test("a hint names the desk's button in place of the command, also for a file with parentheses", () => {
  const retry =
    "to make the codes that are gone anew: makeready retry 'a (1).yaml' (printed labels stay dead)";
  const button =
    "or click “Make the deleted codes anew”, here or on the result (printed labels stay dead)";
  expect(en.reason(retry)).toBe(button);
  expect(
    en.reason(
      `if somebody deleted it on purpose, note that it is void: makeready void JOB; ${retry}`,
    ),
  ).toBe(
    `if somebody deleted it on purpose, choose its label on the result and “Make the chosen codes void”; ${button}`,
  );
});

test("a hint names the desk's button in place of the command, in English, too", () => {
  const hint =
    "restore it; to make the codes that are gone anew: makeready retry job.yaml (printed labels stay dead)";
  expect(en.reason(hint)).toBe(
    "restore it; or click “Make the deleted codes anew”, here or on the result (printed labels stay dead)",
  );
});

test.each(["constructor", "__proto__", "toString"])(
  "a cell or a column called %s stays what it is in German",
  (name) => {
    expect(reasonInGerman(`must be a URL, got ${name}`)).toContain(`hier steht ${name}`);
    expect(
      reasonInGerman(`key [${name}] must be unique, got ${name} again (first on line 3)`),
    ).toBe(
      `Der Schlüssel [${name}] muss eindeutig sein; ${name} steht noch einmal da (zuerst: Zeile 3)`,
    );
  },
);
