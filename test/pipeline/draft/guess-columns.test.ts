import { describe, expect, it } from "vitest";

import { guessColumns, offerTexts } from "../../../src/pipeline/draft/guess-columns.ts";
import { writeManifest } from "../../../src/pipeline/draft/manifest-draft.ts";
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

it("expiry dates as GS1 writes them are found by their header, and stay as they are", async () => {
  const lines = ["EAN,Made,Expiry,URL", "4006381333931,2026-01-31,261200,https://a.example/1"];
  const source = await openSource(makeSource(writeFile("p.csv", lines.join("\n"))));
  const profile = await profileSource(source, () => undefined);
  await source.close();
  const { product: columns } = guessColumns(profile);
  expect(columns.expiry).toBe("Expiry");
  const draft = { name: "goods", file: "p.csv", thing: "product", key: ["EAN"] } as const;
  const facts = { caption: ["EAN"], headerRow: undefined, sheetName: undefined, columns };
  const manifest = writeManifest({ ...draft, ...facts, hasGs1Dates: true });
  expect(manifest).toContain("    Expiry: {}\n");
  expect(manifest).toContain('  expiry_date: "{{ Expiry }}"\n');
  expect(writeManifest({ ...draft, ...facts })).toContain("{{ Expiry | date: YYMMDD }}");
});
