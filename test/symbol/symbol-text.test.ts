import { beforeAll, describe, expect, test } from "vitest";

import { type SymbolName, symbolNames } from "../../src/base/shapes/label-art.ts";
import { aiTable } from "../../src/gs1/ai-table.ts";
import { isFault, readSymbolText, type SymbolData } from "../../src/symbol/symbol-text.ts";
import { fromUpcE, toUpcE } from "../../src/symbol/upc-e.ts";
import { loadSymbolWriter, writeSymbol } from "../../src/symbol/write-symbol.ts";

function dataOf(name: SymbolName, text: string): SymbolData {
  const read = readSymbolText(name, text);
  if (isFault(read)) throw new Error(read.rule);
  return read;
}

const ruleOf = (name: SymbolName, text: string): string => {
  const read = readSymbolText(name, text);
  return isFault(read) ? read.rule : "";
};

const GS = "\u001D";

describe("what a symbol holds", () => {
  const good: readonly (readonly [SymbolName, string, string, string])[] = [
    ["ean-13", "4006381333931", "4006381333931", "4|006381|333931"],
    ["ean-13", "04006381333931", "4006381333931", "4|006381|333931"],
    ["ean-13", "00036000291452", "0036000291452", "0|036000|291452"],
    // A number of the shop itself: GS1 prefix 0000000.
    ["ean-13", "000000040112", "0000000040112", "0|000000|040112"],
    ["ean-8", "96385074", "96385074", "9638|5074"],
    ["ean-8", "00000096385074", "96385074", "9638|5074"],
    ["upc-a", "036000291452", "0036000291452", "0|36000|29145|2"],
    ["upc-a", "36000291452", "0036000291452", "0|36000|29145|2"],
    ["upc-e", "04252614", "0042100005264", "0|425261|4"],
    ["upc-e", "042100005264", "0042100005264", "0|425261|4"],
    ["itf-14", "15400141288763", "15400141288763", "1 54 00141 28876 3"],
    ["itf-14", "4006381333931", "04006381333931", "0 40 06381 33393 1"],
    ["code-128", " Box 17/b ", "Box 17/b", "Box 17/b"],
    ["code-39", "AB-12 $", "AB-12 $", "AB-12 $"],
    [
      "gs1-128",
      "(01)09506000134352(10)LOT1(17)260101",
      `010950600013435210LOT1${GS}17260101`,
      "(01)09506000134352|(10)LOT1|(17)260101",
    ],
    ["gs1-128", "(01)4006381333931", "0104006381333931", "(01)04006381333931"],
    [
      "gs1-datamatrix",
      "(01)09506000134352(21)a\\(b",
      "010950600013435221a(b",
      "(01)09506000134352|(21)a(b",
    ],
    ["databar-omni", "09506000134352", "0109506000134352", "(01)09506000134352"],
    ["datamatrix", "Grüße, 日本", "Grüße, 日本", "Grüße, 日本"],
  ];
  test.each(good)("%s of %s", (name, text, says, hri) => {
    const data = dataOf(name, text);
    expect([data.says, data.hri.join("|")]).toEqual([says, hri]);
  });

  const bad: readonly (readonly [SymbolName, string, string])[] = [
    ["ean-13", "4006381333930", "must be a GTIN with a right check digit (1 at the end)"],
    ["ean-13", "400638133393", "must be a GTIN with a right check digit"],
    ["ean-13", "14006381333938", "must be a GTIN-13"],
    ["ean-13", "96385074", "must be a GTIN-13"],
    ["ean-13", "00000096385074", 'must be a GTIN-13, got the GTIN-8 "96385074"'],
    ["ean-13", "0000096385074", 'must be a GTIN-13, got the GTIN-8 "96385074"'],
    ["ean-13", "6385071", 'must be a GTIN-13, got the GTIN-8 "06385071"'],
    ["ean-13", "00000000123457", 'must be a GTIN-13, got the GTIN-8 "00123457"'],
    ["upc-a", "00000096385074", 'must be a GTIN-12, got the GTIN-8 "96385074"'],
    ["upc-e", "00000042000051", "must be a GTIN-12"],
    ["ean-13", "", "must be a GTIN, got an empty text"],
    ["ean-8", "4006381333931", "must be a GTIN-8"],
    ["upc-a", "4006381333931", "must be a GTIN-12"],
    ["upc-e", "036000291452", "must be a GTIN-12 with the zeros that UPC-E leaves out"],
    ["upc-e", "04252615", "must be a GTIN with a right check digit (4 at the end)"],
    ["upc-e", "14252614", "must be 8 digits that begin with 0"],
    ["itf-14", "15400141288764", "must be a GTIN with a right check digit (3 at the end)"],
    ["databar-limited", "24006381333935", "must be a GTIN that begins with 0 or 1"],
    ["code-128", "Grüße", "must be made of letters, digits and signs of ASCII"],
    ["code-128", "x".repeat(81), "must have at most 80 characters, got 81"],
    ["code-39", "abc", "must be made of digits, capital letters"],
    ["code-39", "A/B", "must have no letter behind $ / + %"],
    ["datamatrix", "", "must have a text"],
    ["datamatrix", "a\u0007b", "must have no control characters"],
    ["gs1-128", "0109506000134352", "must be AIs in brackets, each with its value"],
    ["gs1-128", "(01)09506000134353", "must have a right check digit in AI 01"],
    ["gs1-128", "(01)09506000134352(10)", "must have a value behind (10)"],
    ["gs1-128", "(01)09506000134352(10)(17)271231", "must have a value behind (10)"],
    ["gs1-128", "(01)09506000134352(17)261301", "must have a valid value of AI 17"],
    ["gs1-128", "(01)12345678901231(235)XYZ(10)BATCH", "must have AI 235 at the end"],
    [
      "gs1-128",
      "(01)09506000134352(10)A(10)B",
      'AI 10 must have one value, got two, in "(01)09506000134352(10)A(10)B"',
    ],
    ["gs1-128", "(10)LOT1", "must have AIs that go together"],
    ["gs1-128", "(01)09506000134352(37)5", "must have AIs that go together"],
    ["gs1-128", "(01)09506000134352(09)5", "must have AIs that GS1 knows, got (09)"],
    [
      "gs1-128",
      `(00)340063810000000018(403)${"R".repeat(30)}`,
      "must have at most 48 characters, got 53",
    ],
  ];
  test.each(bad)("%s refuses %j: %s", (name, text, rule) => {
    expect(ruleOf(name, text)).toContain(rule);
  });

  test("AIs that want others find them in any symbol of the label, as on logistic labels", () => {
    const [contents, unit] = ["(02)09506000134352(15)270131(37)5", "(00)340123450000000000"];
    expect(ruleOf("gs1-128", contents)).toContain("AI 37 must stand with one of: 00 with 02");
    expect(readSymbolText("gs1-128", contents, [contents, unit])).not.toHaveProperty("rule");
    expect(readSymbolText("gs1-128", unit, [contents, unit])).not.toHaveProperty("rule");
    // What another symbol lacks is reported for that one.
    expect(readSymbolText("gs1-128", unit, [unit, "(10)LOT1"])).not.toHaveProperty("rule");
  });

  test("a 12-digit text without its check digit gets an error with the right digit", () => {
    expect(readSymbolText("ean-13", "400638133393")).toMatchObject({
      hint: "where the check digit is missing, it is 1: 4006381333931",
    });
  });
});

describe("UPC-E", () => {
  test.each([
    ["04252614", "042100005264"],
    ["01234531", "012300000451"],
    ["01234543", "012340000053"],
    ["01234558", "012345000058"],
  ])("%s is %s", (short, long) => {
    expect(fromUpcE(short)).toBe(long);
    expect(toUpcE(long)).toBe(short);
  });
});

const sizeOf = (text: string): number => {
  const modules = writeSymbol("datamatrix", dataOf("datamatrix", text));
  return typeof modules === "string" ? 0 : modules.width;
};

describe("modules", () => {
  beforeAll(loadSymbolWriter);

  test("an EAN-13 has its 95 modules, by the sets of its first digit", () => {
    const modules = writeSymbol("ean-13", dataOf("ean-13", "4006381333931"));
    if (typeof modules === "string") throw new Error(modules);
    const bits = Array.from({ length: modules.width }, (_, x) => (modules.isDark(x, 0) ? 1 : 0));
    expect(bits.join("")).toBe(
      "10100011010100111010111101111010001001011001101010100001010000101000010111010010000101100110101",
    );
  });

  test("text that an encoder can't hold is refused in the encoder's words", () => {
    const data = dataOf(
      "databar-expanded",
      `(01)09506000134352(10)${"A".repeat(20)}(21)${"B".repeat(20)}`,
    );
    expect(writeSymbol("databar-expanded", data)).toMatch(/^input (?:length|too long)/u);
  });

  test("letters beyond ASCII name their character set: the symbol is larger for it", () => {
    expect([sizeOf("AAAAAA"), sizeOf("ÅÅÅÅÅÅ")]).toEqual([12, 18]);
  });

  test("Data Matrix is square", () => {
    const modules = writeSymbol(
      "gs1-datamatrix",
      dataOf("gs1-datamatrix", "(01)09506000134352(10)LOT1"),
    );
    expect(modules).toMatchObject({ width: 18, height: 18 });
  });

  test("every symbol has a picture", () => {
    const sample: Partial<Record<SymbolName, string>> = {
      "ean-8": "96385074",
      "upc-a": "036000291452",
      "upc-e": "04252614",
      "code-39": "ABC",
    };
    for (const name of symbolNames) {
      const gs1 = /^gs1-|expanded/u.test(name) ? "(01)09506000134352(10)A1" : "09506000134352";
      const modules = writeSymbol(name, dataOf(name, sample[name] ?? gs1));
      expect(modules, name).not.toBeTypeOf("string");
    }
  });
});

describe("separators", () => {
  test("of values of open length are those that the encoder writes, but for AI 235", () => {
    // Zint knows fixed lengths by the first two digits of an AI.
    const fixed = /^(?:0[0-4]|1[1-9]|20|23|3[1-6]|41)/u;
    const differ = aiTable
      .trim()
      .split("\n")
      .map((line) => line.split(";"))
      .filter(([ai = "", flags = ""]) => flags.includes("*") !== fixed.test(ai))
      .map(([ai]) => ai);
    expect(differ).toEqual(["235"]);
  });
});
