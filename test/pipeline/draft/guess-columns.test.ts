import { describe, expect, it } from "vitest";

import { offerTexts } from "../../../src/pipeline/draft/guess-columns.ts";
import { profileSource } from "../../../src/read/profile.ts";
import { openSource } from "../../../src/read/source.ts";
import { makeSource, writeFile } from "../../read/make-source.ts";

async function offer(lines: readonly string[]): Promise<ReturnType<typeof offerTexts>> {
  const source = await openSource(makeSource(writeFile("p.csv", lines.join("\n"))));
  try {
    return offerTexts(await profileSource(source, () => undefined), {});
  } finally {
    await source.close();
  }
}

const rowOf = (n: number): string => `G-${n};https://a.example/${n};${n},50 €;${n}`;
const LIST = ["Kennung;Link;Preis;Anzahl", ...Array.from({ length: 40 }, (_, n) => rowOf(n))];

describe("what is offered to tell rows apart, and as text below the code", () => {
  it("is the column that names the rows also where one row is in the list twice", async () => {
    expect(await offer([...LIST, rowOf(7)])).toEqual({ tells: ["Kennung"], caption: ["Kennung"] });
  });

  it("is no price or count because these differ by chance", async () => {
    const twice = rowOf(7).replace("7,50 €;7", "99,50 €;99");
    expect(await offer([...LIST, twice])).toEqual({ tells: ["Kennung"], caption: ["Kennung"] });
    const last = LIST.map((line) => line.split(";").slice(1).join(";"));
    expect((await offer(last)).tells).toEqual(["Preis"]);
  });

  it("is nothing where many rows agree", async () => {
    const rooms = ["Raum;Link", ...LIST.slice(1).map((_, n) => `R${n % 9};https://a.example/${n}`)];
    expect(await offer(rooms)).toEqual({ tells: [], caption: [] });
  });
});
