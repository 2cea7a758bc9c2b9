/** Workbooks of programs that write them in their own ways. */
import { cell, makeXlsx, makeZip, number, row, textSheet, type ZipPart } from "../make-xlsx.ts";
import type { Case } from "./case.ts";

const RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const SHEET = `<worksheet><sheetData>${row(1, ["a", "b"])}${row(2, ["x", "y"])}</sheetData></worksheet>`;
const taken = [{ a: "x", b: "y" }];

const relations = (target: string): string =>
  `<Relationships><Relationship Id="r1" Type="${RELATIONS}/worksheet" Target="${target}"/></Relationships>`;

/** One sheet, at this place and named so in its relation. */
const bookAt = (
  name: string,
  target: string,
  sheet: string | Buffer = SHEET,
  more: readonly ZipPart[] = [],
): Buffer =>
  makeZip([
    { name: "[Content_Types].xml", content: "<Types/>" },
    {
      name: "xl/workbook.xml",
      content: '<workbook><sheets><sheet name="S" r:id="r1"/></sheets></workbook>',
    },
    { name: "xl/_rels/workbook.xml.rels", content: relations(target) },
    { name, content: sheet },
    ...more,
  ]);

const plain = bookAt("xl/worksheets/sheet1.xml", "worksheets/sheet1.xml");
const sheetOf = (rows: string): Buffer =>
  bookAt("xl/s.xml", "s.xml", `<worksheet><sheetData>${rows}</sheetData></worksheet>`);
const text = (inner: string): { xml: string } => ({
  xml: `<c t="inlineStr"><is><t>${inner}</t></is></c>`,
});
const oneText = (inner: string): Uint8Array =>
  makeXlsx({ sheets: [{ rows: row(1, ["a", "b"]) + row(2, [text(inner), "y"]) }] });

const view = (active: number): ZipPart => ({
  name: "xl/workbook.xml",
  content: `<workbook xmlns:r="${RELATIONS}"><bookViews><workbookView activeTab="${active}"/></bookViews><sheets><sheet name="A" r:id="r1"/><sheet name="B" r:id="r2"/></sheets></workbook>`,
});
const twoSheets = (active: number, second: string): Buffer =>
  makeZip([
    view(active),
    {
      name: "xl/_rels/workbook.xml.rels",
      content: `<Relationships><Relationship Id="r1" Type="${RELATIONS}/worksheet" Target="a.xml"/><Relationship Id="r2" Type="${RELATIONS}/worksheet" Target="b.xml"/></Relationships>`,
    },
    { name: "xl/a.xml", content: SHEET },
    { name: "xl/b.xml", content: `<worksheet><sheetData>${second}</sheetData></worksheet>` },
  ]);

const latin = (declared: string): Buffer =>
  Buffer.from(
    `<?xml version="1.0" encoding="${declared}"?><worksheet><sheetData>${row(1, ["a", "b"])}${row(2, ["Zürich", "y"])}</sheetData></worksheet>`,
    "latin1",
  );

const mergedOf = (...areas: readonly string[]): string =>
  `<mergeCells>${areas.map((ref) => `<mergeCell ref="${ref}"/>`).join("")}</mergeCells>`;

export const workbookCases: readonly Case[] = [
  {
    name: "a part whose name differs in case",
    file: bookAt("xl/Worksheets/Sheet1.xml", "worksheets/sheet1.xml"),
    taken,
  },
  {
    name: "a target with %20",
    file: bookAt("xl/worksheets/my sheet.xml", "worksheets/my%20sheet.xml"),
    taken,
  },
  {
    name: "a part that is named with %20",
    file: bookAt("xl/worksheets/my%20sheet.xml", "worksheets/my%20sheet.xml"),
    taken,
  },
  { name: "a target whose % is none", file: bookAt("xl/100%.xml", "100%.xml"), taken },
  {
    name: "bytes before the archive",
    file: Buffer.concat([Buffer.from("\r\n\r\n"), plain]),
    as: "a.xlsx",
    taken,
  },
  {
    name: "a byte order mark before the archive",
    file: Buffer.concat([Buffer.from("\ufeff"), plain]),
    as: "a.xlsx",
    taken,
  },
  {
    name: "bytes behind the archive",
    file: Buffer.concat([plain, Buffer.from("\r\n--boundary--\r\n")]),
    taken,
  },
  {
    name: "100 kB of zeros behind the archive",
    file: Buffer.concat([plain, Buffer.alloc(100_000)]),
    taken,
  },
  { name: "the archive is cut off", file: plain.subarray(0, -30), fails: "cut off or damaged" },
  {
    name: "rows without numbers, cells with names",
    file: sheetOf(
      `<row>${cell("A1", "a")}${cell("B1", "b")}</row><row>${cell("A5", "x")}${cell("B5", "y")}</row><row>${cell("A6", "")}${cell("B6", "z")}</row>`,
    ),
    columns: { a: { required: true } },
    taken,
    refused: ["6 a: must not be empty"],
  },
  {
    name: "rows without numbers whose cells go back",
    file: sheetOf(`<row>${cell("A5", "a")}</row><row>${cell("A2", "x")}</row>`),
    fails: "the cell A2 in row 6",
  },
  {
    name: "a part in ISO-8859-1",
    file: bookAt("xl/s.xml", "s.xml", latin("ISO-8859-1")),
    taken: [{ a: "Zürich" }],
  },
  {
    name: "a part in windows-1252",
    file: bookAt("xl/s.xml", "s.xml", latin("windows-1252")),
    taken: [{ a: "Zürich" }],
  },
  {
    name: "a part that says UTF-8 and isn't",
    file: bookAt("xl/s.xml", "s.xml", latin("UTF-8")),
    fails: "must be well-formed",
  },
  {
    name: "a part in an encoding that nobody knows",
    file: bookAt("xl/s.xml", "s.xml", latin("x-klingon")),
    fails: "workbook must be in UTF-8 or UTF-16, got a part in x-klingon",
  },
  { name: "_X0041_ is no escape", file: oneText("_X0041_"), taken: [{ a: "_X0041_" }] },
  { name: "_x0041_ is one", file: oneText("_x0041_"), taken: [{ a: "A" }] },
  { name: "_x005F_x0041_ is none", file: oneText("_x005F_x0041_"), taken: [{ a: "_x0041_" }] },
  { name: "_x00e9_ with small digits is one", file: oneText("_x00e9_"), taken: [{ a: "é" }] },
  {
    name: "an escaped control character",
    file: oneText("x_x0001_y"),
    refused: ["2 a: cell must be text without control characters"],
  },
  {
    name: "an escaped NUL",
    file: oneText("x_x0000_y"),
    refused: ["2 a: cell must be text without NUL characters"],
  },
  {
    name: "an escaped line end and a tab",
    file: oneText("x_x000D_\ny_x0009_z"),
    taken: [{ a: "x\r\ny\tz" }],
  },
  {
    name: "a letter that was lost",
    file: oneText("M\ufffdnchen"),
    taken: [{ a: "M\ufffdnchen" }],
    warned: ['2 a: cell has a letter that was lost before: "M\ufffdnchen"'],
  },
  {
    name: "a row of no height is hidden",
    file: sheetOf(`${row(1, ["a", "b"])}${row(2, ["x", "y"], ' ht="0" customHeight="1"')}`),
    taken,
    warned: ["1 hidden row is read like the others"],
  },
  {
    name: "a row of no height is left out with hidden ones",
    file: sheetOf(`${row(1, ["a", "b"])}${row(2, ["x", "y"], ' ht="0"')}${row(3, ["z", "y"])}`),
    source: { skipHiddenRows: true },
    taken: [{ a: "z" }],
  },
  {
    name: "a column of no width is hidden",
    file: bookAt(
      "xl/s.xml",
      "s.xml",
      SHEET.replace("<sheetData>", '<cols><col min="2" max="2" width="0"/></cols><sheetData>'),
    ),
    taken,
    warned: ["column B is hidden and is read like the others"],
  },
  {
    name: "two sheets with one header",
    file: twoSheets(0, row(1, ["a", "b"]) + row(2, ["other", "y"])),
    taken,
    warned: ['sheet "A" is read, but there are others with the same header: "B"'],
  },
  {
    name: "two sheets with one header, one of which is named",
    file: twoSheets(0, row(1, ["a", "b"]) + row(2, ["other", "y"])),
    source: { sheet: "B" },
    taken: [{ a: "other" }],
  },
  {
    name: "two sheets, and the header of the other stands lower",
    file: twoSheets(0, row(1, ["Title"]) + row(3, ["a", "b"]) + row(4, ["other", "y"])),
    taken,
    warned: ["others with the same header"],
  },
  { name: "two sheets with other headers", file: twoSheets(0, row(1, ["c", "d"])), taken },
  { name: "another sheet that is damaged", file: twoSheets(0, "<row"), taken },
  {
    name: "the workbook opens with another sheet",
    file: twoSheets(1, row(1, ["c", "d"])),
    taken,
    warned: ['sheet "A" is read, as the first one, but the workbook opens with "B"'],
  },
  {
    name: "the workbook opens with another sheet, and one is named",
    file: twoSheets(1, row(1, ["c", "d"])),
    source: { sheet: 1 },
    taken,
  },
  {
    name: "a printout that repeats its header",
    file: makeXlsx({
      sheets: [
        textSheet([
          ["a", "b"],
          ["x", "y"],
          ["a", "b"],
          ["z", "y"],
          [" a", "b "],
        ]),
      ],
    }),
    taken: [{ a: "x" }, { a: "z" }],
    warned: ["3 -: 2 rows are the header again, as printouts have on each page"],
  },
  {
    name: "names over two lines, some of them merged over both",
    file: makeXlsx({
      sheets: [
        {
          ...textSheet([
            ["Guests of 2026"],
            ["No.", "Address", "", "Seat"],
            ["", "2026", "Link", ""],
            ["1", "Bonn", "https://a.example/", "A"],
            ["2", "Wien", "https://b.example/", "B"],
            ["", "Graz", "https://c.example/", ""],
          ]),
          after: mergedOf("A1:D1", "A2:A3", "D2:D3", "B2:C2", "A5:A6"),
        },
      ],
    }),
    uses: ["No.", "2026", "Seat"],
    taken: [
      { "No.": "1", "2026": "Bonn", Link: "https://a.example/", Seat: "A" },
      { "No.": "2", Seat: "B" },
      { "No.": "", Seat: "" },
    ],
    warned: ["5 -: cells A5:A6 are merged"],
  },
  {
    name: "names over two lines below groups that fill more than a third of them",
    file: makeXlsx({
      sheets: [
        {
          ...textSheet([
            ["Firm", "List"],
            ["Town", "Plan", "", "Reached", ""],
            ["", "Tables", "2026", "Rooms", "Staff"],
            ["Bonn", "1", "2", "3", "4"],
          ]),
          after: mergedOf("A2:A3", "B2:C2", "D2:E2"),
        },
      ],
    }),
    taken: [{ Town: "Bonn", Tables: "1", Staff: "4" }],
  },
  {
    name: "names over two lines where merged cells are filled",
    file: makeXlsx({
      sheets: [
        {
          ...textSheet([
            ["Town", "Plan", ""],
            ["", "Tables", "Seats"],
            ["Bonn", "1", "2"],
          ]),
          after: mergedOf("A1:A2", "B1:C1"),
        },
      ],
    }),
    source: { merged: "fill" },
    uses: ["Town"],
    taken: [{ Town: "Bonn", Seats: "2" }],
  },
  {
    name: "merged cells of rows below a column without a name are no names",
    file: makeXlsx({
      sheets: [
        {
          ...textSheet([
            ["Nr", "2026", "", "Preis"],
            ["Hall", "x", "", "Bar"],
            ["", "y", "z", "Yard"],
          ]),
          after: mergedOf("A2:A3", "B2:C2"),
        },
      ],
    }),
    uses: ["Nr", "2026"],
    taken: [
      { Nr: "Hall", "2026": "x" },
      { Nr: "", "2026": "y" },
    ],
    warned: ["2 -: cells A2:A3 and others (2 areas) are merged"],
  },
  {
    name: "merged cells of rows are no names",
    file: makeXlsx({
      sheets: [
        {
          ...textSheet([
            ["a", "b", "c"],
            ["1", "x", ""],
            ["", "y", "z"],
          ]),
          after: mergedOf("A2:A3", "B2:C2"),
        },
      ],
    }),
    taken: [
      { a: "1", b: "x" },
      { a: "", b: "y", c: "z" },
    ],
    warned: [
      "2 -: cells A2:A3 and others (2 areas) are merged: only the first cell of each has the text",
    ],
  },
  {
    name: "a mailto: link behind a word",
    file: makeXlsx({
      sheets: [
        {
          rows: row(1, ["mail", "b"]) + row(2, ["write us", "y"]) + row(3, ["a@b.example", "y"]),
          after: '<hyperlinks><hyperlink ref="A2:A3" r:id="r1"/></hyperlinks>',
          links: { r1: "mailto:a@b.example?subject=Hi" },
        },
      ],
    }),
    columns: { mail: { type: "email" } },
    taken: [{ mail: "a@b.example" }, { mail: "a@b.example" }],
    warned: ["a cell shows another text than its link"],
  },
  {
    name: "a text that begins with = is no formula in a workbook",
    file: oneText("=A1+B1"),
    taken: [{ a: "=A1+B1" }],
  },
  {
    name: "numbers of texts and of numbers in one column",
    file: makeXlsx({
      sheets: [
        { rows: row(1, ["n", "b"]) + row(2, [number("1.125"), "y"]) + row(3, ["1,125", "y"]) },
      ],
    }),
    columns: { n: { type: "number" } },
    taken: [{ n: "1.125" }],
    refused: ["3 n: must be a number that can be read in one way only"],
  },
];
