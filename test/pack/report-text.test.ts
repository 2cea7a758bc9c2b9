import { expect, test } from "vitest";

import { toCountText, toDurationText } from "../../src/pack/report-text.ts";

test.each([
  [0, "0.0 s"],
  [320, "0.3 s"],
  [9_949, "9.9 s"],
  [9_951, "10 s"],
  [59_400, "59 s"],
  [59_600, "1 min 0 s"],
  [200_000, "3 min 20 s"],
  [3_599_600, "1 h 00 min"],
  [7_500_000, "2 h 05 min"],
  [90_000_000, "25 h 00 min"],
])("%i ms is %s", (ms, text) => {
  expect(toDurationText(ms)).toBe(text);
});

test("counts are grouped by thousands", () => {
  expect(toCountText(1_240)).toBe("1,240");
});
