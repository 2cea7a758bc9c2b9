import { expect, it } from "vitest";

import { de } from "../../src/console/words/de.ts";
import { en } from "../../src/console/words/en.ts";

it.each([
  [en.folders.codes, "1 code", "2 codes"],
  [de.folders.codes, "1 Code", "2 Codes"],
  [en.settings.waiting, "1 report waits", "2 reports wait"],
  [de.settings.waiting, "1 Meldung wartet", "2 Meldungen warten"],
  [en.settings.failing, "failed once", "failed 2 times in a row"],
  [de.settings.failing, "einmal gescheitert", "2-mal in Folge gescheitert"],
])("one thing is named in the singular: %s", (words, one, two) => {
  expect([words("1"), words("2")]).toEqual([one, two]);
});
