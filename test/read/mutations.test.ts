/**
 * Damaged files: a clear error or the right rows, never a crash, a hang or rows that are silently
 * missing (docs/spec/jobs.md section 4). A few hundred here; `npm run test:mutations` for 10,000.
 */
import { readFileSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";

import * as fc from "../help/property.ts";
import { describe, expect, it } from "vitest";

import { AppError } from "../../src/base/errors.ts";
import { openPackage, readRows } from "../../src/read/xlsx/xlsx-package.ts";
import { ZipFault } from "../../src/read/xlsx/zip-file.ts";
import { makeSource, readAll, writeFile } from "./make-source.ts";
import { makeXlsx, number, row } from "./make-xlsx.ts";

const RUNS = Number(process.env["MUTATIONS"] ?? 360);
const TIMEOUT_MS = 60_000 + RUNS * 100;

interface Mutation {
  readonly kind: "flip" | "set" | "cut" | "drop" | "double" | "insert";
  /** Share of the file, 0..1. */
  readonly at: number;
  readonly byte: number;
  readonly length: number;
}

const mutation: fc.Arbitrary<Mutation> = fc.record({
  kind: fc.constantFrom("flip", "flip", "set", "set", "cut", "drop", "double", "insert"),
  at: fc.oneof(
    fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
    // Where archives keep their directory.
    fc.double({ min: 0.85, max: 1, maxExcluded: true, noNaN: true }),
  ),
  byte: fc.oneof(fc.nat(255), fc.constantFrom(...Buffer.from('",;\n\r\t\u0000 =<>&'))),
  length: fc.integer({ min: 1, max: 40 }),
});

function mutate(bytes: Buffer, { kind, at, byte, length }: Mutation): Buffer {
  const from = Math.floor(at * bytes.length);
  const changed = Buffer.from(bytes);
  switch (kind) {
    case "flip":
      changed[from] = (changed[from] ?? 0) ^ (1 << (byte % 8));
      return changed;
    case "set":
      changed[from] = byte;
      return changed;
    case "cut":
      return changed.subarray(0, from);
    case "drop":
      return Buffer.concat([bytes.subarray(0, from), bytes.subarray(from + length)]);
    case "double":
      return Buffer.concat([bytes.subarray(0, from + length), bytes.subarray(from)]);
    case "insert":
      return Buffer.concat([bytes.subarray(0, from), Buffer.from([byte]), bytes.subarray(from)]);
  }
}

const fixture = (name: string): Buffer =>
  readFileSync(fileURLToPath(new URL(`fixtures/${name}`, import.meta.url)));

const LIMITS = { maxPartBytes: 50_000_000, maxCells: 1_000_000 };

/** All that a workbook says, or why it says nothing; anything but a clear refusal is thrown on. */
async function readWorkbook(bytes: Buffer): Promise<{ content: string } | { refused: string }> {
  try {
    const book = await openPackage(bytes, LIMITS);
    const sheet = book.sheets.find(({ isHidden }) => !isHidden);
    if (sheet === undefined) return { refused: "workbook must have a visible sheet" };
    const { zip: _zip, ...facts } = book;
    const content = await readRows(book, sheet, { limits: LIMITS, fillsMerged: false });
    return { content: JSON.stringify([facts, content]) };
  } catch (error) {
    if (!(error instanceof ZipFault)) throw error;
    return { refused: `${error.message} ${error.hint}` };
  }
}

describe("workbooks", () => {
  const rows = Array.from({ length: 30 }, (_, n) =>
    row(n + 2, [`site ${n}`, number(n), { xml: `<c t="s"><v>${n % 2}</v></c>` }]),
  );
  const seeds: [string, Buffer][] = [
    [
      "by hand",
      makeXlsx({
        strings: ["München", "Łódź"],
        sheets: [
          {
            rows: row(1, ["site", "n", "town"]) + rows.join(""),
            after: '<hyperlinks><hyperlink ref="A2" r:id="r1"/></hyperlinks>',
            links: { r1: "https://a.example/" },
          },
          { rows: row(1, ["other"]) + row(2, ["sheet"]) },
        ],
      }),
    ],
    ["LibreOffice", fixture("libreoffice.xlsx")],
    ["openpyxl", fixture("openpyxl.xlsx")],
    ["XlsxWriter", fixture("xlsxwriter.xlsx")],
  ];

  it.each(seeds)(
    "of %s",
    async (_name, seed) => {
      const whole = await readWorkbook(seed);
      expect(whole).toHaveProperty("content");
      await fc.assert(
        fc.asyncProperty(fc.array(mutation, { minLength: 1, maxLength: 3 }), async (all) => {
          const outcome = await readWorkbook(all.reduce(mutate, seed));
          if ("refused" in outcome) {
            expect(outcome.refused).toMatch(/must .+ \S/u);
            expect(outcome.refused).not.toMatch(/undefined|\[object|NaN/u);
          } else {
            expect(outcome).toEqual(whole);
          }
        }),
        { numRuns: Math.ceil(RUNS / 8) },
      );
    },
    TIMEOUT_MS,
  );
});

const ROWS = 40;
const idOf = (n: number): string => `id-${String(n).padStart(4, "0")}`;

/** A table of five columns whose first names the row. */
function makeCsv(delimiter: string, end: string, quote: (n: number) => string): string {
  const lines = Array.from({ length: ROWS }, (_, n) =>
    [idOf(n), quote(n), `${n * 3}`, `https://a.example/${n}`, `end ${n}`].join(delimiter),
  );
  return [["id", "note", "n", "url", "last"].join(delimiter), ...lines, ""].join(end);
}

const plain = (n: number): string => `note ${n}`;
const quoted = (n: number): string => `"note, ${n} ""x""; y"`;
const multiline = (n: number): string => (n % 3 === 0 ? `"first ${n}\nsecond, line"` : quoted(n));

interface TextOutcome {
  readonly refused: string;
  /** Rows without problem. */
  readonly good: number;
  readonly isTold: boolean;
  readonly ids: readonly string[];
}

async function readText(bytes: Buffer): Promise<TextOutcome> {
  const file = writeFile("m.csv", bytes);
  try {
    const { rows, source, problems } = await readAll(makeSource(file));
    const good = rows.filter((one) => one.problems.length === 0);
    const isTold = problems.length > 0 || source.warnings.length > 0;
    const ids = good.flatMap(({ cells }) => Object.values(cells)[0] ?? []);
    return { refused: "", good: good.length, isTold, ids };
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "source-unreadable") throw error;
    return { refused: error.message, good: 0, isTold: true, ids: [] };
  } finally {
    rmSync(file, { force: true });
  }
}

/** A file that ends early may simply be shorter: its rows are the first ones, in order. */
const isPrefix = (ids: readonly string[]): boolean =>
  ids.slice(0, -1).every((id, at) => id === idOf(at));

const latin = (text: string): Buffer => Buffer.from(text.replaceAll("note", "n\u00f6te"), "latin1");

describe("text files", () => {
  const seeds: [string, Buffer][] = [
    ["plain cells", Buffer.from(makeCsv(",", "\n", plain))],
    ["quoted cells", Buffer.from(makeCsv(",", "\r\n", quoted))],
    ["cells of several lines", Buffer.from(makeCsv(",", "\n", multiline))],
    ["semicolons and CR", Buffer.from(makeCsv(";", "\r", quoted))],
    ["windows-1252 and tabs", latin(makeCsv("\t", "\r\n", plain))],
    ["UTF-16", Buffer.from(`\uFEFF${makeCsv(";", "\r\n", quoted)}`, "utf16le")],
  ];

  it.each(seeds)(
    "of %s",
    async (_name, seed) => {
      const whole = await readText(seed);
      expect(whole).toMatchObject({ refused: "", good: ROWS });
      await fc.assert(
        fc.asyncProperty(mutation, async (one) => {
          const { refused, good, isTold, ids } = await readText(mutate(seed, one));
          expect(refused).not.toMatch(/undefined|\[object|NaN/u);
          if (isTold || good >= ROWS) return;
          const isShorter = one.kind === "cut" && isPrefix(ids);
          // Whole lines that somebody took out leave no trace; 40 bytes hold one or two of these.
          const isTakenOut = one.kind === "drop" && good >= ROWS - 2;
          expect(isShorter || isTakenOut, JSON.stringify({ one, good })).toBe(true);
        }),
        { numRuns: Math.ceil(RUNS / 12) },
      );
    },
    TIMEOUT_MS,
  );
});
