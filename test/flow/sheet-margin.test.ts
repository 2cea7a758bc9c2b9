/** A margin that the manifest writes is kept, or said not to be. */
import { describe, expect, it } from "vitest";

import { runInProcess } from "./in-process.ts";
import { makeJobFolder } from "./job-folder.ts";
import { runJson } from "./seed.ts";

const manifest = (sheet: string, more = ""): string => `version: 1
name: margins
kind: codes
source: { file: ../rows.csv, key: [id] }
code: { qr_data: "https://a.example/{{ id }}", display_name: "{{ id }}" }
output:
  dir: ../out
  sheets: { sheet: { ${sheet} }${more} }
`;

const ask = (command: string, sheet: string, more?: string) =>
  runInProcess([command, makeJobFolder("id\na\nb\n", manifest(sheet, more)).manifest]);

const MARKS = ", marks: [crop]";

describe.each(["plan", "run"])("%s", (command) => {
  it.each<[where: string, sheet: string, says: string, more?: string]>([
    ["down", "page: A4, label: [90, 35], gutter: 0, margin: 12, columns: 2, rows: 8", "rows: 7"],
    ["across", "page: A4, label: [90, 35], gutter: 0, margin: 16, columns: 2", "columns: 1"],
    ["on a roll", "roll: 100, label: [46, 30], margin: 6, columns: 2", "columns: 1"],
    ["below a page", "page: [200, 400], label: [90, 60], margin: 22, rows: 6", "rows: 5", MARKS],
    [
      "on a press sheet",
      "page: SRA3, label: [90, 35], margin: 30, columns: 3",
      "columns: 2",
      MARKS,
    ],
    ["down a press sheet", "page: SRA3, label: [90, 60], margin: 20, rows: 7", "rows: 6", MARKS],
    // The slug line moves the block up.
    ["above the slug line", "page: SRA3, label: [90, 42], margin: 15", "rows: 9", MARKS],
  ])("warns of a grid that does not keep its margin %s", async (_where, sheet, says, more) => {
    const { code, out, err } = await ask(command, sheet, more);
    expect(code, out + err).toBe(0);
    expect(out).toMatch(
      /labels are [\d.]+ mm from the edge of .*, nearer than the margin of \d+ mm/u,
    );
    expect(out).toContain(`say ${says} or fewer`);
  });

  it.each([
    ["kept", "page: A4, label: [90, 35], gutter: 0, margin: 8.5, columns: 2, rows: 8"],
    ["kept on a roll", "roll: 100, label: [94, 30], margin: 3, columns: 1, rows: 3"],
    ["not written", "page: A4, label: [105, 37], gutter: 0, columns: 2, rows: 8"],
    ["none", "page: A4, label: [105, 37], gutter: 0, margin: 0, columns: 2, rows: 8"],
  ])("takes a margin that is %s", async (_how, sheet) => {
    const { code, out } = await ask(command, sheet);
    expect(code).toBe(0);
    expect(out).not.toContain("nearer than the margin");
  });
});

interface Told {
  readonly type: string;
  readonly where?: unknown;
}

describe("validate", () => {
  const NEAR = "page: A4, label: [90, 35], gutter: 0, margin: 12, columns: 2, rows: 8";
  const TWO_SIZES = ", x_dimension_mm: 0.4, qr_size_mm: 20";

  it("warns of what the sheets will not keep, as the plan does", async () => {
    const { code, out, err } = await ask("validate", NEAR, TWO_SIZES);
    expect(code, err).toBe(0);
    expect(out).toContain("margins is valid");
    expect(err).toMatch(/warning: .*nearer than the margin of 12 mm/u);
    expect(err).toContain("x_dimension_mm beside it is only the least size of a module");
  });

  it("has the warnings as data", async () => {
    const { manifest: file } = makeJobFolder("id\na\n", manifest(NEAR, TWO_SIZES));
    const { out } = await runJson(["validate", file]);
    const events = out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Told);
    const fields = events.flatMap(({ type, where }) => (type === "warning" ? [where] : []));
    expect(fields).toMatchObject([
      { field: "output.sheets.sheet.margin" },
      { field: "output.sheets.x_dimension_mm" },
    ]);
  });

  it("says nothing of a margin that is kept", async () => {
    const { err } = await ask(
      "validate",
      "page: A4, label: [90, 35], gutter: 0, margin: 8.5, rows: 8",
    );
    expect(err).not.toContain("margin");
  });
});
