import { describe, expect, it } from "vitest";

import { readPageContent } from "../../src/verify/page/page-content.ts";
import { type PageContent, PLAIN_STATE } from "../../src/verify/page/painted.ts";
import { IDENTITY } from "../../src/verify/page/page-path.ts";
import type { PageFont } from "../../src/verify/page/page-fonts.ts";

const font: PageFont = {
  baseName: "ABCDEF+X",
  file: new Uint8Array(1),
  glyphCount: 9,
  width: (glyph) => glyph * 100,
  textOf: () => "x",
  faults: [],
};
const resources = {
  states: new Map([["O", { ...PLAIN_STATE, overprintFill: true }]]),
  fonts: new Map([["F", font]]),
};
const read = (content: string): PageContent =>
  readPageContent(Buffer.from(content, "latin1"), resources);
const boxOf = (content: string) => read(content).painted[0]?.box.map((pt) => Number(pt.toFixed(3)));

describe("readPageContent", () => {
  it("places rectangles through nested matrices and restores them", () => {
    const { painted, faults } = read(
      "0 0 0 1 k q 2 0 0 2 10 20 cm q 1 0 0 1 5 5 cm 0 0 1 3 re 2 0 1 1 re f Q Q 1 1 2 2 re f",
    );
    expect(faults).toEqual([]);
    expect(painted.map(({ box }) => box)).toEqual([
      [20, 30, 26, 36],
      [1, 1, 3, 3],
    ]);
    expect(painted[0]).toMatchObject({
      rectangles: 2,
      unitPt: 2,
      ink: { space: "DeviceCMYK", values: [0, 0, 0, 1] },
    });
  });

  it("finds the module of runs along rows as of runs along columns", () => {
    expect(read("0 0 4 1 re 1 1 2 1 re f").painted[0]?.unitPt).toBe(1);
    expect(read("0 0 1 4 re 1 1 1 2 re f").painted[0]?.unitPt).toBe(1);
    expect(read("0 0 4 1 re 1 1 2 3 re f").painted[0]?.unitPt).toBeUndefined();
    expect(read("0 0 m 1 1 l 2 0 l h f").painted[0]?.rectangles).toBeUndefined();
  });

  it("measures curves by how far they reach, not by the points that pull them", () => {
    expect(boxOf("0 0 m 0 4 6 4 6 0 c h f")).toEqual([0, 0, 6, 3]);
    expect(boxOf("0 0 m -4 0 -4 6 0 6 c h f")).toEqual([-3, 0, 0, 6]);
    // One arm of an S lies below its ends, the other one above.
    expect(boxOf("q 2 0 0 2 0 10 cm 0 0 m 2 -3 4 3 6 0 c f Q")).toEqual([0, 8.268, 12, 11.732]);
    expect(boxOf("0 0 m 1 0 2 1 2 2 c h f")).toEqual([0, 0, 2, 2]);
  });

  it("keeps every line of a stroke apart, with its width", () => {
    const { painted } = read("0.5 w 10 10 m 10 20 l 30 10 m 40 10 l S");
    expect(painted.map(({ kind, box, widthPt }) => [kind, box, widthPt])).toEqual([
      ["stroke", [9.75, 9.75, 10.25, 20.25], 0.5],
      ["stroke", [29.75, 9.75, 40.25, 10.25], 0.5],
    ]);
  });

  it("measures text by its font, its size by the matrix", () => {
    const [text] = read("q /O gs BT /F 10 Tf 2 0 0 2 100 50 Tm <00010003> Tj ET Q").painted;
    expect(text).toMatchObject({
      kind: "text",
      sizePt: 20,
      glyphs: [1, 3],
      state: { overprintFill: true },
    });
    expect(text?.box).toEqual([100, 45, 108, 69]);
  });

  it("moves on after a string, with spaces between", () => {
    const { painted } = read("BT /F 10 Tf 1 0 0 1 0 0 Tm [<0001> -500 <0001>] TJ ET");
    expect(painted.map(({ box }) => box[0])).toEqual([0, 6]);
  });

  it("does not let state out of q and Q", () => {
    const { painted } = read("q /O gs 1 0 0 0 k Q 0 0 1 1 re f");
    expect(painted[0]).toMatchObject({ state: PLAIN_STATE, ink: { space: "DeviceGray" } });
  });

  it.each([
    ["0 0 0 rg", "operator rg is not one that our pages use"],
    ["constructor", "operator constructor is not one that our pages use"],
    ["Q", "Q without q"],
    ["q", "1 q without Q"],
    ["/Z gs", "graphics state Z is not among the page's resources"],
    ["/Z 9 Tf", "font Z is not among the page's resources"],
    ["(", "content is not PDF syntax"],
    ["BI /W 1 ID xx EI", "an inline image can't be judged"],
  ])("reports %j", (content, fault) => {
    expect(read(content).faults.join()).toContain(fault);
  });

  it.each([
    ["q ".repeat(2000), "q must nest at most 1000 levels deep, got more"],
    ["/OC /a BDC ".repeat(2000), "BDC must nest at most 1000 levels deep, got more"],
    ["0 ".repeat(2000), "operator must have at most 1000 operands, got more"],
    [`[${"0 ".repeat(1_100_000)}] TJ`, "values of a list must be at most 1000000, got more"],
    [`(${"a".repeat(1_100_000)}) Tj`, "bytes of a text must be at most 1048576, got more"],
    [`<${"0".repeat(2_200_000)}> Tj`, "digits of a text must be at most 2097152, got more"],
    [`/${"a".repeat(5000)} gs`, "bytes of a word must be at most 4096, got more"],
    ["[".repeat(200_000), "content is not PDF syntax: RangeError"],
  ])("stops at what no page has: %#", (content, fault) => {
    expect(read(content).faults.join()).toContain(fault);
  });

  it("keeps a thousand faults of millions, and names no unknown operator twice over", () => {
    const content = Array.from({ length: 5000 }, (_, i) => `a${i}`).join(" ");
    const { faults, operators } = read(content);
    expect(faults).toHaveLength(1000);
    expect(operators.size).toBe(0);
  });

  it("names the operators of a form of ours, too", () => {
    const part = read("0 0 0 1 k 0 0 1 1 re f");
    const form = {
      kind: "form",
      dict: new Map(),
      bbox: [0, 0, 1, 1],
      matrix: IDENTITY,
      paints: () => part,
    } as const;
    const { operators } = readPageContent(Buffer.from("/P Do"), {
      ...resources,
      objects: new Map([["P", form]]),
    });
    expect(operators).toEqual(new Set(["Do", "k", "re", "f"]));
  });

  it("hands the marks of a foreign page on, and keeps none", () => {
    const spaces: string[] = [];
    const onPaint = ({ ink }: { ink: { space: string } }): void => void spaces.push(ink.space);
    const content = Buffer.from("1 0 0 rg 0 0 1 1 re f 0 0 m 1 1 l S", "latin1");
    const { painted } = readPageContent(content, { ...resources, isForeign: true, onPaint });
    expect(painted).toEqual([]);
    expect(spaces).toEqual(["DeviceRGB", "DeviceGray"]);
  });
});
