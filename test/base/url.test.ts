import { expect, it } from "vitest";

import { hidePassword } from "../../src/base/text/hide-password.ts";
import { isUrl } from "../../src/base/text/url.ts";
import { sayBaseUrlFix } from "../../src/job/shapes/common-shapes.ts";

it("isUrl takes what the URL Standard takes", () => {
  expect(["https://a.example", "mailto:a@b.c", "HTTP://A/b"].every((url) => isUrl(url))).toBe(true);
  expect(["", "a.example", "https://", "https://a b.example", "/x"].some((url) => isUrl(url))).toBe(
    false,
  );
  expect(isUrl("/x", "https://a.example")).toBe(true);
});

it("isUrl says the same after thousands of calls, which URL.canParse of Node 20 doesn't", () => {
  let right = 0;
  for (let n = 0; n < 40_000; n += 1) right += Number(isUrl(`https://menu.example/t/${n}`));
  expect(right).toBe(40_000);
  expect(isUrl("https://menü.example/ü")).toBe(true);
});

it.each([
  ["https://user:pw@api.example.org/api/v2", "https://…@api.example.org/api/v2"],
  ["https://user:ge#heim@api.example.org/api/v2", "https://…@api.example.org/api/v2"],
  ["https://user:ge?heim@api.example.org/api/v2", "https://…@api.example.org/api/v2"],
  ["https://user:ge/heim@api.example.org/api/v2", "https://…@api.example.org/api/v2"],
  // A port, for the URL parser.
  ["https://user:12#34@h.example.org/x", "https://…@h.example.org/x"],
  ["https://user:#34@h.example.org/x", "https://…@h.example.org/x"],
  ["https://user:p@ss#word@h.example.org/x", "https://…@h.example.org/x"],
  ["https://u:p w@h.example.org/x", "https://…@h.example.org/x"],
  [" https://u:p\tw@h.example.org/x", " https://…@h.example.org/x"],
  [String.raw`https:\\u:pw@h.example.org/x`, String.raw`https:\\…@h.example.org/x`],
  ["https:u:pw@h.example.org/x", "https:…@h.example.org/x"],
  ["postgres://u:p#w@h.example.org/x", "postgres://…@h.example.org/x"],
  ["https://token@h.example.org/?mail=a@b", "https://…@h.example.org/?mail=a@b"],
  ["see https://u:pw@h.example.org/x", "see https://…@h.example.org/x"],
  [
    "https://h.example/?to=https://u:pw@h.example.org",
    "https://h.example/?to=https://…@h.example.org",
  ],
  [
    "https://token@a.example/?to=https://u:pw@b.example",
    "https://…@a.example/?to=https://…@b.example",
  ],
])("hidePassword cuts %j", (address, shown) => {
  expect(hidePassword(address)).toBe(shown);
});

it.each([
  "https://h.example/?mail=a@b",
  "https://h.example?mail=a@b#c@d",
  "https://h.example/@me/x",
  "https://[2001:db8::1]/?mail=a@b",
  "https://h.example:8443/x?y#z",
  "https://h.example:8443/hook?to=a@b.example",
  "https://h.example:8443/@team/hook",
  "http://localhost:8080/?mail=a@b",
  "http://kiosk:8080/@{{ user }}",
  "https://{{ k | default: demo }}.example.com/@{{ user }}",
  "mailto:a@b.example",
  "MATMSG:TO:a@b.example;SUB:x;;",
  "write to a@b.example: https://h.example/",
])("hidePassword leaves %j", (text) => {
  expect(hidePassword(text)).toBe(text);
});

it.each([
  ["https://user:ge#heim@api.example.org/api", "leave out the name and password"],
  ["https://u:p w@api.example.org/api", "leave out the name and password"],
  ["https://api.example.org/?mail=a@b", "leave out the ? and what follows it"],
  ["https://api.example.org/#a@b", "leave out the # and what follows it"],
  ["https://api.example.org/?x=1", "leave out ?x=1"],
])("sayBaseUrlFix of %s: %s", (address, hint) => {
  expect(sayBaseUrlFix(address)).toBe(hint);
});
