/** Data of reports that have all there is to say, between them. */
import type { ReportData, RetiredFacts } from "../../src/pack/report-data.ts";

const SVG = '<svg xmlns="http://www.w3.org/2000/svg"/>';

const thumbnails = [
  { caption: "Table 1", shortLink: "https://s.example/a1", printed: SVG },
  {
    caption: "Table 2",
    artwork: { path: "none.svg", name: "artwork/2.svg" },
    printed: SVG,
    grade: { grade: 2, limit: "modulation" as const },
  },
];

const full: ReportData = {
  job: "table-codes",
  kind: "codes",
  createdAt: new Date("2026-11-20T18:00:00Z"),
  program: "makeready 0.1.0",
  source: "tables.csv",
  server: "https://api.example.com",
  counts: {
    rows: 1240,
    created: 1223,
    adopted: 2,
    updated: 3,
    unchanged: 4,
    failed: 2,
    left: 5,
    withoutFiles: 1,
    vanished: 2,
  },
  calls: { writes: 2468, reads: 31, retries: 3, waitedMs: 732_000 },
  stages: [
    "read and plan",
    "select and plan",
    "compare with the last run",
    "codes and downloads",
    "codes",
    "sheets",
    "proof",
    "proof of pictures",
    "zip",
    "index",
  ].map((name, at) => ({ name, durationMs: 13 ** at })),
  codesPerSecond: 0.94,
  grades: [
    { grade: 2, limit: "modulation", count: 1200, help: "leave the logo out" },
    { grade: 4, limit: "contrast", count: 30, help: "" },
  ],
  verification: {
    isReady: true,
    rulesChecked: 26,
    codesRead: 1230,
    codesExpected: 1230,
    symbols: 3,
    printed: { codes: 1200, labels: 1230 },
    pictures: [{ kind: "PNGs", read: 4, expected: 4, before: 1200 }],
    findings: [
      { rule: "17", severity: "warning", message: "must not be empty", where: { file: "t.pdf" } },
      { rule: "18", severity: "warning", message: "must be a number" },
    ],
  },
  press: {
    verdict: "ready-with-warnings",
    warnings: [
      { code: "rows-missing", count: 2, rows: [], what: ["line 4", "line 9"] },
      {
        code: "grades-low",
        count: 2,
        rows: ["a"],
        what: ["3.0", "2.0 (C, by modulation)", "leave the logo out, or take error_correction: H"],
      },
    ],
  },
  warnings: [{ message: "must be true or false", hint: "write its result here" }],
  failedRows: [
    { line: 3, column: "link", value: "x", reason: "must be a URL", fix: "write its result here" },
    { place: "serial 7K2M9", reason: "must not be empty" },
  ],
  failedRowsFile: "failed-rows.csv",
  vanishedRows: [
    { key: "a", line: 4, name: "n", code: "c", files: ["a.svg"], showsOldAddress: true },
    { key: "b", place: "serial 2", name: "n", code: "c", files: [], showsOldAddress: false },
  ],
  removedFiles: ["old.pdf"],
  files: [{ name: "t.pdf", bytes: 4_812_331, sha256: "f".repeat(64), note: "PDF/X-4" }],
  groups: [{ name: "North", total: 5_000, link: "north.zip", thumbnails }],
  nextCommand: "makeready run t.yaml",
};

const runAt = "2026-11-01T02:00:00Z";

const afters: readonly RetiredFacts[] = [
  { did: "undone", codes: 2, already: 1, runAt },
  { did: "undone", codes: 1, already: 2, notDone: 1, runAt },
  { did: "undone", codes: 0, already: 3, runAt },
  { did: "filed", codes: 1 },
  { did: "deleted", codes: 2, notDone: 2 },
];

const plain = { ...full, verification: undefined, groups: [], failedRows: [] };
const ready = { verdict: "ready", warnings: [] } as const;
const pictures = { codesRead: 0, codesExpected: 0, findings: [], pictures: [] };
const many = Array.from({ length: 501 }, (_, line) => ({ line, reason: "must be a URL" }));

export const reports: readonly ReportData[] = [
  full,
  { ...full, rehearsal: "http://127.0.0.1:8787", press: ready, removedFiles: ["a", "b"] },
  { ...full, rehearsal: "http://127.0.0.1:8787", kind: "products", stopped: "must be a number" },
  { ...full, verification: { ...full.verification!, ...pictures }, press: ready },
  { ...full, verification: { ...full.verification!, codesCompared: 40 } },
  { ...full, press: { ...ready, verdict: "ready-sampled", sampled: { codes: 60, decoded: 20 } } },
  { ...full, verification: { ...full.verification!, isReady: false, printed: undefined } },
  { ...full, verification: undefined, failedRows: many },
  plain,
  { ...plain, failedRows: full.failedRows },
  { ...plain, failedRows: full.failedRows, counts: { ...full.counts, failed: 0 } },
  ...afters.map((after) => ({ ...plain, after, counts: { ...full.counts, retired: 2 } })),
  ...afters.map((after) => ({ ...plain, after })),
];
