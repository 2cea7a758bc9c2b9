/** A file that takes long to read must not keep the program from stopping. */
import { describe, expect, it } from "vitest";

import { QuoteWatch } from "../../src/read/open-quote.ts";
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

describe("reading stops when it is told to", () => {
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

it("hands no more than the first of very many blank lines to the parser", () => {
  const breaks = Buffer.from("\r\n".repeat(8));
  const after = (text: string): boolean => {
    const watch = new QuoteWatch(",");
    watch.add(Buffer.from(text));
    return watch.isBlankOn(breaks);
  };
  expect(["n,url\n1,a\n\n\n\n", "\r\r\r\r"].map(after)).toEqual([true, true]);
  const others = ["n,url\n1,a", "n,url\n1,a\n", 'n,url\n1,"a\n\n\n\n', "n,url\n\n\n1,"];
  expect(others.map(after)).toEqual(others.map(() => false));
  const watch = new QuoteWatch(",");
  watch.add(Buffer.from("n\n\n\n\n\n"));
  expect(watch.isBlankOn(Buffer.from("\n\n1"))).toBe(false);
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
