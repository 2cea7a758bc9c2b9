import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { describe, expect, it } from "vitest";

import { failureOf, makeSource, readAll, writeFile, type ColumnSpec } from "./make-source.ts";
import { makeXlsx, makeZip, row } from "./make-xlsx.ts";

const fixture = (name: string): string =>
  fileURLToPath(new URL(`fixtures/${name}`, import.meta.url));

type Columns = Record<string, ColumnSpec>;
const read = async (name: string, columns: Columns = {}, more = {}) =>
  readAll(makeSource(fixture(name), columns, more));

const messagesOf = (problems: readonly { message: string }[]): string[] =>
  problems.map(({ message }) => message);

describe("LibreOffice (docs/spec/jobs.md section 4)", () => {
  const COLUMNS: Columns = {
    site: { required: true },
    gtin: { type: "gtin", required: true },
    price: {},
    share: {},
    day: { type: "date" },
    url: { type: "url" },
    sum: { type: "number" },
    on: { type: "boolean" },
  };

  it("XLSX: numbers, days, links and texts as they are seen; every odd cell is reported", async () => {
    const { source, rows, values } = await read("libreoffice.xlsx", COLUMNS, { merged: "fill" });
    expect(source.detected).toEqual({
      format: "xlsx",
      encoding: "-",
      delimiter: "",
      headerLine: 3,
      sheet: "Spring & Co",
    });
    expect(values[0]).toEqual({
      site: "München",
      gtin: "09506000134352",
      price: "1,234.50",
      share: "25%",
      day: "2026-11-20",
      moment: "2026-11-20 18:30",
      url: "https://menu.example/a?b=1&c=2#table=7",
      secret: "x1",
      sum: "2469",
      on: "true",
      sku: "00950",
      sscc: "106141412345678908",
    });
    expect(values[1]).toMatchObject({ day: "2024-02-29", on: "false", sku: "two\nlines" });
    expect(rows.map(({ line, problems }) => [line, messagesOf(problems)])).toEqual([
      [4, []],
      [5, ['must have a result, but its formula ends in an error, got "#DIV/0!"']],
      [9, []],
      [10, []],
    ]);
    expect(values.slice(2).map(({ site }) => site)).toEqual(["東京", "東京"]);
    expect(messagesOf(source.warnings)).toEqual([
      "1 hidden row is read like the others",
      "column H is hidden and is read like the others",
      "in 1 row a cell shows another text than its link, first in G4; columns of type url take the link",
      'cell has a value that each computer shows in its own way, and is used as "1,234.50"',
    ]);
  });

  it("XLSX: an SSCC that was stored as a number has lost digits", async () => {
    const { rows } = await read("libreoffice.xlsx", { ...COLUMNS, sscc: {} });
    const problem = rows[1]?.problems.find(({ where }) => where?.column === "sscc");
    expect(problem?.message).toContain("must be stored as text");
    expect(rows[0]?.problems.filter(({ where }) => where?.column === "sscc")).toEqual([]);
  });

  it("XLSX: the hidden sheet is read only when it is named", async () => {
    const { source, values } = await read("libreoffice.xlsx", {}, { sheet: "Old list" });
    expect(values).toEqual([{ site: "hidden" }]);
    expect(messagesOf(source.warnings)).toEqual(['sheet "Old list" is hidden']);
  });

  it("CSV in UTF-16: the same rows, and what the export has destroyed is reported", async () => {
    const columns = { ...COLUMNS, sscc: {} };
    const { source, rows } = await read("libreoffice-utf16.csv", columns);
    expect(source.detected).toMatchObject({
      encoding: "utf-16le",
      delimiter: ";",
      headerLine: 3,
    });
    expect(rows[0]?.values).toMatchObject({ site: "München", day: "2026-11-20", sku: "00950" });
    expect(rows[0]?.problems.map(({ where }) => where?.column)).toEqual(["url"]);
    expect(messagesOf(rows[1]?.problems ?? [])).toEqual([
      'must hold its text or nothing, but holds what spreadsheets write for an error, got "#DIV/0!"',
      'must be written out, without scientific notation (the spreadsheet has dropped digits), got "1.06141412345679E+017"',
    ]);
    expect(rows.map(({ line }) => line)).toEqual([4, 5, 10, 11]);
  });

  it.each([
    ["libreoffice.xls", "an old Excel workbook (.xls)"],
    ["libreoffice.ods", "an OpenDocument file (.ods)"],
    ["libreoffice.fods", "an OpenDocument file (.fods)"],
  ])("%s is refused as %s, also under another name", async (name, what) => {
    const bytes = readFileSync(fixture(name));
    for (const file of [fixture(name), writeFile("rows.xlsx", bytes), writeFile("a.csv", bytes)]) {
      const error = await failureOf(makeSource(file));
      expect(error.message).toMatch(
        what === "an OpenDocument file (.ods)" ? /OpenDocument|ZIP/u : /got an? /u,
      );
      expect(error.code).toBe("source-unreadable");
    }
    expect((await failureOf(makeSource(fixture(name)))).message).toContain(what);
  });
});

describe("openpyxl", () => {
  it("formulas without result are row errors, and hundreds of styled blank rows none", async () => {
    const { source, rows, values } = await read("openpyxl.xlsx", {
      site: { required: true },
      gtin: { type: "gtin" },
      day: { type: "date" },
      sum: {},
      url: { type: "url" },
    });
    expect(values).toHaveLength(2);
    expect(values[0]).toMatchObject({
      site: "Zürich",
      gtin: "09506000134352",
      day: "2026-11-20",
      url: "https://a.example/x#part",
    });
    expect(values[1]).toMatchObject({ day: "2026-11-20", note: "two\nlines" });
    expect(rows.map(({ problems }) => messagesOf(problems))).toEqual([
      ['must have a result, but its formula was never calculated, got ""'],
      ['must have a result, but its formula was never calculated, got ""'],
    ]);
    expect(messagesOf(source.warnings)).toContain("column F is hidden and is read like the others");
  });
});

describe("XlsxWriter", () => {
  it("inline texts, days since 1904, and zeros in place of results that Excel would calculate", async () => {
    const { source, values, problems } = await read("xlsxwriter.xlsx", {
      site: {},
      day: { type: "date" },
      sum: {},
      share: {},
      on: { type: "boolean" },
      url: { type: "url" },
    });
    expect(values).toEqual([
      {
        site: "漢字 & <b>_x000D_",
        day: "2026-11-20",
        sum: "0",
        share: "12.5%",
        on: "true",
        url: "https://c.example/?a=1&b=2#frag",
      },
      {
        site: "Bern",
        day: "1904-01-02",
        sum: "go",
        share: "0.5",
        on: "false",
        url: "https://e.example/",
      },
    ]);
    expect(problems).toEqual([]);
    expect(source.warnings.at(-2)).toMatchObject({
      message: "results of formulas (2) may be wrong: a program wrote them that doesn't calculate",
      hint: "open the file in Excel or LibreOffice, save it and run again",
      where: { line: 2 },
    });
  });
});

/** A workbook of these parts, with relationships of a namespace. */
function makeBook(
  sheet: string,
  more: { workbook?: string; strings?: string; styles?: string; base?: string } = {},
): string {
  const base = more.base ?? "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
  const relation = (id: string, type: string, target: string): string =>
    `<Relationship Id="${id}" Type="${base}/${type}" Target="${target}"/>`;
  const parts = [
    {
      name: "_rels/.rels",
      content: `<Relationships>${relation("rId1", "officeDocument", "xl/workbook.xml")}</Relationships>`,
    },
    {
      name: "xl/workbook.xml",
      content: `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\r\n<workbook xmlns:r="${base}"><workbookPr defaultThemeVersion="166925"/>${more.workbook ?? ""}<sheets><sheet name="Sheet1" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    },
    {
      name: "xl/_rels/workbook.xml.rels",
      content: `<Relationships>${relation("rId1", "worksheet", "worksheets/sheet1.xml")}${more.strings === undefined ? "" : relation("rId2", "sharedStrings", "/xl/sharedStrings.xml")}${more.styles === undefined ? "" : relation("rId3", "styles", "styles.xml")}</Relationships>`,
    },
    { name: "xl/worksheets/sheet1.xml", content: sheet },
    ...(more.strings === undefined
      ? []
      : [{ name: "xl/sharedStrings.xml", content: more.strings }]),
    ...(more.styles === undefined ? [] : [{ name: "xl/styles.xml", content: more.styles }]),
  ];
  return writeFile("book.xlsx", makeZip(parts));
}

const EXCEL_SHEET =
  '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" mc:Ignorable="x14ac" xmlns:x14ac="http://schemas.microsoft.com/office/spreadsheetml/2009/9/ac">';

describe("Excel", () => {
  it("texts with phonetic guides, escapes and spaces; spans, gaps and no dimension", async () => {
    const strings =
      '<sst count="3" uniqueCount="3"><si><t>site</t></si><si><t>東京</t><rPh sb="0" eb="2"><t>トウキョウ</t></rPh><phoneticPr fontId="1"/></si><si><r><t xml:space="preserve">a </t></r><r><rPr><b/></rPr><t>b_x000D_\nc_x005F_x0041_</t></r></si></sst>';
    const sheet = `${EXCEL_SHEET}<sheetData><row r="1" spans="1:3" x14ac:dyDescent="0.25"><c r="A1" t="s"><v>0</v></c><c r="C1" t="s"><v>0</v></c></row><row r="5" spans="1:3"><c r="A5" t="s"><v>1</v></c><c r="B5" s="1"/><c r="C5" t="s"><v>2</v></c></row></sheetData><extLst><ext><x14:row xmlns:x14="u" r="9"><x14:c r="A9"><x14:v>1</x14:v></x14:c></x14:row></ext></extLst></worksheet>`;
    const { rows } = await readAll(makeSource(makeBook(sheet, { strings }), {}, { headerRow: 1 }));
    expect(rows.map(({ line, cells }) => [line, { ...cells }])).toEqual([
      [5, { site: "東京", "column 2": "", "site (2)": "a b\r\nc_x0041_" }],
    ]);
  });

  it("its strict form: other namespaces, ISO days", async () => {
    const sheet =
      '<worksheet xmlns="http://purl.oclc.org/ooxml/spreadsheetml/main"><sheetData><row r="1"><c r="A1" t="inlineStr"><is><t>day</t></is></c></row><row r="2"><c r="A2" t="d"><v>2026-11-20T00:00:00</v></c></row></sheetData></worksheet>';
    const file = makeBook(sheet, {
      base: "http://purl.oclc.org/ooxml/officeDocument/relationships",
    });
    const { values } = await readAll(makeSource(file, { day: { type: "date" } }));
    expect(values).toEqual([{ day: "2026-11-20" }]);
  });

  it("a part in UTF-16 with a byte order mark", async () => {
    const xml =
      '<?xml version="1.0" encoding="UTF-16"?><worksheet><sheetData><row><c t="inlineStr"><is><t>ort</t></is></c></row><row><c t="inlineStr"><is><t>Zürich</t></is></c></row></sheetData></worksheet>';
    const zip = makeZip([
      {
        name: "xl/workbook.xml",
        content: '<workbook><sheets><sheet name="S" id="r1"/></sheets></workbook>',
      },
      {
        name: "xl/_rels/workbook.xml.rels",
        content:
          '<Relationships><Relationship Id="r1" Type="x/worksheet" Target="s.xml"/></Relationships>',
      },
      { name: "xl/s.xml", content: Buffer.from(`\uFEFF${xml}`, "utf16le") },
    ]);
    const { values } = await readAll(makeSource(writeFile("wide.xlsx", zip)));
    expect(values).toEqual([{ ort: "Zürich" }]);
  });
});

describe("programs that leave the addresses out", () => {
  it("rows and cells follow each other", async () => {
    const sheet = `${EXCEL_SHEET}<sheetData><row><c t="inlineStr"><is><t>a</t></is></c><c t="inlineStr"><is><t>b</t></is></c></row><row><c/><c><v>1</v></c></row><row r="9"><c><v>2</v></c></row><row><c r="B10"><v>3</v></c></row></sheetData></worksheet>`;
    const { rows } = await readAll(makeSource(makeBook(sheet)));
    expect(rows.map(({ line, cells }) => [line, { ...cells }])).toEqual([
      [2, { a: "", b: "1" }],
      [9, { a: "2", b: "" }],
      [10, { a: "", b: "3" }],
    ]);
  });
});

describe("damage that checksums don't see", () => {
  const good = row(1, ["site", "n"]) + row(2, ["a", "1"]);

  it("sorts rows that are out of order", async () => {
    const { values } = await readAll(
      makeSource(writeFile("x.xlsx", makeXlsx({ sheets: [{ rows: row(3, ["b", "2"]) + good }] }))),
    );
    expect(values.map(({ site }) => site)).toEqual(["a", "b"]);
  });

  it.each([
    ["a row twice", `${good}${row(2, ["c", "3"])}`, "row 2 twice"],
    [
      "a cell twice",
      `${good}<row r="3"><c r="A3"><v>1</v></c><c r="A3"><v>2</v></c></row>`,
      "the cell A3 twice",
    ],
    [
      "a cell of another row",
      `${good}<row r="3"><c r="A4"><v>1</v></c></row>`,
      "the cell A4 in row 3",
    ],
    [
      "an address that is none",
      `${good}<row r="3"><c r="3A"><v>1</v></c></row>`,
      'the cell address "3A"',
    ],
    [
      "a column beyond the last",
      `${good}<row r="3"><c r="ZZZ3"><v>1</v></c></row>`,
      'the cell address "ZZZ3"',
    ],
    ["a row beyond the last", `${good}<row r="1048577"/>`, "the row number"],
    [
      "a text that is missing",
      `${good}<row r="3"><c r="A3" t="s"><v>7</v></c></row>`,
      "whose text is missing",
    ],
    [
      "a number cell without a number",
      `${good}<row r="3"><c r="A3"><v>1,5</v></c></row>`,
      "a number cell without a number (1,5)",
    ],
  ])("%s is an error, not a lost row", async (_what, rows, message) => {
    const file = writeFile("x.xlsx", makeXlsx({ sheets: [{ rows }] }));
    const error = await failureOf(makeSource(file));
    expect(error.message).toContain(message);
    expect(error.hint).toBe("open it in Excel or LibreOffice and save it again as XLSX");
  });

  it("a link whose address is missing is one, too", async () => {
    const after = '<hyperlinks><hyperlink ref="A2" r:id="r9"/></hyperlinks>';
    const file = writeFile("x.xlsx", makeXlsx({ sheets: [{ rows: good, after }] }));
    expect((await failureOf(makeSource(file))).message).toContain("whose address is missing (A2)");
  });

  it("texts in broken UTF-8 are refused, not replaced", async () => {
    const bytes = Buffer.concat([
      Buffer.from('<worksheet><sheetData><row><c t="inlineStr"><is><t>M'),
      Buffer.from([0xfc]),
      Buffer.from("nchen</t></is></c></row></sheetData></worksheet>"),
    ]);
    const zip = makeZip([
      {
        name: "xl/workbook.xml",
        content: '<workbook><sheets><sheet name="S" id="r1"/></sheets></workbook>',
      },
      {
        name: "xl/_rels/workbook.xml.rels",
        content:
          '<Relationships><Relationship Id="r1" Type="x/worksheet" Target="s.xml"/></Relationships>',
      },
      { name: "xl/s.xml", content: bytes },
    ]);
    const error = await failureOf(makeSource(writeFile("latin.xlsx", zip)));
    expect(error.message).toContain("must be well-formed");
  });

  it("entities of a document's own are not expanded", async () => {
    const sheet = '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa">]><worksheet><sheetData/></worksheet>';
    const error = await failureOf(makeSource(makeBook(sheet)));
    expect(error.message).toContain("it has a document type");
  });
});

describe("CSV and XLSX alike (docs/spec/jobs.md section 4)", () => {
  const tables: [string, (rows: string[][]) => string][] = [
    ["CSV", (rows) => writeFile("t.csv", rows.map((cells) => cells.join(";")).join("\r"))],
    [
      "XLSX",
      (rows) => {
        const xml = rows.map((cells, at) => row(at + 1, cells)).join("");
        return writeFile("t.xlsx", makeXlsx({ sheets: [{ rows: xml }] }));
      },
    ],
  ];

  describe.each(tables)("%s", (_format, write) => {
    it("headers match through no-break and zero-width characters", async () => {
      const file = write([
        ["\u200bSite\u00a0Name", "n"],
        ["a", "1"],
      ]);
      const { values } = await readAll(makeSource(file, { "site name": { required: true } }));
      expect(values).toEqual([{ "site name": "a", n: "1" }]);
    });

    it("a repeated header in use is refused", async () => {
      const file = write([
        ["site", "Site", "n"],
        ["a", "b", "1"],
      ]);
      const error = await failureOf(makeSource(file, { site: { required: true } }));
      expect(error.message).toBe('header must name each used column once, got "site" twice');
    });

    it("blank rows are skipped and counted in the line numbers", async () => {
      const { rows } = await readAll(
        makeSource(
          write([
            ["site", "n"],
            ["", ""],
            [" ", ""],
            ["a", "1"],
          ]),
        ),
      );
      expect(rows.map(({ line }) => line)).toEqual([4]);
    });

    it("long numbers in scientific notation name their cause", async () => {
      const { problems } = await readAll(
        makeSource(
          write([
            ["ean", "n"],
            ["9,50600013435E+12", "1"],
            ["x", "2"],
          ]),
        ),
      );
      expect(problems).toHaveLength(1);
      expect(problems[0]).toContain(
        "without scientific notation (the spreadsheet has dropped digits)",
      );
    });

    it("errors of formulas and columns too narrow are no texts", async () => {
      const { rows } = await readAll(makeSource(write([["a"], ["#N/A"], ["#######"], ["#1"]])));
      expect(rows.map(({ problems }) => problems[0]?.message)).toEqual([
        'must hold its text or nothing, but holds what spreadsheets write for an error, got "#N/A"',
        'must show its text, but its column was too narrow when the file was saved, got "#######"',
        undefined,
      ]);
    });

    it('text marks are stripped: \' before a formula, ="…"', async () => {
      const { values } = await readAll(
        makeSource(
          write([
            ["a", "b"],
            ["'=1+1", '="0950"'],
          ]),
        ),
      );
      expect(values).toEqual([{ a: "=1+1", b: "0950" }]);
    });

    it("__proto__ and constructor are columns like others", async () => {
      const { rows } = await readAll(
        makeSource(
          write([
            ["__proto__", "constructor"],
            ["x", "y"],
          ]),
        ),
      );
      expect(Object.entries(rows[0]?.values ?? {})).toEqual([
        ["__proto__", "x"],
        ["constructor", "y"],
      ]);
    });

    it("rows longer than the header are reported with their extra text", async () => {
      const { rows } = await readAll(
        makeSource(
          write([
            ["a", "b"],
            ["1", "2", "more"],
            ["3", "4"],
          ]),
        ),
      );
      expect(rows[0]?.problems[0]?.message).toContain('too many: "more"');
      expect(rows[1]?.problems).toEqual([]);
    });
  });

  it("NUL: raw in CSV, escaped in XLSX", async () => {
    const xml =
      '<row r="1"><c t="inlineStr"><is><t>a</t></is></c></row><row r="2"><c t="inlineStr"><is><t>x_x0000_y</t></is></c></row>';
    const files = [
      writeFile("n.csv", "a\nx\u0000y\n"),
      writeFile("n.xlsx", makeXlsx({ sheets: [{ rows: xml }] })),
    ];
    for (const file of files) {
      const { problems } = await readAll(makeSource(file));
      expect(problems).toEqual(["cell must be text without NUL characters"]);
    }
  });
});
