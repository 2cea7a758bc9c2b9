/** What programs show beside the value of a cell and its own format. */
import { makeXlsx, makeZip, number, row, type ZipPart } from "../make-xlsx.ts";
import type { Case } from "./case.ts";

/** Stored number, what General shows of it, and the text that is used. */
const SHORTENED: readonly (readonly [stored: number | string, shown: string, used: string])[] = [
  [4_006_381_333_931, "4.00638E+12", "4006381333931"],
  [123_456_789_012, "1.23457E+11", "123456789012"],
  [-123_456_789_012, "-1.23457E+11", "-123456789012"],
  [100_000_000_000, "1E+11", "100000000000"],
  [150_000_000_000_000, "1.5E+14", "150000000000000"],
  ["99999999999.5", "1E+11", "99999999999.5"],
  ["12345678901.5", "12345678902", "12345678901.5"],
  ["1234567890.56", "1234567891", "1234567890.56"],
  ["123456789.123", "123456789.1", "123456789.123"],
  ["0.3333333333333333", "0.333333333", "0.333333333333333"],
  ["-0.6666666666666666", "-0.666666667", "-0.666666666666667"],
  ["0.0001234567891", "0.000123457", "0.0001234567891"],
  ["1.2345678E-05", "1.23457E-05", "0.000012345678"],
  ["1.5E-09", "1.5E-09", "0.0000000015"],
  ["0.9999999999999", "1", "0.9999999999999"],
];

/** No digit is missing. */
const WHOLE: readonly (readonly [stored: number | string, shown: string])[] = [
  [12_345_678_901, "12345678901"],
  [-12_345_678_901, "-12345678901"],
  ["1234567.891", "1234567.891"],
  ["0.30000000000000004", "0.3"],
  ["1E-07", "0.0000001"],
  ["1.25E+10", "12500000000"],
  [0, "0"],
];

const bookOf = (stored: number | string, style = 0): Uint8Array =>
  makeXlsx({
    formats: ['General" pcs"'],
    sheets: [{ rows: row(1, ["c", "d"]) + row(2, [number(stored, style), "x"]) }],
  });

const shortened = (shown: string, used: string): string =>
  `2 c: cell has a number that spreadsheets shorten: ${JSON.stringify(shown)}, used as ${JSON.stringify(used)}`;

const SHEET = "application/vnd.openxmlformats-officedocument.spreadsheetml";
const REL = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

interface Around {
  /** Before the rows. */
  readonly before?: string;
  readonly rows: string;
  /** Behind the rows. */
  readonly after?: string;
  /** Inside of the styles. */
  readonly styles?: string;
  readonly more?: readonly ZipPart[];
}

const sheetOf = ({ before = "", rows, after = "", styles = "", more = [] }: Around): Uint8Array =>
  makeZip([
    { name: "[Content_Types].xml", content: `<Types><Default ContentType="${SHEET}"/></Types>` },
    {
      name: "xl/workbook.xml",
      content: `<workbook xmlns:r="${REL}"><sheets><sheet name="S" r:id="r1"/></sheets></workbook>`,
    },
    {
      name: "xl/_rels/workbook.xml.rels",
      content: `<Relationships><Relationship Id="r1" Type="${REL}/worksheet" Target="worksheets/s.xml"/><Relationship Id="r2" Type="${REL}/styles" Target="styles.xml"/></Relationships>`,
    },
    { name: "xl/styles.xml", content: `<styleSheet>${styles}</styleSheet>` },
    {
      name: "xl/worksheets/s.xml",
      content: `<worksheet xmlns:r="${REL}">${before}<sheetData>${rows}</sheetData>${after}</worksheet>`,
    },
    ...more,
  ]);

const STOCK = row(1, ["id", "stock"]) + row(2, ["r1", number(3)]) + row(3, ["r2", number(0)]);
const NO_ZEROS = '<sheetViews><sheetView showZeros="0"/></sheetViews>';
const stock = { columns: { stock: { type: "integer" } } } as const;

const rulesOf = (rule: string): string =>
  `<conditionalFormatting sqref="B2:B3"><cfRule type="cellIs">${rule}</cfRule></conditionalFormatting>`;
const newRule = (rule: string, area: string): string =>
  `<x:conditionalFormatting><x:cfRule>${rule}</x:cfRule><xm:sqref>${area}</xm:sqref></x:conditionalFormatting>`;
const WORDS = '<dxfs><dxf><font/></dxf><dxf><numFmt numFmtId="9" formatCode="x"/></dxf></dxfs>';
const ruled = "- -: cells B2:B3 may show another text than their own, by conditional formatting";

const tableOf = (totals: string): Around => ({
  rows: STOCK,
  after: '<tableParts count="1"><tablePart r:id="t1"/></tableParts>',
  more: [
    {
      name: "xl/worksheets/_rels/s.xml.rels",
      content: `<Relationships><Relationship Id="t1" Type="${REL}/table" Target="../tables/table1.xml"/></Relationships>`,
    },
    { name: "xl/tables/table1.xml", content: `<table ref="A1:B3"${totals}><x/></table>` },
  ],
});

const DATES =
  '<numFmts count="1"><numFmt numFmtId="170" formatCode="dd.mm.yyyy"/></numFmts><cellXfs count="3"><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="170"/></cellXfs>';
const dayCell = (style: number, value = "2026-11-20T00:00:00.000Z"): { xml: string } => ({
  xml: `<c t="d" s="${style}"><v>${value}</v></c>`,
});
const days = (...cells: readonly { xml: string }[]): Uint8Array =>
  sheetOf({
    styles: DATES,
    rows: row(1, ["id", "day"]) + cells.map((one, at) => row(at + 2, [`r${at}`, one])).join(""),
  });

const ITEMS = row(1, ["id", "n"]) + row(2, ["a", "1"]) + row(3, ["b", "2"], ' hidden="1"');

const richPart = (name: string, content: string): ZipPart => ({ name: `xl/${name}.xml`, content });
/** As Excel writes countries and pictures. */
const richBook = makeZip([
  richPart("workbook", '<workbook><sheets><sheet name="S" r:id="r1"/></sheets></workbook>'),
  {
    name: "xl/_rels/workbook.xml.rels",
    content: `<Relationships>${[
      ["worksheet", "s"],
      ["sheetMetadata", "m"],
      ["rdRichValue", "v"],
      ["rdRichValueStructure", "k"],
    ]
      .map(
        ([type, part], at) =>
          `<Relationship Id="r${at + 1}" Type="x/${type}" Target="${part}.xml"/>`,
      )
      .join("")}</Relationships>`,
  },
  richPart(
    "s",
    `<worksheet><sheetData>${row(1, ["a", "b"])}${[1, 2].map((vm) => row(vm + 1, [{ xml: `<c t="e" vm="${vm}"><v>#VALUE!</v></c>` }, "x"])).join("")}</sheetData></worksheet>`,
  ),
  richPart(
    "m",
    '<metadata><metadataTypes><metadataType name="XLDAPR"/><metadataType name="XLRICHVALUE"/></metadataTypes><futureMetadata name="XLDAPR"><bk/></futureMetadata><futureMetadata name="XLRICHVALUE"><bk><extLst><ext><xlrd:rvb i="1"/></ext></extLst></bk><bk><extLst><ext><xlrd:rvb i="0"/></ext></extLst></bk></futureMetadata><cellMetadata><bk><rc t="1" v="0"/></bk></cellMetadata><valueMetadata><bk><rc t="2" v="0"/></bk><bk><rc t="2" v="1"/></bk></valueMetadata></metadata>',
  ),
  richPart(
    "v",
    '<rvData><rv s="1"><v>0</v><v>5</v></rv><rv s="0"><v>536870912</v><v>Perú</v></rv></rvData>',
  ),
  richPart(
    "k",
    '<rvStructures><s t="_linkedentity2"><k n="%EntityServiceId" t="i"/><k n="_DisplayString" t="s"/></s><s t="_localImage"><k n="_rvRel:LocalImageIdentifier" t="i"/><k n="CalcOrigin" t="i"/></s></rvStructures>',
  ),
]);

export const shownCases: readonly Case[] = [
  ...SHORTENED.flatMap(([stored, shown, used]): Case[] => [
    {
      name: `${stored} is shortened to ${shown}, and told where it is used as text`,
      file: bookOf(stored),
      columns: { c: {} },
      taken: [{ c: used }],
      warned: [shortened(shown, used)],
    },
    {
      name: `${stored} is a number where one is wanted`,
      file: bookOf(stored),
      columns: { c: { type: "number" } },
      taken: [{ c: used }],
    },
  ]),
  ...WHOLE.map(([stored, shown]): Case => ({
    name: `${stored} is seen as ${shown}`,
    file: bookOf(stored),
    columns: { c: {} },
    taken: [{ c: shown }],
    warned: shown.includes(".") ? [`is used as ${JSON.stringify(shown)}`] : [],
  })),
  {
    name: "a GTIN in General is whole where one is wanted",
    file: bookOf(4_006_381_333_931),
    columns: { c: { type: "gtin" } },
    taken: [{ c: "04006381333931" }],
  },
  {
    name: "a number that words shorten",
    file: bookOf(123_456_789_012, 5),
    columns: { c: { type: "number" } },
    taken: [{ c: "123456789012" }],
    warned: ['isn\'t the one that is shown: "1.23457E+11 pcs", used as "123456789012"'],
  },
  {
    name: "tenths of seconds",
    file: makeXlsx({
      formats: ["mm:ss.0", "[ss].00", "hh:mm:ss.000", "mm:ss"],
      sheets: [
        {
          rows:
            row(1, ["a", "b", "c", "d"]) +
            row(
              2,
              [5, 6, 7, 8].map((style) => number("0.0100057986", style)),
            ),
        },
      ],
    }),
    taken: [{ a: "14:24.5", b: "864.50", c: "00:14:24.501", d: "14:25" }],
  },
  {
    name: "zeros that the sheet doesn't show",
    file: sheetOf({ before: NO_ZEROS, rows: STOCK }),
    columns: { stock: {} },
    taken: [{ stock: "3" }, { stock: "" }],
    warned: ['3 stock: cell has a value that the sheet doesn\'t show, and is used as empty: "0"'],
  },
  {
    name: "zeros that the sheet doesn't show are numbers where one is wanted",
    file: sheetOf({ before: NO_ZEROS, rows: STOCK }),
    ...stock,
    taken: [{ stock: "3" }, { stock: "0" }],
    warned: ['3 stock: cell has a value that isn\'t the one that is shown: "", used as "0"'],
  },
  {
    name: "a rule that shows words for numbers",
    file: sheetOf({
      rows: STOCK,
      styles: WORDS,
      after: rulesOf("").replace("type", 'dxfId="1" type'),
    }),
    ...stock,
    taken: [{ stock: "3" }, { stock: "0" }],
    warned: [ruled],
  },
  {
    name: "a rule that shows an icon instead of a number",
    file: sheetOf({ rows: STOCK, after: rulesOf('<iconSet showValue="0"/>') }),
    ...stock,
    taken: [{ stock: "3" }, { stock: "0" }],
    warned: [ruled],
  },
  {
    name: "rules of Excel 2010, whose areas stand behind them",
    file: sheetOf({
      rows: STOCK,
      after: `<extLst><ext>${newRule("<x:iconSet showValue='0'/>", "A2")}${newRule("<x:dxf><numFmt numFmtId='9' formatCode='x'/></x:dxf>", "B2:B3")}${newRule("<x:dxf><font/></x:dxf>", "A3")}</ext></extLst>`,
    }),
    ...stock,
    taken: [{ stock: "3" }, { stock: "0" }],
    warned: [ruled.replace("B2:B3", "A2, B2:B3")],
  },
  {
    name: "a rule that only colours",
    file: sheetOf({
      rows: STOCK,
      styles: WORDS,
      after: rulesOf("<iconSet/>").replace("type", 'dxfId="0" type'),
    }),
    ...stock,
    taken: [{ stock: "3" }, { stock: "0" }],
  },
  {
    name: "the totals of a table",
    file: sheetOf(tableOf(' totalsRowCount="1"')),
    ...stock,
    taken: [{ stock: "3" }, { stock: "0" }],
    warned: ["3 -: row holds the totals of a table, and is read like the others"],
  },
  {
    name: "a table without totals",
    file: sheetOf(tableOf(' totalsRowShown="0"')),
    ...stock,
    taken: [{ stock: "3" }, { stock: "0" }],
  },
  {
    name: "a table whose part is missing",
    file: sheetOf({ ...tableOf(""), more: tableOf("").more?.slice(0, 1) ?? [] }),
    ...stock,
    taken: [{ stock: "3" }, { stock: "0" }],
  },
  {
    name: "a sheet that shows its formulas",
    file: sheetOf({
      before: '<sheetViews><sheetView showFormulas="1"/></sheetViews>',
      rows: row(1, ["id", "n"]) + row(2, ["a", { xml: "<c><f>1+1</f><v>2</v></c>" }]),
    }),
    columns: { n: {} },
    taken: [{ n: "2" }],
    warned: ["2 -: sheet shows its formulas; their results are used"],
  },
  {
    name: "a country of Excel's data types, and a picture in a cell",
    file: richBook,
    taken: [{ a: "Perú", b: "x" }],
    refused: ["3 a: must hold its text or nothing, but holds what spreadsheets write for an error"],
  },
  {
    name: "days that are written out, in a format",
    file: days(dayCell(2), dayCell(0), dayCell(2, "2026-11-20T18:30:00")),
    columns: { day: {} },
    taken: [{ day: "20.11.2026" }, { day: "2026-11-20" }, { day: "20.11.2026" }],
  },
  {
    name: "days that are written out, in a format of each computer",
    file: days(dayCell(1)),
    columns: { day: {} },
    taken: [{ day: "2026-11-20" }],
    warned: [
      '2 day: cell has a value that each computer shows in its own way, and is used as "2026-11-20"',
    ],
  },
  {
    name: "days that are written out, of a column of days",
    file: days(dayCell(1), dayCell(2), dayCell(0)),
    columns: { day: { type: "date" } },
    taken: [{ day: "2026-11-20" }, { day: "2026-11-20" }, { day: "2026-11-20" }],
  },
  {
    name: "rows that are hidden unless they hold something",
    file: sheetOf({ before: '<sheetFormatPr defaultRowHeight="15" zeroHeight="1"/>', rows: ITEMS }),
    columns: { id: {} },
    taken: [{ id: "a" }, { id: "b" }],
    warned: ["3 -: 1 hidden row is read like the others"],
  },
  ...["0", "0.0", "0.2"].map((height): Case => ({
    name: `a row of height ${height}`,
    file: sheetOf({ rows: ITEMS.replace('hidden="1"', `ht="${height}" customHeight="1"`) }),
    columns: { id: {} },
    taken: [{ id: "a" }, { id: "b" }],
    warned: ["3 -: 1 hidden row is read like the others"],
  })),
  {
    name: "rows of height 0 are left out where hidden ones are",
    file: sheetOf({ rows: ITEMS.replace('hidden="1"', 'ht="0" customHeight="1"') }),
    columns: { id: {} },
    source: { skipHiddenRows: true },
    taken: [{ id: "a" }],
  },
  {
    name: 'headers written as formulas of texts, ="id"',
    file: '="id","=""my text"""\n="0950","=""12"""\n',
    columns: { id: { required: true }, note: { aliases: ["my text"] } },
    taken: [{ id: "0950", note: "12" }],
  },
  {
    name: "what databases write for nothing",
    file: "id\tname\tend\nr1\t\\N\tx\nr2\ta\tx\n",
    columns: { name: {} },
    refused: [
      '2 name: must hold its text or nothing, but holds what databases write for nothing, got "\\N"',
    ],
    taken: [{ name: "a" }],
  },
];

/** Other files of spreadsheet programs: first bytes, and what they are. */
const OTHERS: readonly (readonly [name: string, content: string | Buffer, what: string])[] = [
  ["a.slk", 'ID;PWXL;N;E\r\nP;PGeneral\r\nC;Y1;X1;K"id"\r\nE\r\n', "a SYLK spreadsheet (.slk)"],
  ["a.csv", "ID;PSCALC3\nC;X1;Y1;K1\nE\n", "a SYLK spreadsheet (.slk)"],
  ["a.dif", 'TABLE\r\n0,1\r\n"x"\r\nVECTORS\r\n', "a DIF spreadsheet (.dif)"],
  ["a.txt", "socialcalc:version:1.0\nMIME-Version: 1.0\n", "a SocialCalc sheet"],
  ["a.xls", Buffer.from([9, 0, 4, 0, 2, 0, 0x10, 0, 1]), "an old Excel workbook (.xls)"],
  ["b.xls", Buffer.from([9, 4, 6, 0, 0, 4, 0x10, 0, 1]), "an old Excel workbook (.xls)"],
  ["a.wk1", Buffer.from([0, 0, 2, 0, 6, 4, 6, 0, 8]), "a Lotus 1-2-3 worksheet"],
  ["a.wk3", Buffer.from([0, 0, 0x1a, 0, 0, 0x10, 4, 0]), "a Lotus 1-2-3 worksheet"],
  ["a.dbf", makeDbf(), "a dBase table (.dbf)"],
  [
    "a.fods",
    '<?xml version="1.0"?><office:document xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"/>',
    "an OpenDocument file (.fods)",
  ],
];

function makeDbf(): Buffer {
  const head = Buffer.alloc(66, 0x20);
  head.set([3, 126, 11, 20, 1, 0, 0, 0, 65, 0, 8, 0]);
  head[64] = 0x0d;
  return head;
}

export const foreignCases: readonly Case[] = [
  ...OTHERS.map(([name, file, what]): Case => ({
    name: `${name}, ${what}`,
    file,
    as: name,
    fails: `got ${what}`,
  })),
  {
    name: "a table whose first header is ID and whose second begins with P is none of these",
    file: "ID;Preis\nB;10\nC;20\n",
    columns: { Preis: { type: "integer" } },
    taken: [{ Preis: "10" }, { Preis: "20" }],
  },
  {
    name: "a table whose header is TABLE is none of these",
    file: "TABLE\n0\n1\n",
    taken: [{ TABLE: "0" }, { TABLE: "1" }],
  },
];
