/**
 * Every manifest in `jobs/` whose rows become things, on its sample (docs/spec/jobs.md section 1).
 */
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { isRowJob } from "../../src/kinds/any-job.ts";
import { loadJob } from "../../src/kinds/manifest.ts";
import type { RowJob } from "../../src/kinds/any-job.ts";
import type { SourceRow } from "../../src/read/rows/rows.ts";
import { toDataDir } from "../../src/pipeline/address/server.ts";
import { openRows } from "../../src/pipeline/source/source.ts";
import { readZip } from "../pack/read-zip.ts";
import { makeZip } from "../read/make-xlsx.ts";
import {
  checkArchives,
  checkImages,
  checkIndex,
  checkReport,
  checkSheets,
  type Told,
} from "./check-output.ts";
import { checkCodes } from "./check-codes.ts";
import { frozenClock, runInProcess } from "./in-process.ts";
import { type Api, makeShop, withApi } from "./seed.ts";

interface Summary {
  readonly rows: number;
  readonly created: number;
  readonly changed: number;
  readonly unchanged: number;
  readonly failed: number;
  readonly bad: number;
  readonly writes: number;
  readonly reads: number;
  readonly exitCode: number;
  readonly problems: Told["problems"];
}

const linesOf = (out: string, type: string): Record<string, unknown>[] =>
  out
    .split("\n")
    .filter((line) => line.startsWith(`{"type":"${type}"`))
    .map((line) => JSON.parse(line) as Record<string, unknown>);

const summaryOf = (out: string): Summary => linesOf(out, "summary").at(-1) as unknown as Summary;

async function readRows(job: RowJob): Promise<SourceRow[]> {
  const ports = { signal: new AbortController().signal, clock: frozenClock };
  const source = await openRows(job, ports, { dataDir: toDataDir(job.file) });
  const rows: SourceRow[] = [];
  for await (const row of source.rows()) rows.push(row);
  await source.close();
  return rows;
}

/** One destination per link type, with the titles of the rows. */
async function checkProducts(api: Api, good: number): Promise<void> {
  const at = `/workspace/${api.workspace}/gs1/products/?page_size=200`;
  const { body } = await api.call("GET", at);
  const products = body["results"] as {
    link_types: {
      link_type: string;
      title: string;
      is_default: boolean;
      language: string | null;
    }[];
  }[];
  expect(products).toHaveLength(good);
  for (const { link_types: links } of products) {
    const [page] = links.filter((link) => link.is_default);
    expect(page).toMatchObject({ link_type: "gs1:pip" });
    expect(page?.title).not.toBe("Product Information Page");
    expect(links.filter(({ link_type: type }) => type === "gs1:instructions")).toEqual(
      links.length === 2 ? [expect.objectContaining({ title: "Manual", language: "de" })] : [],
    );
  }
}

/** All are in folders, though creates of PDFs take none (docs/spec/engine.md section 1.1). */
async function checkFiled(api: Api, good: number): Promise<void> {
  const codes = await api.list();
  expect(codes).toHaveLength(good);
  expect(codes.filter(({ folder }) => folder === null)).toEqual([]);
}

/** The form is published, with its fields. */
async function checkForm(api: Api): Promise<void> {
  const { body } = await api.call("GET", `/forms/?workspace=${api.workspace}`);
  expect(body["results"]).toMatchObject([{ title: "How was your visit?", status: "Published" }]);
}

/**
 * manifest -> rows that can't be made, and what the table of docs/spec/jobs.md section 1 says it
 * costs.
 */
const JOBS: Readonly<
  Record<
    string,
    {
      bad: number;
      folders: number;
      writesOf: (row: Record<string, string>) => number;
      /** What is on the server. */
      check?: (api: Api, good: number) => Promise<void>;
    }
  >
> = {
  // 1 write + 1 per extra link type + 1 with code
  "spring-gtins": {
    bad: 2,
    folders: 11,
    writesOf: ({ manual }) => (manual === "" ? 2 : 3),
    check: checkProducts,
  },
  "campaign-links": { bad: 3, folders: 0, writesOf: () => 1 },
  // 1 write, and 1 to file it: a create takes no folder
  "manual-pdfs": { bad: 0, folders: 5, writesOf: () => 2, check: checkFiled },
  "fair-pages": { bad: 1, folders: 0, writesOf: () => 1 },
  // create, save, publish
  "room-forms": { bad: 1, folders: 0, writesOf: () => 3 },
  "feedback-form": { bad: 0, folders: 0, writesOf: () => 3, check: checkForm },
  "team-contacts": { bad: 1, folders: 1, writesOf: () => 1 },
  "asset-labels": { bad: 1, folders: 4, writesOf: () => 1 },
  "poster-codes": { bad: 1, folders: 4, writesOf: () => 1 },
  "wine-labels": { bad: 0, folders: 6, writesOf: () => 1 },
  "table-codes": { bad: 3, folders: 35, writesOf: () => 1 },
  // rows without a spreadsheet (docs/spec/serials.md)
  wristbands: { bad: 0, folders: 0, writesOf: () => 1 },
  // labels of every sort (docs/spec/print.md section 9)
  "carton-labels": { bad: 0, folders: 0, writesOf: () => 1 },
  "asset-tags": { bad: 0, folders: 0, writesOf: () => 1 },
  "shelf-labels": { bad: 0, folders: 0, writesOf: () => 1 },
  "table-tents": { bad: 0, folders: 0, writesOf: () => 1 },
  "member-cards": { bad: 0, folders: 0, writesOf: () => 1 },
  "parcel-rolls": { bad: 0, folders: 0, writesOf: () => 1 },
  "jam-labels": { bad: 0, folders: 0, writesOf: () => 1 },
  "batch-labels": { bad: 0, folders: 0, writesOf: () => 1 },
  "colour-stickers": { bad: 0, folders: 0, writesOf: () => 1 },
};

/** Samples of many rows -> lines that stay when others go: bad rows, and rows of two lines. */
const LONG_SAMPLES: Readonly<Record<string, readonly number[]>> = {
  "campaign-links.csv": [92, 152, 202],
  "rooms.csv": [61],
  "stands.csv": [81],
  "tables.csv": [78, 165, 202, 322, 499],
  "team.csv": [79, 102],
  "wines.csv": [],
  "asset-tags.csv": [],
  "assets.txt": [51],
  "gtins.xlsx": [65, 126],
  "parcels.csv": [],
  "shelves.csv": [],
  "jams.csv": [],
  "members.csv": [],
  "batches.csv": [],
  "tents.csv": [],
};

/** `ALL_ROWS=1` (`npm run test:jobs`) runs every row of every sample. */
const areAllRows = process.env["ALL_ROWS"] === "1";

function keepLines(file: string, isKept: (line: number) => boolean): void {
  // Bytes as they are, whatever the encoding; where characters have two, line breaks have, too.
  const encoding = path.extname(file) === ".txt" ? "utf16le" : "latin1";
  const lines = readFileSync(file, encoding).split("\n");
  writeFileSync(file, lines.filter((_, at) => isKept(at + 1)).join("\n"), encoding);
}

/** Rows of a workbook keep their numbers; all else stays as its program wrote it. */
function keepRows(file: string, isKept: (line: number) => boolean): void {
  const keep = (row: string, line: string): string => (isKept(Number(line)) ? row : "");
  const parts = readZip(file).entries.map(({ name, data }) => {
    if (!name.startsWith("xl/worksheets/")) return { name, content: data };
    const content = data.toString("utf8").replaceAll(/<row r="(\d+)".*?<\/row>/gsu, keep);
    return { name, content };
  });
  writeFileSync(file, makeZip(parts));
}

/** First lines that stay, and one in how many behind them; [8, 50] of other samples. */
const KEPT_LINES: Readonly<Record<string, readonly [number, number]>> = {
  // As many tables as its 2 % of failures are counted of.
  "tables.csv": [56, 10],
  // Products of every folder.
  "gtins.xlsx": [12, 20],
  // Cards on two sheets.
  "members.csv": [11, 50],
  // Tents of every house.
  "tents.csv": [6, 3],
};

/** A shop whose long samples have their first lines and one in many. */
function makeDailyShop(): ReturnType<typeof makeShop> {
  const shop = makeShop();
  // A second version of each manual in each language tells nothing more.
  const manuals = path.join(shop.root, "samples", "manuals");
  for (const name of areAllRows ? [] : readdirSync(manuals, { recursive: true, encoding: "utf8" }))
    if (name.endsWith(" v2).pdf")) rmSync(path.join(manuals, name));
  for (const [name, stay] of areAllRows ? [] : Object.entries(LONG_SAMPLES)) {
    const file = path.join(shop.root, "samples", name);
    const [first, every] = KEPT_LINES[name] ?? [8, 50];
    const isKept = (line: number): boolean =>
      line <= first || line % every === 0 || stay.includes(line);
    if (name.endsWith(".xlsx")) keepRows(file, isKept);
    else keepLines(file, isKept);
  }
  return shop;
}

async function listRowManifests(): Promise<string[]> {
  const names: string[] = [];
  for (const name of readdirSync("jobs")) {
    const job = await loadJob(path.join("jobs", name), { env: {} });
    if (isRowJob(job)) names.push(path.parse(name).name);
  }
  return names.toSorted();
}

describe("jobs/ of the kinds that read rows", () => {
  it("are all run below", async () => {
    expect(await listRowManifests()).toEqual(Object.keys(JOBS).toSorted());
  });

  it.each(Object.entries(JOBS))(
    "%s: validates, runs, and a second time does nothing",
    async (name, wanted) => {
      const shop = makeDailyShop();
      const manifest = shop.job(name);
      const job = (await loadJob(manifest, { env: {} })) as RowJob;
      const rows = await readRows(job);
      const good = rows.length - wanted.bad;
      const valid = await runInProcess(["validate", manifest]);
      expect(valid.code, valid.err).toBe(0);

      const run = await runInProcess(["run", manifest, "--json"]);
      expect(run.code, run.err).toBe(wanted.bad === 0 ? 0 : 3);
      const [plan] = linesOf(run.out, "plan");
      const summary = summaryOf(run.out);
      expect(summary).toMatchObject({
        rows: rows.length,
        created: good,
        changed: 0,
        bad: wanted.bad,
        failed: 0,
        left: 0,
      });

      const badLines = new Set(summary.problems.map(({ where }) => where?.line));
      expect(badLines.size).toBe(wanted.bad);
      const goodRows = rows.filter(({ line }) => !badLines.has(line));
      const index = await checkIndex(job, goodRows);
      const cost = goodRows.reduce((sum, { values }) => sum + wanted.writesOf(values), 0);
      expect(plan).toMatchObject({ writes: cost + wanted.folders });
      expect(summary.writes).toBe(cost + wanted.folders);

      expect(new Set(index.map(({ id }) => id)).size).toBe(good);
      expect(index.every(({ state }) => state === "done")).toBe(true);
      if (job.code.dynamic) {
        expect(index.every(({ short_link: link = "" }) => /^http:\/\/\S+$/u.test(link))).toBe(true);
        expect(index.every(({ destination = "" }) => /^https?:\/\//u.test(destination))).toBe(true);
      }
      await checkImages(job, index);
      checkArchives(job, index);
      checkSheets(job, index);
      checkReport(job, index, summary);
      await checkCodes(job, index);

      const verified = await runInProcess(["verify", manifest, "--json"]);
      expect(verified.code).toBe(0);
      expect(summaryOf(verified.out)).toMatchObject({
        isProven: true,
        problems: [],
        findings: [],
      });

      const report = path.join(job.output.dir, "report.html");
      const before = readFileSync(report, "utf8");
      const again = await runInProcess(["run", manifest, "--json"]);
      expect(summaryOf(again.out)).toMatchObject({
        created: 0,
        changed: 0,
        unchanged: good,
        writes: 0,
        reads: 0,
      });
      // Where the seal holds, the report stays that of the run which made the files.
      const isSealed = readFileSync(report, "utf8") === before;
      checkReport(job, index, isSealed ? summary : summaryOf(again.out));
      const { check } = wanted;
      if (check !== undefined) await withApi(shop.data, (api) => check(api, good));
    },
  );
});

describe("what a GS1 code will hold (docs/spec/gs1.md section 3)", () => {
  it("is known before it is made: the plan reports labels that are too small", async () => {
    const shop = makeShop();
    const set = ["--set", "output.sheets.sheet=avery-5167"];
    const plan = await runInProcess(["plan", shop.job("spring-gtins"), ...set]);
    expect(plan.code).toBe(2);
    expect(plan.err).toMatch(
      /a version [45] code with its quiet zone must fit .* of a label of avery-5167/u,
    );
  });

  it("is what a preview shows", async () => {
    const shop = makeShop();
    const out = path.join(shop.root, "preview");
    const args = ["preview", shop.job("spring-gtins"), "--line", "5", "--out", out, "--json"];
    expect(summaryOf((await runInProcess(args)).out)).toMatchObject({
      payload: expect.stringMatching(/\/01\/09506000000015\/10\/L2027A01-2\?17=\d{6}$/u) as string,
    });
  });
});
