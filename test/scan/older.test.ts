/** Scans of sheets that were printed before the rows, their address or their look changed. */
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";

import { openSqlite } from "../../src/base/sqlite/sqlite.ts";
import type { GreyImage } from "../../src/qr/read/decode.ts";
import type { ScanResult } from "../../src/pipeline/scan-back/scan-back.ts";
import { drawPage, printJob, toPixels, type PrintedJob } from "./printed-job.ts";
import { blot, scanPage } from "./scanner.ts";

const DPI = 100;
const HEAD = "key,text";

let job: PrintedJob;
let rows: string[];

const place = (name: string): string => path.join(job.folder, name);
const keep = async (of: PrintedJob, page: number, name: string): Promise<void> =>
  writeFileSync(path.join(of.folder, name), await scanPage(await of.page(page, DPI), { dpi: DPI }));

/** The spreadsheet has these rows now, and the job was run. */
async function runWith(lines: readonly string[], ...flags: string[]): Promise<void> {
  writeFileSync(place("rows.csv"), `${[HEAD, ...lines].join("\n")}\n`);
  const { code, err } = await job.run("run", "job.yaml", "--yes", ...flags);
  expect(code, err).toBe(0);
}

interface Scanned {
  readonly code: number;
  readonly out: string;
  readonly result: ScanResult & { readonly next: string | null; readonly left: number };
}

async function scanJson(of: PrintedJob, ...images: string[]): Promise<Scanned["result"]> {
  const { out } = await of.run("scan", "job.yaml", ...images, "--json");
  return JSON.parse(out) as Scanned["result"];
}

async function scan(of: PrintedJob, ...images: string[]): Promise<Scanned> {
  const { code, out } = await of.run("scan", "job.yaml", ...images);
  return { code, out, result: await scanJson(of, ...images) };
}

/** Nothing that only holds for sheets of today is said. */
function expectOlder({ code, out, result }: Scanned, sheets: number): void {
  expect(result.older).toHaveLength(sheets);
  expect(result.sheets).toEqual([]);
  expect([result.spoiled, result.outside, result.strays, result.empty]).toEqual([[], [], [], []]);
  expect([result.measured, result.file, result.next]).toEqual([undefined, undefined, null]);
  expect(out).not.toMatch(/damaged|missing|foreign|printers\.json|replace|measured|not in the/u);
  expect(out).toContain("printed before the run of 20");
  expect(out).toContain("→ scan sheets that were printed from the PDFs of today");
  expect(code).toBe(3);
}

beforeAll(async () => {
  job = await printJob(30);
  await keep(job, 1, "old-1.png");
  await keep(job, 2, "old-2.png");
  rows = readFileSync(place("rows.csv"), "utf8").trim().split("\n").slice(1);
});
afterAll(() => job.close());

const without = (...keys: string[]): string[] =>
  rows.filter((row) => !keys.some((key) => row.startsWith(`${key},`)));

describe("sheets that were printed before the rows changed", () => {
  beforeEach(() => rmSync(place("out/spoiled.csv"), { force: true }));

  test("a row is gone: its code is named, no label is called damaged", async () => {
    await runWith(without("K5"));
    const scanned = await scan(job, "old-1.png", "old-2.png");
    expectOlder(scanned, 2);
    expect(scanned.out).toContain('code of row "K5", which is no longer in the spreadsheet');
    expect(scanned.result.older).toMatchObject([
      { picture: "old-1.png", why: "past", codes: 23, past: [{ key: "K5", why: "vanished" }] },
      { picture: "old-2.png", why: "moved", codes: 6, past: [] },
    ]);
    expect(existsSync(place("out/spoiled.csv"))).toBe(false);
  });

  test("a row of labels is gone: all others lie as far as one row from their places", async () => {
    await runWith(without("K1", "K2", "K3"));
    expectOlder(await scan(job, "old-1.png"), 1);
    const { result, out } = await scan(job, "old-2.png");
    expect(result.older).toMatchObject([{ codes: 6, past: [] }]);
    expect(result.measured).toBeUndefined();
    expect(out).not.toContain("replace");
  });

  test("rows are in another order, or new ones stand between them", async () => {
    await runWith(rows.toReversed());
    expectOlder(await scan(job, "old-1.png", "old-2.png"), 2);
    await runWith([...rows.slice(0, 10), "N1,New 1", "N2,New 2", ...rows.slice(10)]);
    const result = await scanJson(job, "old-1.png", "old-2.png");
    expect(result.older).toMatchObject([
      { why: "moved", codes: 24, past: [] },
      { why: "moved", codes: 6, past: [] },
    ]);
    await runWith(["N1,New 1", "N2,New 2", "N3,New 3", ...rows]);
    expectOlder(await scan(job, "old-1.png", "old-2.png"), 2);
  });

  test("only the last row is gone: the sheet still holds its code", async () => {
    await runWith(rows.slice(0, 29));
    const result = await scanJson(job, "old-1.png", "old-2.png");
    expect(result.sheets).toMatchObject([{ picture: "old-1.png", page: 1, labels: { good: 24 } }]);
    expect(result.older).toMatchObject([
      { picture: "old-2.png", codes: 5, past: [{ key: "K30", why: "vanished" }] },
    ]);
    expect(result.spoiled).toEqual([]);
  });

  test("sheets of today beside them are judged as ever", async () => {
    await runWith(without("K9"));
    job.close();
    const page = await job.page(1, DPI);
    const image = { ...page, data: Uint8Array.from(page.data) };
    const { left, top, width } = toPixels(job.cells[1]!.code, DPI);
    blot(image, { x: left + width / 2, y: top + width / 2, radius: width * 0.3 }, 20);
    writeFileSync(place("now.png"), await scanPage(image, { dpi: DPI }));
    const { code, out, result } = await scan(job, "now.png", "old-1.png");
    expect(result.spoiled.map(({ key }) => key)).toEqual(["K2"]);
    expect(result.older).toMatchObject([{ picture: "old-1.png" }]);
    expect(out).toContain("1 sheet seen, 23 of 24 labels good, 1 damaged");
    expect(out).toContain("and 1 that was printed before the run of 20");
    expect(out).toContain("→ print the spoiled labels again: makeready replace job.yaml --spoiled");
    expect(code).toBe(3);
  });

  test("a code that is void is named also there: its label must not ship", async () => {
    await runWith(without("K5"));
    await job.run("void", "job.yaml", "--key", "K7", "--yes");
    const { out, result } = await scan(job, "old-1.png");
    expect(result.older).toMatchObject([{ void: ["K7"] }]);
    expect(out).toContain('void code of row "K7", which must not ship');
    expect(out).toContain("→ take the void labels off the sheets, and throw them away");
  });
});

describe("sheets that were printed before rows were added at the end", () => {
  const EXTRA = ["N1,New 1", "N2,New 2", "N3,New 3", "N4,New 4"];
  let own: PrintedJob;

  async function addRows(lines: readonly string[], ...flags: string[]): Promise<void> {
    const table = path.join(own.folder, "rows.csv");
    writeFileSync(table, `${readFileSync(table, "utf8").trim()}\n${lines.join("\n")}\n`);
    const { code, err } = await own.run("run", "job.yaml", "--yes", ...flags);
    expect(code, err).toBe(0);
    own.close();
  }

  /** A page without the labels of these cells, from 0. */
  async function keepWithout(page: number, cells: readonly number[], name: string): Promise<void> {
    const seen = await own.page(page, DPI);
    const image = { ...seen, data: Uint8Array.from(seen.data) };
    for (const cell of cells) {
      const { left, top, width, height } = toPixels(job.cells[cell]!.label, DPI);
      for (let y = Math.ceil(top); y < top + height; y += 1)
        image.data.fill(255, y * image.width + Math.ceil(left), y * image.width + left + width);
    }
    writeFileSync(path.join(own.folder, name), await scanPage(image, { dpi: DPI }));
  }

  beforeAll(async () => {
    own = await printJob(30);
    await keep(own, 2, "of-30.png");
    await addRows(EXTRA.slice(0, 2));
    await keep(own, 2, "of-32.png");
    await addRows(EXTRA.slice(2), "--set", "output.sheets.caption={{ key }}!");
    await own.run("run", "job.yaml", "--yes");
    own.close();
  });
  afterAll(() => own.close());

  test.each([
    ["of-30.png", 6, ["N1", "N2", "N3", "N4"]],
    ["of-32.png", 8, ["N3", "N4"]],
  ])(
    "%s: the new labels are not missing, and none is to be replaced",
    async (name, codes, lacks) => {
      const scanned = await scan(own, name);
      expectOlder(scanned, 1);
      expect(scanned.result.older).toMatchObject([{ why: "added", codes, lacks, past: [] }]);
      expect(scanned.out).toContain("it ends where the sheets ended before rows were added");
      for (const key of lacks)
        expect(scanned.out).toContain(`not on it yet: row "${key}", which was added since`);
      expect(existsSync(path.join(own.folder, "out/spoiled.csv"))).toBe(false);
    },
  );

  test.each([
    ["one of the old in the middle", [2], ["K27"]],
    ["one of the new in the middle", [7], ["N2"]],
    [
      "some of the old and all after them",
      [4, 5, 6, 7, 8, 9],
      ["K29", "K30", "N1", "N2", "N3", "N4"],
    ],
  ])("a sheet of today that lacks %s: they are missing, as ever", async (_, cells, keys) => {
    await keepWithout(2, cells, "today.png");
    const result = await scanJson(own, "today.png");
    rmSync(path.join(own.folder, "out/spoiled.csv"), { force: true });
    expect(result.older).toEqual([]);
    expect(result.spoiled.map(({ key, state }) => [key, state])).toEqual(
      keys.map((key) => [key, "missing"]),
    );
  });
});

test("codes lead to another address now: those of the old one are known, and not foreign", async () => {
  const flags = ["--public-url", "https://go.example.com"];
  const moved = await printJob(6, {
    code: 'dynamic: true, qr_data: "https://example.com/{{ key }}"',
    flags,
  });
  await keep(moved, 1, "old.png");
  const again = ["--change-public-url", "https://new.example.com"];
  const ran = await moved.run("run", "job.yaml", "--yes", ...again);
  expect(ran.code, ran.err).toBe(0);
  const scanned = await scan(moved, "old.png");
  moved.close();
  expectOlder(scanned, 1);
  const [older] = scanned.result.older;
  expect(older?.past).toHaveLength(6);
  expect(older?.past[0]).toEqual({ key: "K1", why: "address" });
  expect(scanned.out).toContain('code of row "K1" with an earlier address');
});

test("codes of deleted rows are known by the link that they had", async () => {
  const own = await printJob(6, {
    code: 'dynamic: true, qr_data: "https://example.com/{{ key }}"',
    flags: ["--public-url", "https://go.example.com"],
  });
  await keep(own, 1, "old.png");
  writeFileSync(path.join(own.folder, "rows.csv"), "key,text\nK1,a\nK2,b\nK3,c\nK4,d\nK6,f\n");
  for (const words of [["run"], ["retire", "--delete"]]) {
    const [verb = "", ...more] = words;
    const ran = await own.run(verb, "job.yaml", "--yes", ...more);
    expect(ran.code, ran.err).toBe(0);
  }
  // What the job keeps of a row doesn't hang on the log of changes, which may be lost.
  rmSync(path.join(own.folder, "out/changes.db"));
  const { result, out } = await scan(own, "old.png");
  own.close();
  expect(result.older).toMatchObject([{ codes: 5, past: [{ key: "K5", why: "deleted" }] }]);
  expect(out).toContain('code of row "K5", which was deleted');
});

describe("sheets that were printed once more before codes changed", () => {
  const DYNAMIC = 'dynamic: true, qr_data: "https://example.com/{{ key }}"';
  const STATIC = 'dynamic: false, qr_data: "{{ text }}"';
  const REPRINT = "again.png";
  const all = ["K1,https://a.de/1", "K2,https://a.de/2", "K3,https://a.de/3"];
  let own: PrintedJob;

  /** A job of three labels, printed once more. */
  async function printTwice(code: string): Promise<void> {
    const flags = ["--public-url", "https://go.example.com"];
    own = await printJob(3, { code, flags, text: (row) => `https://a.de/${row}` });
    await keep(own, 1, "old.png");
    const ran = await own.run("sheets", "reprint", "job.yaml", "--sheets", "1");
    expect(ran.code, ran.err).toBe(0);
    const again = await drawPage(path.join(own.folder, "out/shelves-reprint.pdf"), 1, DPI);
    writeFileSync(path.join(own.folder, REPRINT), await scanPage(again, { dpi: DPI }));
    expect((await scanJson(own, REPRINT)).labels).toMatchObject({ good: 3 });
  }

  async function runRows(lines: readonly string[], words: readonly string[]): Promise<void> {
    writeFileSync(path.join(own.folder, "rows.csv"), `${["key,text", ...lines].join("\n")}\n`);
    const [verb = "", ...more] = words;
    const ran = await own.run(verb, "job.yaml", "--yes", ...more);
    expect(ran.err).not.toContain("error");
    own.close();
  }

  /** What is said of both prints, neither of which passes. */
  async function findPast(): Promise<unknown> {
    const scanned = await scan(own, "old.png", REPRINT);
    expectOlder(scanned, 2);
    const [first, again] = scanned.result.older;
    expect(again).toEqual({ ...first, picture: REPRINT });
    expect(again).toMatchObject({ why: "past", foreign: [] });
    return again?.past;
  }

  afterEach(() => own.close());

  test("their codes lead to an earlier address", async () => {
    await printTwice(DYNAMIC);
    await runRows(all, ["run", "--change-public-url", "https://new.example.com"]);
    expect(await findPast()).toEqual(["K1", "K2", "K3"].map((key) => ({ key, why: "address" })));
  });

  test("one of their codes was deleted, and its row has a new one later", async () => {
    await printTwice(DYNAMIC);
    const others = [all[0]!, all[2]!];
    await runRows(others, ["run"]);
    expect(await findPast()).toEqual([{ key: "K2", why: "vanished" }]);
    await runRows(others, ["retire", "--delete"]);
    expect(await findPast()).toEqual([{ key: "K2", why: "deleted" }]);
    await runRows(all, ["run"]);
    expect(await findPast()).toEqual([{ key: "K2", why: "deleted" }]);
  });

  test("one of their rows is bad now", async () => {
    await printTwice(STATIC);
    await runRows([all[0]!, "K2,https://b.de/2", all[2]!], ["run"]);
    expect(await findPast()).toEqual([{ key: "K2", why: "bad" }]);
  });

  test("their codes live where only the sheets were made anew", async () => {
    await printTwice(DYNAMIC);
    await runRows(all, ["run", "--set", "output.sheets.caption={{ key }}!"]);
    const { result } = await scan(own, REPRINT);
    expect([result.labels.good, result.older]).toEqual([3, []]);
  });
});

test.each([
  ["another sheet", "a4-24up-63.5x33.9", "a4-16up-52.5x74.25", "moved"],
  ["smaller codes", "name: shelves.pdf", "name: shelves.pdf, qr_size_mm: 15", "resized"],
])(
  "a redesign with %s: the codes are read, and nothing is said of how they lie",
  async (_, was, is, why) => {
    const own = await printJob(12);
    await keep(own, 1, "old.png");
    const manifest = path.join(own.folder, "job.yaml");
    writeFileSync(manifest, readFileSync(manifest, "utf8").replace(was, is));
    const ran = await own.run("run", "job.yaml", "--yes");
    expect(ran.code, ran.err).toBe(0);
    const scanned = await scan(own, "old.png");
    own.close();
    expectOlder(scanned, 1);
    expect(scanned.result.older).toMatchObject([{ why, codes: 12, past: [] }]);
  },
);

test("a redesign that leaves codes where they are: offsets hold for new sheets only", async () => {
  const own = await printJob(12);
  await keep(own, 1, "old.png");
  const ran = await own.run(
    "run",
    "job.yaml",
    "--yes",
    "--set",
    "output.sheets.caption={{ key }}!",
  );
  expect(ran.code, ran.err).toBe(0);
  const { out, result } = await scan(own, "old.png");
  own.close();
  expect(result.labels).toMatchObject({ good: 12, damaged: 0 });
  expect(out).toMatch(/for printers\.json, if .* the sheets were printed after the run of 20/u);
});

test("what a makeready before this one made anew is known by its codes", async () => {
  const own = await printJob(30);
  await keep(own, 1, "old.png");
  const table = path.join(own.folder, "rows.csv");
  const lines = readFileSync(table, "utf8").trim().split("\n");
  writeFileSync(table, `${[...lines.slice(0, 8), "N1,New 1", ...lines.slice(8)].join("\n")}\n`);
  expect((await own.run("run", "job.yaml", "--yes")).code).toBe(0);
  const db = openSqlite(path.join(own.folder, "out/state.db"));
  db.run("DELETE FROM meta WHERE key = 'sheets_remade_at'");
  db.close();
  const { out, result } = await scan(own, "old.png");
  own.close();
  expect(result.older).toMatchObject([{ why: "moved", codes: 24 }]);
  expect(out).toContain("printed before the sheets of today were made: its codes are not where");
  expect([result.spoiled, result.measured]).toEqual([[], undefined]);
});

/** The picture of page 1 with each label of `to` as `from` shows it in the place of another. */
async function keepPasted(
  own: PrintedJob,
  pasted: readonly { readonly from: GreyImage; readonly at: number; readonly to: number }[],
  name: string,
): Promise<void> {
  const page = await own.page(1, DPI);
  const image = { ...page, data: Uint8Array.from(page.data) };
  for (const { from, at, to } of pasted) {
    const [source, target] = [own.cells[at]!, own.cells[to]!].map((cell) =>
      toPixels(cell.label, DPI),
    );
    const startOf = (box: typeof source, y: number): number =>
      (Math.round(box!.top) + y) * page.width + Math.round(box!.left);
    for (let y = 0; y < Math.floor(source!.height); y += 1) {
      const start = startOf(source, y);
      const line = from.data.subarray(start, start + Math.floor(source!.width));
      image.data.set(line, startOf(target, y));
    }
  }
  writeFileSync(path.join(own.folder, name), await scanPage(image, { dpi: DPI }));
}

test.each([["never made anew"], ["made anew"]])(
  "two labels that were swapped on a sheet that was %s are damaged, as ever",
  async (made) => {
    const own = await printJob(24);
    if (made === "made anew") {
      const more = ["--set", "output.sheets.caption={{ key }}!"];
      expect((await own.run("run", "job.yaml", "--yes", ...more)).code).toBe(0);
    }
    const from = await own.page(1, DPI);
    const swapped = [
      { from, at: 3, to: 11 },
      { from, at: 11, to: 3 },
    ];
    await keepPasted(own, swapped, "swapped.png");
    const result = await scanJson(own, "swapped.png");
    own.close();
    expect(result.older).toEqual([]);
    expect(result.spoiled.map(({ reason }) => reason)).toEqual([
      "holds the code of row K12",
      "holds the code of row K4",
    ]);
  },
);

test("one old label on a sheet of today is damaged, and all others are judged", async () => {
  const own = await printJob(24);
  const from = await own.page(1, DPI);
  const table = path.join(own.folder, "rows.csv");
  writeFileSync(table, readFileSync(table, "utf8").replace("K5,Shelf 5", "N5,New 5"));
  expect((await own.run("run", "job.yaml", "--yes")).code).toBe(0);
  own.close();
  await keepPasted(own, [{ from, at: 4, to: 9 }], "mixed.png");
  const result = await scanJson(own, "mixed.png");
  own.close();
  expect(result.older).toEqual([]);
  expect(result.labels).toMatchObject({ good: 23, damaged: 1 });
  expect(result.spoiled).toMatchObject([
    { key: "K10", reason: "holds the code of row K5, which no sheet of today holds" },
  ]);
});

const remadeIn = (own: PrintedJob): unknown => {
  const db = openSqlite(path.join(own.folder, "out/state.db"));
  const found = db.get("SELECT value FROM meta WHERE key = 'sheets_remade_at'");
  db.close();
  return found;
};

describe("sheets were made anew only where what is in the folder differs", () => {
  test("a PDF that was deleted is made again byte for byte", async () => {
    const own = await printJob(2);
    rmSync(path.join(own.folder, "out/shelves.pdf"));
    expect((await own.run("run", "job.yaml", "--yes")).code).toBe(0);
    own.close();
    expect(remadeIn(own)).toBeUndefined();
  });

  test("a PDF with other captions is another one", async () => {
    const own = await printJob(2);
    own.close();
    const more = ["--set", "output.sheets.caption={{ key }}!"];
    expect((await own.run("run", "job.yaml", "--yes", ...more)).code).toBe(0);
    expect(remadeIn(own)).toBeDefined();
  });
});
