/** A file that takes long to read must not keep the program from stopping. */
import { CsvError } from "csv-parse";
import { describe, expect, it, vi } from "vitest";

import { cutBlankLines, makeBlanks } from "../../src/read/csv/blank-lines.ts";
import { QuoteWatch } from "../../src/read/csv/open-quote.ts";
import { openSource } from "../../src/read/source.ts";
import { openTable } from "../../src/read/table.ts";
import { makeSource, writeFile } from "./make-source.ts";
import { makeXlsx, textSheet } from "./make-xlsx.ts";

const LINES = 400_000;
const WHY = new Error("told to stop");

/** Aborted as soon as the program has a moment for anything but reading. */
function stopSoon(): AbortSignal {
  const stop = new AbortController();
  setImmediate(() => stop.abort(WHY));
  return stop.signal;
}

describe("reading can be stopped", () => {
  it.each([
    ["blank lines", "\n"],
    ["short lines", "x\n"],
    ["lines of delimiters", ",\n"],
  ])("in the middle of %s", async (_, line) => {
    const file = writeFile("long.csv", `n,url\n1,a\n${line.repeat(LINES)}`);
    await expect(openSource(makeSource(file), [], stopSoon())).rejects.toBe(WHY);
  });

  it("between rows that were read in one go", async () => {
    const file = writeFile("rows.csv", `n,url\n${"1,a\n".repeat(100_000)}`);
    const stop = new AbortController();
    const source = await openSource(makeSource(file), [], stop.signal);
    let rows = 0;
    const reading = (async () => {
      for await (const _row of source.rows()) {
        if (rows === 0) setImmediate(() => stop.abort(WHY));
        rows += 1;
      }
    })();
    await expect(reading).rejects.toBe(WHY);
    expect(rows).toBeLessThan(3000);
    await source.close();
  });

  it("in the thread that reads a workbook", async () => {
    const rows = Array.from({ length: 2000 }, (_, n) => [`${n}`, "a"]);
    const file = writeFile("rows.xlsx", makeXlsx({ sheets: [textSheet([["n", "url"], ...rows])] }));
    await expect(openSource(makeSource(file), [], stopSoon())).rejects.toBe(WHY);
    const stop = new AbortController();
    const source = await openSource(makeSource(file), [], stop.signal);
    const reading = source.rows()[Symbol.asyncIterator]();
    await reading.next();
    stop.abort(WHY);
    const rest = (async () => {
      while ((await reading.next()).done !== true);
    })();
    await expect(rest).rejects.toBe(WHY);
    await source.close();
  });
});

it("takes blank lines that follow each other for one, and counts each", async () => {
  const blank = 100_000;
  const file = writeFile("blank.csv", `n,url\n1,a\n${"\r\n".repeat(blank)}2,b\n\n\n`);
  const table = await openTable(makeSource(file));
  const lines: number[] = [];
  for await (const batch of table.batches()) lines.push(...batch.map((row) => row.line));
  expect(lines).toEqual([1, 2, 3, blank + 3, blank + 4]);
  const source = await openSource(makeSource(file));
  for await (const _row of source.rows());
  expect(source.blankRows).toBe(blank + 2);
});

/** True when no quote is open behind the text. */
const isOutside = (text: string): boolean => {
  const watch = new QuoteWatch(",");
  watch.add(Buffer.from(text));
  return watch.isOutside;
};

describe("of very many blank lines", () => {
  it.each([
    ["of nothing", "\n", ","],
    ["of a blank", " \n", ","],
    ["of a delimiter", ",\r\n", ","],
    ["of tabs", "\t\t\r", "\t"],
  ])("%s, few are handed to the parser, and each is counted", async (_, line, delimiter) => {
    const blank = 100_000;
    const [first, second] = [`1${delimiter}a`, `2${delimiter}b`];
    const text = `n${delimiter}url\n${first}\n${line.repeat(blank)}${second}\n${line}`;
    const file = writeFile("blank-lines.csv", text);
    const table = await openTable(makeSource(file));
    let rows = 0;
    for await (const batch of table.batches()) rows += batch.length;
    expect(rows).toBeLessThan(blank / 5);
    const source = await openSource(makeSource(file));
    const lines: number[] = [];
    for await (const row of source.rows()) lines.push(row.line);
    expect([lines, source.blankRows]).toEqual([[2, blank + 3], blank + 1]);
  });

  const blanks = makeBlanks(",");
  const cut = (text: string): string[] => {
    const found = cutBlankLines(Buffer.from(text), blanks);
    return found === undefined ? [] : [found.short.toString(), found.counted.toString()];
  };

  it.each([
    [" \n ,\n,,\n \n,", " \n\n,", " \n\n\n\n,"],
    ["\r\n\r\n \r\n", "\r\n\r\n", "\r\n\n\r\n"],
    [" \r \r \r", " \r\r", " \r\r\r"],
    ["\r \n \r\n \r", "\r \n\r\n \r", "\r \n\r\n \r"],
    ["\n\r\r\n\r", "\n\r\n\r", "\n\n\r\n\r"],
  ])("%j is cut to %j, counted as %j", (text, short, counted) => {
    expect(cut(text)).toEqual([short, counted]);
  });

  it.each([" \nx\n \n", ' \n"\n \n', "  ,,  ", " \n ", " \r\n"])("%j stays", (text) => {
    expect(cut(text)).toEqual([]);
  });

  it("are distinguished from those of a cell whose quote is open, or may be", () => {
    expect(["n,url\n1,a", 'n,url\n1,"a"\n\n\n'].map(isOutside)).toEqual([true, true]);
    const others = ['n,url\n1,"a\n\n\n', 'n,url\n1,"a"', 'n,url\n1,"'];
    expect(others.map(isOutside)).toEqual([false, false, false]);
  });
});

it("makes no error of a row that is wider or shorter than the first", async () => {
  const file = writeFile("widths.csv", `n,url\n${"x\n1,2,3\n".repeat(50)}`);
  const made = vi.spyOn(Error, "captureStackTrace");
  try {
    const table = await openTable(makeSource(file));
    const widths: number[] = [];
    for await (const batch of table.batches()) {
      widths.push(...batch.map(({ cells }) => cells.length));
    }
    expect(widths).toEqual([2, ...Array.from({ length: 50 }, () => [1, 3]).flat()]);
    // The sample, by which the delimiter is found, has 20 rows.
    const errors = made.mock.calls.filter(([, maker]) => maker === CsvError);
    expect(errors.length).toBeLessThan(100);
  } finally {
    made.mockRestore();
  }
});

it("keeps line breaks of a cell, however many chunks they fill", async () => {
  const breaks = "\n".repeat(50_000);
  const file = writeFile("cell.csv", `n,url\n\n\n\n"${breaks}",b\n2,c\n`);
  const table = await openTable(makeSource(file));
  const cells: unknown[] = [];
  for await (const batch of table.batches()) cells.push(...batch.map((row) => row.cells[0]));
  expect(cells).toEqual(["n", "", breaks, "2"]);
});

it("puts fewer rows into a batch when they are long", async () => {
  const row = `1,${"a".repeat(100_000)}\n`;
  const file = writeFile("long-rows.csv", `n,url\n${row.repeat(30)}`);
  const table = await openTable(makeSource(file));
  const sizes: number[] = [];
  for await (const batch of table.batches()) sizes.push(batch.length);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(31);
  expect(Math.max(...sizes)).toBeLessThan(20);
});

it("shows some of very many cells that a row has too many, and says so", async () => {
  const file = writeFile("extra.csv", `n,url\n1,a${',"x"'.repeat(10_000)}\n`);
  const source = await openSource(makeSource(file, {}, { headerRow: 1 }));
  const messages: string[] = [];
  for await (const { problems } of source.rows()) messages.push(problems[0]?.message ?? "");
  expect(messages[0]).toMatch(/too many: (?:"x",){19}"x" and 9,980 more$/u);
});
