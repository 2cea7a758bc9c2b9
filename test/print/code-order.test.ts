import * as fc from "../help/property.ts";
import { describe, expect, it } from "vitest";
import { deflateSync } from "node:zlib";

import { inPackingOrder } from "../../src/print/layout/code-order.ts";
import { drawCode } from "../../src/print/draw/content-stream.ts";
import { encodeQr } from "../../src/qr/encode/encode.ts";
import "../help/property.ts";

const codeOf = (payload: string, i: number) => {
  const matrix = encodeQr(payload, { level: "Q" });
  return { matrix, operators: drawCode(matrix, { leftMm: i, bottomMm: 2 * i, xMm: 0.5 }) };
};
const numbered = (i: number): string =>
  ((i * 2_654_435_761) % 2 ** 32).toString(36).padStart(7, "0");
const joined = (codes: readonly { operators: string }[]): string =>
  codes.map(({ operators }) => operators).join("");

describe("the order of a page's codes", () => {
  it("holds every code once", () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ minLength: 1, maxLength: 60 }), { maxLength: 80 }),
        (texts) => {
          const codes = texts.map(codeOf);
          const ordered = inPackingOrder(codes);
          expect(new Set(ordered)).toEqual(new Set(codes));
          expect(ordered).toHaveLength(codes.length);
        },
      ),
      { numRuns: 20 },
    );
  });

  it("packs pages smaller than the order of labels does (docs/spec/print.md section 13)", () => {
    const codes = Array.from({ length: 24 }, (_, i) =>
      codeOf(`https://qr.example/${numbered(i)}`, i),
    );
    const [before, after] = [codes, inPackingOrder(codes)].map(
      (order) => deflateSync(joined(order)).length,
    ) as [number, number];
    expect(after).toBeLessThan(before * 0.95);
    expect(after / 24).toBeLessThan(255);
  });
});
