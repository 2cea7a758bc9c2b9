/**
 * A plain workbook (SpreadsheetML, ECMA-376 part 1) in constant memory: text and numbers, a frozen
 * bold header, a filter. The same input gives the same bytes. Text is never taken for a formula.
 */
import { makeColumnName } from "./column-name.ts";
import { writeZipWith, type ZipResult } from "./zip.ts";

export type XlsxCell = string | number | undefined;

interface XlsxColumn {
  readonly header: string;
  /** In characters of the default font. */
  readonly width: number;
}

export interface XlsxTable {
  readonly name: string;
  readonly columns: readonly XlsxColumn[];
  readonly rows: AsyncIterable<readonly XlsxCell[]> | Iterable<readonly XlsxCell[]>;
}

export interface XlsxOptions {
  readonly createdAt: Date;
  /** Data rows on one worksheet; what is more goes on to the next. */
  readonly maxRows?: number | undefined;
}

const MAX_ROWS = 1_048_575;
const MAX_CELL_CHARACTERS = 32_767;
const MAX_SHEET_NAME = 31;
const ROWS_PER_CHUNK = 200;
const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const PACKAGE = "http://schemas.openxmlformats.org/package/2006";
const TYPES = "application/vnd.openxmlformats-officedocument.spreadsheetml";

// What XML 1.0 can't hold at all.
// eslint-disable-next-line no-control-regex
const NOT_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/gu;
// Excel reads _x0041_ as "A"; the underscore itself is written as _x005F_.
const LOOKS_ESCAPED = /_(?=x[0-9a-f]{4}_)/giu;
const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
};

function toXmlText(text: string): string {
  return text
    .toWellFormed()
    .replace(NOT_XML, "")
    .slice(0, MAX_CELL_CHARACTERS)
    .toWellFormed()
    .replace(LOOKS_ESCAPED, "_x005F_")
    .replace(/[&<>"]/gu, (character) => ENTITIES[character] ?? character)
    .replace(/\r/gu, "&#13;");
}

function makeCell(cell: XlsxCell, address: string, style: string): string {
  if (cell === undefined || cell === "") return "";
  if (typeof cell === "number") return `<c r="${address}"${style}><v>${cell}</v></c>`;
  const text = toXmlText(cell);
  return `<c r="${address}"${style} t="inlineStr"><is><t xml:space="preserve">${text}</t></is></c>`;
}

function makeRow(cells: readonly XlsxCell[], number: number, style = ""): string {
  const inner = cells.map((cell, i) => makeCell(cell, makeColumnName(i) + String(number), style));
  return `<row r="${number}">${inner.join("")}</row>`;
}

const HEADER_STYLE = ' s="1"';

function makeSheetStart(columns: readonly XlsxColumn[], isFirst: boolean): string {
  const selected = isFirst ? ' tabSelected="1"' : "";
  const widths = columns.map(
    ({ width }, i) => `<col min="${i + 1}" max="${i + 1}" width="${width}" customWidth="1"/>`,
  );
  return (
    `${XML}<worksheet xmlns="${MAIN}"><sheetViews><sheetView${selected} workbookViewId="0">` +
    '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>' +
    `</sheetView></sheetViews><cols>${widths.join("")}</cols><sheetData>` +
    makeRow(
      columns.map(({ header }) => header),
      1,
      HEADER_STYLE,
    )
  );
}

/** Hands out rows to one worksheet after the other. */
class RowFeed {
  readonly #rows: AsyncIterator<readonly XlsxCell[]>;
  #next: IteratorResult<readonly XlsxCell[]> | undefined;

  constructor(rows: XlsxTable["rows"]) {
    this.#rows = (async function* feed() {
      yield* rows;
    })();
  }

  async hasMore(): Promise<boolean> {
    this.#next ??= await this.#rows.next();
    return this.#next.done !== true;
  }

  async *take(max: number): AsyncGenerator<readonly XlsxCell[]> {
    for (let n = 0; n < max && (await this.hasMore()); n += 1) {
      if (this.#next === undefined || this.#next.done === true) return;
      yield this.#next.value;
      this.#next = undefined;
    }
  }
}

async function* makeSheet(
  columns: readonly XlsxColumn[],
  rows: AsyncIterable<readonly XlsxCell[]>,
  isFirst: boolean,
): AsyncGenerator<string> {
  let number = 1;
  let waiting = makeSheetStart(columns, isFirst);
  for await (const row of rows) {
    number += 1;
    waiting += makeRow(row, number);
    if (number % ROWS_PER_CHUNK !== 0) continue;
    yield waiting;
    waiting = "";
  }
  const last = makeColumnName(columns.length - 1) + String(number);
  yield `${waiting}</sheetData><autoFilter ref="A1:${last}"/></worksheet>`;
}

const STYLES =
  `${XML}<styleSheet xmlns="${MAIN}">` +
  '<fonts count="2"><font><sz val="11"/><name val="Calibri"/><family val="2"/></font>' +
  '<font><b/><sz val="11"/><name val="Calibri"/><family val="2"/></font></fonts>' +
  '<fills count="2"><fill><patternFill patternType="none"/></fill>' +
  '<fill><patternFill patternType="gray125"/></fill></fills>' +
  '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>' +
  '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>' +
  '<cellXfs count="2"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>' +
  '<xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/></cellXfs>' +
  '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>';

const ROOT_RELATIONS =
  `${XML}<Relationships xmlns="${PACKAGE}/relationships">` +
  `<Relationship Id="rId1" Type="${RELATIONS}/officeDocument" Target="xl/workbook.xml"/></Relationships>`;

/** Excel's rules for the name of a worksheet: 31 characters, none of : \ / ? * [ ]. */
function toSheetName(name: string, number: number): string {
  const suffix = number === 1 ? "" : ` ${number}`;
  const clean = toXmlText(
    name.replace(/[:\\/?*[\]]/gu, "_").slice(0, MAX_SHEET_NAME - suffix.length),
  );
  return `${clean}${suffix}`;
}

/** The parts that name every worksheet, by their place in the package. */
function makeParts(names: readonly string[]): ReadonlyMap<string, string> {
  const numbers = names.map((_, i) => i + 1);
  const list = (one: (n: number) => string): string => numbers.map(one).join("");
  const tabs = list((n) => `<sheet name="${names[n - 1] ?? ""}" sheetId="${n}" r:id="rId${n}"/>`);
  const relations = list(
    (n) =>
      `<Relationship Id="rId${n}" Type="${RELATIONS}/worksheet" Target="worksheets/sheet${n}.xml"/>`,
  );
  const overrides = list(
    (n) =>
      `<Override PartName="/xl/worksheets/sheet${n}.xml" ContentType="${TYPES}.worksheet+xml"/>`,
  );
  return new Map([
    [
      "xl/workbook.xml",
      `${XML}<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><bookViews><workbookView/></bookViews>` +
        `<sheets>${tabs}</sheets></workbook>`,
    ],
    [
      "xl/_rels/workbook.xml.rels",
      `${XML}<Relationships xmlns="${PACKAGE}/relationships">${relations}` +
        `<Relationship Id="rId${names.length + 1}" Type="${RELATIONS}/styles" Target="styles.xml"/></Relationships>`,
    ],
    ["xl/styles.xml", STYLES],
    ["_rels/.rels", ROOT_RELATIONS],
    [
      "[Content_Types].xml",
      `${XML}<Types xmlns="${PACKAGE}/content-types">` +
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
        '<Default Extension="xml" ContentType="application/xml"/>' +
        `<Override PartName="/xl/workbook.xml" ContentType="${TYPES}.sheet.main+xml"/>` +
        `<Override PartName="/xl/styles.xml" ContentType="${TYPES}.styles+xml"/>${overrides}</Types>`,
    ],
  ]);
}

/** Writes one table, on as many worksheets as its rows need. */
export function writeXlsx(
  file: string,
  table: XlsxTable,
  options: XlsxOptions,
): Promise<ZipResult> {
  return writeXlsxBook(file, [table], options);
}

/** Writes tables one after another, each on worksheets of its own. */
export async function writeXlsxBook(
  file: string,
  tables: readonly XlsxTable[],
  options: XlsxOptions,
): Promise<ZipResult> {
  const maxRows = options.maxRows ?? MAX_ROWS;
  return writeZipWith(file, options, async (zip) => {
    const names: string[] = [];
    for (const table of tables) {
      const feed = new RowFeed(table.rows);
      let part = 0;
      do {
        part += 1;
        names.push(toSheetName(table.name, part));
        const chunks = makeSheet(table.columns, feed.take(maxRows), names.length === 1);
        await zip.add({ name: `xl/worksheets/sheet${names.length}.xml`, chunks });
      } while (await feed.hasMore());
    }
    for (const [name, data] of makeParts(names)) await zip.add({ name, data });
  });
}
