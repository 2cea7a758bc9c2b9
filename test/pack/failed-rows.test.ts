import { existsSync, readFileSync, writeFileSync } from "node:fs";

import { parse } from "csv-parse/sync";
import { describe, expect, test } from "vitest";

import { writeFailedRows, type FailedRow } from "../../src/pack/failed-rows.ts";
import { makeScratch, stream } from "./scratch.ts";

const scratch = makeScratch();

async function readBack(header: string[], rows: FailedRow[]): Promise<string[][]> {
  const file = scratch("failed-rows.csv");
  expect(await writeFailedRows(file, header, stream(rows))).toMatchObject({ file });
  return parse(readFileSync(file), { bom: true });
}

describe("writeFailedRows", () => {
  test("keeps the columns and adds where and why", async () => {
    const records = await readBack(
      ["Site", "Link"],
      [
        { cells: ["Nörd", "htp://x"], line: 78, reasons: ['"Link" must be a URL, got "htp://x"'] },
        { cells: ["", "=1+1"], line: 80, reasons: ["Site is missing", "Link must be a URL"] },
      ],
    );
    expect(records).toEqual([
      ["Site", "Link", "line", "reason"],
      ["Nörd", "htp://x", "78", '"Link" must be a URL, got "htp://x"'],
      ["", "'=1+1", "80", "Site is missing; Link must be a URL"],
    ]);
  });

  test("short rows are filled, the surplus of long ones is named", async () => {
    const records = await readBack(
      ["a", "b"],
      [
        { cells: ["1"], line: 2, reasons: ["short"] },
        { cells: ["1", "2", "3", ""], line: 3, reasons: ["long"] },
      ],
    );
    expect(records[1]).toEqual(["1", "", "2", "short"]);
    expect(records[2]).toEqual(["1", "2", "3", 'long; cells beyond the header: ["3",""]']);
  });

  test("the source's own columns of these names stay what they are", async () => {
    const row = { cells: ["A7", "late", "x"], line: 9, reasons: ["bad"] };
    const [header] = await readBack(["Line ", "REASON", "reason-2"], [row]);
    expect(header).toEqual(["Line ", "REASON", "reason-2", "line-2", "reason-3"]);
  });

  test("without failures the file of an earlier run goes away", async () => {
    const file = scratch("stale.csv");
    writeFileSync(file, "old");
    expect(await writeFailedRows(file, ["a"], [])).toBeNull();
    expect(existsSync(file)).toBe(false);
    expect(await writeFailedRows(file, ["a"], [])).toBeNull();
  });
});
