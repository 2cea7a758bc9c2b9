import { expect, test } from "vitest";

import { readRanges, showRanges } from "../../src/base/text/number-ranges.ts";

test("numbers in a row are shown as ranges, which are read as the same numbers", () => {
  expect(showRanges([])).toBe("");
  expect(showRanges([3, 5, 6, 7, 9, 10])).toBe("3, 5-7, 9-10");
  expect(showRanges([1, 2, 3, 1667], (n) => `n${n}`)).toBe("n1-n3, n1667");
  const pages = new Set([2, 3, 4, 9, 11, 12]);
  expect(readRanges(showRanges(pages), "--pages")).toEqual(pages);
});
