// Libraries of npm write the topics: topics.py | node write.mjs FOLDER
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

import { stringify } from "csv-stringify/sync";
import csvWriter from "csv-writer";
import { csvFormat, tsvFormat } from "d3-dsv";
import excel4node from "excel4node";
import exceljs from "exceljs";
import { generateCsv, mkConfig } from "export-to-csv";
import { writeToBuffer } from "fast-csv";
import json2csv from "json2csv";
import papaparse from "papaparse";
import writeExcelFile from "write-excel-file/node";
import sheetjs from "xlsx";
import sheetjsStyle from "xlsx-js-style";
import populate from "xlsx-populate";

const folder = process.argv[2];
const topics = JSON.parse(readFileSync(0, "utf8"));

const place = (program, name) => {
  mkdirSync(path.join(folder, program), { recursive: true });
  return path.join(folder, program, name);
};

const toParts = (cell) => {
  if (cell === null || cell === undefined) return {};
  if (typeof cell === "object") return cell;
  return typeof cell === "string" ? { s: cell } : { n: cell };
};

const textOf = ({ s, r }) => r?.map(([text]) => text).join("") ?? s;

// --- exceljs

function toExceljs(parts) {
  if (parts.x !== undefined) return { formula: parts.x, result: parts.v };
  if (parts.l !== undefined) return { text: parts.s, hyperlink: parts.l };
  if (parts.e !== undefined) return { error: parts.e };
  if (parts.d !== undefined) return new Date(`${parts.d}Z`);
  if (parts.r !== undefined) {
    return {
      richText: parts.r.map(([text, bold]) => (bold ? { text, font: { bold } } : { text })),
    };
  }
  return parts.n ?? parts.s ?? null;
}

async function writeExceljs(name, { sheets, date1904 }) {
  const book = new exceljs.Workbook();
  book.created = book.modified = new Date("2026-11-20T00:00:00Z");
  if (date1904) book.properties.date1904 = true;
  for (const [at, spec] of sheets.entries()) {
    const sheet = book.addWorksheet(spec.name, { state: spec.state ?? "visible" });
    for (const [r, row] of spec.rows.entries()) {
      for (const [c, one] of row.entries()) {
        if (one === null) continue;
        const parts = toParts(one);
        const cell = sheet.getCell(r + 1, c + 1);
        cell.value = toExceljs(parts);
        if (parts.f !== undefined) cell.numFmt = parts.f;
        if (parts.c !== undefined) cell.note = parts.c;
      }
    }
    for (const area of spec.merged ?? []) sheet.mergeCells(area);
    for (const row of spec.hiddenRows ?? []) sheet.getRow(row).hidden = true;
    for (const letter of spec.hiddenColumns ?? []) sheet.getColumn(letter).hidden = true;
    if (spec.filter !== undefined) sheet.autoFilter = spec.filter;
    if (spec.active) book.views = [{ activeTab: at }];
  }
  await book.xlsx.writeFile(place("exceljs", `${name}.xlsx`));
}

async function writeOddExceljs() {
  const options = { filename: place("exceljs", "streamed.xlsx"), useStyles: true };
  const book = new exceljs.stream.xlsx.WorkbookWriter(options);
  const sheet = book.addWorksheet("Rows");
  for (const row of topics.texts.sheets[0].rows.slice(0, 20)) sheet.addRow(row).commit();
  await book.commit();
  const csv = new exceljs.Workbook();
  csv.addWorksheet("x").addRows(topics.texts.sheets[0].rows);
  await csv.csv.writeFile(place("exceljs", "texts.csv"));
}

// --- SheetJS

function toSheetjs(parts) {
  const base = parts.f === undefined ? {} : { z: parts.f };
  if (parts.x !== undefined) {
    const type = { string: "s", number: "n", boolean: "b" }[typeof parts.v];
    return { ...base, t: type, v: parts.v, f: parts.x };
  }
  if (parts.e !== undefined) return { t: "e", v: { "#N/A": 0x2a, "#DIV/0!": 0x07 }[parts.e] };
  if (parts.d !== undefined) return { ...base, t: "n", v: parts.serial };
  if (parts.n !== undefined)
    return { ...base, t: typeof parts.n === "boolean" ? "b" : "n", v: parts.n };
  const cell = { ...base, t: "s", v: textOf(parts) };
  return parts.l === undefined ? cell : { ...cell, l: { Target: parts.l } };
}

function makeSheetjs(library, { sheets, date1904 }) {
  const book = library.utils.book_new();
  const facts = [];
  for (const spec of sheets) {
    const sheet = {};
    const width = Math.max(...spec.rows.map((row) => row.length));
    for (const [r, row] of spec.rows.entries()) {
      for (const [c, one] of row.entries()) {
        if (one !== null) sheet[library.utils.encode_cell({ r, c })] = toSheetjs(toParts(one));
      }
    }
    sheet["!ref"] = library.utils.encode_range({
      s: { r: 0, c: 0 },
      e: { r: spec.rows.length - 1, c: width - 1 },
    });
    sheet["!merges"] = (spec.merged ?? []).map((area) => library.utils.decode_range(area));
    sheet["!rows"] = spec.rows.map((_, r) => {
      if (spec.flatRows?.includes(r + 1)) return { hpx: 0 };
      return spec.hiddenRows?.includes(r + 1) ? { hidden: true } : {};
    });
    const hidden = (spec.hiddenColumns ?? []).map((letter) => library.utils.decode_col(letter));
    if (hidden.length > 0)
      sheet["!cols"] = [0, 1, 2, 3].map((c) => ({ wch: 10, hidden: hidden.includes(c) }));
    if (spec.filter !== undefined) sheet["!autofilter"] = { ref: spec.filter };
    library.utils.book_append_sheet(book, sheet, spec.name);
    facts.push({ name: spec.name, Hidden: spec.state === "hidden" ? 1 : 0 });
  }
  book.Workbook = { Sheets: facts, WBProps: { date1904: date1904 === true } };
  return book;
}

const SHEETJS = [
  "numbers",
  "formats",
  "dates",
  "masks",
  "texts",
  "codes",
  "results",
  "links",
  "layout",
  "sheets",
  "filtered",
  "truths",
];
/** Of the refused kinds one each; CSV and text are read. */
const SHEETJS_FORMATS = {
  xlsb: "xlsb",
  xlsm: "xlsm",
  biff8: "xls",
  biff5: "5.xls",
  biff2: "2.xls",
  xlml: "2003.xml",
  ods: "ods",
  fods: "fods",
  html: "html",
  sylk: "slk",
  dif: "dif",
  eth: "eth",
  rtf: "rtf",
  dbf: "dbf",
  csv: "csv",
  txt: "txt",
  wk1: "wk1",
  wk3: "wk3",
};

function writeSheetjs() {
  for (const name of SHEETJS) {
    const options = { compression: true, bookSST: name !== "texts" };
    sheetjs.writeFile(
      makeSheetjs(sheetjs, topics[name]),
      place("sheetjs", `${name}.xlsx`),
      options,
    );
  }
  for (const [bookType, ending] of Object.entries(SHEETJS_FORMATS)) {
    const book = makeSheetjs(sheetjs, bookType === "dbf" ? topics.table : topics.codes);
    const bytes = sheetjs.write(book, { bookType, type: "buffer", compression: true });
    writeFileSync(place("sheetjs", `codes.${ending}`), bytes);
  }
  const styled = makeSheetjs(sheetjsStyle, topics.money);
  styled.Sheets.Data.A1.s = { font: { bold: true }, fill: { fgColor: { rgb: "FFFF00" } } };
  sheetjsStyle.writeFile(styled, place("sheetjs", "styled-money.xlsx"), { compression: true });
  const { utils } = sheetjs;
  const sheet = utils.json_to_sheet(
    [
      {
        site: "Zürich",
        gtin: 4006381333931,
        day: new Date(Date.UTC(2026, 10, 20)),
        "share %": 0.25,
      },
    ],
    { cellDates: true },
  );
  const json = utils.book_new();
  utils.book_append_sheet(json, sheet, "Sheet1");
  sheetjs.writeFile(json, place("sheetjs", "json-cell-dates.xlsx"), {
    cellDates: true,
    compression: true,
  });
  writeFileSync(
    place("sheetjs", "texts.csv"),
    utils.sheet_to_csv(makeSheetjs(sheetjs, topics.texts).Sheets.Data),
  );
  writeFileSync(
    place("sheetjs", "formats.csv"),
    utils.sheet_to_csv(makeSheetjs(sheetjs, topics.formats).Sheets.Data, { FS: ";" }),
  );
}

// --- others that write workbooks

function writeExcel4node(name, { sheets: [spec] }) {
  const book = new excel4node.Workbook({ author: "A" });
  const sheet = book.addWorksheet(spec.name);
  for (const [r, row] of spec.rows.entries()) {
    for (const [c, one] of row.entries()) {
      const parts = toParts(one);
      const cell = sheet.cell(r + 1, c + 1);
      if (parts.x !== undefined) cell.formula(parts.x);
      else if (parts.d !== undefined) cell.date(new Date(`${parts.d}Z`));
      else if (typeof parts.n === "boolean") cell.bool(parts.n);
      else if (parts.n !== undefined) cell.number(parts.n);
      else if (parts.l !== undefined) cell.link(parts.l, parts.s);
      else if (textOf(parts) !== undefined) cell.string(textOf(parts));
      if (parts.f !== undefined) cell.style({ numberFormat: parts.f });
    }
  }
  for (const row of spec.hiddenRows ?? []) sheet.row(row).hide();
  return book
    .writeToBuffer()
    .then((bytes) => writeFileSync(place("excel4node", `${name}.xlsx`), bytes));
}

async function writePopulate(name, { sheets: [spec] }) {
  const book = await populate.fromBlankAsync();
  const sheet = book.sheet(0).name(spec.name);
  for (const [r, row] of spec.rows.entries()) {
    for (const [c, one] of row.entries()) {
      const parts = toParts(one);
      const cell = sheet.cell(r + 1, c + 1);
      if (parts.x !== undefined) cell.formula(parts.x);
      else if (parts.d !== undefined) cell.value(new Date(parts.d));
      else cell.value(parts.n ?? textOf(parts) ?? undefined);
      if (parts.f !== undefined) cell.style("numberFormat", parts.f);
      if (parts.l !== undefined) cell.hyperlink(parts.l);
    }
  }
  for (const row of spec.hiddenRows ?? []) sheet.row(row).hidden(true);
  for (const letter of spec.hiddenColumns ?? []) sheet.column(letter).hidden(true);
  for (const area of spec.merged ?? []) sheet.range(area).merged(true);
  await book.toFileAsync(place("xlsx-populate", `${name}.xlsx`));
  if (name === "texts") {
    await book.toFileAsync(place("xlsx-populate", "password.xlsx"), { password: "secret" });
  }
}

async function writeSimple(name, { sheets: [spec] }) {
  const rows = spec.rows.map((row) =>
    row.map((one) => {
      const parts = toParts(one);
      const format = parts.f === undefined ? {} : { format: parts.f };
      if (parts.d !== undefined) return { type: Date, value: new Date(`${parts.d}Z`), ...format };
      if (parts.n !== undefined) return { type: parts.n.constructor, value: parts.n, ...format };
      return textOf(parts) === undefined ? null : { type: String, value: textOf(parts) };
    }),
  );
  const out = writeExcelFile(rows, {
    sheet: spec.name,
    filePath: place("write-excel-file", `${name}.xlsx`),
  });
  if (typeof out?.toFile === "function")
    await out.toFile(place("write-excel-file", `${name}.xlsx`));
  else await out;
}

// --- CSV

const save = (program, name, content) => writeFileSync(place(program, name), content);

async function writeTexts() {
  const [header, ...rows] = topics.texts.sheets[0].rows;
  const objects = rows.map((row) =>
    Object.fromEntries(header.map((name, at) => [name, row[at] ?? ""])),
  );
  save("papaparse", "texts.csv", papaparse.unparse(objects));
  save(
    "papaparse",
    "quoted-semicolon.csv",
    `\ufeff${papaparse.unparse(objects, { quotes: true, delimiter: ";" })}`,
  );
  save("papaparse", "escaped-formulas.csv", papaparse.unparse(objects, { escapeFormulae: true }));
  save("csv-stringify", "texts.csv", stringify(objects, { header: true }));
  save(
    "csv-stringify",
    "bom-pipe.csv",
    stringify(objects, { header: true, bom: true, delimiter: "|", record_delimiter: "windows" }),
  );
  save(
    "csv-stringify",
    "escaped-formulas.csv",
    stringify(objects, { header: true, escape_formulas: true, quoted: true }),
  );
  save("csv-stringify", "mac.csv", stringify(objects, { header: true, record_delimiter: "mac" }));
  save("d3-dsv", "texts.csv", csvFormat(objects));
  save("d3-dsv", "texts.tsv", tsvFormat(objects));
  save(
    "fast-csv",
    "texts.csv",
    await writeToBuffer(objects, { headers: true, includeEndRowDelimiter: true }),
  );
  save(
    "fast-csv",
    "quoted-tabs.txt",
    await writeToBuffer(objects, {
      headers: true,
      delimiter: "\t",
      quoteColumns: true,
      writeBOM: true,
    }),
  );
  save("json2csv", "texts.csv", json2csv.parse(objects));
  save(
    "json2csv",
    "excel-strings.csv",
    json2csv.parse(objects, { excelStrings: true, withBOM: true, eol: "\r\n" }),
  );
  const config = mkConfig({ useKeysAsHeaders: true, useBom: true });
  save("export-to-csv", "texts.csv", String(generateCsv(config)(objects)));
  const { createArrayCsvStringifier } = csvWriter;
  const writer = createArrayCsvStringifier({ header, alwaysQuote: true });
  save("csv-writer", "texts.csv", writer.getHeaderString() + writer.stringifyRecords(rows));
}

for (const [name, topic] of Object.entries(topics)) await writeExceljs(name, topic);
await writeOddExceljs();
writeSheetjs();
for (const name of ["formats", "dates", "codes", "texts", "results", "links"])
  await writeExcel4node(name, topics[name]);
for (const name of ["numbers", "dates", "masks", "texts", "links", "layout", "results"])
  await writePopulate(name, topics[name]);
for (const name of ["formats", "dates", "codes", "texts"]) await writeSimple(name, topics[name]);
await writeTexts();
