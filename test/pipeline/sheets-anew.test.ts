import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

import { PDFDocument } from "pdf-lib";
import { describe, expect, it } from "vitest";

import { sha256 } from "../../src/base/ids/ids.ts";
import { openSqlite } from "../../src/base/sqlite/sqlite.ts";
import type { WorkJob } from "../../src/pipeline/stages/work.ts";
import { makeSheetOptions } from "../../src/pipeline/stages/sheet-options.ts";
import { examineSheets, toRecords } from "../../src/pipeline/stages/sheet-records.ts";
import { makeOwnSheet } from "../../src/print/layout/own-sheet.ts";
import type { SheetOptions } from "../../src/print/sheets.ts";
import { openState } from "../../src/state/state.ts";
import { loadJob } from "../../src/kinds/manifest.ts";
import { makeJobFolder } from "../flow/job-folder.ts";
import { runInProcess } from "../flow/in-process.ts";
import { ownSheet } from "../print/make-art.ts";

const WRITER = "makeready test";
const SHORT = "Table 7";
const LONG = "Verwaltungsgebäude Nordhafen Besprechungsraum im zweiten Obergeschoss links";

const manifest = (sheets: string): string => `version: 1
name: flow
kind: codes
source: { file: ../rows.csv, key: [n] }
code: { type: Text, qr_data: "{{ n }}", display_name: "{{ name }}" }
output: { dir: ../out, files: [], sheets: ${sheets} }
`;

/** What a finished job printed, and with what. */
async function finish(names: readonly string[], sheets: string) {
  const rows = names.map((name, i) => `${i + 1},${name}\n`).join("");
  const files = makeJobFolder(`n,name\n${rows}`, manifest(sheets));
  const run = await runInProcess(["run", files.manifest]);
  expect(run.code, run.err).toBe(0);
  const job = (await loadJob(files.manifest, { env: {} })) as unknown as WorkJob;
  const state = openState(files.out, { writer: WRITER, salt: "", nowMs: 0 });
  const options = await makeSheetOptions(job, {
    createdAt: state.createdAt,
    isRehearsal: false,
    input: { name: "rows.csv", sha256: state.meta("input_sha256") ?? "", columns: [] },
  });
  if (options === undefined) throw new Error("there must be sheets");
  return { files, job, state, options };
}

const at = (page: string): string =>
  `{ sheet: { page: ${page}, label: [70, 37], gutter: 0, margin: 10 }, marks: [crop, bar] }`;

/** Geometry of rolls as it was when they had a margin. */
const ofOldRoll = (options: SheetOptions): SheetOptions => ({
  ...options,
  sheet: ownSheet({ page: null, roll: 120, label: [56, 30], gutter: [0, 0], margin: 5 }),
});

/** Whether such sheets are known by what they were known by while such captions made others smaller. */
const isKnownAsBefore = async (names: readonly string[]) => {
  const { files, job, state, options } = await finish(names, "true");
  const work = { job, state, writer: WRITER, folder: files.out };
  const { before, fingerprint } = await examineSheets(work, options, "flow.pdf");
  state.close();
  return fingerprint === sha256(JSON.stringify([before, ["captions"]]));
};

describe("finished sheets", () => {
  it.each([
    ["stay where all captions have one size", [SHORT, "Bar 12"], "true", undefined],
    [
      "are made anew where captions had several",
      [SHORT, LONG],
      "true",
      "their captions have one size now, and words are cut with hyphens only",
    ],
    [
      "are made anew where they are posters",
      [SHORT],
      "{ sheet: { page: A4, label: [190, 270] } }",
      "captions of posters are larger now",
    ],
    [
      "are made anew where a roll has more lanes now",
      [SHORT],
      "{ sheet: { roll: 120, label: [56, 30] } }",
      "rolls have no margin unless the manifest gives one",
    ],
  ] as const)("%s, and the plan says why", async (_, names, sheets, says) => {
    const { files, job, state, options } = await finish(names, sheets);
    const known = state.packaged("sheets flow.pdf");
    const work = { job, state, writer: WRITER, folder: files.out };
    const found = await examineSheets(work, options, "flow.pdf");
    expect(known?.fingerprint).toBe(found.fingerprint);
    // That is how makeready 0.1.0 knew its sheets.
    const looks = { designOf: () => undefined };
    const printed = { artwork: undefined, drawn: new Map(), looks };
    const records = [...toRecords(work, "flow.pdf", printed)];
    const { isDefaultDpi, print: _print, artworkInks: _inks, ...rest } = options;
    const asked = isDefaultDpi === true ? { ...rest, deviceDpi: undefined } : rest;
    const basis = sha256(JSON.stringify([WRITER, asked, null, []]));
    const lines = [basis, ...records.map((record) => JSON.stringify(record))];
    expect(found.before).toBe(sha256(lines.join("\n")));

    const isRoll = sheets.includes("roll");
    const old = isRoll ? await examineSheets(work, ofOldRoll(options), "flow.pdf") : found;
    state.setPackaged("sheets flow.pdf", old.before, known?.result);
    state.breakSeal();
    state.close();
    const plan = await runInProcess(["plan", files.manifest]);
    expect(plan.code, plan.err).toBe(0);
    if (says === undefined) expect(plan.out).not.toContain("made anew");
    else expect(plan.out).toContain(`finished sheets are made anew: flow.pdf; ${says}`);
  });

  it("with a back are printed again as an older makeready printed them", async () => {
    const back = '{ label: { items: [{ text: "Back of {{ n }}", at: [5, 5, 40, 10] }] } }';
    const { files, job, state, options } = await finish(
      [SHORT],
      `{ sheet: { page: A4, label: [70, 37] }, caption: "{{ name }}", back: ${back} }`,
    );
    const work = { job, state, writer: WRITER, folder: files.out };
    // It kept the texts of the back alone, and drew the front with them.
    const sqlite = openSqlite(path.join(files.out, "state.db"));
    sqlite.run("UPDATE rows SET placing = json_set(placing, '$.caption', json_array('Back of 1'))");
    sqlite.close();
    const older = { ...options, captionFrom: undefined };
    const { fingerprint } = await examineSheets(work, older, "flow.pdf");
    expect(fingerprint).not.toBe((await examineSheets(work, options, "flow.pdf")).fingerprint);
    state.setPackaged("sheets flow.pdf", fingerprint, state.packaged("sheets flow.pdf")?.result);
    state.close();
    const again = await runInProcess(["sheets", "reprint", files.manifest, "--lines", "2"]);
    expect(again.code, again.err).toBe(0);
    expect(again.out + again.err).not.toMatch(/changed/u);
    expect((await runInProcess(["plan", files.manifest])).out).toContain(
      "finished sheets are made anew: flow.pdf; labels with a back have their caption on the front now",
    );
  });

  it("are made anew where white or varnish lay otherwise, whatever else they have", async () => {
    const finished = "white: { under: codes }, varnish: true, marks: [crop]";
    const items =
      '[{ code: true, at: [4, 5, 24, 24] }, { symbol: datamatrix, data: "{{ name }}", at: [32, 5, 20, 20] }]';
    const { files, job, state, options } = await finish(
      [SHORT],
      `{ sheet: { page: SRA3, label: [70, 37] }, ${finished}, label: { items: ${items} } }`,
    );
    const known = state.packaged("sheets flow.pdf");
    const work = { job, state, writer: WRITER, folder: files.out };
    const { isNew, before, earlier } = await examineSheets(work, options, "flow.pdf");
    expect(isNew).toEqual(["marks", "symbols", "cells"]);
    for (const [older, symbols, others] of [
      [before, 1, true],
      [earlier.at(-1)?.fingerprint ?? "", 0, false],
    ] as const) {
      state.setPackaged("sheets flow.pdf", older, known?.result);
      state.breakSeal();
      const { out } = await runInProcess(["plan", files.manifest]);
      expect(out).toContain("finished sheets are made anew: flow.pdf; ");
      expect(out).toContain("cells without a label get no white and no varnish now");
      const says = "white and varnish treat barcodes and other symbols as codes now";
      expect(out.split(says)).toHaveLength(1 + symbols);
      // Its labels look as those of today do, unless more than its empty cells differs.
      const again = await runInProcess(["sheets", "reprint", files.manifest, "--lines", "2"]);
      expect(again.code, again.err).toBe(0);
      expect(`${again.out}${again.err}`.includes("may look different")).toBe(others);
    }
    state.close();
    expect((await runInProcess(["run", files.manifest])).code).toBe(0);
    expect((await runInProcess(["plan", files.manifest])).out).not.toContain("made anew");
  });

  it("stay where spare cells, all filled with labels, counted as empty once", async () => {
    const names = Array.from({ length: 4 }, (_, n) => `${n + 1}`);
    const { files, job, state, options } = await finish(
      names,
      "{ sheet: { page: [220, 100], label: [60, 37] }, white: { under: label }, spares: 2, spare_labels: repeat }",
    );
    const known = state.packaged("sheets flow.pdf");
    const pdf = readFileSync(path.join(files.out, "flow.pdf"));
    const work = { job, state, writer: WRITER, folder: files.out };
    const { isNew, before } = await examineSheets(work, options, "flow.pdf");
    expect([options.sheet.perSheet, isNew]).toEqual([6, []]);
    const older = sha256(JSON.stringify([before, ["cells"]]));
    state.setPackaged("sheets flow.pdf", older, known?.result);
    state.breakSeal();
    const plan = await runInProcess(["plan", files.manifest]);
    expect(plan.out).not.toMatch(/made anew|have changed/u);
    expect((await runInProcess(["run", files.manifest])).code).toBe(0);
    expect(state.packaged("sheets flow.pdf")?.fingerprint).toBe(older);
    state.close();
    expect(readFileSync(path.join(files.out, "flow.pdf"))).toEqual(pdf);
  });

  it.each([
    ["accents", "Ẹ́kọ́", ["accents"]],
    // So the captions above became smaller, too.
    ["accents", `ẹ́ ${LONG}`, ["captions", "accents"]],
    ["no accents", "Éko Łódź", []],
  ])("are made anew where a line with %s was left out: %s", async (_, text, changes) => {
    const { files, job, state, options } = await finish([SHORT, text], "true");
    const known = state.packaged("sheets flow.pdf");
    const work = { job, state, writer: WRITER, folder: files.out };
    const { isNew, earlier, before, fingerprint } = await examineSheets(work, options, "flow.pdf");
    expect(isNew).toEqual(changes);
    expect(known?.fingerprint).toBe(fingerprint);
    // The line was not there: all captions had one size.
    expect(earlier.map((then) => then.fingerprint)).toEqual([before, before]);
    state.setPackaged("sheets flow.pdf", before, known?.result);
    state.breakSeal();
    state.close();
    const plan = (await runInProcess(["plan", files.manifest])).out;
    const says = "made anew: flow.pdf; lines with accents that were left out are printed now\n";
    if (changes.length === 0) expect(plan).not.toContain("made anew");
    else expect(plan).toContain(says);
  });

  it("are others only where a caption that is far too long no longer makes others smaller", async () => {
    expect(await isKnownAsBefore([SHORT, LONG])).toBe(true);
    expect(await isKnownAsBefore([SHORT, LONG.repeat(5)])).toBe(false);
  });

  it("stay where 0.1.0 kept to no grid", async () => {
    const { files, job, state, options } = await finish([SHORT], "true");
    const known = state.packaged("sheets flow.pdf");
    const { isDefaultDpi, ...rest } = options;
    expect([isDefaultDpi, rest.deviceDpi]).toEqual([true, 600]);
    const work = { job, state, writer: WRITER, folder: files.out };
    const old = await examineSheets(work, { ...rest, deviceDpi: undefined }, "flow.pdf");
    state.setPackaged("sheets flow.pdf", old.before, known?.result);
    const own = await runInProcess(["plan", files.manifest]);
    expect(own.out).toMatch(/X-dimension 0\.\d{3} mm on the grid of 600 dpi\n/u);
    const printed = Array.from(state.sheetRows("flow.pdf", ["key", "labels"]), ({ key, labels }) =>
      labels.map((cell) => ({ key, cell: { ...cell, xMm: 0.7542 } })),
    ).flat();
    state.labels.clear("flow.pdf");
    state.labels.add(printed);
    state.breakSeal();
    state.close();
    const plan = await runInProcess(["plan", files.manifest]);
    expect(plan.out).not.toContain("made anew");
    expect(plan.out).toMatch(/dpi; finished sheets stay as they are, with 0\.754 mm\n/u);
    const kept = readFileSync(path.join(files.out, "flow.pdf"));
    expect((await runInProcess(["run", files.manifest])).code).toBe(0);
    expect(readFileSync(path.join(files.out, "flow.pdf")).equals(kept)).toBe(true);
  });

  it("that an older makeready printed elsewhere are proven as they were printed", async () => {
    const { files, state: first } = await finish([SHORT, "Bar 12"], at("[320, 450]"));
    first.close();
    writeFileSync(files.manifest, manifest(at("SRA3")));
    const job = (await loadJob(files.manifest, { env: {} })) as unknown as WorkJob;
    const state = openState(files.out, { writer: WRITER, salt: "", nowMs: 0 });
    const input = { name: "rows.csv", sha256: state.meta("input_sha256") ?? "", columns: [] };
    const { createdAt } = state;
    const options = await makeSheetOptions(job, { createdAt, isRehearsal: false, input });
    const own = job.output.sheets?.sheet;
    if (options === undefined || own === undefined || typeof own === "string") throw new Error();
    const old = { ...options, sheet: makeOwnSheet(own) };
    const work = { job, state, writer: WRITER, folder: files.out };
    const { before } = await examineSheets(work, old, "flow.pdf");
    const written = state.packaged("sheets flow.pdf")?.result;

    const verify = async (): Promise<string> => {
      const said = await runInProcess(["verify", files.manifest]);
      return `${said.out}${said.err}`;
    };
    // Of PDFs that nobody printed so, each rule is told.
    expect(await verify()).toContain("only 0 of 2 codes read back");
    state.setPackaged("sheets flow.pdf", before, written);
    state.close();
    expect(await verify()).toContain("all 2 codes read back from the PDFs");
    const pdf = path.join(files.out, "flow.pdf");
    const bytes = readFileSync(pdf);
    writeFileSync(pdf, `${bytes.toString("latin1")}% one line more\n`, "latin1");
    // Age excuses no damage.
    const damaged = await runInProcess(["verify", files.manifest]);
    expect(damaged.code).toBe(3);
    expect(`${damaged.out}${damaged.err}`).toContain("file was changed after it was written");
    expect(`${damaged.out}${damaged.err}`).not.toContain("today's rules for file");
    writeFileSync(pdf, bytes);
    expect((await runInProcess(["plan", files.manifest])).out).toContain(
      "made anew: flow.pdf; marks lie on the press sheet now",
    );
  });

  it("that an older makeready laid out otherwise are printed again as they lie", async () => {
    const names = Array.from({ length: 9 }, (_, i) => `Bar ${i}`);
    const sheets = "{ sheet: { roll: 120, label: [56, 30] }, order: columns }";
    const { files, job, state, options } = await finish(names, sheets);
    const work = { job, state, writer: WRITER, folder: files.out };
    const old = await examineSheets(work, ofOldRoll(options), "flow.pdf");
    expect([old.options.sheet.columns, options.sheet.columns]).toEqual([1, 2]);
    const written = state.packaged("sheets flow.pdf")?.result as { volumes: { pages: number }[] };
    const volumes = written.volumes.map((volume) => ({ ...volume, pages: names.length }));
    state.setPackaged("sheets flow.pdf", old.before, { ...written, volumes });
    state.close();
    const again = await runInProcess(["sheets", "reprint", files.manifest, "--sheets", "9"]);
    expect(again.code, `${again.out}${again.err}`).toBe(0);
    const pdf = await PDFDocument.load(readFileSync(path.join(files.out, "flow-reprint.pdf")));
    expect(pdf.getPageCount()).toBe(1);
    // One lane with its margins, as the finished roll has it.
    const { widthMm } = old.options.sheet.page;
    expect(pdf.getPage(0).getTrimBox().width).toBeCloseTo((widthMm / 25.4) * 72, 1);
    expect(again.out).toContain("1 code");
  });
});
