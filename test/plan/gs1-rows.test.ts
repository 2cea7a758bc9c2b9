/** What a plan says of GS1 values in rows: those that a server or a scanner would not take as they are meant. */
import { describe, expect, it } from "vitest";

import { reasonInGerman } from "../../src/desk/words/reasons.ts";
import { readShortYear } from "../../src/gs1/short-years.ts";
import { type RowJob, thingPlanOf } from "../../src/kinds/any-job.ts";
import { Planner } from "../../src/plan/planner.ts";
import { load } from "../job/make-manifest.ts";

const THIS_YEAR = Date.UTC(2026, 10, 29);
const SOURCE = "version: 1\nsource: { file: rows.csv }\n";

/** Problems, warnings and hints of the plan of one row. */
async function planOf(
  manifest: string,
  values: Record<string, string>,
  nowMs = THIS_YEAR,
): Promise<{ problems: string[]; warnings: string[]; hints: string[] }> {
  const job = (await load(`${SOURCE}${manifest}`)) as RowJob;
  const planner = new Planner({
    job,
    thing: thingPlanOf(job),
    known: () => undefined,
    hasFolder: () => false,
    context: { nowMs },
    retryFailed: false,
  });
  const planned = planner.add({ line: 2, cells: values, values, problems: [] });
  const problems = planned.good ? [] : planned.bad.problems;
  const warnings = planner.warnings();
  return {
    problems: problems.map(({ message }) => message),
    warnings: warnings.map(({ message }) => message),
    hints: [...problems, ...warnings].map(({ hint }) => hint ?? ""),
  };
}

const CODES = `kind: codes
code: { type: GS1, gs1_product: { identifier_value: "{{ gtin }}", destination_url: "{{ url }}" } }
`;
const URL = "https://a.example.org/1";

describe("the product of a GS1 code", () => {
  it.each([
    ["4006381333930", 'must have the check digit 1 at the end, got "4006381333930"'],
    ["tea", 'must be a GTIN of 8, 12, 13 or 14 digits, got "tea"'],
    ["40063813339", 'must be a GTIN of 8, 12, 13 or 14 digits, got "40063813339"'],
    ["", "must not be empty"],
  ])("is judged by the plan: %j", async (gtin, says) => {
    const { problems, hints } = await planOf(CODES, { gtin, url: URL });
    expect(problems).toEqual([`identifier_value (column "gtin") ${says}`]);
    expect(hints.join(" ")).not.toContain("Digital Link");
  });

  it("leads to an address", async () => {
    expect((await planOf(CODES, { gtin: "4006381333931", url: URL })).problems).toEqual([]);
    const { problems } = await planOf(CODES, { gtin: "4006381333931", url: "shop" });
    expect(problems).toEqual(['destination_url must be an http or https URL, got "shop"']);
  });

  it.each([
    ["http://localhost:3000/1", "leads to localhost"],
    ["https://example.com/1", "leads to a placeholder"],
  ])("is told where it leads nowhere: %s", async (url, says) => {
    const { problems, warnings } = await planOf(CODES, { gtin: "4006381333931", url });
    expect(problems).toEqual([]);
    expect(warnings.join(" ")).toContain(says);
  });
});

const product = (fields: string, link = ""): string => `kind: products
product:
  identifier_value: "4006381333931"
  ${fields}
  links: [{ link_type: "gs1:pip", title: Tea, destination_url: "${URL}"${link} }]
code: {}
`;

describe("a link of a product", () => {
  const manifest = product("batch_lot: A", ', language: "{{ lang }}", media_type: "{{ media }}"');

  it.each([
    [
      "deutsch",
      "",
      'language of gs1:pip (column "lang") must be a language like de or de-AT, got "deutsch"',
    ],
    [
      "",
      "pdf",
      'media_type of gs1:pip (column "media") must be a media type like text/html, got "pdf"',
    ],
  ])("has its language %j and media type %j judged by the plan", async (lang, media, says) => {
    expect((await planOf(manifest, { lang, media })).problems).toEqual([says]);
  });

  it("may have both", async () => {
    const values = { lang: "de-AT", media: "application/pdf" };
    expect((await planOf(manifest, values)).problems).toEqual([]);
  });
});

const label = (data: string): string => `kind: codes
code: { type: Text, qr_data: "{{ id }}" }
output:
  files: []
  sheets:
    sheet: { page: A4, label: [100, 100] }
    label:
      texts: { mhd: "{{ day | date: YYMMDD }}" }
      items: [{ code: true, at: [5, 5, 40, 40] }, { symbol: gs1-datamatrix, data: '${data}', at: [50, 5, 40, 40] }]
`;

const link = (query: string): string =>
  `kind: codes\ncode: { type: Link, qr_data: "https://id.a.example.org/01/04006381333931?${query}" }\n`;

describe("a date with two digits for the year", () => {
  const far = { day: "2099-12-31", id: "1" };
  const rule =
    "must be from 1977 to 2076 as YYMMDD, got 2099-12-31: scanners would read 991231 as the year 1999";

  it.each([
    [product('expiry_date: "{{ day | date: YYMMDD }}"'), `expiry_date (column "day") ${rule}`],
    [label("(01)04006381333931(15){{ day | date: YYMMDD }}"), `AI 15 (column "day") ${rule}`],
    [
      label('(01)04006381333931{{ day | date: YYMMDD | prefix: "(11)" }}'),
      `AI 11 (column "day") ${rule}`,
    ],
    [label("(01)04006381333931(17){{ mhd }}"), `AI 17 (column "day") ${rule}`],
    [link("17={{ day | date: YYMMDD }}"), `AI 17 (column "day") ${rule}`],
  ])("is refused where scanners read another year: %s", async (manifest, says) => {
    const { problems, hints } = await planOf(manifest, far);
    expect(problems).toEqual([says]);
    expect(hints[0]).toContain("49 years back to 50 ahead");
    expect((await planOf(manifest, { ...far, day: "2076-12-31" })).problems).toEqual([]);
  });

  it.each([
    link("batch={{ day | date: YYMMDD }}"),
    label("(01)04006381333931(10){{ day | date: YYMMDD }}"),
    'kind: codes\ncode: { type: Text, qr_data: "Member 7, born {{ day | date: YYMMDD }}" }\n',
  ])("is the row's own affair where it is no date of GS1: %s", async (manifest) => {
    const { problems, warnings } = await planOf(manifest, far);
    expect([...problems, ...warnings]).toEqual([]);
  });

  it("that lacks the filter is refused with the template that has it, in German, too", async () => {
    const { problems } = await planOf(product('expiry_date: "{{ day }}"'), { day: "2028-01-31" });
    const says = 'expiry_date (column "day") must be six digits, YYMMDD, got "2028-01-31"';
    expect(problems).toEqual([`${says}: write {{ day | date: YYMMDD }}`]);
    expect(reasonInGerman(problems[0] ?? "")).toBe(
      'expiry_date (Spalte "day") muss sechs Ziffern haben, JJMMTT; hier steht "2028-01-31": {{ day | date: YYMMDD }} schreiben',
    );
  });

  it.each([
    ["batch_lot", { lot: "L 24" }],
    ["serial_number", { serial: "Größe" }],
    ["batch_lot", { lot: "x".repeat(21) }],
  ])("of a product whose %s GS1 refuses is told in German, too", async (field, values) => {
    const fields = 'batch_lot: "{{ lot }}"\n  serial_number: "{{ serial }}"';
    const { problems } = await planOf(product(fields), { lot: "", serial: "", ...values });
    expect(problems).toHaveLength(1);
    expect(reasonInGerman(problems[0] ?? "")).toMatch(new RegExp(`^${field} .*; hier steht`, "u"));
  });

  it("says nothing of years with four digits", async () => {
    const { problems, warnings } = await planOf(link("best={{ day | date: YYYYMMDD }}"), far);
    expect([...problems, ...warnings]).toEqual([]);
  });

  it.each([
    ["1949-01-01", 2026, 1],
    ["1977-01-01", 2026, 0],
    ["1976-12-31", 2026, 1],
    ["2077-01-01", 2026, 1],
    ["2077-01-01", 2027, 0],
    ["9999-12-31", 2026, 1],
  ])("%s in %d", async (day, year, bad) => {
    const manifest = product('expiry_date: "{{ day | date: YYMMDD }}"');
    const { problems } = await planOf(manifest, { day }, Date.UTC(year, 5, 1));
    expect(problems).toHaveLength(bad);
  });

  it("is read as the General Specifications say", () => {
    expect([1949, 1976, 1977, 2026, 2076, 2099].map((year) => readShortYear(year, 2026))).toEqual([
      2049, 2076, 1977, 2026, 2076, 1999,
    ]);
  });
});
