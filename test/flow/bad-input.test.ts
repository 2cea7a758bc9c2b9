import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { runInProcess } from "./in-process.ts";
import { makeJobFolder, makeRows } from "./job-folder.ts";

const PNG = Buffer.from("89504e470d0a1a0a0000000d49484452", "hex");

describe("a spreadsheet that can't be read as a whole", () => {
  it.each([
    ["is not there", null, /must be a file that exists|must exist|not there|no such/iu],
    ["is empty", "", /empty/iu],
    ["is a PNG", PNG, /PNG/u],
    [
      "has an unclosed quote",
      'site,table,region,Link\n"A,1,North,https://a.example\nB,2,North,https://b.example\n',
      /line 2/u,
    ],
    ["has no such columns", "a,b\n1,2\n", /site/u],
  ])("because it %s: one clear sentence, exit 2, no output folder", async (_name, bytes, says) => {
    const files = makeJobFolder("");
    if (bytes === null) rmSync(files.csv);
    else writeFileSync(files.csv, bytes);
    const { code, err } = await runInProcess(["run", files.manifest]);
    expect(err).toMatch(says);
    expect(err).toContain("rows.csv");
    expect(code).toBe(2);
    expect(existsSync(files.out)).toBe(false);
  });
});

it("pages without a button are reported, with their number", async () => {
  const files = makeJobFolder("site,Link\nA,https://a.example\nB,\nC,\n");
  writeFileSync(
    files.manifest,
    `version: 1
name: flow
kind: pages
source: { file: ../rows.csv, key: [site] }
page: { title: "{{ site }}", links: [{ url: "{{ Link }}", title: Menu }] }
output: { dir: ../out, files: [] }
`,
  );
  const { code, out } = await runInProcess(["plan", files.manifest]);
  expect(code).toBe(0);
  expect(out).toMatch(
    /rows.csv line 3: a page should have a button, got none: it leads nowhere; and 1 more like it/u,
  );
});

const toLabel = (file: string): string =>
  `label: { items: [{ image: ${file}, at: [1, 1, 5, 5] }, { code: true, at: [8, 1, 25, 25] }] }`;

describe("a manifest", () => {
  it("with five mistakes lists all five with their places and ends with 2", async () => {
    const files = makeJobFolder(makeRows(3));
    writeFileSync(
      files.manifest,
      [
        "version: 1",
        "name: flow",
        "kind: codes",
        "source:",
        "  file: ../rows.csv",
        "  key: [site, tabel]",
        "  columns:",
        "    site: { required: true }",
        "    table: { type: intger }",
        "    url: { type: url, aliases: [Link] }",
        "code:",
        "  type: Link",
        '  qr_data: "{{ urll }}"',
        "  dynamc: true",
        "  design: { primary_color: #111111 }",
        "output:",
        "  dir: ../out",
        "  files: [svg, jpg]",
      ].join("\n"),
    );
    const { code, err } = await runInProcess(["validate", files.manifest]);
    expect(code).toBe(2);
    for (const line of [6, 9, 13, 14, 18]) {
      expect(err, `line ${line}`).toMatch(new RegExp(`flow\\.yaml:${line}:\\d+`, "u"));
    }
    expect(existsSync(files.out)).toBe(false);
  });

  it("names sheet, printer, font, picture, profile and template: validate looks all of them up", async () => {
    const files = makeJobFolder(makeRows(3));
    const text = readFileSync(files.manifest, "utf8");
    const write = (sheets: string, design: string): void =>
      writeFileSync(
        files.manifest,
        text
          .replace("{ error_correction: Q }", design)
          .replace(/sheets: .*/u, `sheets: { per: region, caption: "{{ site }}", ${sheets} }`),
      );
    write(
      `sheet: a4-24up-63.5x33.8, printer: canon, fonts: [a.ttf, b.ttf], icc: { file: c.icc, condition: C }, ${toLabel("gone.png")}`,
      "{ template: no-such }",
    );
    const { code, err } = await runInProcess(["validate", files.manifest]);
    expect(code).toBe(2);
    for (const says of [
      'output.sheets.sheet must be the name of a label sheet or a .json file, got "a4-24up-63.5x33.8" (did you mean "a4-24up-63.5x33.9"?)',
      "output.sheets.printer: printers must be readable",
      "output.sheets.fonts[0] must be readable",
      "output.sheets.fonts[1] must be readable",
      "output.sheets.icc: output profile must be readable",
      'code.design.template must be a template of the workspace, got "no-such"',
    ]) {
      expect(err).toContain(says);
    }
    // The plan names the place, too.
    const plan = await runInProcess(["plan", files.manifest]);
    expect(plan.err).toContain("flow.yaml: output.sheets.sheet must be the name of a label sheet");
    // How large a picture stands on the label is known with the sheet only.
    write(`sheet: a4-24up-63.5x33.9, ${toLabel("gone.png")}`, "{ error_correction: Q }");
    const picture = await runInProcess(["validate", files.manifest]);
    expect([picture.code, picture.err]).toEqual([2, expect.stringContaining("gone.png")]);
    write("sheet: a4-24up-63.5x33.9", "{ template: classic }");
    expect(await runInProcess(["validate", files.manifest])).toMatchObject({ code: 0, err: "" });
  });

  it("that is missing, or not named, is reported", async () => {
    expect(await runInProcess(["run", "no/such.yaml"])).toMatchObject({ code: 2 });
    expect(await runInProcess(["run"])).toMatchObject({ code: 2 });
    expect(await runInProcess(["rum"])).toMatchObject({ code: 2 });
    const { err } = await runInProcess(["schedule", "shelves.yaml"]);
    expect(err).toContain("put the action before the file: list shelves.yaml");
  });
});

describe("bad rows", () => {
  it("go to failed-rows.csv with reasons and never stop good ones; mended, the job ends with 0", async () => {
    const files = makeJobFolder(makeRows(5));
    const first = await runInProcess(["run", files.manifest]);
    expect(first.code).toBe(3);
    const failed = readFileSync(path.join(files.out, "failed-rows.csv"), "utf8");
    expect(failed.split("\r\n")[0]).toBe("\uFEFFsite,table,region,Link,line,reason");
    expect(failed).toMatch(/Bad link,1,North,htp:\/\/nowhere,7,.*must be a URL/u);
    expect(failed).toMatch(/No table,,South,https:\/\/menu\.example\/,8,/u);
    const book = path.join(files.out, "failed-rows.xlsx");
    const other = path.join(files.root, "other");
    const fed = ["plan", files.manifest, "--set", `source.file=${book}`, "--out", other, "--json"];
    expect((await runInProcess(fed)).out).toMatch(
      /"bad":2,.*"rows":2,.*"problems":\[\{"message":"must be a URL, got/u,
    );
    writeFileSync(
      files.csv,
      makeRows(5).replace("htp://", "https://").replace("No table,,", "No table,1,"),
    );
    const second = await runInProcess(["run", files.manifest, "--json"]);
    expect(second.code, second.err).toBe(0);
    expect(readdirSync(files.out).filter((name) => name.startsWith("failed-rows"))).toEqual([]);
    expect(second.out).toContain('"created":2');
  });

  it("of a whole spreadsheet leave no codes and no sheets, and exit 3", async () => {
    const files = makeJobFolder("site,table,region,Link\nA,1,North,htp://x\n");
    const { code } = await runInProcess(["run", files.manifest]);
    expect(code).toBe(3);
    expect(existsSync(path.join(files.out, "tables-north.pdf"))).toBe(false);
    expect(readFileSync(path.join(files.out, "failed-rows.csv"), "utf8")).toContain("htp://x");
  });
});

describe("an output folder", () => {
  it("that is a file is reported", async () => {
    const files = makeJobFolder(makeRows(1));
    writeFileSync(files.out, "in the way");
    const { code, err } = await runInProcess(["run", files.manifest]);
    expect(err).toContain(files.out);
    expect(code).toBe(2);
  });

  it("that existed before a failed run is left as it was", async () => {
    const files = makeJobFolder("");
    mkdirSync(files.out);
    writeFileSync(path.join(files.out, "mine.txt"), "mine");
    await runInProcess(["run", files.manifest]);
    expect(readFileSync(path.join(files.out, "mine.txt"), "utf8")).toBe("mine");
  });
});
