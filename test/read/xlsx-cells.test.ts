import { describe, expect, it } from "vitest";

import { toRawCell } from "../../src/read/xlsx-cells.ts";

const read = (value: unknown, numberFormat?: string, link?: string) =>
  toRawCell({ value, numberFormat, link });

describe("values of the reading library", () => {
  it.each<[unknown, unknown]>([
    [null, ""],
    [undefined, ""],
    ["text", "text"],
    [12, { kind: "number", text: "12" }],
    [1e21, { kind: "number", text: "1000000000000000000000" }],
    [0.1 + 0.2, { kind: "number", text: "0.3" }],
    [-0, { kind: "number", text: "0" }],
    [true, { kind: "boolean", text: "true" }],
    [{ error: "#REF!" }, { kind: "error", text: "#REF!" }],
    [{ richText: [{ text: "a" }, { font: {} }, { text: "b" }] }, "ab"],
    [
      { formula: "A1", result: 5 },
      { kind: "number", text: "5" },
    ],
    [
      { formula: "A1", result: { error: "#N/A" } },
      { kind: "error", text: "#N/A" },
    ],
    [{ sharedFormula: "A1", result: "x" }, "x"],
    [{ sharedFormula: undefined }, { kind: "unsaved", text: "" }],
    [{ formula: "A1" }, { kind: "unsaved", text: "" }],
    [
      { text: "go", hyperlink: "https://a.example/" },
      { kind: "link", text: "go", link: "https://a.example/" },
    ],
    [
      { text: { richText: [{ text: "g" }, { text: "o" }] }, hyperlink: "https://a.example/" },
      { kind: "link", text: "go", link: "https://a.example/" },
    ],
    [
      { formula: 'hyperlink("https://a.example/","go")', result: "go" },
      { kind: "link", text: "go", link: "https://a.example/" },
    ],
    [{ formula: 'HYPERLINK(A1,"go")', result: "go" }, "go"],
    [{ nonsense: 1 }, ""],
    [Symbol("x"), ""],
  ])("%o", (value, expected) => expect(read(value)).toEqual(expected));

  it("shows dates in UTC", () => {
    expect(read(new Date("2026-11-20T00:00:00Z"))).toEqual({ kind: "date", text: "2026-11-20" });
    expect(read(new Date("2026-11-20T23:59:59Z"))).toMatchObject({ text: "2026-11-20 23:59:59" });
    expect(read(new Date("1899-12-30T06:30:00Z"))).toMatchObject({ text: "06:30:00" });
    expect(read(new Date(Number.NaN))).toEqual({ kind: "date", text: "" });
  });

  it("keeps zeros of zero formats only", () => {
    expect(read(7, "000")).toMatchObject({ text: "007" });
    expect(read(7, "0")).toMatchObject({ text: "7" });
    expect(read(7, "0.00")).toMatchObject({ text: "7" });
    expect(read(-7, "000")).toMatchObject({ text: "-7" });
    expect(read(1234, "000")).toMatchObject({ text: "1234" });
  });

  it("puts the link of the cell over its value", () => {
    expect(read("go", undefined, "https://a.example/")).toEqual({
      kind: "link",
      text: "go",
      link: "https://a.example/",
    });
    expect(read(null, undefined, "https://a.example/")).toMatchObject({
      text: "https://a.example/",
    });
  });
});
