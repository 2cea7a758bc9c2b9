import * as fc from "../help/property.ts";
import { describe, expect, it } from "vitest";

import { toFileName, toFilePath, toFreeName, toNameKey } from "../../src/base/files/file-name.ts";

describe("a file name", () => {
  it.each([
    ["Café Łódź", "Café Łódź"],
    ['a/b\\c:d*e?f"g<h>i|j', "a_b_c_d_e_f_g_h_i_j"],
    ["..", "_"],
    ["", "_"],
    ["   ", "_"],
    ["name. . .", "name"],
    ["con", "_con"],
    ["COM1.svg", "_COM1.svg"],
    ["com10", "com10"],
    ["CONIN$", "_CONIN$"],
    ["conout$.svg", "_conout$.svg"],
    ["conin", "conin"],
    ["a\u0000b\u202ec\u200bd", "a_b_c_d"],
    ["e\u0301", "é"],
    ["\ud800", "\ufffd"],
  ])("of %j is %j", (text, name) => {
    expect(toFileName(text)).toBe(name);
  });

  it("has at most 180 bytes with its extension, cut between characters", () => {
    const name = toFileName("ü🙂".repeat(100), ".svg");
    expect(Buffer.byteLength(name)).toBeLessThanOrEqual(180);
    expect(name.endsWith(".svg")).toBe(true);
    expect(name).not.toContain("\ufffd");
  });

  it("is one safe segment, whatever comes in (property)", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const name = toFileName(text, ".png");
        expect(name).toBe(name.normalize("NFC"));
        expect(name).not.toMatch(/[/\\:*?"<>|\p{Cc}]/u);
        expect(name).not.toMatch(/^\.+\.png$/u);
        expect(Buffer.byteLength(name)).toBeLessThanOrEqual(180);
        expect(name.length).toBeGreaterThan(".png".length);
      }),
    );
  });
});

describe("a file path", () => {
  it.each([
    ["north/table 1", "north/table 1"],
    ["../../etc/passwd", "etc/passwd"],
    ["/absolute", "absolute"],
    ["C:\\Windows\\x", "C_/Windows/x"],
    ["a//b/./c/../d", "a/b/c/d"],
    [".. /x", "x"],
    ["", "_"],
  ])("of %j is %j", (text, expected) => {
    expect(toFilePath(text)).toBe(expected);
  });
});

describe("a free name", () => {
  it("gets a number before its extension, and case doesn't count", () => {
    const taken = new Set(["a.svg", "a-2.svg"].map(toNameKey));
    expect(toFreeName("A.svg", (key) => taken.has(key))).toBe("A-3.svg");
    expect(toFreeName("b.svg", (key) => taken.has(key))).toBe("b.svg");
    expect(toFreeName("v1.2/name", (key) => key === "v1.2/name")).toBe("v1.2/name-2");
  });
});

describe("names that Windows and macOS take for one file", () => {
  it.each([
    ["STRASSE.svg", "straße.svg"],
    ["oﬃce", "OFFICE"],
    ["Caf\u00e9", "CAFE\u0301"],
    ["ΟΔΟΣ", "οδος"],
    ["ſ", "S"],
    ["ǅ", "ǆ"],
  ])("%s and %s", (one, other) => expect(toNameKey(one)).toBe(toNameKey(other)));

  it.each([
    ["Straße", "Strase"],
    ["é", "e"],
    ["İ", "I"],
  ])("but not %s and %s", (one, other) => expect(toNameKey(one)).not.toBe(toNameKey(other)));
});
