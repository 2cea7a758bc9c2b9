import { rmSync } from "node:fs";

import { CsvError, parse as parseCsv } from "csv-parse/sync";

import * as fc from "../help/property.ts";
import { describe, expect, it } from "vitest";

import { AppError } from "../../src/base/errors.ts";
import { findOpenQuote, QuoteWatch } from "../../src/read/csv/open-quote.ts";
import { openTable } from "../../src/read/table.ts";
import { readZip, ZipFault, type ZipEntry, type ZipFile } from "../../src/read/xlsx/zip-file.ts";
import { makeXlsx, makeZip, number, row, textSheet } from "./make-xlsx.ts";
import { makeSource, readAll, writeFile } from "./make-source.ts";

const quote = (text: string): string => `"${text.replaceAll('"', '""')}"`;

/** Texts that a cell may hold; a space in front keeps them from being taken for formulas. */
const text = fc
  .string({
    unit: fc.oneof(
      fc.constantFrom(..."ab,;\t\"'\n\r= é東".split("")),
      fc.string({ unit: "grapheme", minLength: 1, maxLength: 1 }),
    ),
    maxLength: 12,
  })
  .filter((value) => !value.includes("\u0000") && value.isWellFormed())
  .map((value) => `.${value}`);

const table = fc.integer({ min: 1, max: 6 }).chain((width) =>
  fc.array(fc.array(text, { minLength: width, maxLength: width }), {
    minLength: 1,
    maxLength: 8,
  }),
);

const lineEnds = fc.constantFrom("\n", "\r\n", "\r");
const delimiters = fc.constantFrom(",", ";", "\t", "|");

const countLines = (content: string): number => content.split(/\r\n|\n|\r/u).length;

/** Every record, blank ones as well, with its line; undefined for what the parser doesn't take. */
function readPlainly(content: string): { line: number; cells: string[] }[] | undefined {
  let line = 1;
  try {
    return parseCsv(content, {
      record_delimiter: ["\r\n", "\n", "\r"],
      relax_quotes: true,
      relax_column_count: true,
    }).map((cells) => {
      const at = line;
      line += cells.reduce((sum, cell) => sum + countLines(cell) - 1, 1);
      return { line: at, cells };
    });
  } catch (error) {
    if (error instanceof CsvError) return undefined;
    throw error;
  }
}

/** Reads, and takes the file away again. */
async function readOnce(name: string, bytes: string | Uint8Array, more = {}) {
  const file = writeFile(name, bytes);
  try {
    return await readAll(makeSource(file, {}, more));
  } finally {
    rmSync(file, { force: true });
  }
}

/** How many rows came, or the code and message of the refusal; anything else is thrown on. */
async function outcomeOf(
  name: string,
  bytes: Uint8Array,
): Promise<{ rows: number; refused: string }> {
  try {
    const { rows } = await readOnce(name, bytes);
    return { rows: rows.length, refused: "" };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { rows: 0, refused: `${error.code} ${error.message}` };
  }
}

async function readEntry(zip: ZipFile, entry: ZipEntry | undefined): Promise<Buffer> {
  const chunks: Buffer[] = [];
  if (entry !== undefined) for await (const chunk of zip.read(entry, 1000)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Reads the entry of a ZIP whose directory was changed before. */
async function readChanged(change: (bytes: Buffer, at: number) => void): Promise<Buffer> {
  const bytes = makeZip([{ name: "a", content: "hello" }]);
  change(bytes, bytes.lastIndexOf("PK\u0001\u0002"));
  const zip = readZip(bytes);
  const [entry] = zip.entries.values();
  return readEntry(zip, entry);
}

describe("CSV", () => {
  it("comes back as it was written, with physical line numbers", async () => {
    await fc.assert(
      fc.asyncProperty(
        table,
        delimiters,
        fc.array(lineEnds, { minLength: 9, maxLength: 9 }),
        async (cells, delimiter, ends) => {
          const width = cells[0]?.length ?? 1;
          const header = Array.from({ length: width }, (_, at) => `h${at}`).join(delimiter);
          let content = `${header}${ends[8]}`;
          const lines: number[] = [];
          for (const [at, record] of cells.entries()) {
            lines.push(countLines(content));
            content += record.map(quote).join(delimiter) + ends[at];
          }
          const { rows } = await readOnce("p.csv", content, { delimiter });
          expect(rows.map((one) => Object.values(one.cells))).toEqual(cells);
          expect(rows.map(({ line }) => line)).toEqual(lines);
          const told = rows.flatMap(({ problems }) => problems.map(({ message }) => message));
          expect(told.filter((one) => !one.includes("readable in one way"))).toEqual([]);
        },
      ),
      { numRuns: 200 },
    );
  });

  it("has the same rows on the same lines, wherever lines are blank", async () => {
    const pieces = fc.constantFrom("a", ",", '"', '""', "\n", "\n\n\n", "\r\n", "\r", "é", " ");
    await fc.assert(
      fc.asyncProperty(fc.array(pieces, { maxLength: 40 }), async (all) => {
        const content = `a,b\n${all.join("")}`;
        const records = readPlainly(content);
        fc.pre(records !== undefined);
        const file = writeFile("blank.csv", content);
        const table = await openTable(makeSource(file, {}, { delimiter: "," }));
        const found: { line: number; cells: readonly unknown[] }[] = [];
        for await (const batch of table.batches()) {
          for (const { line, cells, times = 1 } of batch)
            for (let at = 0; at < times; at += 1) found.push({ line: line + at, cells });
        }
        rmSync(file, { force: true });
        expect(found).toEqual(records);
      }),
      { numRuns: 300 },
    );
  });

  it("of any bytes gives rows or one clear error, and ends", async () => {
    const pieces = fc.constantFrom(
      "a",
      ",",
      ";",
      '"',
      '""',
      "\n",
      "\r\n",
      "\r",
      "\t",
      "\u0000",
      "é",
      "\ufeff",
      "=",
      "sep=;",
      " ",
      "https://a.example/",
      "\ud800",
    );
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 300 }),
      fc.array(pieces, { maxLength: 60 }).map((all) => Buffer.from(all.join(""))),
      fc.array(pieces, { maxLength: 60 }).map((all) => Buffer.from(all.join(""), "utf16le")),
    );
    await fc.assert(
      fc.asyncProperty(bytes, async (content) => {
        const { rows, refused } = await outcomeOf("any.csv", content);
        expect(rows > 0 || refused.startsWith("source-unreadable")).toBe(true);
        expect(refused).not.toMatch(/undefined|\[object/u);
      }),
      { numRuns: 500 },
    );
  });

  it("watches quotes alike, however the file comes in pieces", () => {
    const letters = ['"', '"', ",", "\n", "\r", "a", "é", "§", "，", "\u0001", "\ufffd"];
    const content = fc.string({ unit: fc.constantFrom(...letters), maxLength: 24 });
    fc.assert(
      fc.property(content, fc.constantFrom(",", "§", "，"), (text, delimiter) => {
        const bytes = Buffer.from(text);
        const [whole, ...pieces] = [bytes.length + 1, 1, 2, 3].map((size) => {
          const watch = new QuoteWatch(delimiter);
          for (let at = 0; at < bytes.length; at += size) watch.add(bytes.subarray(at, at + size));
          watch.end();
          const faults = Array.from({ length: 26 }, (_, line) => watch.takeFault(line));
          const blanks = Array.from({ length: 26 }, (_, line) => watch.takeBlanks(line));
          return { faults, blanks, openedAt: watch.openedAt, isPlain: watch.isPlain };
        });
        for (const one of pieces) expect(one).toEqual(whole);
        if (/[\u0001\ufffd]/u.test(text)) expect(whole?.isPlain).toBe(false);
      }),
      { numRuns: 1000 },
    );
  });

  it("names the line of the quote that is open at the end", async () => {
    const plain = fc.string({ unit: fc.constantFrom("a", ",", " "), maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(
        fc.array(plain, { maxLength: 20 }),
        fc.array(plain, { maxLength: 20 }),
        async (before, after) => {
          const content = [...before, 'x,"open', ...after].join("\n");
          async function* chunks() {
            for (const byte of Buffer.from(content)) yield Buffer.from([byte]);
          }
          expect(await findOpenQuote(chunks(), ",", 1_000_000)).toBe(before.length + 1);
        },
      ),
    );
  });
});

describe("XLSX", () => {
  const good = makeXlsx({
    strings: ["shared"],
    sheets: [
      {
        rows:
          row(1, ["site", "n", "s"]) +
          row(2, ["a", number(1), { xml: '<c t="s"><v>0</v></c>' }]) +
          row(3, ["b", number("46000", 2), "c"]),
      },
    ],
  });

  it("with any byte changed gives rows or one clear error", async () => {
    const changes = fc.array(fc.tuple(fc.nat(good.length - 1), fc.nat(255)), {
      minLength: 1,
      maxLength: 4,
    });
    await fc.assert(
      fc.asyncProperty(changes, async (all) => {
        const bytes = Buffer.from(good);
        for (const [at, value] of all) bytes[at] = value;
        const { rows, refused } = await outcomeOf("m.xlsx", bytes);
        expect(rows === 2 || refused.startsWith("source-unreadable")).toBe(true);
      }),
      { numRuns: 25 },
    );
  });

  it("of any texts comes back", async () => {
    const printable = fc
      .string({ unit: fc.constantFrom(..."ab<>&\"' é東_x".split("")), minLength: 1, maxLength: 10 })
      .map((value) => `.${value}.`);
    const tables = fc.array(fc.tuple(printable, printable), { minLength: 1, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(tables, async (cells) => {
        const { values } = await readOnce(
          "t.xlsx",
          makeXlsx({ sheets: [textSheet([["a", "b"], ...cells])] }),
        );
        expect(values.map(({ a, b }) => [a, b])).toEqual(
          cells.map((one) => one.map((value) => value.normalize("NFC"))),
        );
      }),
      { numRuns: 8 },
    );
  });
});

describe("ZIP", () => {
  it("gives what was put in, entry by entry", async () => {
    const contents = fc.dictionary(
      fc
        .string({ unit: fc.constantFrom(..."ab/é.".split("")), minLength: 1, maxLength: 8 })
        .filter((name) => !name.startsWith("/")),
      fc.uint8Array({ maxLength: 200 }),
      { minKeys: 1, maxKeys: 6, noNullPrototype: true },
    );
    await fc.assert(
      fc.asyncProperty(contents, async (files) => {
        const parts = Object.entries(files).map(
          ([name, content]) => [name, Buffer.from(content)] as const,
        );
        const zip = readZip(makeZip(parts.map(([name, content]) => ({ name, content }))));
        for (const [name, content] of parts) {
          expect(await readEntry(zip, zip.entries.get(name))).toEqual(content);
        }
      }),
    );
  });

  it("reads ZIP64, and names with backslashes", async () => {
    const bytes = makeZip([{ name: "xl\\a.xml", content: "hello" }]);
    const at = bytes.lastIndexOf("PK\u0001\u0002");
    const end = bytes.lastIndexOf("PK\u0005\u0006");
    const [packed, size] = [bytes.readUInt32LE(at + 20), bytes.readUInt32LE(at + 24)];
    const extra = Buffer.alloc(28);
    extra.writeUInt16LE(1, 0);
    extra.writeUInt16LE(24, 2);
    extra.writeBigUInt64LE(BigInt(size), 4);
    extra.writeBigUInt64LE(BigInt(packed), 12);
    const entry = Buffer.from(bytes.subarray(at, end));
    entry.fill(0xff, 20, 28);
    entry.fill(0xff, 42, 46);
    entry.writeUInt16LE(28, 30);
    const large = Buffer.alloc(56);
    large.writeUInt32LE(0x06064b50, 0);
    large.writeBigUInt64LE(1n, 32);
    large.writeBigUInt64LE(BigInt(at), 48);
    const locator = Buffer.alloc(20);
    locator.writeUInt32LE(0x07064b50, 0);
    locator.writeBigUInt64LE(BigInt(at + entry.length + extra.length), 8);
    const tail = Buffer.from(bytes.subarray(end));
    tail.fill(0xff, 8, 20);
    const zip = readZip(Buffer.concat([bytes.subarray(0, at), entry, extra, large, locator, tail]));
    const found = zip.entries.get("xl/a.xml");
    expect(found).toMatchObject({ size, packedSize: packed, offset: 0 });
    expect((await readEntry(zip, found)).toString()).toBe("hello");
  });

  it("of any bytes is refused in words", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => {
        expect(() =>
          readZip(
            Buffer.concat([
              Buffer.from(bytes),
              Buffer.from("PK\u0005\u0006", "latin1"),
              Buffer.from(bytes),
            ]),
          ),
        ).toThrow(ZipFault);
      }),
    );
  });

  it.each<[string, (bytes: Buffer, at: number) => void, string]>([
    ["encrypted", (bytes, at) => bytes.writeUInt16LE(1, at + 8), "encrypted ZIP"],
    ["packed in an unknown way", (bytes, at) => bytes.writeUInt16LE(99, at + 10), "cut off"],
    ["too big", (bytes, at) => bytes.writeUInt32LE(1001, at + 24), "must unpack to at most"],
    ["of another checksum", (bytes, at) => bytes.writeUInt32LE(1, at + 16), "cut off"],
    ["larger than it says", (bytes, at) => bytes.writeUInt32LE(4, at + 24), "cut off"],
    ["smaller than it says", (bytes, at) => bytes.writeUInt32LE(6, at + 24), "cut off"],
    ["elsewhere", (bytes, at) => bytes.writeUInt32LE(4_000_000, at + 42), "cut off"],
    ["named otherwise", (bytes, at) => bytes.write("b", at + 46), "cut off or damaged"],
  ])("refuses an entry that is %s", async (_what, change, message) => {
    await expect(readChanged(change)).rejects.toThrow(message);
  });

  it("refuses two entries of one name", () => {
    const twice = makeZip([
      { name: "a", content: "1" },
      { name: "a", content: "2" },
    ]);
    expect(() => readZip(twice)).toThrow("cut off or damaged");
  });
});
