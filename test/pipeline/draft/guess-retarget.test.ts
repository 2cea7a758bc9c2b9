/** Which columns the desk offers where printed codes are to lead elsewhere. */
import { expect, it } from "vitest";

import { guessColumns, guessThing } from "../../../src/pipeline/draft/guess-columns.ts";
import { profileSource } from "../../../src/read/profile.ts";
import { openSource } from "../../../src/read/source.ts";
import { makeSource, writeFile } from "../../read/make-source.ts";

it("takes no column of old addresses for the new ones where a new one is wrong", async () => {
  const list = [
    "Kurzlink,alte Adresse,neue Adresse",
    "A,https://a.example/1,https://b.example/1",
    "B,https://a.example/2,b.example/2",
  ];
  const source = await openSource(makeSource(writeFile("moved.csv", list.join("\n"))));
  try {
    const columns = await profileSource(source, () => undefined);
    const guesses = guessColumns(columns);
    expect(guesses.retarget).toEqual({
      code: "Kurzlink",
      new_url: "neue Adresse",
      old_url: "alte Adresse",
    });
    expect(guessThing(columns, guesses)).toBe("retarget");
  } finally {
    await source.close();
  }
});
