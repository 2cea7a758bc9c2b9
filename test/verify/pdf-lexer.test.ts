import * as fc from "../help/property.ts";
import { describe, expect, it } from "vitest";

import { Keyword, PdfLexer } from "../../src/verify/pdf/pdf-lexer.ts";
import type { PdfNode } from "../../src/verify/pdf/pdf-node.ts";

function readAll(text: string): (PdfNode | Keyword)[] {
  const lexer = new PdfLexer(Buffer.from(text, "latin1"));
  const all: (PdfNode | Keyword)[] = [];
  for (let value = lexer.next(); value !== undefined; value = lexer.next()) all.push(value);
  return all;
}

const bytes = (text: string): { bytes: Uint8Array } => ({
  bytes: Uint8Array.from(Buffer.from(text, "latin1")),
});
const word = (text: string): Keyword => new Keyword(text);

describe("PdfLexer", () => {
  it.each<[string, (PdfNode | Keyword)[]]>([
    ["1 -2 +3 4. .5 -.5 0012", [1, -2, 3, 4, 0.5, -0.5, 12]],
    ["0 0 0 1 k\nq Q", [0, 0, 0, 1, word("k"), word("q"), word("Q")]],
    ["true false null", [true, false, null]],
    ["/Name /A#20B /", [{ name: "Name" }, { name: "A B" }, { name: "" }]],
    ["[1[2]/X]", [[1, [2], { name: "X" }]]],
    ["% a comment ( [\n7", [7]],
    ["12 0 R", [12, 0, word("R")]],
    ["[12 0 R 3]", [[{ ref: 12 }, 3]]],
    ["1 2re", [1, word("2re")]],
  ])("reads %j", (text, expected) => {
    expect(readAll(text)).toEqual(expected);
  });

  it("reads every number as JavaScript does, to the last bit", () => {
    fc.assert(
      fc.property(
        fc.constantFrom("", "-", "+"),
        fc.stringMatching(/^\d{0,20}$/u),
        fc.stringMatching(/^(?:|\.\d{0,20})$/u),
        (sign, whole, fraction) => {
          const text = `${sign}${whole}${fraction}`;
          const isNumber = /\d/u.test(text);
          expect(readAll(`${text} `)).toEqual(
            isNumber ? [Number(text)] : text === "" ? [] : [word(text)],
          );
        },
      ),
    );
  });

  it.each([
    ["(a(b)c)", "a(b)c"],
    [String.raw`(\(\)\\)`, "()\\"],
    [String.raw`(\101\7x\n)`, "A\x07x\n"],
    ["(a\\\r\nb)", "ab"],
    ["<48 65 6C6c6F>", "Hello"],
    ["<4>", "@"],
  ])("reads the string %j", (text, expected) => {
    const [value] = readAll(text);
    expect(Buffer.from((value as { bytes: Uint8Array }).bytes).toString("latin1")).toBe(expected);
  });

  it("reads dictionaries with references", () => {
    const [dict] = readAll("<< /Type /X /Kids [3 0 R] /D << /E (x) >> >>");
    expect(dict).toEqual(
      new Map<string, PdfNode>([
        ["Type", { name: "X" }],
        ["Kids", [{ ref: 3 }]],
        ["D", new Map([["E", expect.objectContaining({})]])],
      ]),
    );
    expect((dict as Map<string, Map<string, PdfNode>>).get("D")?.get("E")).toMatchObject({
      bytes: bytes("x").bytes,
    });
  });

  it.each(["(open", "[1 2", "<< /A", "<12", "<zz>", ")", "[1 re]"])("refuses %j", (text) => {
    expect(() => readAll(text)).toThrow(SyntaxError);
  });

  it("ends on any bytes: with values or with a SyntaxError", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (noise) => {
        const lexer = new PdfLexer(noise);
        let count = 0;
        let thrown: unknown;
        try {
          while (lexer.next() !== undefined) count += 1;
        } catch (error) {
          thrown = error;
        }
        expect(thrown === undefined || thrown instanceof SyntaxError).toBe(true);
        expect(count).toBeLessThanOrEqual(noise.length);
      }),
    );
  });
});
