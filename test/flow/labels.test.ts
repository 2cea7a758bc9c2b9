import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

import sharp from "sharp";
import { describe, expect, it } from "vitest";

import { readPdfText } from "../help/pdf-text.ts";
import { type InProcess, runInProcess } from "./in-process.ts";
import { type JobFolder, makeJobFolder } from "./job-folder.ts";

const COLUMNS = "number,title,url";

const toCsv = (titles: readonly string[]): string =>
  [
    COLUMNS,
    ...titles.map((title, n) => `A-${n + 1},${title},https://menu.example/${n + 1}`),
    "",
  ].join("\n");

/** A job of static codes with the given `sheets:`, as many rows as titles. */
function makeFolder(sheets: string, titles: readonly string[] = ["Desk", "Chair"]): JobFolder {
  return makeJobFolder(
    toCsv(titles),
    `version: 1
name: labels
kind: codes
source: { file: ../rows.csv, key: [number] }
code: { type: Link, qr_data: "{{ url }}", display_name: "{{ number }}" }
output:
  dir: ../out
  files: []
  sheets: ${sheets}
`,
  );
}

const many = (count: number): string[] => Array.from({ length: count }, (_, n) => `Thing ${n + 1}`);

const program = async (files: JobFolder, ...args: string[]): Promise<InProcess> =>
  runInProcess([...args, "--data", files.data], { cwd: files.root });
const run = async (files: JobFolder): Promise<InProcess> => program(files, "run", files.manifest);

describe("labels of a manifest (docs/spec/jobs.md section 1)", () => {
  it("take a template that comes along, its texts and items of one's own", async () => {
    const files = makeFolder(`
    label:
      template: asset-tag
      texts: { owner: "Property of Nordwerk" }
      items:
        - { counter: "Label ###", at: [25, 20.6, 22, 2.2], size_pt: 4, align: right, color: black }
    marks: [crop]`);
    const { code, out, err } = await run(files);
    expect(err).not.toMatch(/warning|error/u);
    expect(out).toContain("all 2 codes read back from the PDFs, no rule broken");
    expect(code).toBe(0);
    const again = await run(files);
    expect(again.out).toMatch(/PDF/u);
  });

  it("have captions where two words of YAML say", async () => {
    const files = makeFolder(`
    caption: ["{{ title }}", "{{ number }}"]
    caption_bold: first-line
    caption_place: above
    caption_align: left
    caption_size: 7`);
    const { code, out, err } = await run(files);
    expect(err).not.toMatch(/warning|error/u);
    expect(out).toContain("all 2 codes read back from the PDFs, no rule broken");
    expect(code).toBe(0);
    writeFileSync(files.manifest, readFileSync(files.manifest, "utf8").replace("above", "over"));
    const wrong = await program(files, "validate", files.manifest);
    expect(wrong.err).toMatch(/caption_place/u);
    expect(wrong.code).toBe(2);
  });

  it("print RGB pictures in inks of the press, and name them in plan, run and report", async () => {
    const files = makeFolder(`
    label:
      items:
        - { code: true, at: [4, 4, 24, 24] }
        - { image: sky.png, at: [32, 4, 20, 10] }`);
    const picture = path.join(path.dirname(files.manifest), "sky.png");
    const sky = { width: 200, height: 100, channels: 3, background: "#3388ff" } as const;
    await sharp({ create: sky }).png().toFile(picture);
    const told = /1 RGB picture is printed in inks of the press, .*: sky\.png/u;
    const plan = await program(files, "plan", files.manifest);
    expect(plan.err + plan.out).toMatch(told);
    const { code, out, err } = await run(files);
    expect(out + err).toMatch(told);
    expect(code).toBe(0);
    const report = readFileSync(path.join(files.root, "out", "report.html"), "utf8");
    expect(told.test(report)).toBe(true);
  });

  it("with a picture of each row are refused for that, not for a file that is missing", async () => {
    const files = makeFolder(`
    label:
      items:
        - { code: true, at: [4, 4, 24, 24] }
        - { image: "photos/{{ id }}.png", at: [32, 4, 20, 10] }`);
    const { code, err } = await program(files, "plan", files.manifest);
    expect(err).toContain(
      "output.sheets.label.items[1].image must be one file, the same on every label, got photos/{{ id }}.png",
    );
    expect(err).toContain("jobs print no picture of each row");
    expect(err).not.toContain("ENOENT");
    expect(code).toBe(2);
  });

  it("with AIs in a symbol that holds a GTIN alone are refused once, not row by row", async () => {
    const files = makeFolder(`
    label:
      items:
        - { code: true, at: [4, 4, 24, 24] }
        - { symbol: databar-omni, data: "(01){{ number }}", at: [32, 4, 30, 20] }
        - { symbol: gs1-128, data: "(01){{ number }}", at: [32, 24, 30, 8] }`);
    const { code, err } = await program(files, "validate", files.manifest);
    expect(code).toBe(2);
    expect(err).toContain(
      'output.sheets.label.items[1].data must be digits without AIs, got "(01){{ number }}"',
    );
    expect(err).toContain("(leave (01) out: databar-omni holds a GTIN only)");
    expect(err).not.toContain("items[2]");
  });

  it("with mistakes are refused at once, each with its place and its fix", async () => {
    const files = makeFolder(`
    inks: { brand: { cmyk: [100, 60, 0, 0], spot: PANTONE 286 C } }
    label:
      template: asset-tag
      texts: { ownr: x }
      items:
        - { text: "{{ titel }}", at: [1, 1, 5, 5], color: brnd }
        - { box: true, at: [0, 0, 5, 5] }
        - { text: x }`);
    const { code, err } = await program(files, "validate", files.manifest);
    expect(code).toBe(2);
    expect(err).toMatch(/items\[2\] must say where/u);
    const mended = readFileSync(files.manifest, "utf8").replace("        - { text: x }", "");
    writeFileSync(files.manifest, mended);
    const second = await program(files, "validate", files.manifest);
    expect(second.err).toMatch(
      /flow.yaml:\d+:\d+: output.sheets.label.items\[0\].color must be an ink/u,
    );
    expect(second.err).toContain('did you mean "brand"?');
    expect(second.err).toContain("must have a fill or a stroke");
    expect(second.err).toContain('did you mean "owner"?');
  });

  it("name columns that must be there, those of the template's own texts, too", async () => {
    const files = makeFolder("{ label: shelf-label }");
    const { code, err } = await program(files, "plan", files.manifest);
    expect(code).toBe(2);
    expect(err).toMatch(/label.texts.place must name a column of the source, got "place"/u);
    expect(err).toContain(
      'or give the text: label: { template: shelf-label, texts: { place: "{{ COLUMN }}" } }',
    );
  });

  it.each([
    [
      "over the quiet zone",
      "{ line: [0, 10, 63, 10] }",
      /must leave the code and its quiet zone free/u,
    ],
    ["outside of the safe area", '{ text: "{{ title }}", at: [40, 0, 20, 10] }', /safe area 3, 3/u],
    ["off the label", "{ box: true, at: [50, 2, 20, 10], fill: black }", /must stay on the label/u],
    [
      "too thin",
      '{ line: [40, 5, 60, 5], color: "C10 M10", stroke_pt: 0.2 }',
      /lines of at least 0.3 pt/u,
    ],
    [
      "too much ink",
      '{ box: true, at: [40, 5, 9, 9], fill: "C90 M90 Y90 K90" }',
      /300% of ink at most, got 360%/u,
    ],
    [
      "too much ink for newsprint",
      '{ box: true, at: [40, 5, 9, 9], fill: "C70 M70 Y70 K70" }',
      /260% of ink at most, got 280%/u,
    ],
    [
      "small in several inks",
      '{ text: x, at: [40, 5, 9, 9], size_pt: 6, color: "C90 M90" }',
      /at least 8 pt in several inks/u,
    ],
  ])("%s are refused by the plan", async (name, item, message) => {
    const files = makeFolder(`
    icc: ${name.endsWith("newsprint") ? "SNAP" : "FOGRA39"}
    label: { items: [{ code: true, at: [4, 4, 26, 26] }, ${item}] }`);
    const { code, err } = await program(files, "plan", files.manifest);
    expect(err).toMatch(message);
    expect(code).toBe(2);
  });

  it("with texts that can't fit make bad rows, the others are printed", async () => {
    const files = makeFolder(
      `
    label:
      items:
        - { code: true, at: [4, 4, 26, 26] }
        - { text: "{{ title }}", at: [32, 5, 20, 5], size_pt: 8, fit: refuse }`,
      ["Desk", "A very long name of a thing that nobody reads"],
    );
    const { code, out, err } = await run(files);
    expect(code).toBe(3);
    expect(`${out}${err}`).toMatch(/line 3.*must fit 20.0 x 5.0 mm at 8 pt/u);
    expect(out).toContain("the only code read back");
  });
});

describe("GS1 text beside codes (docs/spec/print.md section 5)", () => {
  it("is refused by the plan where the code will hold a short link", async () => {
    const files = makeFolder(
      "{ label: { items: [{ code: true, at: [4, 4, 26, 26] }, { hri: all, at: [32, 5, 28, 20] }] } }",
    );
    const text = readFileSync(files.manifest, "utf8");
    writeFileSync(files.manifest, text.replace("type: Link,", "type: Link, dynamic: true,"));
    const { err, out } = await program(files, "plan", files.manifest);
    expect(`${err}${out}`).toMatch(/line 2.*GS1 text comes from the code/u);
    expect(existsSync(files.out)).toBe(false);
  });
});

describe("sheets of a manifest", () => {
  it("may be described by page, label and gutter, or as a roll", async () => {
    const sheet = makeFolder("{ sheet: { page: A4, label: [60, 40], gutter: 4 }, marks: [crop] }");
    expect((await run(sheet)).out).toContain("all 2 codes read back");
    const map = JSON.parse(readFileSync(path.join(sheet.out, "sheet-map.json"), "utf8")) as object;
    expect(map).toMatchObject({ sheet: "a4-18up-60x40" });
    const roll = makeFolder(
      "{ sheet: { roll: 70, label: [60, 40], gutter: 3 }, order: stack-by-column }",
    );
    expect((await run(roll)).out).toContain("2 labels in 2 repeats of the roll");
    // The default margin of 5 mm refuses no roll and no label of a whole page.
    for (const [sheet, says] of [
      ["{ roll: 62, label: [62, 40] }", "2 labels in 2 repeats, 0.08 m of roll"],
      ["{ page: A5, label: [148, 210] }", "2 sheets of paper"],
    ] as const) {
      const edge = makeFolder(`{ sheet: ${sheet} }`);
      expect((await program(edge, "plan", edge.manifest)).out).toContain(says);
    }
    const none = makeFolder("{ sheet: { page: A5, label: [160, 40] } }");
    expect((await program(none, "plan", none.manifest)).err).toMatch(
      /labels of 160 x 40 mm must fit A5/u,
    );
  });

  it("go on where the last job on such sheets ended, and stay there when run again", async () => {
    const files = makeFolder("{ sheet: avery-l7159, start: continue }", many(5));
    const cells = (): (readonly [number, number, number])[] => {
      const text = readFileSync(path.join(files.out, "sheet-map.json"), "utf8");
      const map = JSON.parse(text) as {
        volumes: { cells: { page: number; row: number; column: number }[] }[];
      };
      return map.volumes.flatMap((volume) =>
        volume.cells.map(({ page, row, column }) => [page, row, column] as const),
      );
    };
    const plan = async (...more: string[]) =>
      (await program(files, "plan", files.manifest, ...more)).out;
    expect(await plan()).toContain("on sheets avery-l7159, labels.pdf begins with a whole sheet");
    await run(files);
    expect(cells()[0]).toEqual([1, 1, 1]);
    // It stays there when it is run again; the next job goes on behind it.
    expect(await plan()).toContain("labels.pdf begins with a whole sheet");
    const first = readFileSync(path.join(files.out, "labels.pdf"));
    const other = path.join(files.root, "out-2");
    expect(await plan("--out", other)).toContain(
      "labels.pdf begins at cell 6 of a part-used sheet",
    );
    const second = await program(files, "run", files.manifest, "--out", other);
    expect(second.code).toBe(0);
    const map = JSON.parse(readFileSync(path.join(other, "sheet-map.json"), "utf8")) as {
      volumes: { cells: { row: number; column: number }[] }[];
    };
    expect(map.volumes[0]?.cells[0]).toMatchObject({ row: 2, column: 3 });
    await program(files, "run", files.manifest, "--fresh", "--yes");
    await run(files);
    expect(cells()[0]).toEqual([1, 4, 2]);
    const used = (): unknown =>
      JSON.parse(
        readFileSync(path.join(files.root, ".makeready", "part-used-sheets.json"), "utf8"),
      );
    expect(used()).toEqual({ "avery-l7159": { next: 16, job: "labels" } });
    const reprint = ["sheets", "reprint", files.manifest, "--lines", "2-3", "--start"];
    expect((await program(files, ...reprint, "16")).out).toContain(
      "the next job on such sheets begins at cell 18",
    );
    expect(used()).toEqual({ "avery-l7159": { next: 18, job: "labels" } });
    // Another part-used sheet: the one that is remembered is not forgotten.
    expect((await program(files, ...reprint, "3")).out).not.toContain("the next job");
    expect(used()).toEqual({ "avery-l7159": { next: 18, job: "labels" } });
    // Its last cells are left to jobs without spares: others begin a sheet.
    await program(files, "sheets", "reprint", files.manifest, "--lines", "2-6", "--start", "18");
    expect(used()).toEqual({ "avery-l7159": { next: 23, job: "labels" } });
    const third = path.join(files.root, "out-3");
    expect(await plan("--out", third)).toContain("labels.pdf begins at cell 23");
    const manifest = readFileSync(files.manifest, "utf8");
    writeFileSync(files.manifest, manifest.replace("continue }", "continue, spares: 4 }"));
    expect(await plan("--out", third)).toContain("labels.pdf begins with a whole sheet");
    expect(first.length).toBeGreaterThan(0);
  });

  it("that begin in a part-used sheet are named in the plan, and shared ones are counted once", async () => {
    const titles = Array.from({ length: 12 }, (_, at) => (at < 10 ? "A" : "B"));
    const files = makeFolder("{ sheet: avery-l7159, per: title, start: continue }", titles);
    const plan = async (): Promise<string> => (await program(files, "plan", files.manifest)).out;
    const shared = await plan();
    expect(shared).toMatch(
      /a\.pdf begins with a whole sheet; \S+b\.pdf begins at cell 11 of a part-used sheet/u,
    );
    expect(shared).toContain(" 1 sheet of paper");
    await run(files);
    expect(await plan()).toContain(" 1 sheet of paper");
    const manifest = readFileSync(files.manifest, "utf8");
    writeFileSync(files.manifest, manifest.replace("start: continue", "start: 8"));
    const fixed = await plan();
    expect(fixed).toMatch(
      /a\.pdf begins at cell 8 of a part-used sheet; \S+b\.pdf begins at cell 8 of a part-used/u,
    );
    expect(fixed).toContain(" 2 sheets of paper");
  });

  it("begin anew on other stock, and where the sheet no longer has their first cell", async () => {
    const files = makeFolder("{ sheet: avery-l7159, start: continue }", many(20));
    await run(files);
    writeFileSync(files.csv, toCsv(many(3)));
    const other = path.join(files.root, "out-2");
    const step = (name: string) => program(files, name, files.manifest, "--out", other);
    await step("run");
    expect((await step("plan")).out).toContain("labels.pdf begins at cell 21 of a part-used sheet");
    const manifest = readFileSync(files.manifest, "utf8");
    const changed = {
      "start: continue, spares: 4": "on sheets avery-l7159, labels.pdf begins with a whole sheet",
      "start: continue, order: columns": "labels.pdf begins at cell 21 of a part-used sheet",
    };
    for (const [field, begins] of Object.entries(changed)) {
      writeFileSync(files.manifest, manifest.replace("start: continue", field));
      const { code, out, err } = await step("plan");
      expect(code, err).toBe(0);
      expect(out).toContain(begins);
    }
    writeFileSync(files.manifest, manifest.replace("avery-l7159", "herma-4200"));
    expect((await step("plan")).out).toContain("labels.pdf begins with a whole sheet");
    const made = await step("run");
    expect(made.code, made.err).toBe(0);
    const text = readFileSync(path.join(other, "sheet-map.json"), "utf8");
    expect(JSON.parse(text)).toMatchObject({
      volumes: [{ cells: [{ row: 1, column: 1 }, {}, {}] }],
    });
    const used = path.join(files.root, ".makeready", "part-used-sheets.json");
    expect(JSON.parse(readFileSync(used, "utf8"))).toMatchObject({
      "avery-l7159": { next: 24 },
      "herma-4200": { next: 4 },
    });
  });

  it("that end with a sheet leave none, so labels that are printed again on one begin it", async () => {
    const files = makeFolder("{ sheet: avery-l7159, start: continue }", many(24));
    await run(files);
    const reprint = ["sheets", "reprint", files.manifest, "--lines", "2-3", "--start", "5"];
    expect((await program(files, ...reprint)).out).toContain(
      "the next job on such sheets begins at cell 7",
    );
  });
});

describe("labels with a back", () => {
  it("have their caption on the front, the texts of the back there, and sheets counted by paper", async () => {
    const back = '{ label: { items: [{ text: "Back of {{ number }}", at: [5, 5, 40, 10] }] } }';
    const sheet = "{ page: A4, label: [60, 90], gutter: 4 }";
    const files = makeFolder(
      `{ sheet: ${sheet}, caption: "Front of {{ number }}", back: ${back} }`,
      many(12),
    );
    const made = await run(files);
    expect(made.code, made.err).toBe(0);
    const [pdf = ""] = readdirSync(files.out).filter((name) => name.endsWith(".pdf"));
    const text = await readPdfText(path.join(files.out, pdf));
    const sides = [...text.matchAll(/(Front|Back) of (\S+)/gu)];
    expect(sides).toHaveLength(24);
    expect(sides.slice(0, 3).map(([said]) => said)).toEqual([
      "Front of A-1",
      "Front of A-2",
      "Front of A-3",
    ]);
    expect(new Set(sides.map(([said]) => said)).size).toBe(24);
    const index = readFileSync(path.join(files.out, "index.csv"), "utf8");
    const at = index.split("\n")[0]?.split(",").indexOf("sheet") ?? -1;
    const sheets = index
      .trim()
      .split("\n")
      .slice(1)
      .map((line) => line.split(",")[at]);
    expect(new Set(sheets)).toEqual(new Set(["1", "2"]));
  });

  it("whose codes are on the back are counted by paper, also with all fronts first", async () => {
    const back = "{ label: { items: [{ code: true, at: [5, 5, 40, 40] }] } }";
    const front = '{ items: [{ text: "{{ number }}", at: [5, 5, 40, 10] }] }';
    const sheet = "{ page: A4, label: [60, 90], gutter: 4 }";
    const files = makeFolder(
      `{ sheet: ${sheet}, label: ${front}, pages: fronts-first, volume_codes: 18, back: ${back} }`,
      many(30),
    );
    const made = await run(files);
    expect(made.code, made.err).toBe(0);
    const [head = "", ...lines] = readFileSync(path.join(files.out, "index.csv"), "utf8")
      .trim()
      .split("\n")
      .map((line) => line.split(","));
    const [file, at] = [head.indexOf("sheet_file"), head.indexOf("sheet")];
    const sheets = new Set(lines.map((line) => `${line[file]?.slice(-5)} ${line[at]}`));
    expect([...sheets]).toEqual(["s.pdf 1", "s.pdf 2", "2.pdf 1", "2.pdf 2"]);
  });
});

describe("makeready sheets reprint and proof", () => {
  it("prints sheets again as they were, and rows on new sheets", async () => {
    const files = makeFolder(
      "{ label: asset-tag, order: cut-and-stack, volume_codes: 24, back: { label: { items: [{ code: true, at: [4, 4, 25, 25] }] } } }",
      many(60),
    );
    expect((await run(files)).code).toBe(0);
    const sheets = await program(files, "sheets", "reprint", files.manifest, "--sheets", "2-3");
    expect(sheets.err).toBe("");
    expect(sheets.out).toContain("36 labels on 4 pages printed again, 72 codes read back");
    expect(sheets.out).toContain("ready for press");
    const picked = "--lines 8 --key A-9 --start 5 --out again.pdf --json".split(" ");
    const rows = await program(files, "sheets", "reprint", files.manifest, ...picked);
    const last = rows.out.trimEnd().split("\n").at(-1) ?? "";
    expect(JSON.parse(last)).toMatchObject({
      labels: 2,
      codes: 4,
      decoded: 4,
      pages: 2,
      isReady: true,
    });
    expect(existsSync(path.join(files.root, "again.pdf"))).toBe(true);
  });

  it.each([
    [["--sheets", "9"], /--sheets must be from 1 to 1/u],
    [["--lines", "9"], /must be in labels.pdf, got line 9/u],
    [["--lines", "x"], /must be numbers from 1, like 3,7-9, got "x"/u],
    [[], /--sheets, or labels by --lines and --key/u],
    [["--sheets", "1", "--from", "x.pdf"], /--from must name one of the job's PDFs, got "x.pdf"/u],
  ])("refuses %j", async (args, message) => {
    const files = makeFolder("true");
    await run(files);
    const { code, err } = await program(files, "sheets", "reprint", files.manifest, ...args);
    expect(err).toMatch(message);
    expect(code).toBe(2);
  });

  it("prints codes as the server drew them, or says of which rows it can't (artwork: server)", async () => {
    const files = makeFolder("{ artwork: server }");
    const design = "design: { pattern: Circles, eye_style: Leaf }";
    const plain = readFileSync(files.manifest, "utf8");
    const wanted = (framed: string) =>
      plain.replace(`"{{ number }}" }`, `"{{ number }}", ${design.replace(" }", `${framed} }`)} }`);
    writeFileSync(files.manifest, wanted(""));
    const first = await run(files);
    expect(first.err).not.toMatch(/warning|error/u);
    expect(first.out).toContain("all 2 codes read back from the PDFs, no rule broken");
    const [pdf = ""] = readdirSync(files.out).filter((name) => name.endsWith(".pdf"));
    const bytes = readFileSync(path.join(files.out, pdf));
    const again = await run(files);
    expect(again.code).toBe(0);
    expect(readFileSync(path.join(files.out, pdf)).equals(bytes)).toBe(true);

    const framed = makeFolder("{ artwork: server }");
    writeFileSync(framed.manifest, wanted(", frame: card, text: SCAN"));
    const { code, out, err } = await run(framed);
    expect(`${out}${err}`).toMatch(
      /codes are drawn from their text, since the server's drawing .*\(2 rows/u,
    );
    expect(out).toContain("all 2 codes read back from the PDFs, no rule broken");
    expect(code).toBe(0);
  });

  it("writes a proof for the customer before anything is made", async () => {
    const files = makeFolder(
      "{ label: asset-tag, back: { label: { items: [{ hri: key, at: [4, 4, 20, 5] }] } } }",
    );
    const { code, err } = await program(files, "sheets", "proof", files.manifest);
    expect(err).toMatch(/GS1 text comes from the code/u);
    expect(code).toBe(2);
    const plain = makeFolder("{ label: asset-tag }", many(30));
    const made = await program(
      plain,
      "sheets",
      "proof",
      plain.manifest,
      "--lines",
      "2-3,31",
      "--json",
    );
    expect(JSON.parse(made.out)).toMatchObject({ labels: 3, pages: 1 });
    expect(existsSync(plain.out)).toBe(false);
  });
});
