import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";

import { describe, expect, test } from "vitest";

import type { ReportData, ReportThumbnail } from "../../src/pack/report-data.ts";
import { writeReport } from "../../src/pack/report.ts";
import { makeScratch, stream } from "./scratch.ts";

const scratch = makeScratch();
const SVG = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';

const makeData = (changes: Partial<ReportData> = {}): ReportData => ({
  job: "table-codes",
  kind: "codes",
  createdAt: new Date("2026-11-20T18:00:00Z"),
  program: "makeready 0.1.0",
  source: "samples/tables.csv",
  server: "https://api.example.com/api/v2",
  counts: { rows: 1240, created: 1232, updated: 0, unchanged: 4, failed: 0, vanished: 0 },
  calls: { writes: 2468, reads: 31, retries: 3, waitedMs: 732_000 },
  stages: [
    { name: "read", durationMs: 320, note: "1,240 rows" },
    { name: "run", durationMs: 1_280_000 },
  ],
  codesPerSecond: 0.94,
  verification: {
    isReady: true,
    rulesChecked: 26,
    codesRead: 9,
    codesExpected: 9,
    pictures: [],
    findings: [],
  },
  warnings: [],
  failedRows: [],
  vanishedRows: [],
  files: [{ name: "tables.pdf", bytes: 4_812_331, sha256: "f".repeat(64), note: "26 sheets" }],
  groups: [],
  ...changes,
});

async function makePage(changes: Partial<ReportData> = {}): Promise<string> {
  const file = scratch("report.html");
  await writeReport(file, makeData(changes));
  return readFileSync(file, "utf8");
}

/** The page as a person reads it. */
const toText = (page: string): string =>
  page
    .replace(/<style>.*?<\/style>/su, "")
    .replace(/<[^>]*>/gu, " ")
    .replace(/\s+/gu, " ");

function makeThumbnails(count: number, file = "code.svg"): ReportThumbnail[] {
  const path = scratch(file);
  writeFileSync(path, SVG);
  return Array.from({ length: count }, (_, i) => ({
    caption: `Table ${i + 1}`,
    shortLink: `https://s.example/a${i}`,
    artwork: { path, name: `artwork/${i}.svg` },
  }));
}

describe("the page", () => {
  test("stands alone: no script, nothing from outside, style as the policy says", async () => {
    const page = await makePage({
      groups: [{ name: "North", total: 2, thumbnails: makeThumbnails(2) }],
    });
    expect(page).not.toMatch(/<script|<link|<iframe|<object|\son\w+=|\sstyle=|@import|url\(/iu);
    expect(page.match(/src="(?!data:image\/)/gu)).toBeNull();
    const style = /<style>(.*?)<\/style>/su.exec(page)?.[1] ?? "";
    const hash = createHash("sha256").update(style).digest("base64");
    const policy = /Content-Security-Policy" content="([^"]*)"/u.exec(page)?.[1];
    expect(policy).toBe(
      `default-src &#39;none&#39;; img-src data:; style-src &#39;sha256-${hash}&#39;; ` +
        "base-uri &#39;none&#39;; form-action &#39;none&#39;",
    );
  });

  test("shows figures, times, sizes", async () => {
    const text = toText(await makePage());
    for (const part of [
      "table-codes",
      "Made 2026-11-20 18:00 UTC from samples/tables.csv",
      "rows 1,240",
      "created 1,232",
      "writes sent 2,468",
      "waited for the limit 12 min 12 s",
      "codes per second 0.9",
      "read 1,240 rows 0.3 s",
      "run 21 min 20 s",
      "tables.pdf 26 sheets 4.6 MB",
      "9 of 9 codes were read back",
      "26 rules checked, no finding",
      "makeready 0.1.0, https://api.example.com/api/v2",
    ]) {
      expect(text).toContain(part);
    }
  });

  test("is the same bytes for the same data", async () => {
    expect(await makePage()).toBe(await makePage());
  });
});

describe("the verdict", () => {
  const notReady = {
    isReady: false,
    rulesChecked: 26,
    codesRead: 8,
    codesExpected: 9,
    pictures: [],
    findings: [
      { rule: "25", severity: "error" as const, message: "code must be read", hint: "look" },
    ],
  };
  test.each<[string, Partial<ReportData>, string]>([
    ["all proven", {}, "Ready for press"],
    ["a rule broken", { verification: notReady }, "Not ready for press"],
    ["rehearsal", { rehearsal: "http://127.0.0.1:8787/" }, "Rehearsal, not for press"],
    [
      "a rehearsal that proved all there is to prove",
      {
        verification: { ...notReady, codesRead: 9, findings: [] },
        rehearsal: "http://127.0.0.1:8787/",
      },
      "Rehearsal, not for press",
    ],
    [
      "a code that was not read, whatever the flag says",
      { verification: { ...notReady, isReady: true, findings: [] } },
      "Not ready for press",
    ],
    [
      "not verified",
      { verification: undefined, groups: [{ name: "g", total: 1, thumbnails: [] }] },
      "Not verified",
    ],
    ["nothing to verify, as after a retarget", { verification: undefined, failedRows: [] }, "Done"],
    [
      "rows failed, and nothing to verify",
      { verification: undefined, failedRows: [{ line: 3, reason: "must be a URL" }] },
      "Done, with rows to mend",
    ],
    [
      "an undo that left codes out, though all is proven",
      { after: { did: "undone", codes: 2, already: 0, notDone: 1, runAt: "2026-11-01T02:00:00Z" } },
      "Done, but 1 code was not put back",
    ],
    [
      "a retire that left codes out",
      { verification: undefined, groups: [], after: { did: "filed", codes: 0, notDone: 2 } },
      "Done, but 2 codes were not filed away",
    ],
    ["stopped", { stopped: "by Ctrl-C" }, "Stopped before its end"],
    [
      "a broken rule in a rehearsal",
      { verification: notReady, rehearsal: "http://127.0.0.1/" },
      "Not ready for press",
    ],
    [
      "stopped, though verified",
      { stopped: "by Ctrl-C", rehearsal: "http://127.0.0.1/" },
      "Stopped before its end",
    ],
  ])("%s", async (_case, changes, expected) => {
    const page = await makePage(changes);
    const verdict = /class="verdict \w+">\s*([^<]*?)\s*</u.exec(page)?.[1];
    expect(verdict).toBe(expected);
  });

  test.each([
    [1, "1 code was deleted, since it has no row any more"],
    [2, "2 codes were deleted, since they have no row any more"],
  ])("says why a retire deleted %i", async (codes, says) => {
    const after = { did: "deleted", codes, notDone: 0 } as const;
    expect(await makePage({ verification: undefined, groups: [], after })).toContain(says);
  });

  test("has degrees: each warning is named", async () => {
    const press = {
      verdict: "ready-with-warnings",
      warnings: [
        { code: "rows-missing", count: 2, rows: [], what: ["line 4", "line 9"] },
        { code: "codes-plain", count: 9, rows: ["a"], what: ["colours", "frame", "logo"] },
        { code: "captions-cut", count: 1, rows: ["b"], what: [] },
      ],
    } as const;
    const page = await makePage({ press });
    expect(page).toMatch(/class="verdict warn">\s*Ready, with 3 warnings\s*</u);
    const text = toText(page);
    expect(text).toContain("2 rows of the job are missing: line 4 and line 9.");
    expect(text).toContain(
      "The sheets print 9 codes plain black: without colours, frame and logo.",
    );
    expect(text).toMatch(/1 text is cut with .*….* \(row b\)\./u);
    expect(toText(await makePage({ press: { verdict: "ready", warnings: [] } }))).not.toContain(
      "Know before you print",
    );
  });

  test("a rehearsal says so in words and names the address, a real run doesn't", async () => {
    const text = toText(await makePage({ rehearsal: "http://127.0.0.1:8787/" }));
    expect(text).toContain("REHEARSAL - codes point to this computer");
    expect(text).toContain("http://127.0.0.1:8787/");
    expect(text).toContain("The short links start with");
    const products = { kind: "products", rehearsal: "http://127.0.0.1:8787/" };
    expect(toText(await makePage(products))).toContain("The GS1 Digital Links start with");
    expect(toText(await makePage())).not.toContain("REHEARSAL");
  });

  test("findings carry rule, place and fix", async () => {
    const text = toText(
      await makePage({
        verification: {
          ...notReady,
          findings: [
            {
              rule: "17",
              severity: "warning",
              message: "X must be at least 0.4 mm, got 0.38 mm",
              where: { file: "tables.pdf", line: 3 },
              hint: "use a larger label",
            },
          ],
        },
      }),
    );
    expect(text).toContain(
      "17 warning tables.pdf:3 X must be at least 0.4 mm, got 0.38 mm use a larger label",
    );
  });
});

describe("hostile data", () => {
  const evil = '"><img src=x onerror=alert(1)>\u0000\u202e<!--';
  test("appears as text wherever it stands", async () => {
    const page = await makePage({
      job: evil,
      kind: evil,
      source: evil,
      server: evil,
      program: evil,
      stopped: evil,
      rehearsal: evil,
      nextCommand: evil,
      stages: [{ name: evil, durationMs: 1, note: evil }],
      warnings: [{ message: evil, hint: evil, where: { file: evil, line: 1, column: evil } }],
      failedRows: [{ line: 1, column: evil, value: evil, reason: evil, fix: evil }],
      failedRowsFile: evil,
      files: [{ name: evil, bytes: 1, sha256: evil, note: evil }],
      groups: [
        {
          name: evil,
          total: 5,
          link: evil,
          thumbnails: [
            {
              caption: evil,
              shortLink: evil,
              artwork: { path: scratch("none.svg"), name: evil },
              printed: evil,
            },
          ],
        },
      ],
    });
    expect(page).not.toContain("<img src=x");
    expect(page).not.toContain("<!--");
    expect(page).not.toContain("\0");
    expect(page.match(/&quot;&gt;&lt;img src=x onerror=alert\(1\)&gt;/gu)?.length).toBeGreaterThan(
      15,
    );
  });

  test("what is on the sheet stands beside the artwork, or alone", async () => {
    const [thumbnail] = makeThumbnails(1);
    if (thumbnail === undefined) throw new Error("one was made");
    const printed = '<svg xmlns="http://www.w3.org/2000/svg"/>';
    const source = `src="data:image/svg+xml;base64,${Buffer.from(printed).toString("base64")}"`;
    const both = await makePage({
      groups: [{ name: "g", total: 1, thumbnails: [{ ...thumbnail, printed }] }],
    });
    expect(both.split("<img ")).toHaveLength(3);
    expect(toText(both)).toMatch(/artwork\s+on the sheet/u);
    const alone = await makePage({
      groups: [{ name: "g", total: 1, thumbnails: [{ caption: "x", printed }] }],
    });
    expect(alone.split("<img ")).toHaveLength(2);
    for (const page of [both, alone]) expect(page).toContain(source);
  });

  test("addresses that run code are not linked", async () => {
    const thumbnails = [
      {
        caption: "x",
        shortLink: "javascript:alert(1)",
        artwork: { path: "none.svg", name: "../../secret" },
      },
    ];
    const page = await makePage({ groups: [{ name: "g", total: 1, thumbnails }] });
    expect(page).toContain("javascript:alert(1)");
    expect(page).not.toMatch(/href="[^"]*(?:javascript|secret)/u);
  });
});

describe("the contact sheet", () => {
  test("shows codes with caption and short link as pictures that run nothing", async () => {
    const page = await makePage({
      groups: [{ name: "North", total: 2, thumbnails: stream(makeThumbnails(2)) }],
    });
    expect(page).toContain(`data:image/svg+xml;base64,${Buffer.from(SVG).toString("base64")}`);
    expect(page).toContain('alt="QR code: Table 2"');
    expect(page).toContain('href="./artwork/1.svg"');
    expect(page).toContain('href="https://s.example/a1"');
    expect(toText(page)).not.toContain("codes shown");
  });

  test("takes 120 of a large group, names the rest and links it", async () => {
    let taken = 0;
    const [one] = makeThumbnails(1) as [ReportThumbnail];
    async function* endless(): AsyncGenerator<ReportThumbnail> {
      for (;;) {
        taken += 1;
        yield await Promise.resolve(one);
      }
    }
    const page = await makePage({
      groups: [{ name: "North", total: 5_000, link: "north.zip", thumbnails: endless() }],
    });
    expect(page.match(/<img /gu)?.length).toBe(120);
    expect(taken).toBeLessThanOrEqual(121);
    expect(toText(page)).toContain("120 of 5,000 codes shown. All of them: north.zip");
  });

  test("stays within its budget over many groups", async () => {
    const groups = Array.from({ length: 8 }, (_, i) => ({
      name: `g${i}`,
      total: 100,
      thumbnails: makeThumbnails(100),
    }));
    const page = await makePage({ groups });
    expect(page.match(/<img /gu)?.length).toBe(600);
    expect(toText(page)).toContain("0 of 100 codes shown.");
  });

  test("a missing, huge or foreign picture is not shown, and no error", async () => {
    const [one] = makeThumbnails(1) as [ReportThumbnail];
    writeFileSync(scratch("huge.svg"), Buffer.alloc(200_000, " "));
    writeFileSync(scratch("page.html"), "<script>");
    const thumbnails = ["gone.svg", "huge.svg", "page.html", "."].map((name) => ({
      ...one,
      artwork: { path: scratch(name), name },
    }));
    const page = await makePage({ groups: [{ name: "g", total: 4, thumbnails }] });
    expect(page).not.toContain("<img ");
    expect(page.match(/not shown/gu)?.length).toBe(4);
  });
});

describe("lists", () => {
  test("leave out columns that are empty in every row", async () => {
    const one = toText(await makePage({ failedRows: [{ line: 7, reason: "must be a URL" }] }));
    expect(one).toContain("Line What is wrong 7 must be a URL");
    const failedRows = [
      { line: 7, reason: "must be a URL" },
      { line: 8, reason: "must be a URL", value: "htp:" },
    ];
    expect(toText(await makePage({ failedRows }))).toContain("Line Value What is wrong");
  });

  test("are cut with their length and the file that has all", async () => {
    const failedRows = Array.from({ length: 700 }, (_, i) => ({ line: i, reason: `reason ${i};` }));
    const counts = { rows: 900, created: 200, updated: 0, unchanged: 0, failed: 700, vanished: 0 };
    const page = await makePage({ failedRows, counts, failedRowsFile: "failed-rows.csv" });
    const text = toText(page);
    expect(text).toContain("Failed rows 700");
    expect(text).toContain("reason 499;");
    expect(text).not.toContain("reason 500;");
    expect(text).toContain("The first 500 of 700 faults. All of them: failed-rows.csv");
  });

  test("without failures there's no such section", async () => {
    expect(toText(await makePage())).not.toContain("Failed rows");
  });
});
