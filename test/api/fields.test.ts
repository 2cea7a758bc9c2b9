import * as fc from "../help/property.ts";
import { describe, expect, it } from "vitest";

import { isOpenableUrl, queryFlag, text, wholeNumber } from "../../src/api/fields.ts";

describe("isOpenableUrl", () => {
  it.each([
    "https://example.com",
    "http://localhost:8080/x?y#z",
    "HTTPS://EXAMPLE.COM",
    "https://user@example.com/",
    "https://[::1]:80/",
    "https://例え.jp/パス",
    "ftp://example.com/f",
    "mailto:a@example.com",
    "tel:+4930123456",
    "geo:52.5,13.4",
  ])("takes %s", (url) => {
    expect(isOpenableUrl(url)).toBe(true);
  });

  it.each([
    "",
    "example.com",
    "//example.com",
    "htp://example.com",
    "https://",
    "https:///x",
    "https:example.com",
    "https://exa mple.com",
    " https://example.com",
    "https://example.com/\n",
    "https://example.com/\u0000",
    "https://example.com/\ud800",
    "https://example.com:99999/",
    "https://[::1",
    "javascript:alert(1)",
    "JavaScript:alert(1)",
    "data:text/html,x",
    "file:///etc/passwd",
    "vbscript:x",
    "blob:https://example.com/1",
    `https://example.com/${"x".repeat(4096)}`,
  ])("refuses %j", (url) => {
    expect(isOpenableUrl(url)).toBe(false);
  });

  it("takes only what URL takes, and never a script", () => {
    fc.assert(
      fc.property(fc.oneof(fc.webUrl(), fc.string({ unit: "binary" })), (url) => {
        fc.pre(isOpenableUrl(url));
        expect(new URL(url).protocol).not.toMatch(/script|data|file|blob/u);
      }),
    );
  });
});

describe("text", () => {
  it.each([
    ["", true],
    ["x".repeat(5), true],
    ["x".repeat(6), false],
    ["a\u0000", false],
    ["\ud83c\udf55", true],
    ["\ud83c", false],
    ["\udf55\ud83c", false],
  ])("%j -> %s", (value, fits) => {
    expect(text(5).safeParse(value).success).toBe(fits);
  });
});

describe("wholeNumber", () => {
  it.each<[string | number, number | undefined]>([
    ["1", 1],
    ["007", 7],
    [200, 200],
    ["200", 200],
    ["0", undefined],
    ["201", undefined],
    ["1.0", undefined],
    ["1e2", undefined],
    ["+5", undefined],
    [" 5", undefined],
    ["", undefined],
    ["٣", undefined],
    [Number.NaN, undefined],
    [1.5, undefined],
    ["99999999999999999999", undefined],
  ])("%j -> %s", (value, expected) => {
    expect(wholeNumber(1, 200).safeParse(value).data).toBe(expected);
  });
});

describe("queryFlag", () => {
  it.each<[string | boolean, boolean | undefined]>([
    ["true", true],
    ["True", true],
    ["1", true],
    [true, true],
    ["false", false],
    ["0", false],
    ["yes", undefined],
    ["", undefined],
    ["constructor", undefined],
  ])("%j -> %s", (value, expected) => {
    expect(queryFlag.safeParse(value).data).toBe(expected);
  });
});
