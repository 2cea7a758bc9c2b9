import { expect, it } from "vitest";

import { isUrl } from "../../src/base/text/url.ts";

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
