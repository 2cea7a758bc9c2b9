import { parse } from "csv-parse/sync";
import * as fc from "../help/property.ts";
import { describe, expect, test } from "vitest";

import { makeCsv, type CsvCell } from "../../src/pack/csv.ts";
import { collect, stream } from "./scratch.ts";

async function toText(header: string[], rows: CsvCell[][]): Promise<string> {
  return (await collect(makeCsv(header, stream(rows)))).join("");
}

/** What the reader does: one ' before a formula character goes away. */
const toRead = (cell: string): string =>
  cell.replace(/^'(?=['=+\-@\t\r\uff1d\uff0b\uff0d\uff20])/u, "");

describe("makeCsv", () => {
  test("BOM, CRLF, quotes where needed", async () => {
    const text = await toText(
      ["a", "b"],
      [
        ['say "hi"', "x,y"],
        ["line\nbreak", undefined],
        ["", 7],
      ],
    );
    expect(text).toBe('\ufeffa,b\r\n"say ""hi""","x,y"\r\n"line\nbreak",\r\n,7\r\n');
  });

  test.each([
    ["=1+1", "'=1+1"],
    ["+49 30", "'+49 30"],
    ["-2", "'-2"],
    ["@SUM(A1)", "'@SUM(A1)"],
    ["\tx", "'\tx"],
    ["\uff1dcmd|' /C calc'!A0", "'\uff1dcmd|' /C calc'!A0"],
    ["'=quoted", "''=quoted"],
    ["a=1", "a=1"],
    ["'plain", "'plain"],
  ])("the cell %j becomes %j", async (cell, expected) => {
    expect(await toText(["c"], [[cell]])).toBe(`\ufeffc\r\n${expected}\r\n`);
  });

  test("a carriage return first is escaped and quoted", async () => {
    expect(await toText(["c"], [["\rx"]])).toBe('\ufeffc\r\n"\'\rx"\r\n');
  });

  test("numbers stay numbers, negative ones too", async () => {
    expect(await toText(["n"], [[-5], [1.5], [0]])).toBe("\ufeffn\r\n-5\r\n1.5\r\n0\r\n");
  });

  test("headers are cells like others", async () => {
    expect(await toText(["=evil"], [])).toBe("\ufeff'=evil\r\n");
  });

  test("takes more rows than one piece holds, in order", async () => {
    const rows = Array.from({ length: 1_234 }, (_, i) => [String(i)]);
    const pieces = await collect(makeCsv(["n"], rows));
    expect(pieces.length).toBe(4);
    expect(pieces.join("").split("\r\n").slice(1, -1)).toEqual(rows.map(([cell]) => cell));
  });

  test("what was written is read again, whatever it is", async () => {
    const cell = fc.string({ unit: "grapheme" }).map((text) => text.toWellFormed());
    const awkward = fc.constantFrom("=1", "'=1", "\r", "\n", '"', "'", ",", "\r\n", "\ufeff", "'-");
    const row = fc.tuple(fc.constant("k"), fc.oneof(cell, awkward), fc.oneof(cell, awkward));
    await fc.assert(
      fc.asyncProperty(fc.array(row, { minLength: 1 }), async (rows) => {
        const text = await toText(["k", "a", "b"], rows);
        const records: string[][] = parse(text, {
          bom: true,
          record_delimiter: ["\r\n", "\n", "\r"],
        });
        expect(records.slice(1).map((record) => record.map(toRead))).toEqual(
          rows.map((cells) => cells.map((value) => value)),
        );
      }),
    );
  });
});
