import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { crc32 } from "node:zlib";

import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import type { ScanResult } from "../../src/pipeline/scan-back/scan-back.ts";
import type { GreyImage } from "../../src/qr/read/decode.ts";
import { sha256 } from "../../src/base/ids/ids.ts";
import { mmToPx } from "../../src/base/shapes/units.ts";
import { openRenderer } from "../../src/verify/pixels/render.ts";
import { frozenClock } from "../flow/in-process.ts";
import { printJob, type PrintedCell, type PrintedJob, toPixels } from "./printed-job.ts";
import { blot, paint, scanPage, spreadInk, type Scanning } from "./scanner.ts";

const DPI = 150;

let job: PrintedJob;
let foreign: GreyImage;
beforeAll(async () => {
  job = await printJob(30);
  const other = await printJob(24, { text: (row) => `Strange ${row}` });
  foreign = await other.page(1, DPI);
  other.close();
});
afterAll(() => job.close());

/** One label of a page put in the place of another. */
function copyLabel(
  from: GreyImage,
  { label }: PrintedCell,
  to: { readonly image: GreyImage; readonly cell: PrintedCell },
): void {
  const [source, target] = [toPixels(label, DPI), toPixels(to.cell.label, DPI)];
  for (let y = 0; y < Math.floor(source.height); y += 1) {
    const start = (Math.round(source.top) + y) * from.width + Math.round(source.left);
    const row = from.data.subarray(start, start + Math.floor(source.width));
    const at = (Math.round(target.top) + y) * to.image.width + Math.round(target.left);
    to.image.data.set(row, at);
  }
}

/** A page with labels blotted out or left white, as a file in the job's folder. */
async function scanOf(
  name: string,
  number: number,
  {
    blotted = [],
    white = [],
    ...how
  }: Scanning & { blotted?: readonly PrintedCell[]; white?: readonly PrintedCell[] } = {},
): Promise<string> {
  const page = await job.page(number, how.dpi ?? DPI);
  const image = { ...page, data: Uint8Array.from(page.data) };
  for (const cell of blotted) {
    const { left, top, width } = toPixels(cell.code, how.dpi ?? DPI);
    blot(image, { x: left + width / 2, y: top + width / 2, radius: width * 0.3 }, 20);
  }
  for (const cell of white) paint(image, toPixels(cell.label, how.dpi ?? DPI), 255);
  writeFileSync(path.join(job.folder, name), await scanPage(image, { dpi: DPI, ...how }));
  return name;
}

const onPage = (page: number): PrintedCell[] => job.cells.filter((cell) => cell.page === page);
const pick = (page: number, at: number): PrintedCell => onPage(page)[at] as PrintedCell;

async function scanJson(...images: string[]): Promise<ScanResult & { code: number; next: string }> {
  const { code, out, err } = await job.run("scan", "job.yaml", ...images, "--json");
  expect(err).toBe("");
  return { ...(JSON.parse(out) as ScanResult & { next: string }), code };
}

const keysOf = (labels: readonly { key: string }[]): string[] => labels.map(({ key }) => key);

/** What a scan says of codes in these patterns. */
async function measuredOf(patterns: readonly string[]): Promise<ScanResult["measured"]> {
  const shaped = await printJob(patterns.length, {
    text: (row) => patterns[row - 1] ?? "",
    code: 'type: Text, qr_data: "{{ key }}", design: { pattern: "{{ text }}" }',
  });
  const image = await shaped.page(1, 300);
  writeFileSync(path.join(shaped.folder, "scan.png"), await scanPage(image, { dpi: 300 }));
  const { out } = await shaped.run("scan", "job.yaml", "scan.png", "--json");
  shaped.close();
  return (JSON.parse(out) as ScanResult).measured;
}

describe("makeready scan", () => {
  test("a straight scan of a good sheet: every label is good, nothing to print again", async () => {
    const name = await scanOf("good.png", 1);
    const { code, out } = await job.run("scan", "job.yaml", name);
    expect(out).toContain("good.png: shelves.pdf page 1: 24 of 24 labels good");
    expect(out).toContain("not scanned: shelves.pdf page 2");
    expect(out).not.toContain("→");
    expect(code).toBe(0);
    const file = readFileSync(path.join(job.folder, "out/spoiled.csv"), "utf8");
    expect(file).toBe(
      "\ufeffline,key,caption,file,page,row,column,state,reason,picture,sha256,scanned\r\n",
    );
  });

  test("damaged and missing labels are named, listed, and printed again by the command shown", async () => {
    const [damaged, missing] = [pick(1, 7), pick(1, 20)];
    const name = await scanOf("spoiled.png", 1, { blotted: [damaged], white: [missing] });
    const { code, out } = await job.run("scan", "job.yaml", name);
    expect(code).toBe(3);
    expect(out).toContain("22 of 24 labels good, 1 damaged, 1 missing");
    expect(out).toContain(
      `damaged: shelves.pdf page 1, row ${damaged.row}, column ${damaged.column}: line ${damaged.line}, "${damaged.key}"`,
    );
    const file = readFileSync(path.join(job.folder, "out/spoiled.csv"), "utf8").split("\r\n");
    expect(file).toHaveLength(4);
    expect(file[1]).toContain(`${damaged.line},${damaged.key},`);
    expect(file[2]).toContain(",missing,nothing is printed there,spoiled.png");
    const next = /→ .*: makeready (.*)\n/u.exec(out)?.[1]?.split(" ") ?? [];
    expect(next).toEqual(["replace", "job.yaml", "--spoiled"]);
    const again = await job.run(...next);
    expect(again.code, again.err).toBe(0);
    expect(again.out).toContain("shelves: 2 labels on 1 page printed again");
    expect(again.out).toContain("2 codes read back");
    const other = await scanOf("other.png", 1, {
      blotted: [damaged, pick(1, 8)],
      white: [missing],
    });
    for (const pictures of [[name], [name, "out/shelves-reprint.pdf"], [other]]) {
      const later = await job.run("scan", "job.yaml", ...pictures);
      expect(later.code).toBe(3);
      const says = "2 spoiled labels were printed again already, in out/shelves-reprint.pdf";
      expect(later.out).toContain(says);
      const isLeft = pictures[0] === other;
      expect(later.out.includes(`${says}: nothing is left to print`)).toBe(!isLeft);
      expect(later.out.includes("replace job.yaml --spoiled")).toBe(isLeft);
    }
  });

  test.each([";", "~"])(
    "lists have the delimiter of the spreadsheet, and are read: %s",
    async (delimiter) => {
      const own = await printJob(2, { delimiter });
      const page = await own.page(1, DPI);
      const image = { ...page, data: Uint8Array.from(page.data) };
      paint(image, toPixels((own.cells[0] as PrintedCell).label, DPI), 255);
      writeFileSync(path.join(own.folder, "one.png"), await scanPage(image, { dpi: DPI }));
      const scanned = await own.run("scan", "job.yaml", "one.png");
      expect(scanned.code, scanned.err).toBe(3);
      const read = (name: string): string =>
        readFileSync(path.join(own.folder, "out", name), "utf8").replace("\ufeff", "");
      expect(read("spoiled.csv").split("\r\n")[1]).toBe(
        [
          "2",
          "K1",
          "K1",
          "shelves.pdf",
          "1",
          "1",
          "1",
          "missing",
          "nothing is printed there",
          "one.png",
          sha256(readFileSync(path.join(own.folder, "out/shelves.pdf"))),
          new Date(frozenClock.nowMs()).toISOString(),
        ].join(delimiter),
      );
      const voided = await own.run("void", "job.yaml", "--spoiled", "--yes");
      expect(voided.code, voided.err).toBe(0);
      await own.run("reconcile", "job.yaml");
      expect(read("units.csv")).toContain(["key", "line", "state"].join(delimiter));
      expect(read("units.csv")).toContain(["K1", "2", "void"].join(delimiter));
      // As an earlier makeready, or another program, has written it.
      const commas = read("spoiled.csv").replaceAll(delimiter, ",");
      writeFileSync(path.join(own.folder, "out/spoiled.csv"), commas);
      const activated = await own.run("void", "job.yaml", "--spoiled", "--yes");
      expect(activated.code, activated.err).toBe(0);
      own.close();
    },
  );

  test("sheets in any order and orientation, one twice, askew and noisy", async () => {
    const [first, second] = [pick(1, 0), pick(2, 2)];
    const scans = await Promise.all([
      scanOf("a.jpg", 2, {
        blotted: [second],
        turn: 182.4,
        blur: 0.7,
        noise: 20,
        jpeg: 60,
        dpi: 200,
      }),
      scanOf("b.tif", 1, { white: [first], turn: 88, format: "tiff" }),
      scanOf("c.webp", 2, { blotted: [second], turn: 273, format: "webp" }),
    ]);
    const result = await scanJson(...scans);
    expect(keysOf(result.spoiled)).toEqual([first.key, second.key]);
    expect(result.labels).toEqual({ good: 28, damaged: 1, missing: 1, outside: 0, void: 0 });
    expect(result.unseen).toEqual([]);
    expect(result.sheets.map(({ page, isDouble }) => [page, isDouble])).toEqual([
      [2, false],
      [1, false],
      [2, true],
    ]);
    expect(result.sheets.map(({ lie }) => [lie.quarter, Math.round(lie.turn * 10) / 10])).toEqual([
      [180, 2.4],
      [90, -2],
      [270, 3],
    ]);
    expect(result.code).toBe(3);
  });

  test("a code of another row, a foreign code and a mirrored scan are reported", async () => {
    const page = await job.page(1, DPI);
    const image = { ...page, data: Uint8Array.from(page.data) };
    const [swapped, covered] = [pick(1, 3), pick(1, 10)];
    copyLabel(await job.page(2, DPI), pick(2, 0), { image, cell: swapped });
    copyLabel(foreign, pick(1, 10), { image, cell: covered });
    const file = path.join(job.folder, "mirrored.png");
    writeFileSync(
      file,
      await sharp(await scanPage(image, { dpi: DPI }))
        .flop()
        .toBuffer(),
    );
    const result = await scanJson("mirrored.png");
    expect(result.sheets[0]?.lie.isMirrored).toBe(true);
    expect(result.labels).toEqual({ good: 22, damaged: 2, missing: 0, outside: 0, void: 0 });
    expect(result.spoiled.map(({ key, reason }) => [key, reason])).toEqual([
      [swapped.key, `holds the code of row ${pick(2, 0).key}`],
      [covered.key, "holds a code that is not of this job"],
    ]);
    expect(result.strays.map(({ key, text, on }) => [key, text, on?.row, on?.column])).toEqual(
      expect.arrayContaining([
        [pick(2, 0).key, "Shelf 25", swapped.row, swapped.column],
        [undefined, "Strange 11", covered.row, covered.column],
      ]),
    );
    expect(result.code).toBe(3);
  });

  test("what a cropped picture does not show is outside, and no reason to print again", async () => {
    const name = await scanOf("whole.png", 1, { turn: 1.3 });
    const whole = sharp(path.join(job.folder, name));
    const { width, height } = await whole.metadata();
    const part = { left: 0, top: 0, width: Math.round(width * 0.6), height };
    await whole.extract(part).toFile(path.join(job.folder, "cropped.png"));
    const result = await scanJson("cropped.png");
    expect(result.spoiled).toEqual([]);
    expect(result.labels.good + result.labels.outside).toBe(24);
    expect(new Set(result.outside.map(({ column }) => column))).toEqual(new Set([3]));
    expect(result.code).toBe(3);
    // The other picture shows the rest.
    expect((await scanJson("cropped.png", "whole.png")).outside).toEqual([]);
  });

  test("growth, contrast, turn, scale and offset are measured", async () => {
    const page = await job.page(1, 400);
    // Ink that spreads by two pixels of 400 dpi, on a printer that is 1 mm to the right.
    const wide = spreadInk(page).data;
    const right = Math.round(400 / 25.4);
    const moved = new Uint8Array(wide.length).fill(255);
    for (let y = 0; y < page.height; y += 1)
      moved.set(
        wide.subarray(y * page.width, (y + 1) * page.width - right),
        y * page.width + right,
      );
    const write = async (name: string, data: Uint8Array): Promise<void> =>
      writeFileSync(path.join(job.folder, name), await scanPage({ ...page, data }, { dpi: 400 }));
    await write("true.png", Uint8Array.from(page.data));
    await write("wide.png", moved);
    const [asDrawn, spread] = [await scanJson("true.png"), await scanJson("wide.png")];
    const module = ((pick(1, 0).code.width / 21) * 400) / 25.4;
    const growth = (spread.measured?.growth ?? 0) - (asDrawn.measured?.growth ?? 0);
    expect(Math.abs(asDrawn.measured?.growth ?? 1)).toBeLessThan(0.04);
    expect(growth).toBeCloseTo(2 / module, 1);
    // The renderer's black is a dark grey; the scanner takes a fifth of the contrast.
    const black = page.data.reduce((least, grey) => Math.min(least, grey), 255);
    expect(asDrawn.measured?.contrast).toBeCloseTo((0.8 * (255 - black)) / 255, 1);
    expect(asDrawn.measured?.printer?.scale_x_percent).toBeCloseTo(100, 0);
    expect(asDrawn.measured?.printer?.offset_x_mm).toBeCloseTo(0, 0);
    const offset = spread.measured?.printer?.offset_x_mm ?? 0;
    expect(offset - (asDrawn.measured?.printer?.offset_x_mm ?? 9)).toBeCloseTo(1, 1);
    expect(spread.measured?.printer?.offset_y_mm).toBeCloseTo(0, 0);
  });

  test("growth is told by codes of whole modules alone", async () => {
    const round = await measuredOf(["Circles", "Diamonds"]);
    expect(round?.growth).toBeUndefined();
    expect(round?.contrast).toBeGreaterThan(0.5);
    const mixed = await measuredOf(["Circles", "Original", "Circles"]);
    expect(Math.abs(mixed?.growth ?? 1)).toBeLessThan(0.04);
  });

  test("a picture whose resolution doesn't fit its size offers nothing for printers.json", async () => {
    const name = await scanOf("resized.png", 1);
    const tagged = await sharp(readFileSync(path.join(job.folder, name)))
      .withMetadata({ density: 300 })
      .png()
      .toBuffer();
    writeFileSync(path.join(job.folder, name), tagged);
    const { measured } = await scanJson(name);
    expect(measured?.printer).toBeUndefined();
    expect(measured?.unfit).toMatchObject({ field: "scale_x_percent", least: 97, most: 103 });
    expect(measured?.unfit?.value).toBeCloseTo(50, 0);
    expect(measured?.unfit?.dpi?.says).toBe(300);
    expect(measured?.unfit?.dpi?.fits).toBeCloseTo(150, -1);
    const { out } = await job.run("scan", "job.yaml", name);
    expect(out).toMatch(
      /nothing for printers\.json: the picture says 300 dpi, but by the size of its labels it must say 1(?:49|50|51) dpi;/u,
    );
    expect(out).not.toContain("scale_x_percent");
  });

  test("a printer that turns pages about their corner is measured as printers.json takes it", async () => {
    const page = await job.page(1, DPI);
    const printed = new Uint8Array(page.data.length).fill(255);
    const [perMm, turn] = [DPI / 25.4, (1.2 * Math.PI) / 180];
    const [cos, sin] = [Math.cos(turn), Math.sin(turn)];
    for (let y = 0; y < page.height; y += 1) {
      for (let x = 0; x < page.width; x += 1) {
        // 0.5 mm to the right, 0.3 mm up, 0.2 % too wide.
        const [right, down] = [x + 0.5 - 0.5 * perMm, y + 0.5 + 0.3 * perMm];
        const fromX = Math.floor((cos * right + sin * down) / 1.002);
        const fromY = Math.floor(cos * down - sin * right);
        if (fromX < 0 || fromY < 0 || fromX >= page.width || fromY >= page.height) continue;
        printed[y * page.width + x] = page.data[fromY * page.width + fromX] ?? 255;
      }
    }
    const scan = await scanPage({ ...page, data: printed }, { dpi: DPI });
    writeFileSync(path.join(job.folder, "corner.png"), scan);
    const { measured } = await scanJson("corner.png");
    expect(measured?.printer?.turn_degrees).toBeCloseTo(1.2, 1);
    expect(measured?.printer?.scale_x_percent).toBeCloseTo(100.2, 1);
    expect(measured?.printer?.offset_x_mm).toBeCloseTo(0.5, 0);
    expect(measured?.printer?.offset_y_mm).toBeCloseTo(-0.3, 0);
  });

  test("PDFs and many pages in one file are read; bombs and other files are refused, by name", async () => {
    const pdf = await scanJson("out/shelves.pdf");
    expect(pdf.labels).toEqual({ good: 30, damaged: 0, missing: 0, outside: 0, void: 0 });
    expect(pdf.code).toBe(0);
    const bomb = Buffer.from(
      await sharp({ create: { width: 8, height: 8, channels: 3, background: "#fff" } })
        .png()
        .toBuffer(),
    );
    bomb.writeUInt32BE(60_000, 16);
    bomb.writeUInt32BE(60_000, 20);
    bomb.writeUInt32BE(crc32(bomb.subarray(12, 29)), 29);
    writeFileSync(path.join(job.folder, "bomb.png"), bomb);
    writeFileSync(path.join(job.folder, "text.png"), "no picture");
    const good = await scanOf("good.png", 1);
    const { code, out } = await job.run(
      "scan",
      "job.yaml",
      "bomb.png",
      "text.png",
      "gone.png",
      good,
    );
    expect(code).toBe(3);
    expect(out).toMatch(/bomb\.png.*pixel limit/u);
    expect(out).toMatch(/text\.png.*must be PNG, JPEG, WebP, TIFF or PDF, got something else/u);
    expect(out).toMatch(
      /gone\.png: scan must be a file that is there: look at its name and folder$/mu,
    );
    expect(out).toContain("24 of 24 labels good");
    const unread = await job.run("scan", "job.yaml", "text.png", "gone.png");
    expect(unread.code).toBe(3);
    expect(unread.out).toContain("shelves: no sheet seen, no label judged, nothing written\n");
    expect(unread.out).toContain("→ give sharp pictures of this job's sheets: scan them flat");
    expect(unread.out).not.toContain("labels good");
    const none = await job.run("scan", "job.yaml");
    expect(none.code).toBe(2);
  });
});

describe("sheets of labels that were printed once more", () => {
  let again: PrintedJob;
  beforeAll(async () => {
    again = await printJob(30);
  });
  afterAll(() => again.close());

  const json = async (...images: string[]): Promise<ScanResult> => {
    const { out } = await again.run("scan", "job.yaml", ...images, "--json");
    return JSON.parse(out) as ScanResult;
  };
  const PDF = "out/shelves-reprint.pdf";

  const toPdf = ["--out", PDF];
  const printThree = () =>
    again.run(
      "sheets",
      "reprint",
      "job.yaml",
      "--key",
      "K7",
      "--key",
      "K30",
      "--key",
      "K2",
      ...toPdf,
    );

  /** The first page of the reprint with its second label white. */
  async function spoil(name: string): Promise<void> {
    const pdf = await openRenderer(readFileSync(path.join(again.folder, PDF)));
    const [width, height] = [210, 297].map((mm) => Math.round(mmToPx(mm, DPI))) as [number, number];
    const page = await pdf.render(0, { width, height });
    const image = { ...page, data: Uint8Array.from(page.data) };
    paint(image, toPixels((again.cells[1] as PrintedCell).label, DPI), 255);
    pdf.close();
    writeFileSync(path.join(again.folder, name), await scanPage(image, { dpi: DPI }));
  }

  test("are known by their labels; whose sheets were not scanned is no news", async () => {
    await printThree();
    const result = await json(PDF);
    expect(result.sheets).toMatchObject([{ file: "shelves-reprint.pdf", page: 1 }]);
    expect(result.labels).toEqual({ good: 3, damaged: 0, missing: 0, outside: 0, void: 0 });
    expect(result.strays).toEqual([]);
    const job = await json("out/shelves.pdf");
    expect(job.labels.good).toBe(30);
    expect(job.unseen).toEqual([]);
  });

  test("name what is spoiled on them, which is then printed once more", async () => {
    await printThree();
    await spoil("spoiled.png");
    const result = await json("spoiled.png");
    // One row of labels says nothing of the height of the paper.
    expect(result.measured?.turn).toBeCloseTo(0, 0);
    expect(result.measured?.printer).toBeUndefined();
    // In the order of the job's rows.
    const place = { file: "shelves-reprint.pdf", page: 1, row: 1, column: 2 };
    expect(result.spoiled).toMatchObject([{ key: "K7", line: 8, state: "missing", ...place }]);
    const replaced = await again.run("replace", "job.yaml", "--spoiled");
    expect(replaced.code, replaced.err).toBe(0);
    expect(replaced.out).toContain("1 label on 1 page printed again");
    const one = await json("out/shelves-reprint-2.pdf");
    expect(one.sheets).toMatchObject([{ file: "shelves-reprint-2.pdf" }]);
    expect(one.labels).toEqual({ good: 1, damaged: 0, missing: 0, outside: 0, void: 0 });
    // Paper of the one before is in the world all the same, also when another takes its name.
    await again.run("sheets", "reprint", "job.yaml", "--key", "K9", ...toPdf);
    const before = await json("spoiled.png");
    expect(before.labels).toEqual({ good: 2, damaged: 0, missing: 1, outside: 0, void: 0 });
    const settled = await again.run("reconcile", "job.yaml");
    expect(settled.out).not.toContain("more labels are spoiled");
  });

  test("with one label, the same on both, are told apart by its place", async () => {
    for (const start of ["23", "24"]) {
      const out = ["--start", start, "--out", `out/at-${start}.pdf`];
      await again.run("sheets", "reprint", "job.yaml", "--key", "K11", ...out);
    }
    for (const file of ["at-23.pdf", "at-24.pdf"]) {
      const { sheets } = await json(`out/${file}`);
      expect(sheets).toMatchObject([{ file, lie: { quarter: 0, isMirrored: false } }]);
    }
  });

  test("stand in reprint-map.json; sheet-map.json and its certificate hold", async () => {
    const read = (name: string): Buffer => readFileSync(path.join(again.folder, "out", name));
    const before = read("sheet-map.json");
    await again.run("sheets", "reprint", "job.yaml", "--key", "K5", ...toPdf);
    expect(read("sheet-map.json").equals(before)).toBe(true);
    const map = JSON.parse(read("reprint-map.json").toString()) as Record<string, unknown>;
    const own = JSON.parse(before.toString()) as { volumes: { cells: { key: string }[] }[] };
    const cell = own.volumes[0]?.cells.find(({ key }) => key === "K5");
    expect(map).toMatchObject({
      version: 1,
      job: "shelves",
      volumes: expect.arrayContaining([
        expect.objectContaining({
          file: "shelves-reprint.pdf",
          pages: 1,
          cells: [expect.objectContaining({ ...cell, page: 1, row: 1, column: 1 })],
        }),
      ]),
    });
    const checked = await again.run("check", "out/certificate.json");
    expect(checked.code, checked.err).toBe(0);
  });
});

describe("equal sheets", () => {
  test("are taken one after the other, and each spoiled copy is counted", async () => {
    const copies = await printJob(1, { copies: 48, text: () => "Strange" });
    const page = await copies.page(1, DPI);
    const image = { ...page, data: Uint8Array.from(page.data) };
    const spoiled = copies.cells[5] as PrintedCell;
    paint(image, toPixels(spoiled.label, DPI), 255);
    writeFileSync(
      path.join(copies.folder, "1.png"),
      await scanPage(image, { dpi: DPI, turn: 181 }),
    );
    writeFileSync(path.join(copies.folder, "2.png"), await scanPage(page, { dpi: DPI }));
    const { out } = await copies.run("scan", "job.yaml", "1.png", "2.png", "--json");
    // Another job says once of them that they are foreign.
    const foreign = await job.run("scan", "job.yaml", path.join(copies.folder, "2.png"));
    expect(foreign.out.match(/.*foreign.*/gu)).toEqual([
      expect.stringMatching(/2\.png: foreign code "Strange" on no label \(24 times\)$/u),
    ]);
    copies.close();
    const result = JSON.parse(out) as ScanResult;
    expect(result.sheets.map((sheet) => sheet.page)).toEqual([1, 2]);
    expect(result.labels).toEqual({ good: 47, damaged: 0, missing: 1, outside: 0, void: 0 });
    expect(result.spoiled).toMatchObject([{ row: spoiled.row, column: spoiled.column }]);
  });
});
