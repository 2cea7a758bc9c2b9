/** docs/spec/engine.md section 1.5, match key: contacts that share a name but not their content. */
import { describe, expect, it } from "vitest";

import type { RowJob } from "../../src/kinds/any-job.ts";
import { SharedNames } from "../../src/plan/shared-names.ts";
import type { SourceRow } from "../../src/read/rows/rows.ts";
import type { Wanted } from "../../src/state/row.ts";
import { makeWanted } from "../state/planned-row.ts";

const makeJob = (
  marker = false,
  baseUrl: string | undefined = "https://a.example/api/v2",
): RowJob =>
  ({
    api: { baseUrl },
    run: { marker },
    source: { from: "spreadsheet", file: "people.csv" },
  }) as unknown as RowJob;

const contact = (name: string, phone: string): Wanted =>
  makeWanted({
    type: "vCard",
    qrData: null,
    displayName: name,
    vcard: { first_name: name, mobile_number: phone },
  });

const row = (line: number): SourceRow => ({ line, cells: {}, values: {}, problems: [] });

describe("contacts of one name", () => {
  it("are reported with both lines and what to do", () => {
    const names = new SharedNames(makeJob());
    expect(names.find(row(2), contact("Ana", "1"))).toEqual([]);
    expect(names.find(row(3), contact("Bo", "1"))).toEqual([]);
    expect(names.find(row(4), contact("Ana", "2"))).toMatchObject([
      {
        message: expect.stringContaining('"Ana" on lines 2 and 4') as string,
        where: { file: "people.csv", line: 4 },
        hint: expect.stringContaining("run.marker: true") as string,
      },
    ]);
  });

  it("of equal content are interchangeable: nothing to report", () => {
    const names = new SharedNames(makeJob());
    names.find(row(2), contact("Ana", "1"));
    expect(names.find(row(3), contact("Ana", "1"))).toEqual([]);
  });

  it("are distinguished by a marker, and by the keys of the embedded service", () => {
    const embedded = { ...makeJob(), api: {} } as unknown as RowJob;
    for (const job of [makeJob(true), embedded]) {
      const names = new SharedNames(job);
      names.find(row(2), contact("Ana", "1"));
      expect(names.find(row(3), contact("Ana", "2"))).toEqual([]);
    }
  });

  it("don't matter for links: lists show where these lead", () => {
    const names = new SharedNames(makeJob());
    names.find(row(2), makeWanted({ qrData: "https://a.example/" }));
    expect(names.find(row(3), makeWanted({ qrData: "https://b.example/" }))).toEqual([]);
  });
});
