import * as fc from "../help/property.ts";
import { describe, expect, it } from "vitest";

import { showKey } from "../../src/base/shapes/row-key.ts";
import type { CodesJob as Job } from "../../src/kinds/codes/job.ts";
import { toWishHashes } from "../../src/plan/hash.ts";
import { FreeNames } from "../../src/plan/names.ts";
import { Planner, type PlannerOptions } from "../../src/plan/planner.ts";
import { toSecondsAtLimit } from "../../src/plan/cost.ts";
import type { SourceRow } from "../../src/read/rows/rows.ts";
import type { KnownRow, PlannedRow } from "../../src/state/row.ts";

const job = {
  name: "tables",
  file: "/jobs/tables.yaml",
  kind: "codes",
  api: {},
  source: { from: "spreadsheet", file: "tables.csv", key: ["site", "table"], columns: {} },
  code: {
    type: "Link",
    dynamic: true,
    qrData: "{{ url }}",
    displayName: "{{ site }} / {{ table }}",
    folder: "Tables/{{ region }}",
    tags: [],
    gpsTracking: false,
    vcard: null,
    gs1Product: null,
    domain: null,
    design: { primary_color: "#111111" },
  },
  output: {
    dir: "/out",
    files: ["svg", "png"],
    fileName: "{{ region | slug }}/{{ site | slug }}-{{ table | pad: 3 }}",
    zip: { per: "region", name: "tables-{{ region | slug }}.zip" },
    sheets: {
      per: "region",
      name: "tables-{{ region | slug }}.pdf",
      caption: ["{{ site }}"],
      label: null,
      back: null,
    },
    index: [],
  },
} as unknown as Job;

function row(line: number, values: Record<string, string>): SourceRow {
  const all = { region: "North", url: "https://a.example/x", ...values };
  return { line, cells: all, values: all, problems: [] };
}

function planner(changes: Partial<PlannerOptions> = {}): Planner {
  return new Planner({
    job,
    known: () => undefined,
    hasFolder: () => false,
    context: { nowMs: 0 },
    retryFailed: false,
    ...changes,
  });
}

function good(p: Planner, r: SourceRow): PlannedRow {
  const planned = p.add(r);
  if (!planned.good) throw new Error(JSON.stringify(planned.bad.problems));
  return planned.row;
}

function known(planned: PlannedRow, changes: Partial<KnownRow> = {}): KnownRow {
  return {
    key: planned.key,
    state: "done",
    generation: 1,
    madeHash: planned.wantedHash,
    madeDesignHash: planned.designHash,
    madeTagsHash: null,
    madeTags: null,
    made: planned.wanted,
    wantedHash: planned.wantedHash,
    designHash: planned.designHash,
    wanted: planned.wanted,
    remoteId: "id",
    error: null,
    parts: {},
    ...changes,
  };
}

/** Plans `first`, then `second` with the state knowing `first` as `changes` say. */
function again(
  first: SourceRow,
  second: SourceRow,
  changes: Partial<KnownRow> = {},
  retry = false,
) {
  const before = good(planner(), first);
  const p = planner({
    known: () => known(before, changes),
    hasFolder: () => true,
    retryFailed: retry,
  });
  return { planned: p.add(second), summary: p.summary() };
}

/** A label that takes codes up to version 3. */
const fits = (version: number) => (version > 3 ? { message: `version ${version}` } : undefined);

describe("a destination that stands for another one", () => {
  it("is told of once, with the first row and how many more", () => {
    const p = planner();
    const urls = ["https://example.com/1", "https://a.example/2", "http://WWW.example.org/3"];
    urls.forEach((url, at) => good(p, row(at + 2, { site: "A", table: String(at), url })));
    const warnings = p.countedWarnings();
    expect(warnings).toHaveLength(1);
    expect(warnings[0]?.message).toMatch(/^leads to a placeholder: .*; and 1 more like it$/u);
    expect(warnings[0]?.hint).toContain("in place of https://example.com/1 before");
    expect(warnings[0]?.where?.line).toBe(2);
  });

  it.each([
    ["https://shop.test/1", true],
    ["https://x.invalid", true],
    ["https://example.net", true],
    ["http://localhost:3000/1", true],
    ["https://127.0.0.1/1", true],
    ["http://[::1]/", true],
    // Samples, and names that only look alike.
    ["https://localhost.example.de/1", false],
    ["https://a.de/127.0.0.1", false],
    ["http://192.168.1.5/1", false],
    ["https://menu.example.com/1", false],
    ["https://myexample.com/1", false],
    ["https://a.de/?from=example.com", false],
    ["https://www.speed.test.de/1", false],
  ])("%s: %j", (url, isTold) => {
    const p = planner();
    good(p, row(2, { site: "A", table: "1", url }));
    expect(p.warnings().length).toBe(isTold ? 1 : 0);
  });
});

describe("a new row", () => {
  it("is planned whole: wish, files, groups, caption", () => {
    const planned = good(planner(), row(2, { site: "Café Łódź", table: "7" }));
    expect(planned).toMatchObject({
      key: "Café Łódź / 7",
      wanted: {
        displayName: "Café Łódź / 7",
        folder: "Tables/North",
        qrData: "https://a.example/x",
      },
      placing: {
        fileBase: "north/cafe-lodz-007",
        zip: "tables-north.zip",
        sheets: "tables-north.pdf",
        caption: ["Café Łódź"],
      },
    });
  });

  it("costs one write, its new folders one each, a PNG one read", () => {
    const p = planner();
    good(p, row(2, { site: "a", table: "1" }));
    good(p, row(3, { site: "a", table: "2", region: "South" }));
    expect(p.summary()).toMatchObject({
      rows: 2,
      creates: 2,
      folders: ["Tables", "Tables/North", "Tables/South"],
      writes: 5,
      reads: 2,
      dynamicCreates: 2,
    });
  });

  it("with the key of an earlier one is bad and names both lines", () => {
    const p = planner();
    good(p, row(2, { site: "a", table: "1" }));
    const planned = p.add(row(9, { site: "a", table: "1" }));
    expect(planned.good).toBe(false);
    expect(p.summary().problems[0]).toMatchObject({
      message: expect.stringContaining("first on line 2") as string,
      where: { line: 9, column: "site + table" },
    });
  });

  it("with the key of an earlier bad one is bad, too", () => {
    const p = planner();
    p.add({ ...row(2, { site: "a", table: "1" }), problems: [{ message: "must be a URL" }] });
    expect(p.add(row(9, { site: "a", table: "1" }))).toMatchObject({
      good: false,
      bad: { problems: [{ message: expect.stringContaining("first on line 2") as string }] },
    });
  });

  it("with the key of an earlier one names the headers as they stand in the file", () => {
    const site = { type: "text", required: true, default: null, aliases: ["Filiale"] } as const;
    const source = { ...job.source, columns: { ...job.source.columns, site } };
    const p = planner({ job: { ...job, source } });
    const cells = { Filiale: "a", Table: "1", region: "North" };
    good(p, { ...row(2, { site: "a", table: "1" }), cells });
    p.add({ ...row(9, { site: "a", table: "1" }), cells });
    const [problem] = p.summary().problems;
    expect(problem?.where?.column).toMatch(/^Filiale \+ table$/iu);
    expect(problem?.message).toContain("key [Filiale, Table] must be unique");
  });

  it("with a cell that doesn't fit a filter is bad, with its line", () => {
    const dated = { ...job, code: { ...job.code, displayName: "{{ site | date: YYMMDD }}" } };
    const p = planner({ job: dated });
    expect(p.add(row(5, { site: "not a date", table: "1" })).good).toBe(false);
    expect(p.summary().problems[0]).toMatchObject({ where: { file: "tables.csv", line: 5 } });
  });

  it("whose static code is too dense for its label is bad, a dynamic one is not judged", () => {
    const long = row(7, { site: "a", table: "1", url: `https://a.example/${"x".repeat(200)}` });
    const still = { ...job, code: { ...job.code, dynamic: false } };
    const p = planner({ job: still, fits });
    expect(p.add(long).good).toBe(false);
    expect(p.summary().problems).toMatchObject([{ where: { file: "tables.csv", line: 7 } }]);
    expect(planner({ fits }).add(long).good).toBe(true);
  });

  it("whose folder name is too long is bad", () => {
    const planned = planner().add(row(2, { site: "a", table: "1", region: "x".repeat(151) }));
    expect(planned.good).toBe(false);
  });

  it("without key columns is known by its content, equal ones by their count", () => {
    const noKey = { ...job, source: { ...job.source, key: [] } };
    const p = planner({ job: noKey });
    const keys = [2, 3].map((line) => good(p, row(line, { site: "a", table: "1" })).key);
    expect(new Set(keys).size).toBe(2);
    expect(keys[1]).toBe(`${keys[0]} #2`);
    good(p, row(4, { site: "b", table: "1" }));
    good(p, row(5, { site: "a", table: "1" }));
    good(p, row(6, { site: "b", table: "1" }));
    expect(p.countedWarnings()).toMatchObject([
      {
        message:
          "row makes the same code as an earlier one, and gets one of its own; and 2 more like it",
        where: { file: "tables.csv", line: 3 },
        hint: "line 2 makes it: delete one of the rows, or let source.key name a column that tells them apart",
      },
    ]);
  });

  it("without key columns may make the code of another for a label of its own", () => {
    const code = { ...job.code, displayName: "Menu" };
    const p = planner({ job: { ...job, code, source: { ...job.source, key: [] } } });
    for (const site of ["a", "b"]) good(p, row(2, { site, table: "1" }));
    expect(p.warnings()).toEqual([]);
  });

  it("without key columns is no double of one that is bad, has another colour or lies on other sheets", () => {
    const code = { ...job.code, design: { primary_color: "{{ colour }}" } };
    const sheets = { ...job.output.sheets, per: "press" } as Job["output"]["sheets"];
    const output = { ...job.output, sheets };
    const p = planner({ job: { ...job, code, output, source: { ...job.source, key: [] } } });
    const like = { site: "a", table: "1", colour: "#000000", press: "1" };
    expect(p.add(row(2, { ...like, colour: "#12" })).good).toBe(false);
    good(p, row(3, like));
    good(p, row(4, { ...like, colour: "#000080" }));
    good(p, row(5, { ...like, press: "2" }));
    expect(p.warnings()).toEqual([]);
  });

  it("that the job makes itself may be like others, as many labels of one text are", () => {
    const source = { ...job.source, from: "range" as const, key: [] };
    const p = planner({ job: { ...job, source } });
    for (const line of [1, 2]) good(p, row(line, { site: "a", table: "1" }));
    expect(p.warnings()).toEqual([]);
  });

  it("without key columns is named without the fields of its contact, which its key has", () => {
    const vcard = { first_name: "Ana", company_name: "A / B" };
    const code = { ...job.code, type: "vCard", dynamic: false, vcard, displayName: "Ana" };
    const p = planner({ job: { ...job, source: { ...job.source, key: [] }, code } as Job });
    const keys = [2, 3].map((line) => good(p, row(line, { site: "a", table: "1" })).key);
    expect(keys[0]).toContain('"company_name":"A / B"');
    expect(keys.map(showKey)).toEqual(["Ana / Tables/North", "Ana / Tables/North #2"]);
    expect(showKey('Ana /  / {"first_name":"Ana"} #2')).toBe("Ana #2");
  });

  it("gets a file name of its own, also where case doesn't count", () => {
    const p = planner();
    const names = ["a b", "A  B", "a-b"].map(
      (site, n) => good(p, row(n + 2, { site, table: "1" })).placing.fileBase,
    );
    expect(names).toEqual(["north/a-b-001", "north/a-b-001-2", "north/a-b-001-3"]);
    expect(p.summary().renamedFiles).toHaveLength(2);
  });

  it("gets its number behind the name: what follows a dot is no extension, and old names stay", () => {
    const dotted = { ...job, output: { ...job.output, fileName: "{{ site }}" } };
    const p = planner({ job: dotted });
    const [, second] = ["1", "2"].map((table, n) => good(p, row(n + 2, { site: "Dr. A", table })));
    expect(second?.placing).toMatchObject({ fileBase: "Dr. A-2", wished: "Dr. A" });
    const fileBase = "Dr-2. A";
    const names = new FreeNames();
    names.toFile("Dr. A");
    const own = { base: fileBase, planned: () => ({ fileBase, wished: "Dr. A" }) };
    expect(names.toFile("Dr. A", own)).toBe(fileBase);
  });

  it("of another group with the same file name gets a second archive", () => {
    const p = planner();
    const zips = ["Ä", "A"].map(
      (region, n) => good(p, row(n + 2, { site: `s${n}`, table: "1", region })).placing.zip,
    );
    expect(zips).toEqual(["tables-a.zip", "tables-a-2.zip"]);
  });

  it("can't leave the output folder, whatever its cells say", () => {
    const evil = { ...job, output: { ...job.output, fileName: "{{ site }}" } };
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (site) => {
        const { fileBase } = good(planner({ job: evil }), row(2, { site, table: "1" })).placing;
        const segments = fileBase.split("/");
        expect(segments).not.toContain("..");
        expect(segments).not.toContain("");
        expect(fileBase).not.toMatch(/^\/|\\|:|\0/u);
      }),
    );
  });
});

describe("a known row", () => {
  const first = row(2, { site: "a", table: "1" });

  it("that did not change costs nothing", () => {
    const { planned, summary } = again(first, first);
    expect(planned).toMatchObject({ good: true, action: { kind: "unchanged", writes: 0 } });
    expect(summary).toMatchObject({ unchanged: 1, writes: 0, reads: 0 });
  });

  it("with a new destination is updated, not made again", () => {
    const { planned } = again(first, row(2, { site: "a", table: "1", url: "https://b.example/" }));
    expect(planned).toMatchObject({
      action: { kind: "change", update: true, restyle: false, writes: 1 },
    });
  });

  it("with another design is restyled", () => {
    const { planned } = again(first, first, { madeDesignHash: "other" });
    expect(planned).toMatchObject({
      action: { kind: "change", update: false, restyle: true, writes: 1 },
    });
  });

  it("in doubt is resumed", () => {
    expect(again(first, first, { state: "sending" }).planned).toMatchObject({
      action: { kind: "resume" },
    });
    expect(again(first, first, { state: "doubt" }).planned).toMatchObject({
      action: { kind: "resume" },
    });
  });

  it("that was refused waits for a change or for retry", () => {
    const failed = { state: "failed", made: null, madeHash: null } as const;
    expect(again(first, first, failed).planned).toMatchObject({
      action: { kind: "failed-before" },
    });
    expect(again(first, first, failed, true).planned).toMatchObject({ row: { again: true } });
    const mended = row(2, { site: "a", table: "1", url: "https://c.example/" });
    expect(again(first, mended, failed).planned).toMatchObject({ row: { again: true } });
  });

  it("of a static code can't change its content", () => {
    const still = { ...job, code: { ...job.code, dynamic: false } };
    const before = good(planner({ job: still }), first);
    const p = planner({ job: still, known: () => known(before) });
    const planned = p.add(row(2, { site: "a", table: "1", url: "https://b.example/" }));
    expect(planned.good).toBe(false);
    expect(p.summary().problems[0]?.message).toMatch(/static code carries its content in print/u);
  });

  it("shows both contents as their cells have them, to be copied", () => {
    const code = { ...job.code, dynamic: false, type: "Text" as const };
    const still = { ...job, code };
    const cells = { site: "a", table: "1" };
    const before = good(
      planner({ job: still }),
      row(2, { ...cells, url: String.raw`P:"geh\\;eim"` }),
    );
    const p = planner({ job: still, known: () => known(before) });
    p.add(row(2, { ...cells, url: "one\nline" }));
    expect(p.summary().problems[0]?.message).toContain(
      String.raw`it was made with "P:"geh\\;eim"" and can't become "one\nline"`,
    );
  });

  it("that is bad today still has its key", () => {
    const p = planner();
    const planned = p.add({ ...first, problems: [{ message: "must be a URL" }] });
    expect(planned).toMatchObject({ good: false, bad: { key: "a / 1" } });
  });
});

const face = (texts: readonly string[]) => ({
  art: { name: "x", size: null, items: [] },
  slots: { place: "{{ site }}-{{ table | pad: 3 }}" },
  texts,
});

const textsFit: PlannerOptions["textsFit"] = ({ texts }) =>
  (texts[0] ?? "").length > 8 ? [{ message: `too long: ${texts[0]}` }] : [];

describe("texts of labels (docs/spec/jobs.md section 1)", () => {
  const sheets = {
    ...job.output.sheets,
    label: face(["{{ place | upper }}", "{{ region }}"]),
    back: { label: face(["{{ place }}"]), background: null, flip: "long-edge" },
  };
  const labelled = { ...job, output: { ...job.output, sheets } } as unknown as Job;

  it("come from columns and from the template's own texts, front before back", () => {
    const planned = good(planner({ job: labelled }), row(2, { site: "Hall", table: "7" }));
    expect(planned.placing.caption).toEqual(["HALL-007", "North", "Hall-007"]);
  });

  it("that can't fit make a bad row, with its line", () => {
    const p = planner({ job: labelled, textsFit });
    expect(p.add(row(2, { site: "Hall", table: "7" })).good).toBe(true);
    const long = p.add(row(3, { site: "Harbour", table: "7" }));
    expect(long.good ? [] : long.bad.problems).toEqual([
      {
        message: "too long: HARBOUR-007",
        hint: undefined,
        where: { file: job.source.file, line: 3 },
      },
    ]);
  });
});

describe("the planner", () => {
  it("plans the same rows to nothing once they are made (idempotence)", () => {
    const cells = fc.record({
      site: fc.string({ minLength: 1 }),
      table: fc.nat().map(String),
      region: fc.constantFrom("North", "South", "Ost/West"),
      url: fc.webUrl(),
    });
    fc.assert(
      fc.property(fc.array(cells, { maxLength: 20 }), (rows) => {
        const made = new Map<string, KnownRow>();
        const p = planner();
        rows.forEach((values, n) => {
          const planned = p.add(row(n + 2, values));
          if (planned.good) made.set(planned.row.key, known(planned.row));
        });
        const second = planner({ known: (key) => made.get(key), hasFolder: () => true });
        rows.forEach((values, n) => second.add(row(n + 2, values)));
        expect(second.summary()).toMatchObject({ writes: 0, creates: 0, unchanged: made.size });
      }),
    );
  });

  it("hashes a wish the same whatever the order of its fields", () => {
    const { wanted } = good(planner(), row(2, { site: "a", table: "1" }));
    const turned = Object.fromEntries(
      Object.entries(wanted).toReversed(),
    ) as unknown as typeof wanted;
    expect(toWishHashes(turned)).toEqual(toWishHashes(wanted));
  });
});

describe("time at the limit", () => {
  const limit = { perWindow: 60, windowSeconds: 60 };
  it.each([
    [0, 0],
    [60, 0],
    [61, 30],
    [600, 510],
    [6000, 5910],
  ])("of %i writes is %i s on average", (writes, seconds) => {
    expect(toSecondsAtLimit(writes, limit)).toBe(seconds);
  });
});
