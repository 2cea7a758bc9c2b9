import { expect, it } from "vitest";

import { sayGrowth, sayHead } from "../../src/cli/commands/scan.ts";

it("modules that grew by nothing are as wide as drawn", () => {
  expect([0.001, -0.004, 0.06, -0.1].map(sayGrowth)).toEqual([
    "dark modules as wide as drawn",
    "dark modules as wide as drawn",
    "dark modules 6 % wider than drawn",
    "dark modules 10 % narrower than drawn",
  ]);
});

it("a sheet on two pictures is one sheet", () => {
  const lie = { quarter: 0, turn: 0, isMirrored: false };
  const labels = { good: 24, damaged: 0, missing: 0, outside: 0, void: 0 };
  const sheet = { picture: "a.png", file: "a.pdf", page: 1, lie, labels, isDouble: false };
  const sheets = [sheet, { ...sheet, picture: "b.png", isDouble: true }];
  expect(sayHead({ sheets, older: [], labels, remadeAt: undefined })).toBe(
    "1 sheet seen, 24 of 24 labels good",
  );
});
