/** The report of a run in the languages of the desk. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

import { expect, test } from "vitest";

import { writeReport } from "../../src/pack/report.ts";
import { tellBegun } from "../../src/pack/tell-begun.ts";
import { inEnglish, type ReportWords } from "../../src/pack/report-words.ts";
import { reportInGerman } from "../../src/desk/words/run-report.ts";
import { reports } from "../pack/full-report.ts";
import { makeScratch } from "../pack/scratch.ts";

const scratch = makeScratch();

/** What is below the head of each page, with the notes on files that a run writes. */
async function makeBodies(words: ReportWords): Promise<string[]> {
  const { notes } = words;
  const pages = [
    notes.pages(4, { isTwoSided: true, isRoll: true }),
    notes.pages(1, { isTwoSided: false, isRoll: false }),
    notes.archive({ entries: 2, leftToDo: 1, leftOut: 2 }),
    notes.certificate,
    notes.kept(Date.UTC(2026, 10, 1)),
  ];
  const file = scratch(`${words.language}.html`);
  const bodies: string[] = [];
  for (const data of reports) {
    const files = pages.map((note) => ({ name: "a.pdf", bytes: 1, sha256: "", note }));
    await writeReport(file, { ...data, files: [...data.files, ...files] }, words);
    for (const step of ["retire", "undo"] as const) {
      if (data === reports[0]) tellBegun(file, { step, command: "makeready" }, words);
    }
    bodies.push(readFileSync(file, "utf8").replace(/^.*<body>/su, ""));
  }
  return bodies;
}

/** Texts and alternative texts that people read. */
const textsOf = (body: string): string[] =>
  [...body.split(/<[^>]*>/u), ...[...body.matchAll(/ alt="([^"]*)"/gu)].map(([, alt = ""]) => alt)]
    .flatMap((text) => text.split("\n"))
    .map((text) => text.trim())
    .filter((text) => /[a-z]{3}/u.test(text));

/** Every text in the data of a report. */
const dataOf = (value: unknown): string[] => {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(dataOf) : [];
};

/** What no language changes. */
const SAME =
  /^(?:Name|Codes?|a\.pdf|s\.example\S+|makeready(?: 0.+)?|\d+ min \d+ s|\d+ h \d+ min)$/u;

test("says in German all that it says in English", async () => {
  const english = await makeBodies(inEnglish);
  const german = await makeBodies(reportInGerman);
  const data = new Set(
    reports.flatMap(({ press: _press, stages: _stages, kind: _kind, ...own }) => dataOf(own)),
  );
  for (const [at, body] of german.entries()) {
    const texts = new Set(textsOf(english[at] ?? ""));
    expect(texts.size).toBeGreaterThan(50);
    const left = textsOf(body).filter((text) => texts.has(text) && !data.has(text));
    expect(left.filter((text) => !SAME.test(text))).toEqual([]);
    expect(body).not.toContain('lang="en"');
    expect(body).not.toMatch(/\d,\d{3}\b|\d\.\d (?:s|MB)\b/u);
  }
});

test("says how many codes of a sampled proof were read, with and without warnings", () => {
  const { press } = reportInGerman.verdicts;
  const warnings = [{ code: "labels-differ" as const, count: 1, rows: [], what: [] }];
  const sampled = { codes: 1240, decoded: 20 };
  const said = "20 von 1.240 Codes gelesen, die übrigen Modul für Modul verglichen";
  expect(
    [[], warnings].map((told) => press({ verdict: "ready-sampled", warnings: told, sampled })),
  ).toEqual([
    `Druckreif nach Stichprobe – ${said}`,
    `Druckreif nach Stichprobe, mit Hinweisen: 1 – ${said}`,
  ]);
});

test("marks what has no German words as English", async () => {
  const file = scratch("odd.html");
  const [data] = reports;
  const warnings = [{ message: "nobody has translated this" }];
  await writeReport(file, { ...data!, warnings }, reportInGerman);
  const page = readFileSync(file, "utf8");
  expect(page).toMatch(/^<!doctype html>\s+<html lang="de">/u);
  expect(page).toContain('<span lang="en">nobody has translated this</span>');
});

// A change of its words or its marks that is meant brings another one.
test("English reports have the bytes that they had before there were German ones", async () => {
  const hash = createHash("sha256")
    .update((await makeBodies(inEnglish)).join(""))
    .digest("hex");
  expect(hash).toBe("c893930277be7ed14ecd6f7f9689407383a8256cd300e09e008a0ef2942bb031");
});
