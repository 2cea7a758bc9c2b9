import { describe, expect, it } from "vitest";

import { decodeBase64 } from "../../src/service/http/base64.ts";
import * as fc from "../help/property.ts";

const toText = (bytes: Uint8Array | undefined): string | undefined =>
  bytes && Buffer.from(bytes).toString("latin1");

describe("base64", () => {
  it.each([
    ["aGVsbG8=", "hello"],
    ["data:text/plain;base64,aGVsbG8=", "hello"],
    [" aGV\r\nsbG\t8 = \n", "hello"],
    ["_-8", "\u00ff\u00ef"],
    ["/+8=", "\u00ff\u00ef"],
    ["=", ""],
    ["", undefined],
    [" \n", undefined],
    ["data:image/png;base64, ", undefined],
    ["aGVs=bG8", undefined],
    ["aGVsbG8===", undefined],
    ["aGVsbG8!", undefined],
  ])("%j is %j", (text, bytes) => {
    expect(toText(decodeBase64(text))).toBe(bytes);
  });

  it("means the same with white space anywhere", () => {
    fc.assert(
      fc.property(
        fc.uint8Array(),
        fc.string({ unit: fc.constantFrom(" ", "\n", "\t") }),
        (bytes, gap) => {
          const text = Buffer.from(bytes).toString("base64");
          const spaced = Array.from(text, (digit) => digit + gap).join("");
          expect(toText(decodeBase64(spaced))).toBe(toText(decodeBase64(text)));
        },
      ),
    );
  });
});
