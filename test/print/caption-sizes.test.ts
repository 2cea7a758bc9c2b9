import { mkdtemp, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { inflateSync } from "node:zlib";

import { beforeEach, describe, expect, it } from "vitest";

import type { OwnSheet } from "../../src/base/shapes/own-sheet.ts";
import { makeOwnSheet } from "../../src/print/layout/own-sheet.ts";
import { makeSheetJob } from "../../src/print/sheet-job.ts";
import {
  openCaptionSizes,
  type SheetOptions,
  type SheetRecord,
  writeSheets,
} from "../../src/print/sheets.ts";

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "captions-"));
});

/** A sheet without any text but that of its labels. */
function makeOptions(label: OwnSheet["label"], changes: Partial<SheetOptions> = {}): SheetOptions {
  return {
    sheet: makeOwnSheet({
      page: [label[0], label[1] * 2],
      roll: null,
      label,
      gutter: [0, 0],
      margin: 0,
      columns: null,
      rows: null,
      radius: 0,
      stock: "labels",
    }),
    title: "captions",
    createdAt: "2026-11-20T10:00:00Z",
    slug: { job: "captions", input: "rows.csv", inputHash: "9f86d081884c7d65", rehearsal: false },
    marks: [],
    captionLines: 1,
    ...changes,
  };
}

const toRecords = (captions: readonly (readonly string[])[]): SheetRecord[] =>
  captions.map((caption, i) => ({
    key: `row ${i + 1}`,
    payload: `https://qr.example/${i + 1}`,
    level: "Q",
    caption,
  }));

const SHORT = ["Table 7"];
const LONG = ["Verwaltungsgebäude Nordhafen, Besprechungsraum im zweiten Obergeschoss"];

/** Fonts and sizes that texts of a PDF are set in, in their order. */
async function typesIn(file: string): Promise<string[]> {
  const bytes = await readFile(file);
  const text = bytes.toString("latin1");
  const types: string[] = [];
  for (const found of text.matchAll(/\/Length (\d+)[^>]*>>\s*stream\r?\n/gu)) {
    const start = found.index + found[0].length;
    try {
      const content = inflateSync(bytes.subarray(start, start + Number(found[1])));
      for (const [type] of content.toString("latin1").matchAll(/\/\w+ [\d.]+ Tf/gu))
        types.push(type);
    } catch {
      // Not deflated.
    }
  }
  return types;
}

async function print(options: SheetOptions, records: readonly SheetRecord[]) {
  const file = path.join(folder, "t.pdf");
  const written = await writeSheets(options, records, file);
  return { written, types: await typesIn(file) };
}

async function settingOf(options: SheetOptions, records: readonly SheetRecord[]) {
  const sizes = (await openCaptionSizes(options))();
  for (const record of records) sizes.add(record);
  return { ...sizes.setting(), press: sizes.press() };
}

describe("captions of one PDF", () => {
  it("have one size: that of the caption with least room", async () => {
    const options = makeOptions([63.5, 33.9]);
    const alone = await print(options, toRecords([SHORT, SHORT]));
    const beside = await print(options, toRecords([SHORT, LONG, SHORT]));
    expect(new Set(alone.types).size).toBe(1);
    expect(new Set(beside.types).size).toBe(1);
    expect(beside.types[0]).not.toBe(alone.types[0]);
    expect(await settingOf(options, toRecords([SHORT, LONG, SHORT]))).toMatchObject({
      neededBy: "row 2",
      isUneven: true,
    });
  });

  it("are as they were where all of them had one size", async () => {
    const options = makeOptions([63.5, 33.9]);
    expect(await settingOf(options, toRecords([SHORT, ["Bar 12"], []]))).toMatchObject({
      neededBy: undefined,
      isUneven: false,
      isPoster: false,
    });
    expect(await settingOf(options, toRecords([LONG, LONG]))).toMatchObject({ isUneven: false });
    // An address is cut behind its own signs, as ever; a word is not.
    const address = [`https://example.com/${"part/".repeat(12)}`];
    expect(await settingOf(options, toRecords([address]))).toMatchObject({ isUneven: false });
    const word = ["Verwaltungs".repeat(5)];
    expect(await settingOf(options, toRecords([word]))).toMatchObject({ isUneven: true });
  });

  it("are not made tiny by one long word: it is cut with a hyphen", async () => {
    const word = ["Donaudampfschifffahrtsgesellschaftskapitänsmütze"];
    const { types, written } = await print(makeOptions([63.5, 33.9]), toRecords([SHORT, word]));
    expect(new Set(types)).toEqual(new Set(["/F 8 Tf"]));
    expect(written.press).toEqual([]);
  });

  it("stay readable for one that is far too long; that one is reported", async () => {
    const options = makeOptions([63.5, 33.9]);
    const endless = [LONG.join().repeat(4)];
    const { written, types } = await print(options, toRecords([SHORT, endless]));
    // It is smaller than any common size: the others keep what they need without it.
    expect(new Set(types)).toEqual(
      new Set(["/F 9 Tf", expect.stringMatching(/^\/F [45](?:\.5)? Tf$/u)]),
    );
    expect(written.press).toEqual([
      expect.objectContaining({ code: "captions-small", count: 1, rows: ["row 2"] }),
    ]);
    const { press, ...setting } = await settingOf(options, toRecords([SHORT, endless]));
    expect(press).toEqual(written.press);
    expect(setting).toMatchObject({ sizePt: 9, neededBy: undefined, smaller: 1 });
    for (const captions of [
      [SHORT, LONG, endless],
      [endless, LONG, SHORT],
    ]) {
      const both = await settingOf(options, toRecords(captions));
      const without = await settingOf(options, toRecords([SHORT, LONG]));
      expect(without).toMatchObject({ smaller: 0 });
      expect(both).toMatchObject({ sizePt: without.sizePt, neededBy: "row 2", smaller: 1 });
    }
  });

  it("have their first line in bold where that is wished for", async () => {
    const options = makeOptions([63.5, 33.9], { captionBold: "first-line", captionLines: 2 });
    const { types } = await print(options, toRecords([["Nordhafen", "Table 7"]]));
    expect(new Set(types)).toEqual(new Set(["/F 9 Tf", "/B 9 Tf"]));
  });
});

const ptOf = (label: OwnSheet["label"]): number => makeSheetJob(makeOptions(label)).captionPt;

describe("captions of posters", () => {
  it("grow with the label; those of labels stay as they are", async () => {
    expect(ptOf([63.5, 33.9])).toBe(9);
    expect(ptOf([70, 70])).toBe(14);
    expect(ptOf([105, 148])).toBeGreaterThan(18);
    expect(ptOf([297, 420])).toBeGreaterThan(50);
    expect(await settingOf(makeOptions([70, 70]), toRecords([SHORT]))).toMatchObject({
      isPoster: false,
    });
    expect(await settingOf(makeOptions([105, 148]), toRecords([SHORT]))).toMatchObject({
      isPoster: true,
    });
  });

  it.each([
    ["A3", [297, 420]],
    ["A3 across", [420, 297]],
    ["a square", [200, 200]],
    ["A5", [148, 210]],
  ] as const)("are set as large as they should be: %s", async (_, label) => {
    const { types } = await print(makeOptions(label), toRecords([SHORT]));
    const [, sizePt] = /([\d.]+) Tf/u.exec(types[0] ?? "") ?? [];
    expect(Number(sizePt)).toBeGreaterThanOrEqual(0.7 * ptOf(label));
  });
});
