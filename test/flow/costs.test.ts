/**
 * What a row of a whole job costs, in numbers that are the same on every machine: calls, commits,
 * statements, files opened, pages rendered, pixels given to the decoder. Each may fall; where one
 * grows, every job takes longer, and this fails. Seconds are for `npm run bench -- job`.
 */
import fs from "node:fs";
import fsPromises from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";

import { PDFiumPage } from "@hyzyla/pdfium";
import { Agent } from "undici";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { openSqlite, Sqlite, type SqlRow } from "../../src/base/sqlite/sqlite.ts";
import type { PixelBox } from "../../src/qr/read/decode.ts";
import { loadDecoder } from "../../src/qr/read/load-decoder.ts";
import { runInProcess } from "./in-process.ts";
import { makeJobFolder, type JobFolder } from "./job-folder.ts";
import { stateFile } from "../../src/state/state.ts";

const ROWS = 48;
const SHEETS = 2;

const MANIFEST = `version: 1
name: flow
kind: codes
source: { file: ../rows.csv, key: [nr] }
code: { type: Link, dynamic: true, qr_data: "https://menu.example/{{ to }}/{{ nr }}", display_name: "{{ nr }}" }
output:
  dir: ../out
  files: [svg, png]
  file_name: "{{ nr }}"
  zip: { name: all.zip }
  sheets: { sheet: a4-24up-63.5x33.9, name: all.pdf, caption: "{{ nr }}", device_dpi: 600 }
`;

interface Costs {
  calls: number;
  /** Those, and whatever else goes over the network. */
  requests: number;
  commits: number;
  statements: number;
  opened: number;
  renders: number;
  /** RGBA pictures: those that only a graphics library could draw. */
  drawn: number;
  /** Grey pictures and parts of pages, and their pixels, a byte each. */
  decoded: number;
  pixels: number;
}

const costs: Costs = {
  calls: 0,
  requests: 0,
  commits: 0,
  statements: 0,
  opened: 0,
  renders: 0,
  drawn: 0,
  decoded: 0,
  pixels: 0,
};

type Tell = (self: object, ...args: readonly unknown[]) => void;

const undo: (() => void)[] = [];

/** Replaces a method by one that tells of its calls, before and after, and does what it did. */
function watch(owner: object, name: string, before: Tell, after?: Tell): void {
  const original = Reflect.get(owner, name) as (...args: unknown[]) => unknown;
  const watched = function watched(this: object, ...args: unknown[]): unknown {
    before(this, ...args);
    try {
      return original.apply(this, args);
    } finally {
      after?.(this, ...args);
    }
  };
  Reflect.set(owner, name, watched);
  undo.push(() => Reflect.set(owner, name, original));
}

/** Every change outside of a transaction is a commit of its own. */
function countStatements(): void {
  const depths = new WeakMap<object, number>();
  const deeper = (self: object, by: number): number => {
    const depth = (depths.get(self) ?? 0) + by;
    depths.set(self, depth);
    return depth;
  };
  watch(Sqlite.prototype, "run", (self, sql) => {
    const [word = ""] = /^\w+/u.exec(String(sql).toLowerCase()) ?? [];
    const isFrame = ["begin", "commit"].includes(word) || sql === "rollback";
    if (!isFrame) costs.statements += 1;
    const depth = deeper(self, word === "begin" ? 1 : isFrame ? -1 : 0);
    if (depth === 0 && sql !== "rollback") costs.commits += 1;
  });
  for (const name of ["get", "all", "view"])
    watch(Sqlite.prototype, name, () => {
      costs.statements += 1;
    });
  watch(
    Sqlite.prototype,
    "transaction",
    (self) => deeper(self, 1),
    (self) => {
      deeper(self, -1);
      costs.commits += 1;
    },
  );
}

/** Those of the job: modules and fonts of the program are not its rows' affair. */
function countFiles(root: string): void {
  const count: Tell = (_, file) => {
    if (String(file).startsWith(root)) costs.opened += 1;
  };
  watch(fs, "openSync", count);
  watch(fs, "writeFileSync", count);
  watch(fsPromises, "open", count);
  syncBuiltinESMExports();
}

async function countPictures(): Promise<void> {
  watch(PDFiumPage.prototype, "render", () => {
    costs.renders += 1;
  });
  const decoder = await loadDecoder();
  watch(decoder, "decode", () => {
    costs.drawn += 1;
  });
  watch(decoder, "decodeGrey", (_, image, part) => {
    const { width, height } = (part ?? image) as PixelBox;
    costs.decoded += 1;
    costs.pixels += width * height;
  });
}

/** What SQLite looks up by a key, in the index of rows that have something left, or without the rows themselves. */
const NO_SCAN = /row_key=|remote_id=|rowid=|rows_unsettled|COVERING INDEX/u;

/** Questions about the rows of a state for which SQLite reads all of them. */
async function listScans(folder: string, work: () => Promise<unknown>): Promise<string[]> {
  const asked: string[] = [];
  for (const name of ["get", "all", "iterate", "view", "iterateView"])
    watch(Sqlite.prototype, name, (_, sql) => {
      if (/\bFROM rows\b/u.test(String(sql))) asked.push(String(sql));
    });
  await work();
  const db = openSqlite(stateFile(folder));
  try {
    return asked.filter((sql) =>
      db
        .all<SqlRow & { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`)
        .some(({ detail }) => /^(?:SCAN|SEARCH) rows\b/u.test(detail) && !NO_SCAN.test(detail)),
    );
  } finally {
    db.close();
  }
}

let code: number;
let job: JobFolder;
beforeAll(async () => {
  const rows = Array.from({ length: ROWS }, (_, n) => `${n + 1},t\n`);
  job = makeJobFolder(`nr,to\n${rows.join("")}`, MANIFEST);
  const { root, manifest } = job;
  countStatements();
  countFiles(root);
  watch(Agent.prototype, "dispatch", () => {
    costs.requests += 1;
  });
  await countPictures();
  const made = await runInProcess(["run", manifest, "--yes", "--json"]);
  ({ code } = made);
  const last = made.out.trim().split("\n").at(-1) ?? "";
  const { writes, reads } = JSON.parse(last) as { writes: number; reads: number };
  costs.calls = writes + reads;
});

afterAll(() => {
  for (const back of undo) back();
  syncBuiltinESMExports();
});

/** Of a whole job of a row, less what any job costs, whatever its size. */
describe("a row of a whole job", () => {
  it("takes one write and one read", () => {
    expect(code).toBe(0);
    expect(costs.calls).toBe(ROWS * 2);
    expect(costs.requests).toBe(costs.calls);
  });

  it.each([
    // Of what arrives together some share one: fewer do on a busy machine.
    ["commits", 3.5],
    ["statements", 36.1],
    ["opened", 10.6],
  ] as const)("%s: at most %i", (cost, most) => {
    expect(costs[cost] / ROWS).toBeLessThan(most);
  });

  it("each page is rendered once", () => {
    expect(costs.renders).toBe(SHEETS);
  });

  it("sheet, PNG and SVG are decoded once each, and no graphics library draws", () => {
    expect([costs.decoded, costs.drawn]).toEqual([ROWS * 3, 0]);
  });

  it("the decoder gets its label at 4 pixels a module, and a pixel a module of its pictures", () => {
    expect(costs.pixels / ROWS).toBeLessThan(70_000);
  });
});

const runAgain = () => runInProcess(["run", job.manifest, "--yes", "--json"]);

/** Scans of all rows, of which there may be a million; each question is counted as often as it is asked. */
describe("a job that was run before", () => {
  it("counts no rows where nothing has changed, and looks at pictures and looks of codes", async () => {
    await runAgain();
    const scans = await listScans(job.out, runAgain);
    expect(scans.filter((sql) => /count\(|sum\(|GROUP BY/u.test(sql))).toEqual([]);
    expect(scans.length).toBeLessThanOrEqual(5);
  });

  it("looks few times at all rows where one has changed", async () => {
    fs.writeFileSync(job.csv, fs.readFileSync(job.csv, "utf8").replace("\n7,t\n", "\n7,poster\n"));
    const scans = await listScans(job.out, runAgain);
    // One is for lost places of labels; five read ahead, in pages that grow, in place of a look-up for each row.
    expect(scans.length).toBeLessThanOrEqual(56);
  });
});
