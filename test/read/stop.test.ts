/** A file that takes long to read must not keep the program from stopping. */
import { describe, expect, it } from "vitest";

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
