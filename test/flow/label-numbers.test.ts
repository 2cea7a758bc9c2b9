/** Numbers that count up stay with their labels, whatever is printed in their place. */
import { createHash } from "node:crypto";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { openSqlite } from "../../src/base/sqlite/sqlite.ts";
import { readPdfText } from "../help/pdf-text.ts";
import { readIndex } from "./check-output.ts";
import { frozenClock, runInProcess, type InProcess } from "./in-process.ts";
import { makeJobFolder, type JobFolder } from "./job-folder.ts";

const SHEET =
  "{ page: [100, 60], label: [45, 25], gutter: [2, 2], margin: 4, columns: 2, rows: 2 }";
const LABEL = `{ items: [
      { code: true, at: [3, 3, 15, 15] },
      { counter: "L###", per: label, at: [21, 4, 20, 3] },
      { counter: "R###", per: row, at: [21, 8, 20, 3] },
      { counter: "C#", per: copy, at: [21, 12, 20, 3] },
      { counter: "S##", per: sheet, at: [21, 16, 20, 3] } ] }`;

const toManifest = (source: string, code: string, more: string): string => `version: 1
name: numb
kind: codes
source: ${source}
code: ${code}
run: { marker: true }
output:
  dir: ../out
  files: []
  index: [csv]
  sheets: { sheet: ${SHEET}${more}, label: ${LABEL} }
`;

const ROWS = `key,room\n${Array.from({ length: 6 }, (_, n) => `K${n + 1},${n % 2 === 0 ? "North" : "South"}\n`).join("")}`;

const makeList = (more = ""): JobFolder =>
  makeJobFolder(
    ROWS,
    toManifest(
      "{ file: ../rows.csv, key: [key] }",
      '{ type: Text, dynamic: false, qr_data: "row {{ key }}" }',
      more,
    ),
  );

const makeSerials = (more = ""): JobFolder =>
  makeJobFolder(
    "",
    toManifest(
      "{ rows: 5, serial: { length: 10 } }",
      '{ type: Link, dynamic: false, qr_data: "https://seal.example/{{ serial }}" }',
      `, reprint: new${more}`,
    ),
  );

const call = (files: JobFolder, ...args: readonly string[]): Promise<InProcess> =>
  runInProcess(args.map((arg) => (arg === "JOB" ? files.manifest : arg)));

async function ok(files: JobFolder, ...args: readonly string[]): Promise<string> {
  const { code, out, err } = await call(files, ...args);
  expect(code, out + err).toBe(0);
  return out;
}

/** The numbers on the labels of a PDF in the output folder, one text for each label. */
async function numbersOn({ out }: JobFolder, file: string): Promise<string[]> {
  const text = await readPdfText(path.join(out, file));
  const read = (first: string): string[] =>
    [...text.matchAll(new RegExp(`\\b${first}\\d+`, "gu"))].map(([found]) => found);
  const [rows, copies, sheets] = ["R", "C", "S"].map(read);
  return read("L").map((label, at) => [label, rows?.[at], copies?.[at], sheets?.[at]].join(" "));
}

/** Writes what a scan-back would, of one label. */
function spoil(
  files: JobFolder,
  key: string,
  [file, page, row, column]: readonly [string, number, number, number],
): void {
  const sha = createHash("sha256").update(readFileSync(path.join(files.out, file)));
  const scanned = new Date(frozenClock.nowMs()).toISOString();
  const head = "line,key,caption,file,page,row,column,state,reason,picture,sha256,scanned";
  const line = [2, key, "", file, page, row, column, "damaged", "torn", "x.png"].join(",");
  const text = `${head}\r\n${line},${sha.digest("hex")},${scanned}\r\n`;
  writeFileSync(path.join(files.out, "spoiled.csv"), text);
}

describe("a label that is printed again", () => {
  it.each([
    ["", "K6", "L006 R006 C1 S02"],
    [", start: 3, order: columns", "K6", "L006 R006 C1 S02"],
    [", order: cut-and-stack, reverse: true", "K6", "L006 R006 C1 S01"],
    [", copies: 2, copy_order: series, spares: 1, spare_labels: repeat", "K4", "L004 R004 C1 S02"],
    [", copies: 2, copy_order: adjacent, overs: 50%", "K4", "L007 R004 C1 S02"],
  ])("shows its own numbers: %s %s", async (more, key, numbers) => {
    const files = makeList(more);
    await ok(files, "run", "JOB");
    const all = await numbersOn(files, "numb.pdf");
    expect(all).toContain(numbers);
    await ok(files, "sheets", "reprint", "JOB", "--key", key);
    expect(await numbersOn(files, "numb-reprint.pdf")).toEqual([numbers]);
    await ok(files, "sheets", "reprint", "JOB", "--sheets", "1");
    expect(await numbersOn(files, "numb-reprint-2.pdf")).toEqual(
      all.filter((one) => one.endsWith("S01")),
    );
    await ok(files, "replace", "JOB", "--key", key);
    expect(await numbersOn(files, "numb-reprint-3.pdf")).toEqual([numbers]);
  });

  it("counts in its own PDF, where rows go into several", async () => {
    const files = makeList(', per: room, name: "{{ room | slug }}.pdf"');
    await ok(files, "run", "JOB");
    await ok(files, "sheets", "reprint", "JOB", "--key", "K4", "--key", "K5");
    expect(await numbersOn(files, "south-reprint.pdf")).toEqual(["L002 R002 C1 S01"]);
    expect(await numbersOn(files, "north-reprint.pdf")).toEqual(["L003 R003 C1 S01"]);
  });

  it("is the first label of its row, the second one where the row is named twice", async () => {
    const files = makeList(", copies: 2");
    await ok(files, "run", "JOB");
    const words = ["sheets", "reprint", "JOB", "--key", "K2", "--key", "K2"];
    const out = await ok(files, ...words);
    expect(out).toContain('key "K2", label 1 of its row\n  line 3, key "K2", label 2 of its row\n');
    const both = ["L003 R002 C1 S01", "L004 R002 C2 S01"];
    expect(await numbersOn(files, "numb-reprint.pdf")).toEqual(both);
    for (const [n, numbers] of [...both, both[0]].entries()) {
      await ok(files, "replace", "JOB", "--key", "K2");
      expect(await numbersOn(files, `numb-reprint-${n + 2}.pdf`)).toEqual([numbers]);
    }
  });

  it("is the one that a scan found spoiled, also where that was printed again itself", async () => {
    const files = makeList(", copies: 3");
    await ok(files, "run", "JOB");
    const numbers = ["L005 R002 C2 S02"];
    spoil(files, "K2", ["numb.pdf", 2, 1, 1]);
    await ok(files, "replace", "JOB", "--spoiled", "--start", "4");
    expect(await numbersOn(files, "numb-reprint.pdf")).toEqual(numbers);
    spoil(files, "K2", ["numb-reprint.pdf", 1, 2, 2]);
    await ok(files, "replace", "JOB", "--spoiled");
    expect(await numbersOn(files, "numb-reprint-2.pdf")).toEqual(numbers);
  });

  it("shows the repeated label of a spare cell", async () => {
    const files = makeList(", copies: 2, spares: 1, spare_labels: repeat");
    await ok(files, "run", "JOB");
    spoil(files, "K2", ["numb.pdf", 2, 2, 2]);
    await ok(files, "replace", "JOB", "--spoiled");
    expect(await numbersOn(files, "numb-reprint.pdf")).toEqual(["L004 R002 C2 S02"]);
  });

  it("keeps its numbers after a run that did not end, and has taken a row before it away", async () => {
    const files = makeList();
    await ok(files, "run", "JOB");
    const db = openSqlite(path.join(files.out, "state.db"));
    db.run("UPDATE meta SET value = '' WHERE key = 'last_result'");
    db.run("UPDATE rows SET presence = 'vanished' WHERE row_key = 'K1'");
    db.close();
    const { err } = await call(files, "sheets", "reprint", "JOB", "--key", "K4");
    expect(err).toContain("the last run did not end");
    expect(await numbersOn(files, "numb-reprint.pdf")).toEqual(["L004 R004 C1 S01"]);
  });

  it("is refused where it lies as the job lays it no more, and printed where only its look has changed", async () => {
    const files = makeList();
    await ok(files, "run", "JOB");
    const text = readFileSync(files.manifest, "utf8");
    writeFileSync(files.manifest, text.replace(" }, label:", " }, order: columns, label:"));
    const { code, err } = await call(files, "sheets", "reprint", "JOB", "--key", "K2");
    expect(code).toBe(2);
    expect(err).toMatch(
      /labels with counters must lie in numb\.pdf[^]*make it anew first: .* run/u,
    );
    writeFileSync(files.manifest, text.replace("L###", "L ###"));
    await ok(files, "sheets", "reprint", "JOB", "--key", "K2");
    expect(await readPdfText(path.join(files.out, "numb-reprint.pdf"))).toContain("L 002");
  });
});

describe("a fresh serial", () => {
  it("shows the numbers of the label whose place it takes, in every round", async () => {
    const files = makeSerials(", copies: 2");
    await ok(files, "run", "JOB");
    const before = readFileSync(path.join(files.out, "numb.pdf"));
    const second = ["L003 R002 C1 S01", "L004 R002 C2 S01"];
    await ok(files, "replace", "JOB", "--lines", "2", "--yes");
    await ok(files, "run", "JOB");
    expect(await numbersOn(files, "numb-replaced-1.pdf")).toEqual(second);
    await ok(files, "replace", "JOB", "--lines", "5,6", "--yes");
    await ok(files, "run", "JOB");
    const fifth = ["L009 R005 C1 S03", "L010 R005 C2 S03"];
    const both = (await numbersOn(files, "numb-replaced-2.pdf")).toSorted();
    expect(both).toEqual([...second, ...fifth]);
    expect(readFileSync(path.join(files.out, "numb.pdf"))).toEqual(before);
    // With a lost state all PDFs are made at once, that of the fresh ones among the first.
    const bytes = readFileSync(path.join(files.out, "numb-replaced-1.pdf"));
    for (const file of ["state.db", "numb.pdf", "numb-replaced-1.pdf"])
      rmSync(path.join(files.out, file));
    await ok(files, "run", "JOB");
    expect(readFileSync(path.join(files.out, "numb-replaced-1.pdf"))).toEqual(bytes);
  });

  it("goes on behind the last number where the void one had no such label", async () => {
    const files = makeSerials(", overs: 20%");
    await ok(files, "run", "JOB");
    expect((await numbersOn(files, "numb.pdf")).at(-1)).toBe("L006 R001 C2 S02");
    for (const line of ["3", "4"]) {
      await ok(files, "replace", "JOB", "--lines", line, "--yes");
      await ok(files, "run", "JOB");
    }
    const first = await numbersOn(files, "numb-replaced-1.pdf");
    expect(first).toEqual(["L003 R003 C1 S01", "L007 R003 C2 S01"]);
    const second = await numbersOn(files, "numb-replaced-2.pdf");
    expect(second).toEqual(["L004 R004 C1 S01", "L008 R004 C2 S01"]);
  });

  it("keeps them where the job prints spoiled labels again from then on", async () => {
    const files = makeSerials();
    await ok(files, "run", "JOB");
    await ok(files, "replace", "JOB", "--lines", "4", "--yes");
    await ok(files, "run", "JOB");
    const key = readIndex(files.out).at(-1)?.["key"] ?? "";
    const text = readFileSync(files.manifest, "utf8");
    writeFileSync(files.manifest, text.replace("reprint: new", "reprint: same"));
    await ok(files, "sheets", "reprint", "JOB", "--key", key);
    await ok(files, "sheets", "reprint", "JOB", "--sheets", "1", "--from", "numb-replaced-1.pdf");
    for (const more of ["", "-2"]) {
      const numbers = await numbersOn(files, `numb-replaced-1-reprint${more}.pdf`);
      expect(numbers).toEqual(["L004 R004 C1 S01"]);
    }
  });
});

describe("a label that is shown before sheets are made", () => {
  it("has its own numbers on a proof, and in a preview where they are known", async () => {
    const files = makeList(", copies: 2");
    const proof = path.join(files.out, "proof.pdf");
    await ok(files, "sheets", "proof", "JOB", "--lines", "3,7", "--out", proof);
    const shown = ["L003 R002 C1 S01", "L011 R006 C1 S03"];
    expect(await numbersOn(files, "proof.pdf")).toEqual(shown);
    await ok(files, "preview", "JOB", "--line", "7", "--out", files.out);
    const both = [shown[1], "L012 R006 C2 S03"];
    expect(await numbersOn(files, "k6.pdf")).toEqual(both);
    const stacks = makeList(", order: cut-and-stack");
    const { out } = await call(stacks, "preview", "JOB", "--line", "7", "--out", stacks.out);
    expect(out).toContain("the numbers that counters show are samples");
    const piled = path.join(stacks.out, "proof.pdf");
    await ok(stacks, "sheets", "proof", "JOB", "--lines", "4", "--out", piled);
    expect(await numbersOn(stacks, "proof.pdf")).toEqual(["L003 R003 C1 S01"]);
  });

  it("has those of the void label, where it is a fresh serial", async () => {
    const files = makeSerials();
    await ok(files, "run", "JOB");
    await ok(files, "replace", "JOB", "--lines", "4", "--yes");
    const proof = path.join(files.out, "proof.pdf");
    await ok(files, "sheets", "proof", "JOB", "--lines", "6", "--out", proof);
    expect(await numbersOn(files, "proof.pdf")).toEqual(["L004 R004 C1 S01"]);
  });
});
