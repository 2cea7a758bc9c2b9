import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtemp, readdir, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

import * as fc from "../help/property.ts";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";

import { AppError } from "../../src/base/errors.ts";
import { sayPressWarning } from "../../src/base/shapes/press-warning.ts";
import { sha256 } from "../../src/base/ids/ids.ts";
import { drawCode } from "../../src/print/draw/content-stream.ts";
import type { LabelSheet } from "../../src/print/layout/label-sheet.ts";
import { listSheets, loadSheet } from "../../src/print/layout/sheet-files.ts";
import {
  planSheets,
  type SheetCell,
  type SheetOptions,
  type SheetRecord,
  volumeFile,
  writeSheets,
} from "../../src/print/sheets.ts";
import { encodeQr, isDark } from "../../src/qr/encode/encode.ts";

let sheet: LabelSheet;
let folder = "";
beforeAll(async () => {
  sheet = await loadSheet("a4-24up-63.5x33.9");
});
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "print-"));
});

function makeOptions(changes: Partial<SheetOptions> = {}): SheetOptions {
  return {
    sheet,
    title: "Tables, north",
    createdAt: "2026-11-20T10:00:00Z",
    slug: {
      job: "table-codes",
      input: "tables.csv",
      inputHash: "9f86d081884c7d65",
      rehearsal: false,
    },
    marks: ["crop"],
    deviceDpi: 600,
    ...changes,
  };
}

function makeRecords(count: number, from = 0): SheetRecord[] {
  return Array.from({ length: count }, (_, i) => ({
    key: `north/${from + i + 1}`,
    payload: `https://qr.example/${((from + i) * 7919).toString(36).padStart(8, "x")}`,
    level: "Q",
    caption: [`Nordhafen - ${from + i + 1}`],
  }));
}

async function refusal(work: Promise<unknown>): Promise<AppError> {
  const error: unknown = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(AppError);
  return error as AppError;
}

const hintOf = (changes: Partial<SheetOptions>, maxVersion: number) =>
  planSheets(makeOptions(changes), { count: 1, maxVersion }).problems[0]?.hint;

/** Pixels at 600 dpi. */
const px = (mm: number): number => Math.round((mm * 600) / 25.4);

/** True when a program can be started. */
function has(program: string): boolean {
  return spawnSync(program, ["--version"], { stdio: "ignore" }).error === undefined;
}

async function hashOf(
  name: string,
  options: SheetOptions,
  records: readonly SheetRecord[],
): Promise<string> {
  const { volumes } = await writeSheets(options, records, path.join(folder, name));
  return volumes.map((volume) => volume.sha256).join();
}

describe("writeSheets", () => {
  it("writes one file, answers its hash and every cell, and has no warnings", async () => {
    const records = makeRecords(30);
    const written = await writeSheets(makeOptions(), records, path.join(folder, "t.pdf"));
    const [volume] = written.volumes;
    const bytes = await readFile(path.join(folder, "t.pdf"));
    expect(written.volumes).toHaveLength(1);
    expect(volume).toEqual({
      file: path.join(folder, "t.pdf"),
      volume: 1,
      pages: 2,
      codes: 30,
      labels: 30,
      bytes: bytes.length,
      sha256: createHash("sha256").update(bytes).digest("hex"),
    });
    expect(bytes.subarray(0, 8).toString("latin1")).toBe("%PDF-1.6");
    expect(written.warnings).toEqual([]);
    expect(written.cells.map((cell) => cell.key)).toEqual(records.map((record) => record.key));
    expect(written.cells[0]).toMatchObject({
      volume: 1,
      page: 1,
      sheet: 1,
      row: 1,
      column: 1,
      payloadHash: sha256(records[0]?.payload ?? ""),
    });
    expect(written.cells[25]).toMatchObject({ page: 2, sheet: 2, row: 1, column: 2 });
  });

  it("writes the same bytes for the same options and records, and others for others", async () => {
    const first = await hashOf("a.pdf", makeOptions(), makeRecords(50));
    expect(await hashOf("b.pdf", makeOptions(), makeRecords(50))).toBe(first);
    const others = [
      await hashOf("c.pdf", makeOptions({ createdAt: "2026-11-21T10:00:00Z" }), makeRecords(50)),
      await hashOf("d.pdf", makeOptions({ title: "Other" }), makeRecords(50)),
      await hashOf("e.pdf", makeOptions(), makeRecords(50, 1)),
      await hashOf("f.pdf", makeOptions({ standard: "PDF/X-1a:2003" }), makeRecords(50)),
    ];
    expect(new Set([first, ...others]).size).toBe(5);
  });

  it("takes records as they come, one volume in memory, and goes on in the next file", async () => {
    let made = 0;
    const held: number[] = [];
    async function* stream(): AsyncGenerator<SheetRecord> {
      for (const record of makeRecords(110)) {
        made += 1;
        yield record;
      }
    }
    const cells: SheetCell[] = [];
    const written = await writeSheets(
      makeOptions({ volumeCodes: 50, count: 110 }),
      stream(),
      path.join(folder, "t.pdf"),
      {
        onCells: (part) => {
          cells.push(...part);
          held.push(made);
        },
      },
    );
    expect(held).toEqual([48, 96, 110]);
    expect(written.cells).toEqual([]);
    expect(
      written.volumes.map(({ file, pages, codes }) => [path.basename(file), pages, codes]),
    ).toEqual([
      ["t.pdf", 2, 48],
      ["t-2.pdf", 2, 48],
      ["t-3.pdf", 1, 14],
    ]);
    expect(cells.map((cell) => cell.sheet)).toEqual(
      Array.from({ length: 110 }, (_, n) => Math.floor(n / 24) + 1),
    );
    expect(cells.filter((cell) => cell.volume === 3).every((cell) => cell.page === 1)).toBe(true);
  });

  it("starts in the middle of a part-used sheet", async () => {
    const { cells, volumes } = await writeSheets(
      makeOptions({ start: 23, volumeCodes: 24 }),
      makeRecords(4),
      path.join(folder, "t.pdf"),
    );
    expect(cells.map(({ volume, row, column }) => [volume, row, column])).toEqual([
      [1, 8, 2],
      [1, 8, 3],
      [2, 1, 1],
      [2, 1, 2],
    ]);
    expect(volumes).toHaveLength(2);
  });

  it("writes no file for no records", async () => {
    expect(await writeSheets(makeOptions(), [], path.join(folder, "t.pdf"))).toMatchObject({
      volumes: [],
      cells: [],
      xMm: [0, 0],
    });
    expect(await readdir(folder)).toEqual([]);
  });

  it("writes no file when a code does not fit, and names its row", async () => {
    const records = [
      ...makeRecords(3),
      { key: "long", payload: "x".repeat(900), level: "H" as const, caption: [] },
    ];
    const error = await refusal(writeSheets(makeOptions(), records, path.join(folder, "t.pdf")));
    expect(error.code).toBe("layout-impossible");
    expect(error.message).toContain("row long");
    expect(error.problems[0]?.message).toMatch(
      /module \(X\) must be at least 0.330 mm, got 0.\d+ mm on the grid of 600 dpi/u,
    );
    expect(await readdir(folder)).toEqual([]);
  });

  it("names the row whose payload can't be a code", async () => {
    const error = await refusal(
      writeSheets(
        makeOptions(),
        [{ key: "bad", payload: "x\uD800", level: "M", caption: [] }],
        path.join(folder, "t.pdf"),
      ),
    );
    expect(error.code).toBe("payload-malformed");
    expect(error.message).toMatch(/^row bad: /u);
  });

  it("refuses all wrong options at once", async () => {
    const wrong = makeOptions({
      start: 25,
      safeMm: -1,
      captionPt: 3,
      deviceDpi: 0,
      createdAt: "yesterday",
      qrSizeMm: Number.NaN,
      volumeCodes: 0,
      captionLines: 1.5,
    });
    const error = await refusal(writeSheets(wrong, makeRecords(1), path.join(folder, "t.pdf")));
    expect(error.problems.map((problem) => problem.where?.field)).toEqual([
      "deviceDpi",
      "qrSizeMm",
      "volumeCodes",
      "safeMm",
      "captionPt",
      "captionLines",
      "start",
      "createdAt",
    ]);
  });

  it("refuses a start position with a stack mode", async () => {
    const error = await refusal(
      writeSheets(
        makeOptions({ start: 2, order: "cut-and-stack" }),
        makeRecords(1),
        path.join(folder, "t.pdf"),
      ),
    );
    expect(error.problems[0]?.message).toBe("start must be 1 with order cut-and-stack, got 2");
  });

  it("warns of captions it can't set whole, row by row", async () => {
    const records = [
      {
        ...makeRecords(1)[0],
        key: "k",
        payload: "x",
        level: "L" as const,
        caption: ["北京", "Bar ☕"],
      },
    ];
    const { warnings } = await writeSheets(makeOptions(), records, path.join(folder, "t.pdf"));
    expect(warnings).toHaveLength(2);
    for (const warning of warnings) expect(warning).toMatch(/^row k: caption/u);
  });

  it("keeps pre-cut stock as large as it is and says that marks are left out", async () => {
    const labels = await loadSheet("avery-l7159");
    const { warnings, press, volumes } = await writeSheets(
      makeOptions({ sheet: labels }),
      makeRecords(2),
      path.join(folder, "t.pdf"),
    );
    expect(warnings).toEqual([expect.stringContaining("from sources that disagree")]);
    expect(press.map(sayPressWarning)).toEqual(["marks are left out: the stock is pre-cut"]);
    expect(volumes[0]?.pages).toBe(1);
  });
});

describe("planSheets", () => {
  it("answers X before any code exists, and writeSheets draws it", async () => {
    for (const changes of [
      {},
      { xDimensionMm: 0.396 },
      { qrSizeMm: 18 },
      { deviceDpi: undefined },
      { deviceDpi: 2400, captionLines: 0 },
    ]) {
      const options = makeOptions(changes);
      const records = makeRecords(30);
      const plan = planSheets(options, { count: 30, maxVersion: 3 });
      const written = await writeSheets(options, records, path.join(folder, "t.pdf"));
      expect(plan.problems).toEqual([]);
      expect(plan.sheets).toBe(2);
      expect(plan.volumes).toBe(1);
      expect(written.xMm[0]).toBeCloseTo(plan.xMm, 5);
    }
  });

  it("raises a wanted X to the grid", () => {
    const plan = planSheets(makeOptions({ xDimensionMm: 0.396 }), { count: 1, maxVersion: 3 });
    expect(plan.xMm).toBeCloseTo(0.4233, 4);
    expect(plan.xWantedMm).toBe(0.396);
    expect(plan.codeSideMm).toBeCloseTo(0.42333 * 37, 3);
  });

  it.each([
    [
      "a code larger than the label",
      { xDimensionMm: 1.2 },
      3,
      /with its quiet zone must fit 27.900 mm of a label of a4-24up.* got 45.\d+ mm at X 1.2\d+ mm/u,
    ],
    [
      "a wanted X under the limit",
      { xDimensionMm: 0.2, deviceDpi: undefined },
      3,
      /^x_dimension_mm must be at least 0.33, got 0.2$/u,
    ],
    [
      "an edge that takes the whole label",
      { safeMm: 40 },
      3,
      /^safe_mm must leave room for a code on a label of [\d.]+ × [\d.]+ mm, got 40 mm clear/u,
    ],
    ["modules too small", {}, 20, /module \(X\) must be at least 0.330 mm, got 0.2\d+ mm/u],
    [
      "a size under the wanted X",
      { qrSizeMm: 10, xDimensionMm: 0.396 },
      3,
      /must be at least 0.396 mm, got 0.3\d+ mm/u,
    ],
  ])("refuses %s", (_, changes, maxVersion, message) => {
    const plan = planSheets(makeOptions(changes), { count: 1, maxVersion });
    expect(plan.problems).toHaveLength(1);
    expect(plan.problems[0]?.message).toMatch(message);
    expect(plan.problems[0]?.hint).toBeDefined();
  });

  it.each([undefined, 203, 600])("names the least qr_size_mm that works at %s dpi", (deviceDpi) => {
    const at = (qrSizeMm: number) =>
      planSheets(makeOptions({ qrSizeMm, deviceDpi, captionLines: 1 }), {
        count: 1,
        maxVersion: 3,
      });
    const [problem] = at(6).problems;
    expect(problem?.message).toMatch(
      /^qr_size_mm must be at least [\d.]+ for a version 3 code, got 6/u,
    );
    expect(problem?.hint).toMatch(/^say [\d.]+ or more, or leave it out: /u);
    const least = Number(/least ([\d.]+)/u.exec(problem?.message ?? "")?.[1]);
    expect(at(least).problems).toEqual([]);
    expect(at(least - 0.01).problems).toHaveLength(1);
  });

  it("names larger labels where no qr_size_mm works, and then the size", () => {
    const plan = planSheets(makeOptions({ qrSizeMm: 6 }), { count: 1, maxVersion: 20 });
    expect(plan.problems[0]?.message).toMatch(/^module \(X\) must be at least 0.330 mm, got /u);
    expect(plan.problems[0]?.hint).toMatch(
      /^use larger labels.*; a version 20 code needs a qr_size_mm of [\d.]+ or more$/u,
    );
  });

  it.each([
    [{ captionLines: 1 }, "caption"],
    [{ captionLines: 3, captionPlace: "beside" as const }, "caption"],
    [{ safeMm: 0 }, "safe_mm"],
    [{ xDimensionMm: 2, captionLines: 1 }, "caption"],
    [{ xDimensionMm: 0.4 }, "x_dimension_mm"],
  ])("advises nothing that can't help: %j", (changes, never) => {
    const plan = planSheets(makeOptions(changes), { count: 1, maxVersion: 30 });
    expect(plan.problems[0]?.hint).toContain("larger labels");
    expect(plan.problems[0]?.hint).not.toContain(never);
  });

  it("advises fewer caption lines where they take the code's room, and to lower the size by its name", () => {
    expect(hintOf({ captionLines: 3, captionPlace: "below" }, 30)).toContain("fewer caption lines");
    expect(hintOf({ xDimensionMm: 2 }, 3)).toContain("lower x_dimension_mm");
    expect(hintOf({ qrSizeMm: 60 }, 3)).toContain("lower qr_size_mm");
  });

  it("says that a rehearsal can't show on a sheet without margin", async () => {
    const options = makeOptions({
      sheet: await loadSheet("zweckform-3474"),
      slug: { ...makeOptions().slug, rehearsal: true },
      marks: [],
    });
    expect(planSheets(options, { count: 1, maxVersion: 3 }).warnings.join()).toContain(
      "nothing on it says that this is a rehearsal",
    );
  });

  it("counts sheets and volumes as they are written, whatever the numbers", async () => {
    const sheets = await listSheets();
    fc.assert(
      fc.property(
        fc.nat(),
        fc.integer({ min: 0, max: 5000 }),
        fc.integer({ min: 1, max: 2000 }),
        fc.nat(),
        (index, count, volumeCodes, start) => {
          const used = sheets[index % sheets.length] ?? sheet;
          const options = makeOptions({
            sheet: used,
            volumeCodes,
            start: 1 + (start % used.perSheet),
          });
          const plan = planSheets(options, { count, maxVersion: 1 });
          expect(plan.sheets * used.perSheet).toBeGreaterThanOrEqual(count);
          expect((plan.sheets - 2) * used.perSheet).toBeLessThan(count);
          expect(plan.volumes).toBeLessThanOrEqual(plan.sheets);
        },
      ),
    );
  });
});

describe("limits of X", () => {
  it("draws no larger than asked, however large the label", async () => {
    const options = makeOptions({ leastXMm: 0.396, mostXMm: 0.5 });
    const plan = planSheets(options, { count: 1, maxVersion: 3 });
    const { xMm } = await writeSheets(options, makeRecords(3), path.join(folder, "t.pdf"));
    expect(plan.problems).toEqual([]);
    expect(plan.xMm).toBeCloseTo((11 * 25.4) / 600, 9);
    expect(xMm[1]).toBeCloseTo(plan.xMm, 5);
  });

  it("refuses what is smaller than the least, and limits that exclude each other", () => {
    expect(
      planSheets(makeOptions({ leastXMm: 0.9 }), { count: 1, maxVersion: 3 }).problems[0]?.message,
    ).toMatch(/at least 0.900 mm, got 0.720 mm/u);
    expect(
      planSheets(makeOptions({ leastXMm: 0.5, mostXMm: 0.4 }), { count: 1, maxVersion: 3 })
        .problems[0]?.message,
    ).toBe("mostXMm must be at least the least X, 0.5, got 0.4");
  });
});

describe("drawCode", () => {
  it("paints exactly the dark modules, each once, in one path with one fill", () => {
    fc.assert(
      fc.property(
        fc.string({ minLength: 1, maxLength: 300 }).filter((text) => text.isWellFormed()),
        (text) => {
          const matrix = encodeQr(text, { level: "L" });
          const content = drawCode(matrix, { leftMm: 10, bottomMm: 20, xMm: 0.5 });
          expect(content).toMatch(
            /^q 1.41732 0 0 1.41732 28.346 56.693 cm\n(?:\d+ \d+ \d+ \d+ re\n)+f\nQ\n$/u,
          );
          const painted = new Map<string, number>();
          for (const [, x, y, w, h] of content.matchAll(/^(\d+) (\d+) (\d+) (\d+) re$/gmu)) {
            for (let dx = 0; dx < Number(w); dx += 1) {
              for (let dy = 0; dy < Number(h); dy += 1) {
                const module = `${Number(x) + dx},${matrix.size - 1 - Number(y) - dy}`;
                painted.set(module, (painted.get(module) ?? 0) + 1);
              }
            }
          }
          for (let y = 0; y < matrix.size; y += 1) {
            for (let x = 0; x < matrix.size; x += 1)
              expect(painted.get(`${x},${y}`) ?? 0).toBe(isDark(matrix, x, y) ? 1 : 0);
          }
        },
      ),
      { numRuns: 40 },
    );
  });

  it("holds the largest code", () => {
    const matrix = encodeQr("9".repeat(7089), { level: "L" });
    expect(matrix.version).toBe(40);
    expect(drawCode(matrix, { leftMm: 0, bottomMm: 0, xMm: 0.5 }).endsWith("f\nQ\n")).toBe(true);
  });
});

describe("volumeFile", () => {
  it.each([
    ["out/tables.pdf", 1, "out/tables.pdf"],
    ["out/tables.pdf", 2, "out/tables-2.pdf"],
    ["tables.north.pdf", 3, "tables.north-3.pdf"],
  ])("%s, volume %i", (file, volume, expected) => {
    expect(volumeFile(file, volume)).toBe(path.normalize(expected));
  });
});

describe("outside tools agree", () => {
  const standards = ["PDF/X-4", "PDF/X-1a:2003"] as const;

  async function writeSample(
    standard: (typeof standards)[number],
    changes: Partial<SheetOptions> = {},
  ): Promise<string> {
    const file = path.join(folder, "t.pdf");
    await writeSheets(
      makeOptions({ standard, title: "Größe & <x> (1)", ...changes }),
      makeRecords(30),
      file,
    );
    return file;
  }

  it.skipIf(!has("qpdf")).each(standards)("qpdf finds no fault in %s", async (standard) => {
    const file = await writeSample(standard);
    expect(execFileSync("qpdf", ["--check", file], { encoding: "utf8" })).toContain(
      "No syntax or stream encoding errors",
    );
  });

  it.skipIf(!has("pdfinfo")).each(standards)(
    "pdfinfo reads title, dates and boxes of %s",
    async (standard) => {
      const said = execFileSync("pdfinfo", ["-box", "-isodates", await writeSample(standard)], {
        encoding: "utf8",
      });
      expect(said).toMatch(/Title:\s+Größe & <x> \(1\)/u);
      expect(said).toMatch(/CreationDate:\s+2026-11-20T10:00:00Z/u);
      expect(said).toMatch(/TrimBox:\s+28.35\s+48.19\s+623.62\s+890.08/u);
      expect(said).toMatch(
        new RegExp(`PDF version:\\s+${standard === "PDF/X-4" ? "1.6" : "1.4"}`, "u"),
      );
    },
  );

  it.skipIf(!has("pdffonts"))("pdffonts sees one embedded subset with Unicode", async () => {
    const said = execFileSync("pdffonts", [await writeSample("PDF/X-4")], { encoding: "utf8" });
    expect(said).toMatch(/^[A-Z]{6}\+NotoSans-Regular\s+CID TrueType\s+Identity-H\s+yes yes yes/mu);
  });

  it.skipIf(!has("pdftotext"))("pdftotext reads captions and slug", async () => {
    const file = await writeSample("PDF/X-4", { slug: { ...makeOptions().slug, rehearsal: true } });
    const said = execFileSync("pdftotext", ["-layout", file, "-"], { encoding: "utf8" });
    expect(said).toContain("Nordhafen - 24");
    expect(said).toContain(
      "REHEARSAL - codes point to this computer · table-codes · 2026-11-20 · sheet 1 of 2",
    );
    expect(said).toContain("rows north/25 - north/30");
  });

  it.skipIf(!has("gs"))("Ghostscript puts ink on the black plate only", async () => {
    const file = await writeSample("PDF/X-4");
    const said = execFileSync(
      "gs",
      ["-q", "-dNOPAUSE", "-dBATCH", "-dSAFER", "-sDEVICE=inkcov", "-o", "-", file],
      { encoding: "utf8" },
    );
    const pages = [...said.matchAll(/([\d.]+)\s+([\d.]+)\s+([\d.]+)\s+([\d.]+)\s+CMYK OK/gu)];
    expect(pages).toHaveLength(2);
    for (const [, c, m, y, k] of pages) {
      expect([c, m, y].map(Number)).toEqual([0, 0, 0]);
      expect(Number(k)).toBeGreaterThan(0.01);
    }
  });

  it.skipIf(!has("gs"))(
    "Ghostscript paints modules of equal width on the grid, with no gain at 600 dpi",
    async () => {
      const file = path.join(folder, "grid.pdf");
      const [record] = makeRecords(1);
      if (record === undefined) throw new Error("no record");
      const { cells } = await writeSheets(
        makeOptions({ xDimensionMm: 0.396, captionLines: 0 }),
        [record],
        file,
      );
      const image = path.join(folder, "grid.pgm");
      execFileSync("gs", [
        "-q",
        "-dNOPAUSE",
        "-dBATCH",
        "-dSAFER",
        "-sDEVICE=pgmraw",
        "-r600",
        "-o",
        image,
        file,
      ]);
      const bytes = await readFile(image);
      const header = /^P5\s+(?:#[^\n]*\s+)?(\d+)\s+(\d+)\s+255\s/u.exec(
        bytes.toString("latin1", 0, 200),
      );
      const width = Number(header?.[1]);
      const height = Number(header?.[2]);
      const start = header?.[0].length ?? 0;
      const dark = (x: number, y: number): boolean => (bytes[start + y * width + x] ?? 255) < 128;
      const matrix = encodeQr(record.payload, { level: record.level });
      const code = cells[0]?.code ?? { x: 0, y: 0, width: 0, height: 0 };
      const [left, bottom] = [px(10 + code.x), px(17 + 297 - code.y - code.height)];
      let wrong = 0;
      for (let y = 0; y < matrix.size * 10; y += 1) {
        for (let x = 0; x < matrix.size * 10; x += 1) {
          const is = dark(left + x, height - bottom - matrix.size * 10 + y);
          if (is !== isDark(matrix, Math.floor(x / 10), Math.floor(y / 10))) wrong += 1;
        }
      }
      expect(wrong).toBe(0);
    },
  );

  it.skipIf(!has("mutool"))("mutool renders every page without a warning", async () => {
    const file = await writeSample("PDF/X-1a:2003");
    const run = spawnSync(
      "mutool",
      ["draw", "-q", "-r", "50", "-o", path.join(folder, "p%d.png"), file],
      { encoding: "utf8" },
    );
    expect(run.status).toBe(0);
    expect(run.stderr.replace(/warning: ICC support is not available\n/u, "")).toBe("");
  });

  it.skipIf(!has("xmllint"))("xmllint takes the XMP", async () => {
    const file = await writeSample("PDF/X-4");
    const bytes = await readFile(file);
    const from = bytes.indexOf("<?xpacket begin");
    await writeFile(
      path.join(folder, "x.xml"),
      bytes.subarray(from, bytes.indexOf('<?xpacket end="r"?>') + 19),
    );
    expect(
      execFileSync("xmllint", ["--noout", path.join(folder, "x.xml")], { encoding: "utf8" }),
    ).toBe("");
  });
});
