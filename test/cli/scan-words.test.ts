import { expect, it } from "vitest";

import { sayGrowth } from "../../src/cli/commands/scan.ts";

it("modules that grew by nothing are as wide as drawn", () => {
  expect([0.001, -0.004, 0.06, -0.1].map(sayGrowth)).toEqual([
    "dark modules as wide as drawn",
    "dark modules as wide as drawn",
    "dark modules 6 % wider than drawn",
    "dark modules 10 % narrower than drawn",
  ]);
});
