import { describe, expect, it } from "vitest";

import { GENERAL, parseNumberFormat } from "../../src/read/formats/number-format.ts";
import type { RawCell } from "../../src/read/raw.ts";
import { toRawCell, withLink, type CellContent } from "../../src/read/xlsx/xlsx-cells.ts";

const context = {
  strings: ["shared"],
  formats: [GENERAL, parseNumberFormat("0%"), parseNumberFormat("yyyy-mm-dd")],
  uses1904: false,
};
const EMPTY: CellContent = {
  type: "n",
  style: 0,
  value: undefined,
  inline: undefined,
  formula: undefined,
};
const read = (content: Partial<CellContent>) => toRawCell({ ...EMPTY, ...content }, context);

describe("cells (ISO/IEC 29500-1, 18.3.1.4)", () => {
  it.each<[Partial<CellContent>, unknown]>([
    [{}, undefined],
    [{ value: "" }, undefined],
    [{ type: "s", value: "0" }, "shared"],
    [{ type: "str", value: "" }, ""],
    [{ type: "inlineStr", inline: "text" }, "text"],
    [{ value: "12" }, { kind: "number", text: "12" }],
    [
      { value: "1.2345678901234567E+19" },
      {
        kind: "number",
        text: "12345678901234567000",
        shown: "1.23457E+19",
        oddity: "shortened",
      },
    ],
    [
      { value: "1E21" },
      { kind: "number", text: "1000000000000000000000", shown: "1E+21", oddity: "shortened" },
    ],
    [{ value: "0.30000000000000004" }, { kind: "number", text: "0.3", oddity: "local" }],
    [{ value: "-0" }, { kind: "number", text: "0" }],
    [
      { value: "0.25", style: 1 },
      { kind: "number", text: "25%", value: "0.25" },
    ],
    [
      { value: "46346", style: 2 },
      { kind: "date", text: "2026-11-20", value: "2026-11-20" },
    ],
    [
      { value: "-1", style: 2 },
      { kind: "no-day", text: "########" },
    ],
    [
      { value: "7", style: 99 },
      { kind: "number", text: "7" },
    ],
    [
      { type: "b", value: "1" },
      { kind: "boolean", text: "TRUE", value: "true", oddity: "truth" },
    ],
    [
      { type: "b", value: "0" },
      { kind: "boolean", text: "FALSE", value: "false", oddity: "truth" },
    ],
    [
      { type: "e", value: "#REF!" },
      { kind: "error", text: "#REF!", isTyped: true },
    ],
    [
      { type: "d", value: "2026-11-20" },
      { kind: "date", text: "2026-11-20" },
    ],
    [
      { type: "d", value: "2026-11-20T00:00:00Z" },
      { kind: "date", text: "2026-11-20" },
    ],
    [
      { type: "d", value: "2026-11-20T18:30:00.000" },
      { kind: "date", text: "2026-11-20 18:30:00" },
    ],
    [
      { formula: "1+1", value: "2" },
      { kind: "number", text: "2" },
    ],
    [{ formula: "1+1" }, { kind: "unsaved", text: "" }],
    [
      { formula: "1+1", value: "" },
      { kind: "unsaved", text: "" },
    ],
    [
      { formula: "1/0", type: "e", value: "#DIV/0!" },
      { kind: "error", text: "#DIV/0!" },
    ],
    [{ formula: 'IF(1,"","y")', type: "str", value: "" }, ""],
    ...[
      'HYPERLINK(A1,"go")',
      'HYPERLINK("https://a.example/"&A1,B1)',
      'IF(A1,HYPERLINK(B1,"go"),HYPERLINK("https://a.example/","go"))',
    ].map((formula): [Partial<CellContent>, RawCell] => [
      { formula, type: "str", value: "go" },
      { kind: "text", text: "go", hasMadeLink: true },
    ]),
    [{ formula: 'HYPERLINK("https://a.example/"&A1)', type: "str", value: "go" }, "go"],
    [{ formula: 'IF(B1="","",HYPERLINK(A1, A1))', type: "str", value: "go" }, "go"],
    [
      {
        formula: 'IF(A1,HYPERLINK("https://a.example/","https://a.example/"),HYPERLINK(B1,"go"))',
        type: "str",
        value: "https://a.example/",
      },
      { kind: "link", text: "https://a.example/", link: "https://a.example/" },
    ],
    [{ formula: 'IF(1,"go","HYPERLINK(A1,2)")', type: "str", value: "go" }, "go"],
    ...[
      '+HYPERLINK("https://a.example/","go")',
      'IF(A4="","",HYPERLINK("https://a.example/","go"))',
      'IF(A4=1,HYPERLINK("https://b.example/(","no, (never)"),HYPERLINK("https://a.example/","go"))',
    ].map((formula): [Partial<CellContent>, RawCell] => [
      { formula, type: "str", value: "go" },
      { kind: "link", text: "go", link: "https://a.example/" },
    ]),
    [
      { formula: 'hyperlink("https://a.example/?q=""x""","go")', type: "str", value: "go" },
      { kind: "link", text: "go", link: 'https://a.example/?q="x"' },
    ],
  ])("%o", (content, expected) => expect(read(content)).toEqual(expected));

  it.each<[Partial<CellContent>, string]>([
    [{ type: "s", value: "1" }, "a cell whose text is missing (number 1)"],
    [{ type: "s", value: "x" }, "a cell whose text is missing"],
    [{ value: "12a" }, "a number cell without a number (12a)"],
    [{ value: "0x10" }, "a number cell without a number"],
    [{ value: "1e999" }, "a number cell without a number"],
  ])("%o is damage, never an empty cell", (content, message) => {
    expect(() => read(content)).toThrow(message);
  });

  it("get the link that lies over them", () => {
    const link = "https://a.example/";
    expect(withLink("go", link)).toEqual({ kind: "link", text: "go", link });
    expect(withLink(undefined, link)).toEqual({ kind: "link", text: link, link });
    expect(withLink({ kind: "number", text: "7" }, link)).toMatchObject({ text: "7", link });
  });
});
