import { execFile } from "node:child_process";
import { promisify } from "node:util";

import { describe, expect, it } from "vitest";

import { openSource } from "../../src/read/source.ts";
import { openXlsx, xlsxLimits, type XlsxLimits } from "../../src/read/xlsx/xlsx.ts";
import { readPeakMb } from "../peak-memory.ts";
import {
  cell,
  makeXlsx,
  makeZip,
  number,
  row,
  textSheet,
  type BookSpec,
  type ZipPart,
} from "./make-xlsx.ts";
import { failureOf, makeSource, readAll, writeFile, type ColumnSpec } from "./make-source.ts";

type Columns = Record<string, ColumnSpec>;
const REQUIRED: Columns = { site: { required: true } };

const write = (book: BookSpec): string => writeFile("book.xlsx", makeXlsx(book));
const read = async (book: BookSpec, columns: Columns = {}, more = {}) =>
  readAll(makeSource(write(book), columns, more));

/** One sheet: a header of these names, and one row. */
const oneRow = (header: readonly string[], cells: readonly (string | { xml: string })[]) => ({
  sheets: [{ rows: row(1, header) + row(2, cells) }],
});

const shared = (at: number) => ({ xml: `<c t="s"><v>${at}</v></c>` });

/** A workbook whose only sheet has this XML. */
const bookOf = (xml: string, repeated?: ZipPart["repeated"], isStored?: boolean) =>
  makeZip([
    {
      name: "xl/workbook.xml",
      content: '<workbook><sheets><sheet name="S" r:id="r1"/></sheets></workbook>',
    },
    {
      name: "xl/_rels/workbook.xml.rels",
      content:
        '<Relationships><Relationship Id="r1" Type="x/worksheet" Target="worksheets/sheet1.xml"/></Relationships>',
    },
    {
      name: "xl/worksheets/sheet1.xml",
      content: xml,
      ...(repeated && { repeated }),
      ...(isStored && { isStored }),
    },
  ]);

const SHEET = "<worksheet><sheetData></sheetData></worksheet>";
const HALF_SHEET = "<worksheet><sheetData>".length;
/** Both halves equally long. */
const sheetHalves = (opened: string): string =>
  `${(SHEET.slice(0, HALF_SHEET) + opened).padStart(40)}${SHEET.slice(HALF_SHEET).padEnd(40)}`;

const open = async (book: BookSpec, limits: Partial<XlsxLimits>) => {
  const table = await openXlsx(makeSource(write(book)), { ...xlsxLimits, ...limits });
  await table.close();
};

describe("sheets", () => {
  const first = textSheet([["site"], ["first"]]);
  const second = textSheet([["site"], ["second"]]);
  const book: BookSpec = {
    sheets: [
      { ...textSheet([["site"], ["hidden"]]), name: "Old", state: "hidden" },
      { ...first, name: "Spring" },
      { ...second, name: "R&D <2>" },
    ],
  };

  it("takes the first visible one", async () => {
    const { source, values } = await read(book);
    expect(source.detected).toMatchObject({ format: "xlsx", sheet: "Spring", headerLine: 1 });
    expect(values).toEqual([{ site: "first" }]);
    expect(source.warnings).toEqual([]);
  });

  it.each([
    ["Spring", "first"],
    ["spring", "first"],
    ["R&D <2>", "second"],
    [3, "second"],
    [1, "hidden"],
  ])("takes sheet %j", async (sheet, expected) => {
    const { values } = await read(book, {}, { sheet });
    expect(values).toEqual([{ site: expected }]);
  });

  it("takes a hidden one when it is asked for, with a warning", async () => {
    const { source } = await read(book, {}, { sheet: "Old" });
    expect(source.warnings[0]?.message).toBe('sheet "Old" is hidden');
  });

  it("lists the sheets when none has that name", async () => {
    const error = await failureOf(makeSource(write(book), {}, { sheet: "Sprimg" }));
    expect(error.message).toContain('sheet must be one of the workbook\'s, got "Sprimg"');
    expect(error.hint).toBe('did you mean "Spring"? sheets: "Old", "Spring", "R&D <2>"');
    const beyond = await failureOf(makeSource(write(book), {}, { sheet: 4 }));
    expect(beyond.message).toContain("got 4");
  });

  it("says which one was read when columns are missing, and which others there are", async () => {
    const error = await failureOf(makeSource(write(book), { url: { required: true } }));
    expect(error.hint).toContain(
      'sheet "Spring" was read; name another one in source.sheet: "R&D <2>"',
    );
  });

  it("never chooses a hidden one by itself", async () => {
    const hidden = { sheets: [{ ...first, name: "Old", state: "veryHidden" as const }] };
    const error = await failureOf(makeSource(write(hidden)));
    expect(error.message).toContain("hidden ones only");
  });
});

describe("cells", () => {
  it("reads texts: inline, shared, rich, with spaces and line breaks", async () => {
    const strings = ["München & Söhne", "<r><t>ri</t></r><r><rPr><b/></rPr><t>ch</t></r>"];
    const { values, problems } = await read({
      strings,
      ...oneRow(["a", "b", "c", "d"], [shared(0), shared(1), "  x\ny ", "日本"]),
    });
    expect(values).toEqual([{ a: "München & Söhne", b: "rich", c: "x\ny", d: "日本" }]);
    expect(problems).toEqual([]);
  });

  it("pads GTINs that were stored as numbers, with and without format", async () => {
    const { values, problems } = await read(
      {
        sheets: [
          {
            rows:
              row(1, ["gtin"]) +
              row(2, [number("9506000134352")]) +
              row(3, [number("9506000134352", 1)]) +
              row(4, [number("9506000134353")]) +
              row(5, [number("9.506E+12")]),
          },
        ],
      },
      { gtin: { type: "gtin" } },
    );
    expect(values.slice(0, 2)).toEqual([{ gtin: "09506000134352" }, { gtin: "09506000134352" }]);
    expect(problems).toHaveLength(2);
    expect(problems[0]).toContain("check digit");
  });

  it("keeps the zeros of a zero format in text columns", async () => {
    const { values } = await read(oneRow(["ean"], [number("9506000134352", 1)]), { ean: {} });
    expect(values).toEqual([{ ean: "09506000134352" }]);
  });

  it("refuses numbers of more than 15 digits", async () => {
    const columns: Columns = { sscc: {}, n: { type: "integer" } };
    const { rows } = await read(
      oneRow(["sscc", "n"], [number("106141412345678908"), number("123456789012345")]),
      columns,
    );
    expect(rows[0]?.problems).toHaveLength(1);
    expect(rows[0]?.problems[0]).toMatchObject({
      message: expect.stringContaining("must be stored as text") as string,
      hint: expect.stringContaining("format the column as Text") as string,
      where: { line: 2, column: "sscc" },
    });
    expect(rows[0]?.values["n"]).toBe("123456789012345");
  });

  it("shows numbers as spreadsheets do", async () => {
    const { values } = await read(
      oneRow(["a", "b", "c"], [number("0.30000000000000004"), number("1E3"), number("-2.50")]),
    );
    expect(values).toEqual([{ a: "0.3", b: "1000", c: "-2.5" }]);
  });

  it("takes results of formulas, and refuses errors and formulas never calculated", async () => {
    const columns: Columns = { a: {}, b: {}, c: {}, d: {}, e: {} };
    const { rows } = await read(
      oneRow(
        ["a", "b", "c", "d", "e"],
        [
          { xml: "<c><f>1+1</f><v>2</v></c>" },
          { xml: '<c t="e"><f>1/0</f><v>#DIV/0!</v></c>' },
          { xml: "<c><f>1+1</f></c>" },
          { xml: '<c t="str"><f>A1&amp;"x"</f><v>ax</v></c>' },
          { xml: '<c t="e"><v>#N/A</v></c>' },
        ],
      ),
      columns,
    );
    expect(rows[0]?.values).toMatchObject({ a: "2", d: "ax" });
    expect(
      rows[0]?.problems.map(({ where, message, hint }) => [where?.column, message, hint]),
    ).toEqual([
      [
        "b",
        'must have a result, but its formula ends in an error, got "#DIV/0!"',
        "fix the cell, then plan or run again",
      ],
      [
        "c",
        'must have a result, but its formula was never calculated, got ""',
        "open the file in Excel, save it and run again",
      ],
      [
        "e",
        'must hold its text or nothing, but holds what spreadsheets write for an error, got "#N/A"',
        "write its text here or empty the cell; where a formula failed, mend it in the spreadsheet",
      ],
    ]);
  });

  it("takes an empty text for what it is", async () => {
    const { problems } = await read(
      oneRow(["a", "b"], ["x", { xml: '<c t="str"><f>IF(1,"","y")</f><v></v></c>' }]),
      { a: {}, b: {} },
    );
    expect(problems).toEqual([]);
  });

  it("reads dates in UTC, 1900 and 1904", async () => {
    const cells = [number("46000", 2), number("46000.5", 3), number("0.25", 3)];
    const columns: Columns = { day: { type: "date" }, moment: {}, time: {} };
    const book = oneRow(["day", "moment", "time"], cells);
    const { values } = await read(book, columns);
    expect(values).toEqual([{ day: "2025-12-09", moment: "2025-12-09 12:00", time: "06:00:00" }]);
    const later = await read({ ...book, date1904: true }, columns);
    expect(later.values[0]).toMatchObject({ day: "2029-12-10" });
  });

  it("reads booleans", async () => {
    const { values } = await read(oneRow(["on"], [{ xml: '<c t="b"><v>1</v></c>' }]), {
      on: { type: "boolean" },
    });
    expect(values).toEqual([{ on: "true" }]);
  });
});

describe("hyperlinks", () => {
  const book: BookSpec = {
    sheets: [
      {
        rows:
          row(1, ["url", "name"]) +
          row(2, ["Our menu", "plain"]) +
          row(3, ["https://a.example/", "x"]) +
          row(4, [
            { xml: '<c t="str"><f>HYPERLINK("https://f.example/?a=""b""","go")</f><v>go</v></c>' },
            "y",
          ]) +
          row(5, ["https://plain.example/x#y", "z"]),
        after:
          '<hyperlinks><hyperlink ref="A2" r:id="r1" location="table=7"/><hyperlink ref="A3" r:id="r2"/><hyperlink ref="B2" r:id="r2"/><hyperlink ref="B3" location="Sheet1!A1"/></hyperlinks>',
        links: { r1: "https://menu.example/?a=1&b=2", r2: "https://a.example/" },
      },
    ],
  };

  it("give the whole link where a URL is wanted, the text elsewhere, and warn once", async () => {
    const { source, values } = await read(book, { url: { type: "url" }, name: {} });
    expect(values).toEqual([
      { url: "https://menu.example/?a=1&b=2#table=7", name: "plain" },
      { url: "https://a.example/", name: "x" },
      { url: 'https://f.example/?a="b"', name: "y" },
      { url: "https://plain.example/x#y", name: "z" },
    ]);
    expect(source.warnings).toHaveLength(1);
    expect(source.warnings[0]).toMatchObject({
      message: expect.stringContaining("in 2 rows a cell shows another text") as string,
      where: { line: 2 },
    });
  });
});

describe("merged and hidden", () => {
  const merged: BookSpec = {
    sheets: [
      {
        rows:
          `<row r="1">${cell("A1", "Title over both")}<c r="B1"/></row>` +
          row(2, ["site", "n"]) +
          row(3, ["a", "1"]) +
          `<row r="4"><c r="A4"/>${cell("B4", "2")}</row>`,
        after: '<mergeCells><mergeCell ref="A1:B1"/><mergeCell ref="A3:A4"/></mergeCells>',
      },
    ],
  };

  it("leaves covered cells empty with a warning, but not for titles", async () => {
    const { source, rows } = await read(merged, REQUIRED);
    expect(source.warnings.map(({ message }) => message)).toEqual([
      "cells A3:A4 are merged: only the first one has the text",
    ]);
    expect(rows[1]?.problems[0]?.message).toBe("must not be empty");
  });

  it("fills them when asked to", async () => {
    const { source, values } = await read(merged, REQUIRED, { merged: "fill" });
    expect(values.map(({ site }) => site)).toEqual(["a", "a"]);
    expect(source.warnings).toEqual([]);
  });

  const hidden: BookSpec = {
    sheets: [
      { rows: row(1, ["site"]) + row(2, ["a"]) + row(3, ["b"], ' hidden="1"') + row(4, ["c"]) },
    ],
  };

  it("reads hidden rows with a warning, or leaves them out", async () => {
    const { source, values } = await read(hidden);
    expect(values).toHaveLength(3);
    expect(source.warnings[0]).toMatchObject({
      message: "1 hidden row is read like the others",
      where: { line: 3 },
    });
    const skipped = await read(hidden, {}, { skipHiddenRows: true });
    expect(skipped.rows.map(({ line }) => line)).toEqual([2, 4]);
    expect(skipped.source.warnings).toEqual([]);
  });
});

describe("the shape of a sheet", () => {
  it("keeps row numbers over gaps and fills short rows", async () => {
    const { rows } = await read({
      sheets: [{ rows: row(3, ["site", "n", "m"]) + row(7, ["a"]) + row(1000, ["b", "1", "2"]) }],
    });
    expect(rows.map(({ line, problems }) => [line, problems.length])).toEqual([
      [7, 0],
      [1000, 0],
    ]);
    expect(rows[0]?.values).toMatchObject({ site: "a", n: "", m: "" });
  });

  it("reports text to the right of the header", async () => {
    const { problems } = await read({ sheets: [textSheet([["site"], ["a", "extra"], ["b"]])] });
    expect(problems).toEqual([
      'row must have 1 cells, as the header has, got 2; too many: "extra" in column B',
    ]);
  });

  it("reads plain names in a sheet of prefixed ones", async () => {
    const sheet =
      '<x:worksheet xmlns:x="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><x:sheetData><x:row r="1"><x:c r="A1" t="inlineStr"><x:is><x:t>site</x:t></x:is></x:c></x:row><x:row r="2"><x:c r="A2" t="inlineStr"><x:is><x:t>a</x:t></x:is></x:c></x:row></x:sheetData></x:worksheet>';
    const parts = [
      {
        name: "xl/workbook.xml",
        content:
          '<x:workbook xmlns:x="m" xmlns:r="r"><x:sheets><x:sheet name="S" sheetId="1" r:id="rId1"/></x:sheets></x:workbook>',
      },
      {
        name: "xl/_rels/workbook.xml.rels",
        content:
          '<Relationships><Relationship Id="rId1" Type="http://x/worksheet" Target="/xl/odd/name.xml"/></Relationships>',
      },
      { name: "xl/odd/name.xml", content: sheet },
    ];
    const { values } = await readAll(makeSource(writeFile("odd.xlsx", makeZip(parts))));
    expect(values).toEqual([{ site: "a" }]);
  });

  it("isn't troubled by validations, formats, drawings and names", async () => {
    const { values } = await read({
      sheets: [
        {
          ...textSheet([["site"], ["a"]]),
          after:
            '<conditionalFormatting sqref="A1:XFD1048576"><cfRule type="nonsense"/></conditionalFormatting><dataValidations count="1"><dataValidation type="list" sqref="A1:XFD1048576"><formula1>x</formula1></dataValidation></dataValidations><drawing r:id="rId9"/><legacyDrawing r:id="rId8"/><tableParts count="1"><tablePart r:id="rId7"/></tableParts>',
        },
      ],
      more: [
        { name: "xl/drawings/drawing1.xml", content: "<broken" },
        { name: "xl/comments1.xml", content: "<broken" },
        { name: "docProps/app.xml", content: "<broken" },
      ],
    });
    expect(values).toEqual([{ site: "a" }]);
  });

  it("serves two readers at a time, and the same rows again", async () => {
    const rows = Array.from({ length: 2500 }, (_, n) => [`s${n}`]);
    const source = await openSource(
      makeSource(write({ sheets: [textSheet([["site"], ...rows])] })),
    );
    const count = async (): Promise<number> => {
      let seen = 0;
      for await (const one of source.rows()) seen += Number(one.line === seen + 2);
      return seen;
    };
    expect(await Promise.all([count(), count()])).toEqual([2500, 2500]);
    expect(await count()).toBe(2500);
    await source.close();
    await expect(count()).rejects.toMatchObject({ code: "source-unreadable" });
  });

  it("reads many rows in their order", async () => {
    const rows = Array.from({ length: 3500 }, (_, n) => [`s${n}`, `${n}`]);
    const book = makeSource(write({ sheets: [textSheet([["site", "n"], ...rows])] }));
    // Through the thread, which hands them over in portions.
    const { values } = await readAll(book, [], (source) => openXlsx(source));
    expect(values.map(({ n }) => Number(n))).toEqual(rows.map((_, n) => n));
  });
});

describe("files that are no whole workbook", () => {
  const whole = makeXlsx({ sheets: [textSheet([["site"], ["a"]])] });

  it.each([0.3, 0.6, 0.95])("says that a file is cut off at %d", async (share) => {
    const cut = whole.subarray(0, Math.floor(whole.length * share));
    const error = await failureOf(makeSource(writeFile("cut.xlsx", cut)));
    expect(error.message).toContain("cut off or damaged");
  });

  it("says that a part is damaged", async () => {
    const bytes = Buffer.from(whole);
    const at = bytes.indexOf("xl/worksheets/sheet1.xml") + 40;
    bytes.fill(0x55, at, at + 30);
    const error = await failureOf(makeSource(writeFile("bad.xlsx", bytes)));
    expect(error.message).toContain("cut off or damaged");
  });

  it("says that the XML of a sheet is cut off or broken, and reads no part of it", async () => {
    const rows = row(1, ["site"]) + row(2, ["a"]);
    const cut = await failureOf(
      makeSource(writeFile("cut.xlsx", bookOf(`<worksheet><sheetData>${rows}`))),
    );
    expect(cut.message).toContain(
      "must be well-formed, got a damaged one (unclosed tag: sheetData)",
    );
    const broken = `<worksheet><sheetData>${rows}<row r="3"><c></row></sheetData></worksheet>`;
    const error = await failureOf(makeSource(writeFile("broken.xlsx", bookOf(broken))));
    expect(error.message).toContain("must be well-formed");
  });

  it.each([
    ["word/document.xml", "a Word document"],
    ["ppt/presentation.xml", "a PowerPoint presentation"],
    ["xl/workbook.bin", "a binary workbook (.xlsb)"],
    ["content.xml", "an OpenDocument file"],
    ["Index/Document.iwa", "an Apple Numbers"],
    ["photo.jpg", "a ZIP archive"],
  ])("says what a ZIP with %s is", async (name, what) => {
    const file = writeFile("x.xlsx", makeZip([{ name, content: "x" }]));
    const error = await failureOf(makeSource(file));
    expect(error.message).toContain(what);
  });

  it("says that a workbook has no rows", async () => {
    const header = await failureOf(
      makeSource(write({ sheets: [textSheet([["site"]])] }), REQUIRED),
    );
    expect(header.message).toContain("only a header");
    const blank = await failureOf(makeSource(write({ sheets: [{ rows: "" }] })));
    expect(blank.message).toContain("blank lines only");
  });
});

describe("caps", () => {
  const styled = Array.from(
    { length: 300_000 },
    (_, n) => `<row r="${n + 3}"><c r="A${n + 3}" s="2"/></row>`,
  );

  it("drops 300,000 empty formatted rows before they count, in little memory", async () => {
    const book = { sheets: [{ rows: row(1, ["site"]) + row(2, ["a"]) + styled.join("") }] };
    const { values } = await read(book);
    expect(values).toEqual([{ site: "a" }]);
    await open(book, { maxCells: 10, maxMemoryMb: 48 });
  });

  it("refuses too many cells", async () => {
    const book = {
      sheets: [
        textSheet([
          ["site", "n"],
          ["a", "b"],
          ["c", "d"],
        ]),
      ],
    };
    await expect(open(book, { maxCells: 5 })).rejects.toThrow("must have at most 5 cells");
  });

  it("takes no harm from cells merged to the end of the world", async () => {
    const sheet = {
      ...textSheet([["site"], ["a"], ["b"]]),
      after: '<mergeCells><mergeCell ref="A3:XFD1048576"/></mergeCells>',
    };
    const { values } = await read({ sheets: [sheet] }, {}, { merged: "fill" });
    expect(values).toEqual([{ site: "a" }, { site: "b" }]);
  });

  it("refuses more merged cells than any sheet has", async () => {
    const merge = '<mergeCell ref="A1:XFD1048576"/>';
    const after = `<mergeCells>${merge.repeat(250_001)}</mergeCells>`;
    const sheet = { ...textSheet([["site"], ["a"]]), after };
    await expect(read({ sheets: [sheet] })).rejects.toThrow("at most 250,000 merged cells");
  });

  it("refuses merged cells that lie over each other again and again", async () => {
    const merge = '<mergeCell ref="A1:XFD1048576"/>';
    const rows = Array.from({ length: 2000 }, (_, n) => [`${n}`, "b", "c"]);
    const after = `<mergeCells>${merge.repeat(100_000)}</mergeCells>`;
    const sheet = { ...textSheet([["site", "x", "y"], ...rows]), after };
    await expect(read({ sheets: [sheet] })).rejects.toThrow("that lie over each other");
  });

  it("refuses big files and parts that unpack to too much", async () => {
    const book = { sheets: [textSheet([["site"], ["a".repeat(100_000)]])] };
    await expect(open(book, { maxFileBytes: 100 })).rejects.toThrow("must have at most 0 MB");
    await expect(open(book, { maxPartBytes: 50_000 })).rejects.toThrow("must unpack to at most");
  });

  it("doesn't trust the sizes that a ZIP claims", async () => {
    const bytes = makeXlsx({ sheets: [textSheet([["site"], ["a".repeat(100_000)]])] });
    const at = bytes.lastIndexOf("xl/worksheets/sheet1.xml") - 46;
    bytes.writeUInt32LE(10, at + 24);
    const error = await failureOf(makeSource(writeFile("liar.xlsx", bytes)));
    expect(error.message).toContain("cut off or damaged");
  });

  it.each([
    ["elements within elements", "", "<a>".repeat(350_000), "elements at most 100 levels deep"],
    ["a text without end", "", "x".repeat(1_000_000), "texts and tags of at most 1000000"],
    ["a tag without end", "<a b='", "x".repeat(1_000_000), "texts and tags of at most 1000000"],
  ])("refuses %s of 300 MB in little memory", async (_, opened, text, says) => {
    const book = bookOf(sheetHalves(opened), { text, times: 300 });
    const file = writeFile("bomb.xlsx", book);
    const child = `${readPeakMb}
      import path from "node:path";
      import { pathToFileURL } from "node:url";
      const { openXlsx } = await import(pathToFileURL(path.resolve("src/read/xlsx/xlsx.ts")));
      const source = { file: process.argv[2], sheet: null, merged: "warn", skipHiddenRows: false };
      const says = await openXlsx(source).then(() => "opened", (error) => error.message);
      console.log(JSON.stringify({ says, peakMb: await readPeakMb() }));`;
    const args = ["--import", "tsx", writeFile("child.mjs", child), file];
    const { stdout } = await promisify(execFile)(process.execPath, args);
    const { says: said, peakMb } = JSON.parse(stdout) as { says: string; peakMb: number };
    expect(said).toContain(`workbook must have ${says}`);
    expect(peakMb).toBeLessThan(400);
  });

  it("refuses more shared texts than there may be cells", async () => {
    const book = { sheets: [textSheet([["site"], ["a"]])], strings: ["a", "b", "c", "d"] };
    await expect(open(book, { maxCells: 3 })).rejects.toThrow(
      "at most 3 different texts, got more",
    );
    await open(book, { maxCells: 4 });
  });

  it("refuses relations and styles that unpack to more than any have", async () => {
    const name = "xl/worksheets/_rels/sheet1.xml.rels";
    const content = `<Relationships>${" ".repeat(26_000_000)}</Relationships>`;
    const book = { sheets: [textSheet([["site"], ["a"]])], more: [{ name, content }] };
    await expect(open(book, {})).rejects.toThrow("at most 24 MB per part, got 25 MB");
  });

  it("takes a big sheet that is not packed", async () => {
    const { rows } = textSheet([["site"], ...Array.from({ length: 60_000 }, () => ["abcdefgh"])]);
    const xml = `<worksheet><sheetData>${rows}</sheetData></worksheet>`;
    expect(xml.length).toBeGreaterThan(2_000_000);
    const file = writeFile("stored.xlsx", bookOf(xml, undefined, true));
    const table = await openXlsx(makeSource(file));
    let count = 0;
    for await (const batch of table.batches()) count += batch.length;
    await table.close();
    expect(count).toBe(60_001);
  });

  it("stops a reader that takes too long", async () => {
    const book = { sheets: [textSheet([["site"], ["a"]])] };
    await expect(open(book, { timeoutMs: 0 })).rejects.toMatchObject({
      code: "source-unreadable",
      hint: "save the sheet as CSV: CSV has no such limit",
    });
  });

  it("stops a reader that takes too much memory", async () => {
    const rows = Array.from({ length: 60_000 }, (_, n) => [`site ${n}`, `value ${n}`]);
    const book = { sheets: [textSheet([["site", "n"], ...rows])] };
    await expect(open(book, { maxMemoryMb: 16 })).rejects.toThrow("must fit into memory");
  });
});
