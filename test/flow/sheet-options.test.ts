import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { loadSheet } from "../../src/print/layout/sheet-files.ts";
import { runInProcess } from "./in-process.ts";
import { type JobFolder, makeJobFolder } from "./job-folder.ts";

/** A job of static codes with the given `sheets:`; for tills they are Digital Links. */
function makeFolder(rows: number, sheets: string, caption = ""): JobFolder {
  const link = sheets.includes("gs1-pos")
    ? "https://menu.example/01/09506000134352/21"
    : "https://menu.example";
  const lines = Array.from(
    { length: rows },
    (_, n) => `${n + 1},${link}/${n + 1},Table ${n + 1}${caption}`,
  );
  return makeJobFolder(
    `table,url,text\n${lines.join("\n")}\n`,
    `version: 1
name: flow
kind: codes
source: { file: ../rows.csv, key: [table] }
code: { type: Link, qr_data: "{{ url }}", display_name: "{{ table }}" }
output:
  dir: ../out
  files: []
  sheets: ${sheets}
`,
  );
}

interface SheetMap {
  readonly volumes: readonly {
    readonly file: string;
    readonly pages: number;
    readonly cells: readonly {
      readonly page: number;
      readonly row: number;
      readonly column: number;
      readonly key: string;
    }[];
  }[];
}

const readMap = (files: JobFolder): SheetMap =>
  JSON.parse(readFileSync(path.join(files.out, "sheet-map.json"), "utf8")) as SheetMap;

/** `page/row/column` -> row key, over all volumes. */
function placesOf(files: JobFolder): Record<string, string> {
  const places: Record<string, string> = {};
  for (const [i, { cells }] of readMap(files).volumes.entries()) {
    for (const { page, row, column, key } of cells) {
      const place = `${i + 1}:${page}/${row}/${column}`;
      expect(places[place]).toBeUndefined();
      places[place] = key;
    }
  }
  return places;
}

async function run(files: JobFolder): Promise<string> {
  const { code, out, err } = await runInProcess(["run", files.manifest]);
  expect(err).not.toContain("error");
  expect(code).toBe(0);
  return out;
}

describe("output.sheets", () => {
  it("name a grid only where the printer leaves modules on it", async () => {
    const files = makeFolder(1, "{ sheet: a4-24up-63.5x33.9, printer: office }");
    const printers = path.join(path.dirname(files.manifest), "printers.json");
    const plan = async (printer: object) => {
      writeFileSync(printers, JSON.stringify({ office: printer }));
      return (await runInProcess(["plan", files.manifest])).out;
    };
    expect(await plan({ device_dpi: 300 })).toMatch(
      /X-dimension [\d.]+ mm on the grid of 300 dpi/u,
    );
    const turned = await plan({ device_dpi: 300, turn_degrees: 0.05 });
    expect(turned).toMatch(/X-dimension [\d.]+ mm\n/u);
    expect(turned).toContain("printer office turns pages: modules can't be on the grid of 300 dpi");
  });

  it("prints copies in series, overs and spares in stacks; the map has every label, all are proven", async () => {
    const files = makeFolder(
      10,
      "{ copies: 2, copy_order: series, overs: 15%, spares: 4, spare_labels: repeat, order: cut-and-stack, caption: '{{ text }}' }",
    );
    const out = await run(files);
    const places = placesOf(files);
    // 22 labels on 20 cells: two sheets of 11 and four repeats each.
    expect(Object.keys(places)).toHaveLength(22 + 8);
    expect(readMap(files).volumes.map(({ pages }) => pages)).toEqual([2]);
    expect(out).toContain("all 10 codes on 30 labels read back from the PDFs");
    const said = /(\d+ labels on \d+ sheets)/u.exec(out)?.[1] ?? "none";
    expect((await runInProcess(["plan", files.manifest])).out).toContain(`${said} of paper`);
    const times = new Map<string, number>();
    for (const key of Object.values(places)) times.set(key, (times.get(key) ?? 0) + 1);
    expect(times.size).toBe(10);
    expect([places["1:1/1/1"], places["1:2/1/1"]]).toEqual([places["1:1/7/3"], places["1:2/7/3"]]);
    const again = await runInProcess(["verify", files.manifest]);
    expect(again.code).toBe(0);
    expect(again.out + again.err).toContain("all 10 codes on 30 labels");
  });

  it("makes all anew when an option changes, and forgets the places of before", async () => {
    const files = makeFolder(5, "{ copies: 3, caption: [] }");
    await run(files);
    expect(Object.keys(placesOf(files))).toHaveLength(15);
    const set = ["--set", "output.sheets.copies=1", "--set", "output.sheets.corner=bottom-right"];
    const changed = await runInProcess(["run", files.manifest, ...set]);
    expect(changed.code).toBe(0);
    const places = placesOf(files);
    expect(Object.keys(places).toSorted()).toEqual(
      ["1:1/8/3", "1:1/8/2", "1:1/8/1", "1:1/7/3", "1:1/7/2"].toSorted(),
    );
    const unchanged = await runInProcess(["run", files.manifest, ...set]);
    expect(unchanged.code).toBe(0);
    expect(placesOf(files)).toEqual(places);
  });

  it("starts in a part-used sheet and goes on in volumes, copies of a row in both", async () => {
    const files = makeFolder(
      30,
      "{ start: 20, volume_codes: 24, copies: 2, copy_order: series, reverse: true, order: columns, caption: [] }",
    );
    await run(files);
    const { volumes } = readMap(files);
    expect(volumes.map(({ file, cells }) => [file, cells.length])).toEqual([
      ["flow.pdf", 5],
      ["flow-2.pdf", 24],
      ["flow-3.pdf", 24],
      ["flow-4.pdf", 7],
    ]);
    const index = readFileSync(path.join(files.out, "index.csv"), "utf8");
    expect(index.split("\n")[1]).toContain("flow.pdf");
  });

  it("writes PDF/X-1a with a die line on plain stock, and says so", async () => {
    const files = makeFolder(
      3,
      "{ standard: 'PDF/X-1a:2003', die_line: { spot: Kiss, cut: kiss }, marks: [crop, registration], bleed_mm: 2, safe_mm: 4, qr_size_mm: 15, device_dpi: 600, caption: [] }",
    );
    const out = await run(files);
    expect(out).toContain("PDF/X-1a:2003");
    const bytes = readFileSync(path.join(files.out, "flow.pdf")).toString("latin1");
    expect(bytes.startsWith("%PDF-1.4")).toBe(true);
    expect(bytes).toContain("/Separation /Kiss");
  });

  it.each([
    ["{ start: 25 }", "output.sheets.start must be a cell of the sheet, 1 to 24, got 25"],
    [
      "{ start: 3, order: cut-and-stack }",
      "output.sheets.start must be 1 with order cut-and-stack, got 3",
    ],
    [
      "{ spares: 24 }",
      "output.sheets.spares must be a whole number, at most 23 of the 24 cells of a4-24up-63.5x33.9, got 24",
    ],
    [
      "{ spares: 2, order: stack-by-column }",
      "output.sheets.spares must be 0 with order stack-by-column, got 2",
    ],
    [
      "{ application: gs1-pos, x_dimension_mm: 1.2 }",
      "output.sheets.x_dimension_mm must be at most the greatest X, 0.99, got 1.2",
    ],
    [
      "{ x_dimension_mm: 0.05 }",
      "output.sheets.x_dimension_mm must be at least 0.33, got 0.05 (say 0.33 or more, or leave it out: codes are then as large as fits)",
    ],
    ["{ x_dimension_mm: 0.2 }", "output.sheets.x_dimension_mm must be at least 0.33, got 0.2"],
    [
      "{ application: gs1-pos, x_dimension_mm: 0.35 }",
      "output.sheets.x_dimension_mm must be at least 0.396, got 0.35 (tills need X of 0.396 to 0.990 mm: say 0.396 or more",
    ],
    [
      "{ qr_size_mm: 6 }",
      "output.sheets.qr_size_mm must be at least 9.57 for a version 3 code, got 6",
    ],
    [
      "{ application: gs1-pos, qr_size_mm: 8 }",
      "got 8: module (X) must be at least 0.396 mm, got 0.242 mm (tills need X of 0.396 to 0.990 mm: say 13.07 or more",
    ],
    ["{ application: gs1-pos, sheet: avery-5167 }", "module (X) must be at least 0.396 mm"],
    [
      "{ application: gs1-pos, code_style: { pattern: Circles } }",
      "output.sheets.code_style.pattern must be Original with application: gs1-pos, got Circles",
    ],
    [
      "{ application: gs1-pos, code_style: { ink: C0 M100 Y100 K0 } }",
      "output.sheets.code_style.ink must have a symbol contrast of at least 40%",
    ],
    ["{ die_line: { spot: Black } }", "output.sheets.die_line must be an ink name"],
    ["{ printer: office }", "printers must be readable"],
    ["{ icc: { file: none.icc, condition: X } }", "output profile must be readable"],
  ])("is refused at plan time: %s", async (sheets, says) => {
    const files = makeFolder(3, sheets);
    for (const command of ["plan", "run"]) {
      const { code, err } = await runInProcess([command, files.manifest]);
      expect(err).toContain(says);
      expect(code).toBe(2);
    }
    expect(existsSync(files.out) ? readdirSync(files.out) : []).not.toContain("flow.pdf");
  });

  it.each([
    ["spares: 24", "spares must be a whole number, at most 23 of the 24 cells"],
    ["spares: 1, start: 4, order: cut-and-stack", "start must be 1 with order cut-and-stack"],
    ["spares: 1, order: stack-by-column", "spares must be 0 with order stack-by-column"],
  ])(
    "labels that spare cells repeat are not counted where there is no grid: %s",
    async (sheets, says) => {
      const files = makeFolder(3, `{ ${sheets}, spare_labels: repeat }`);
      const proof = path.join(files.root, "proof.pdf");
      for (const command of [["validate"], ["plan"], ["sheets", "proof", "--out", proof]]) {
        const { code, err } = await runInProcess([...command, files.manifest]);
        expect(err.match(/output\.sheets\.[^\n]*/gu)).toEqual([
          expect.stringContaining(`output.sheets.${says}`),
        ]);
        expect(code).toBe(2);
      }
      expect(existsSync(proof)).toBe(false);
    },
  );

  it("a module below the limit is named by validate and preview, too, unless the device's pixels raise it", async () => {
    const small = makeFolder(3, "{ x_dimension_mm: 0.2 }");
    const out = path.join(small.root, "preview");
    for (const command of [["validate"], ["preview", "--line", "2", "--out", out]]) {
      const refused = await runInProcess([...command, small.manifest]);
      expect(refused.err).toContain("x_dimension_mm must be at least 0.33, got 0.2");
      expect(refused.code).toBe(2);
    }
    const raised = makeFolder(3, "{ x_dimension_mm: 0.32, device_dpi: 600 }");
    const printer = makeFolder(3, "{ x_dimension_mm: 0.32, printer: laser }");
    const printers = JSON.stringify({ laser: { device_dpi: 600 } });
    writeFileSync(path.join(printer.root, "jobs", "printers.json"), printers);
    for (const { manifest } of [raised, printer]) {
      expect((await runInProcess(["validate", manifest])).err).toBe("");
      const { code, out } = await runInProcess(["plan", manifest]);
      expect(out).toContain("X-dimension 0.339 mm");
      expect(code).toBe(0);
    }
  });

  it("rows whose codes need a greater qr_size_mm are refused with the size", async () => {
    const files = makeFolder(3, "{ qr_size_mm: 7.5, caption: [] }");
    const { out } = await runInProcess(["plan", files.manifest]);
    expect(out).toContain("qr_size_mm must be at least 9.57 for a version 3 code, got 7.5");
    expect(out).not.toContain("caption lines");
  });

  it("marks and die lines on pre-cut labels are warned of once, with the reason", async () => {
    const files = makeFolder(1, "{ sheet: avery-l7159, marks: [crop], die_line: true }");
    const { out, err } = await runInProcess(["plan", files.manifest]);
    const lines = (out + err).split("\n").filter((line) => line.includes("left out"));
    expect(lines).toEqual([
      expect.stringContaining("marks and die lines are left out: the stock is pre-cut"),
    ]);
  });

  it.each(["plan", "validate"])("%s says that a background isn't there", async (command) => {
    const files = makeFolder(1, "{ background: art.pdf }");
    const { code, err } = await runInProcess([command, files.manifest]);
    expect(code).toBe(2);
    expect(err).toContain("background must be a file that exists, got none at ");
    expect(err).toContain("art.pdf (correct the path; it is relative to the manifest)");
    expect(err).not.toContain("PDF/X");
  });

  it.each([
    ["columns: 4", "say columns: 3 or fewer, make labels or gutter smaller, or take a larger page"],
    ["columns: 4, rows: 9", "say columns: 3 or fewer, say rows: 6 or fewer, make labels"],
    ["columns: 3, rows: 9", "→ say rows: 6 or fewer, make labels"],
  ])("a page of one's own with too many labels names how many fit: %s", async (asked, hint) => {
    const files = makeFolder(1, `{ sheet: { page: A4, label: [60, 40], gutter: 4, ${asked} } }`);
    const { code, err } = await runInProcess(["plan", files.manifest]);
    expect(code).toBe(2);
    expect(err).toContain(hint);
    const made = makeFolder(
      1,
      "{ sheet: { page: A4, label: [60, 40], gutter: 4, columns: 3, rows: 6 } }",
    );
    expect((await runInProcess(["plan", made.manifest])).code).toBe(0);
  });

  it("prints on a sheet of one's own, found from the manifest, under the same checks", async () => {
    const files = makeFolder(5, "{ sheet: mine.json, caption: '{{ text }}', marks: [crop, bar] }");
    const file = path.join(files.root, "jobs", "mine.json");
    const own = {
      ...(await loadSheet("a4-24up-63.5x33.9")),
      name: "mine",
      sameAs: [],
      label: { shape: "rectangle", widthMm: 80, heightMm: 40, cornerRadiusMm: 0 },
      columns: 2,
      rows: 2,
      perSheet: 4,
      leftMm: 25,
      topMm: 108.5,
      pitchXMm: 80,
      pitchYMm: 40,
    };
    writeFileSync(file, JSON.stringify({ ...own, pitchXMm: 70 }));
    const refused = await runInProcess(["plan", files.manifest]);
    expect(refused.code).toBe(2);
    expect(refused.err).toContain("mine.json");
    expect(refused.err).toContain("pitchXMm must be at least the label's 80 mm, got 70");
    writeFileSync(file, JSON.stringify(own));
    await run(files);
    expect(Object.keys(placesOf(files))).toEqual([
      "1:1/1/1",
      "1:1/1/2",
      "1:1/2/1",
      "1:1/2/2",
      "1:2/1/1",
    ]);
  });

  it("undoes what was measured of a printer, says so in the slug, and proves it where it is", async () => {
    const files = makeFolder(3, "{ printer: office, caption: '{{ text }}', marks: [crop] }");
    const printers = { office: { offset_x_mm: 2, offset_y_mm: -3, scale_x_percent: 101 } };
    writeFileSync(path.join(files.root, "jobs", "printers.json"), JSON.stringify(printers));
    expect(await run(files)).toContain("all 3 codes read back");
    const before = readFileSync(path.join(files.out, "flow.pdf"));
    const changed = { office: { offset_x_mm: 1 } };
    writeFileSync(path.join(files.root, "jobs", "printers.json"), JSON.stringify(changed));
    await run(files);
    expect(readFileSync(path.join(files.out, "flow.pdf")).equals(before)).toBe(false);
  });

  it("says before printing that the longest caption must be cut", async () => {
    const files = makeFolder(
      3,
      "{ sheet: herma-4270, caption: '{{ text }}' }",
      " in the garden".repeat(20),
    );
    const { code, out, err } = await runInProcess(["plan", files.manifest]);
    expect(code).toBe(0);
    expect(out + err).toContain('3 texts are cut with "…" (rows 1, 2, 3)');
  });
});
