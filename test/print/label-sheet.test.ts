import { mkdtemp, readFile, writeFile } from "node:fs/promises";
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
import { BLEED_MM, offPaper } from "../../src/print/layout/page-frame.ts";
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

const sizeOf = ({ label }: LabelSheet) => [label.widthMm, label.heightMm];
/** Left and right, top and bottom edges of the first and the last label. */
const edgesOf = (sheet: LabelSheet): number[] =>
  [cellBox(sheet, 0, 0), cellBox(sheet, sheet.rows - 1, sheet.columns - 1)].flatMap(
    ({ x, y, width, height }) => [x, x + width, y, y + height],
  );

describe("the sheets that come with makeready", () => {
  it("are at least 300 things, all of which pass the checks", async () => {
    const sheets = await listSheets();
    expect(sheets.length).toBeGreaterThanOrEqual(300);
    for (const sheet of sheets) {
      expect([sheet.name, checkSheet(sheet)]).toEqual([sheet.name, []]);
      expect(sheet.name).toMatch(/^[a-z0-9]+(?:[.-][a-z0-9.]+)+$/u);
    }
  });

  it("lie inside the page with every label, none over another", async () => {
    for (const sheet of await listSheets()) {
      const { page, columns, rows, perSheet } = sheet;
      const [left = 0, , top = 0] = edgesOf(sheet);
      const last = cellBox(sheet, rows - 1, columns - 1);
      const [right, bottom] = [
        page.widthMm - last.x - last.width,
        page.heightMm - last.y - last.height,
      ];
      expect([sheet.name, Math.min(left, top, right, bottom) >= -0.001]).toEqual([
        sheet.name,
        true,
      ]);
      const [width = 0, height = 0] = sizeOf(sheet);
      expect([
        sheet.name,
        sheet.pitchXMm >= width - 0.001,
        sheet.pitchYMm >= height - 0.001,
      ]).toEqual([sheet.name, true, true]);
      expect([sheet.name, columns * rows]).toEqual([sheet.name, perSheet]);
      // A margin that takes most of the page, or a label of a few mm, is a typing error.
      expect([
        sheet.name,
        left + right < page.widthMm * 0.9,
        top + bottom < page.heightMm * 0.9,
      ]).toEqual([sheet.name, true, true]);
      expect([sheet.name, Math.min(width, height) >= 4]).toEqual([sheet.name, true]);
    }
  });

  it("give one thing one place: other names of a geometry are in sameAs", async () => {
    const seen = new Map<string, string>();
    const twice: string[] = [];
    for (const sheet of await listSheets()) {
      const { label, page, paper, columns, rows, stock } = sheet;
      // Rolls of two makers fit different printers.
      const maker = page.name === "roll" ? sheet.name.split("-")[0] : "";
      const geometry = JSON.stringify([
        [maker, stock, paper?.name ?? "", page.name, columns, rows],
        [label.shape, label.cornerRadiusMm, ...edgesOf(sheet)],
      ]);
      const other = seen.get(geometry);
      if (other !== undefined) twice.push(`${sheet.name} is ${other}`);
      seen.set(geometry, sheet.name);
    }
    expect(twice).toEqual([]);
  });

  it("say where their geometry comes from, in words where sources differ", async () => {
    for (const { name, origin, status, note } of await listSheets()) {
      expect([name, origin.length > 5 || origin === "makeready"]).toEqual([name, true]);
      expect([name, origin === "makeready"]).toEqual([name, status === "verified"]);
      if (status === "conflicting")
        expect([name, note]).toEqual([name, expect.stringMatching(/differ|disagree/u)]);
      if (status === "two-sources")
        expect([name, origin]).toEqual([name, expect.stringMatching(/; /u)]);
    }
    const notice = await readFile(new URL("NOTICE.md", folder), "utf8");
    expect(notice).toContain("Copyright (c) 2001-2009 Jim Evins");
    for (const source of ["gLabels", "LibreOffice", "thermal-label", "brother_ql", "Zebra"]) {
      expect(notice).toContain(source);
    }
  });

  it("have what packaging prints on: each maker, rolls, SRA and A sheets", async () => {
    const names = (await listSheets()).flatMap(({ name, sameAs }) => [name, ...sameAs]);
    for (const [maker, least] of [
      ["avery-", 150],
      ["herma-", 150],
      ["zweckform-", 80],
      ["dymo-", 25],
      ["brother-dk-", 10],
      ["zebra-", 50],
      ["sra3-", 5],
      ["a4-", 5],
      ["a3-", 5],
    ] as const) {
      const count = names.filter((name) => name.startsWith(maker)).length;
      expect([maker, count >= least, count]).toEqual([maker, true, count]);
    }
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

describe("a press sheet by name", () => {
  it("has room for marks on its paper", async () => {
    for (const sheet of await listSheets()) {
      if (sheet.paper === undefined) continue;
      expect([sheet.name, offPaper(sheet, BLEED_MM)]).toEqual([sheet.name, { x: 0, y: 0 }]);
    }
    expect((await loadSheet("sra3-2up-297x210")).paper).toEqual({
      name: "SRA3",
      widthMm: 320,
      heightMm: 450,
    });
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

  it("says how to search when no name is near", async () => {
    expect((await refusal(loadSheet("my own thing"))).hint).toMatch(
      /makeready sheets list searches \d{3} sheets by maker, number, size and count/u,
    );
  });

  it.each([
    ["Avery Zweckform 3474", "zweckform-3474"],
    ["Brother DK-11201", "brother-dk-1201"],
  ])("takes what the box says: %s", async (box, name) => {
    expect((await loadSheet(box)).name).toBe(name);
  });

  it("takes a file with several sheets of a folder", async () => {
    const own = await mkdtemp(path.join(tmpdir(), "sheets-"));
    const one = await ownSheet();
    const several = [
      { ...one, name: "z" },
      { ...one, name: "y" },
    ];
    await writeFile(path.join(own, "several.json"), JSON.stringify(several));
    await writeFile(path.join(own, "one.json"), JSON.stringify({ ...one, name: "a" }));
    expect((await listSheets(own)).map(({ name }) => name)).toEqual(["a", "y", "z"]);
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
    [
      "paper that is smaller than the page",
      (s) => ({ ...s, paper: { name: "A5", widthMm: 148, heightMm: 210 } }),
      /paper must be a named sheet no smaller than the page/u,
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
