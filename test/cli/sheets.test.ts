import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
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
      expect.arrayContaining(["address-label", "gtin-label", "shelf-label", "table-tent"]),
    );
  });

  it("shows the geometry of one, with its origin and status", async () => {
    const { code, out } = await sheets("show", "Zweckform 3651");
    expect(code).toBe(0);
    expect(out).toContain("zweckform-3651: Zweckform 3651");
    expect(out).toMatch(/labels +4 x 10 = 40/u);
    expect(out).toMatch(/pitch +52 mm across, 29.5 mm down/u);
    expect(out).toMatch(/gaps +0 mm across, 0 mm down/u);
    expect(out).toMatch(/status +one-source/u);
    expect(out).toMatch(/origin +\S/u);
    expect(JSON.parse((await sheets("show", "zweckform-3651", "--json")).out)).toMatchObject({
      perSheet: 40,
    });
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

  it("writes the alignment page where it is told", async () => {
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

  it("writes it into the current folder under the name of the sheet", async () => {
    const cwd = scratch();
    expect((await runInProcess(["sheets", "align", "avery-l7159"], { cwd })).code).toBe(0);
    expect(readFileSync(path.join(cwd, "align-avery-l7159.pdf")).length).toBeGreaterThan(1000);
  });

  it.each([
    [
      ["shw"],
      /action must be one of list, show, align, labels, proof, reprint, got "shw"[^]*did you mean "show"/u,
    ],
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
