import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import os from "node:os";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { listSheets } from "../../src/print/layout/sheet-files.ts";
import { runInProcess } from "../flow/in-process.ts";

const scratch = (): string => mkdtempSync(path.join(os.tmpdir(), "makeready-sheets-"));
const sheets = (...args: string[]): ReturnType<typeof runInProcess> =>
  runInProcess(["sheets", ...args]);

describe("makeready sheets", () => {
  it("lists every sheet that comes along, with or without the word", async () => {
    const known = await listSheets();
    const { code, out } = await sheets();
    expect(code).toBe(0);
    const names = out
      .trimEnd()
      .split("\n")
      .map((line) => line.split(" ")[0]);
    expect(names).toEqual(known.map(({ name }) => name));
    expect((await sheets("list")).out).toBe(out);
    const json = (await sheets("list", "--json")).out.trimEnd().split("\n");
    expect(json.map((line): unknown => JSON.parse(line))).toEqual(known);
  });

  it("lists the label templates with the texts that they ask for", async () => {
    const { code, out } = await sheets("labels");
    expect(code).toBe(0);
    expect(out).toMatch(
      /asset-tag +Asset tag: .*\n +texts: owner \(may be left out\), title, number/u,
    );
    const json = (await sheets("labels", "--json")).out.trimEnd().split("\n");
    expect(json.map((line) => (JSON.parse(line) as { name: string }).name)).toEqual(
      expect.arrayContaining([
        "address-label",
        "gtin-label",
        "retail-pair",
        "shelf-label",
        "table-tent",
      ]),
    );
  });

  it("shows the geometry of one, with its origin and status", async () => {
    const { code, out } = await sheets("show", "Zweckform 3651");
    expect(code).toBe(0);
    expect(out).toContain("zweckform-3651: Zweckform 3651");
    expect(out).toMatch(/labels +4 x 10 = 40/u);
    expect(out).toMatch(/pitch +52 mm across, 29.5 mm down/u);
    expect(out).toMatch(/gaps +0 mm across, 0 mm down/u);
    expect(out).toMatch(/status +two sources differ\n +note +The sources differ by up to 1 mm/u);
    expect(out).toMatch(/origin +\S/u);
    expect(JSON.parse((await sheets("show", "zweckform-3651", "--json")).out)).toMatchObject({
      perSheet: 40,
    });
  });

  it.each([
    [["63.5x38.1"], ["herma-4677"], []],
    [["38.1", "x", "63.5mm"], ["herma-4677"], ["avery-5160"]],
    [["avery", "5160"], ["avery-5160"], ["herma-4677"]],
    [["Avery", "Zweckform", "3474"], ["zweckform-3474"], ["avery-5160"]],
    [["2.625x1in"], ["avery-5160"], ["herma-4677"]],
    [["herma", "a4", "24up"], ["herma-4614"], ["avery-l7159", "avery-5160"]],
    [["sra3"], ["sra3-2up-297x210"], ["a4-2up-210x148.5"]],
    [["a3"], ["a3-1up-297x420"], ["zebra-3001334", "sra3-2up-297x210"]],
    [["brother", "62"], ["brother-dk-11209", "brother-dk-1202"], ["brother-dk-11203"]],
    [["62", "mm"], ["brother-dk-11209"], ["brother-dk-11203"]],
    [["zebra", "4x6"], ["zebra-76180"], []],
    [["Herma", "Nr.", "4226"], ["herma-4226"], ["herma-4677"]],
    [["L", "7160", "avery"], ["avery-l7160"], ["avery-5160"]],
    [["verified"], ["a4-24up-63.5x33.9"], ["herma-4677"]],
  ])("finds sheets by %j", async (words, some, none) => {
    const { code, out } = await sheets("list", ...words);
    expect(code).toBe(0);
    const names = out.split("\n").map((line) => line.split(" ")[0]);
    for (const name of some) expect(names).toContain(name);
    for (const name of none) expect(names).not.toContain(name);
    const json = (await sheets("list", ...words, "--json")).out.trimEnd().split("\n");
    expect(json.map((line) => (JSON.parse(line) as { name: string }).name)).toEqual(
      names.slice(0, -1),
    );
  });

  it("says the other name that was searched, the exact one first", async () => {
    const [first = ""] = (await sheets("list", "avery", "8160")).out.split("\n");
    expect(first).toMatch(/^avery-5160 .*two sources differ; same as avery-8160$/u);
  });

  it("says what can be searched where nothing fits", async () => {
    const { code, out, err } = await sheets("list", "herma", "nothing");
    expect([code, out]).toEqual([2, ""]);
    expect(err).toContain('got "herma nothing"');
    expect(err).toContain("63.5x38.1");
  });

  it.each([["DK-22205"], ["brother", "dk", "22205"], ["Brother", "22205"], ["dk2205"]])(
    "says how to treat a roll that is cut to length: %s %s",
    async (...words) => {
      const { code, err } = await sheets("list", ...words);
      expect(code).toBe(2);
      expect(err).toContain("62 mm wide");
      expect(err).toContain("sheet: { roll: 62, label: [62, 40] }");
    },
  );

  it("refuses more than one manifest", async () => {
    const { code, err } = await sheets("proof", "a.yaml", "b.yaml");
    expect(code).toBe(2);
    expect(err).toContain("must name one manifest, got a.yaml, b.yaml");
  });

  it("a folder in the place of its file is refused, not called a bug", async () => {
    const cwd = scratch();
    for (const action of ["draw", "align"]) {
      const { code, err } = await runInProcess(["sheets", action, "avery-l7651", "--out", cwd]);
      expect([code, err]).toEqual([
        2,
        expect.stringContaining(`${cwd} must be a file, got a folder`),
      ]);
    }
    // Folders above are made.
    const file = path.join(cwd, "a/b.svg");
    expect((await sheets("draw", "avery-l7651", "--out", file)).code).toBe(0);
    // A link such as /dev/stdout stays: what it leads to is written.
    const link = path.join(cwd, "link.svg");
    symlinkSync("a/c.svg", link);
    expect((await sheets("draw", "avery-l7651", "--out", link)).code).toBe(0);
    expect(readFileSync(path.join(cwd, "a/c.svg"))).toEqual(readFileSync(file));
    expect((await sheets("align", "avery-l7651", "--out", link)).code).toBe(0);
    expect(readFileSync(path.join(cwd, "a/c.svg")).subarray(0, 5).toString()).toBe("%PDF-");
    // As root, a file put in the place of a device would end it for every program.
    const device = await sheets("align", "avery-l7651", "--out", "/dev/null");
    expect([device.code, device.err]).toEqual([
      2,
      expect.stringContaining("got a device or a pipe"),
    ]);
  });

  it("draws a sheet as one small picture, however many labels it has", async () => {
    const file = path.join(scratch(), "picture.svg");
    const { code, out } = await sheets("draw", "avery", "l7651", "--out", file);
    expect(code).toBe(0);
    expect(out).toContain("picture.svg: Avery L7651");
    const svg = readFileSync(file, "utf8");
    expect(svg.length).toBeLessThan(1500);
    expect(svg).toContain('viewBox="0 0 210 313"');
    expect(svg).toContain(
      '<pattern id="cell-avery-l7651" patternUnits="userSpaceOnUse" x="4.699" y="10.901" width="40.601" height="21.198">',
    );
    expect(svg).toContain("Avery L7651: 65 (5 x 13) of 38.1 x 21.198 mm on A4");
  });

  it("shows and checks a person's own file like ours", async () => {
    const folder = scratch();
    const [own] = await listSheets();
    const file = path.join(folder, "mine.json");
    writeFileSync(file, JSON.stringify({ ...own, name: "mine", title: "My stock" }));
    expect((await sheets("show", file)).out).toContain("mine: My stock");
    writeFileSync(file, JSON.stringify({ ...own, pitchXMm: 10, rows: 0 }));
    const { code, err } = await sheets("show", file);
    expect(code).toBe(2);
    expect(err).toContain("rows must be a whole number of 1 or more, got 0");
  });

  it("writes the alignment page to the given place", async () => {
    const folder = scratch();
    const file = path.join(folder, "align.pdf");
    const { code, out } = await sheets("align", "avery-l7159", "--out", file);
    expect(code).toBe(0);
    expect(out).toContain("align.pdf");
    expect(readFileSync(file).subarray(0, 8).toString("latin1")).toBe("%PDF-1.6");
    const other = path.join(folder, "other.pdf");
    const json = await sheets("align", "avery-l7159", "--out", other, "--json");
    expect(JSON.parse(json.out)).toMatchObject({ sheet: "avery-l7159", file: other });
    expect(readFileSync(other).equals(readFileSync(file))).toBe(true);
  });

  it("takes what was measured, for all jobs of the folder; wrong measures leave all as it was", async () => {
    const cwd = scratch();
    const manifest = path.join(cwd, "job.yaml");
    const text =
      'version: 1\nname: job\nkind: codes\nsource: a.csv\ncode: { dynamic: false, qr_data: "https://a.example/{{ n }}" }\noutput: { sheets: {} } # labels\n';
    writeFileSync(manifest, text);
    writeFileSync(path.join(cwd, "a.csv"), "n\n1\n");
    const measure = (...words: string[]) =>
      runInProcess(["sheets", "measure", "job.yaml", ...words], { cwd });
    for (const [words, says] of [
      [[], "must name a manifest and a printer"],
      [["offset_x_mm=1"], "must name a manifest and a printer"],
      [["office", "offset=1"], "a measure must be a field and a number, got offset=1"],
      [["office", "offset_x_mm="], "a measure must be a field and a number, got offset_x_mm="],
      [["office", "offset_x_mm=11"], "offset_x_mm must be a number from -10 to 10, got 11"],
    ] as const) {
      const { code, err } = await measure(...words);
      expect([code, err]).toEqual([2, expect.stringContaining(says)]);
    }
    const away = await runInProcess(["sheets", "measure", "jbs/job.yaml", "office"], { cwd });
    expect([away.code, away.err]).toEqual([2, expect.stringContaining("jbs/job.yaml")]);
    writeFileSync(manifest, text.replace("kind: codes", "kind: none"));
    expect((await measure("office", "offset_x_mm=1")).code).toBe(2);
    const bare = text.replace("sheets: {}", "sheets: false");
    writeFileSync(manifest, bare);
    const none = await measure("office", "offset_x_mm=1");
    expect([none.code, none.err]).toEqual([2, expect.stringContaining("must print label sheets")]);
    expect(readFileSync(manifest, "utf8")).toBe(bare);
    writeFileSync(manifest, text);
    expect(readdirSync(cwd).toSorted()).toEqual(["a.csv", "job.yaml"]);
    mkdirSync(path.join(cwd, "printers.json"));
    const folder = await measure("office", "offset_x_mm=1");
    expect([folder.code, folder.err]).toEqual([
      2,
      expect.stringContaining("printers must be readable, got EISDIR"),
    ]);
    expect(readFileSync(manifest, "utf8")).toBe(text);
    rmSync(path.join(cwd, "printers.json"), { recursive: true });
    const shared = path.join(scratch(), "shared.json");
    writeFileSync(shared, "{}");
    symlinkSync(shared, path.join(cwd, "printers.json"));
    const { code, out } = await measure("office", "offset_x_mm=0.4");
    expect(code).toBe(0);
    expect(out).toContain("job.yaml: corrects the printer office");
    expect((await measure("office", "turn_degrees=-0.1")).code).toBe(0);
    expect(JSON.parse(readFileSync(shared, "utf8"))).toEqual({
      office: { offset_x_mm: 0.4, turn_degrees: -0.1 },
    });
    const edited = readFileSync(manifest, "utf8");
    expect(edited).toContain("printer: office");
    expect(edited).toContain("# labels");
  });

  it("writes it into the current folder under the name of the sheet", async () => {
    const cwd = scratch();
    expect((await runInProcess(["sheets", "align", "avery-l7159"], { cwd })).code).toBe(0);
    expect(readFileSync(path.join(cwd, "align-avery-l7159.pdf")).length).toBeGreaterThan(1000);
  });

  it.each([
    [
      ["shw"],
      /action must be one of list, show, draw, align, measure, labels, proof, reprint, got "shw"[^]*did you mean "show"/u,
    ],
    [["zebra"], /to find label sheets, put list in front: list zebra/u],
    [["show"], /sheets show must name a sheet, got none/u],
    [["align"], /sheets align must name a sheet/u],
    [["show", "avrey-l7159"], /did you mean "avery-l7159"/u],
    [["show", "nowhere.json"], /must be readable/u],
  ])("refuses %j in one sentence, with 2", async (args, says) => {
    const { code, out, err } = await sheets(...args);
    expect(code).toBe(2);
    expect(err).toMatch(says);
    expect(out).toBe("");
  });
});
