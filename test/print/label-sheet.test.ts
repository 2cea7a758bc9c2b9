import { mkdtemp, readdir, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { AppError } from "../../src/base/errors.ts";
import {
  cellBox,
  checkSheet,
  type LabelSheet,
  parseSheet,
} from "../../src/print/layout/label-sheet.ts";
import { listSheets, loadSheet } from "../../src/print/layout/sheet-files.ts";

const folder = new URL("../../templates/sheets/", import.meta.url);

async function ownSheet(): Promise<LabelSheet> {
  return loadSheet("a4-24up-63.5x33.9");
}

async function refusal(work: Promise<unknown>): Promise<AppError> {
  const error: unknown = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(AppError);
  return error as AppError;
}

describe("the sheets that come with makeready", () => {
  it("all pass the checks and are named like their files", async () => {
    const files = (await readdir(folder)).filter((file) => file.endsWith(".json"));
    expect(files.length).toBeGreaterThan(30);
    for (const file of files) {
      const sheet = JSON.parse(await readFile(new URL(file, folder), "utf8")) as LabelSheet;
      expect([file, checkSheet(sheet)]).toEqual([file, []]);
      expect(`${sheet.name}.json`).toBe(file);
    }
  });

  it("say where their geometry comes from, and carry the notice", async () => {
    for (const sheet of await listSheets()) {
      expect([sheet.name, sheet.origin]).not.toEqual([sheet.name, ""]);
      expect([sheet.name, sheet.origin === "makeready"]).toEqual([
        sheet.name,
        sheet.status === "verified",
      ]);
    }
    expect(await readFile(new URL("NOTICE.md", folder), "utf8")).toContain(
      "Copyright (c) 2001-2009 Jim Evins",
    );
  });

  it("have names and other names that no two share", async () => {
    const names = (await listSheets()).flatMap((sheet) => [sheet.name, ...sheet.sameAs]);
    expect(new Set(names).size).toBe(names.length);
  });

  it("include our own 24-up sheet: 3 x 8, centred, real gutters, to be cut", async () => {
    const sheet = await ownSheet();
    expect([sheet.columns, sheet.rows, sheet.perSheet, sheet.stock]).toEqual([3, 8, 24, "plain"]);
    expect(sheet.pitchXMm - sheet.label.widthMm).toBeCloseTo(2.5, 9);
    const last = cellBox(sheet, 7, 2);
    expect(last.x + last.width).toBeCloseTo(210 - sheet.leftMm, 9);
    expect(last.y + last.height).toBeCloseTo(297 - sheet.topMm, 9);
  });
});

describe("loadSheet", () => {
  it.each(["a4-24up-63.5x33.9", "Avery L7159", "AVERY_L7159", " avery-l7159 "])(
    "finds %j",
    async (name) => {
      expect((await loadSheet(name)).columns).toBe(3);
    },
  );

  it("finds a sheet by another name of the same geometry", async () => {
    expect((await loadSheet("avery-8651")).name).toBe("avery-l7651");
  });

  it.each([
    ["avery-l7195", "avery-l7159"],
    ["a4-24up", "a4-24up-63.5x33.9"],
    ["herma-4677x", "herma-4677"],
  ])("suggests for %j", async (name, near) => {
    const error = await refusal(loadSheet(name));
    expect(error.code).toBe("sheet-unknown");
    expect(error.message).toContain(JSON.stringify(name));
    expect(error.hint).toBe(`did you mean "${near}"?`);
  });

  it("lists what there is when nothing is near", async () => {
    expect((await refusal(loadSheet("my own thing"))).hint).toMatch(
      /known: a4-24up.*zweckform-6091/u,
    );
  });

  it("takes a person's own file, relative to the manifest", async () => {
    const own = await mkdtemp(path.join(tmpdir(), "sheets-"));
    await writeFile(
      path.join(own, "mine.json"),
      JSON.stringify({ ...(await ownSheet()), name: "mine" }),
    );
    expect((await loadSheet("mine.json", own)).name).toBe("mine");
    expect((await refusal(loadSheet("other.json", own))).code).toBe("sheet-unknown");
  });
});

describe("checkSheet", () => {
  const edits: [name: string, edit: (sheet: LabelSheet) => unknown, message: RegExp][] = [
    ["no object", () => [], /must be a JSON object/u],
    [
      "a missing number",
      (s) => ({ ...s, leftMm: undefined }),
      /leftMm must be a number of 0 or more, got nothing/u,
    ],
    [
      "a text for a number",
      (s) => ({ ...s, pitchXMm: "66" }),
      /pitchXMm must be a number greater than 0, got "66"/u,
    ],
    ["not a number", (s) => ({ ...s, topMm: Number.NaN }), /topMm must be/u],
    [
      "a negative margin",
      (s) => ({ ...s, leftMm: -1 }),
      /leftMm must be a number of 0 or more, got -1/u,
    ],
    ["half a column", (s) => ({ ...s, columns: 2.5 }), /columns must be a whole number/u],
    [
      "unknown stock",
      (s) => ({ ...s, stock: "film" }),
      /stock must be one of labels, plain, got "film"/u,
    ],
    [
      "a wrong count",
      (s) => ({ ...s, perSheet: 20 }),
      /perSheet must be columns x rows = 24, got 20/u,
    ],
    [
      "overlapping labels",
      (s) => ({ ...s, pitchXMm: 63 }),
      /pitchXMm must be at least the label's 63.5 mm, got 63/u,
    ],
    [
      "a grid off the page",
      (s) => ({ ...s, pitchYMm: 36 }),
      /topMm must be such that the grid ends inside the page/u,
    ],
    [
      "off centre",
      (s) => ({ ...s, leftMm: 5 }),
      /leftMm must be such that the grid is centred within 1 mm/u,
    ],
    [
      "too round corners",
      (s) => ({ ...s, label: { ...s.label, cornerRadiusMm: 17 } }),
      /cornerRadiusMm must be at most half/u,
    ],
    ["odd names", (s) => ({ ...s, sameAs: "x" }), /sameAs must be a list of names/u],
  ];

  it.each(edits)("refuses %s", async (_, edit, message) => {
    const problems = checkSheet(edit(await ownSheet()));
    expect(problems.map((problem) => problem.message).join("\n")).toMatch(message);
  });

  it("takes an off-centre grid that was measured", async () => {
    expect(checkSheet({ ...(await ownSheet()), leftMm: 5, measured: true })).toEqual([]);
  });

  it("names all problems of a file at once, with the file", async () => {
    const text = JSON.stringify({ ...(await ownSheet()), columns: 0, stock: 1, topMm: "x" });
    const { problems, where } = await refusal(
      Promise.resolve().then(() => parseSheet(text, "mine.json")),
    );
    expect(problems.map((problem) => problem.where?.field)).toEqual(["columns", "topMm", "stock"]);
    expect(where?.file).toBe("mine.json");
    expect(() => parseSheet("{", "mine.json")).toThrow(/must be JSON/u);
  });
});
