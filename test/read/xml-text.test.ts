import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { attributesOf, decodeXml, encodeXml, findTags } from "../../src/read/xml-text.ts";

describe("XML texts", () => {
  it.each([
    ["a &amp; b &lt;c&gt; &quot;&apos;", "a & b <c> \"'"],
    ["&#228;&#xE4;&#x1F35C;", "ää🍜"],
    ["&nope; &#0; &#x110000; &", "&nope;   &"],
  ])("%j is %j", (xml, expected) => expect(decodeXml(xml)).toBe(expected));

  it("come back", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(decodeXml(encodeXml(text))).toBe(text);
        expect(attributesOf(`<a x="${encodeXml(text)}"/>`).get("x")).toBe(text);
      }),
    );
  });
});

describe("tags", () => {
  it("are found by name, with any prefix and quotes", () => {
    const xml = `<x:sheet name='a > b' r:id="1"/><sheets/><sheet\n name="c"></sheet><sheetx name="no"/>`;
    expect([...findTags(xml, "sheet")].map((one) => [one.get("name"), one.get("id")])).toEqual([
      ["a > b", "1"],
      ["c", undefined],
    ]);
  });
});
