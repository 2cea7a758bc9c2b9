/** A worksheet (ISO/IEC 29500-1, 18.3) -> raw rows. */
import type { RawCell, RawRow } from "../raw.ts";
import { toRawCell, withLink, type CellContext } from "./xlsx-cells.ts";
import { lowerNames } from "./merged-names.ts";
import { TextCollector } from "./xlsx-strings.ts";
import { decodeEscapes, readXml, type Attributes, type XmlReader } from "./xml.ts";
import { damaged, parseAddress, toLetters, MAX_ROWS, type Area } from "./xlsx-address.ts";
import { isTrue, SheetFrame, type SheetLink } from "./xlsx-frame.ts";
import { ZipFault } from "./zip-file.ts";

interface MutableRow {
  line: number;
  cells: RawCell[];
  isHidden?: boolean;
}

/** In points; lower rows are invisible. */
const LEAST_HEIGHT = 0.375;

const isZero = (value = ""): boolean => value.trim() !== "" && Number(value) === 0;
const UNSEEN_ZERO: RawCell = { kind: "number", text: "", value: "0", oddity: "hidden" };

/** Follows the elements of a sheet. */
class SheetReader implements XmlReader {
  readonly rows: MutableRow[] = [];
  readonly frame = new SheetFrame();
  formulas: { count: number; line: number } | undefined;
  hasData = false;
  readonly #context: CellContext;
  readonly #maxCells: number;
  readonly #inline = new TextCollector();
  #isInData = false;
  #cellCount = 0;
  #row: MutableRow = { line: 0, cells: [] };
  #column = 0;
  #lastLine = 0;
  /** The number of the current row is known, from the row or its first cell. */
  #hasLine = false;
  /** Attributes of the current cell; undefined between cells. */
  #cell: Attributes | undefined;
  #element = "";
  #value: string | undefined;
  #formula: string | undefined;
  #hasInline = false;

  constructor(context: CellContext, maxCells: number) {
    this.#context = context;
    this.#maxCells = maxCells;
  }

  open(name: string, attributes: Attributes): void {
    if (this.#cell !== undefined) this.#openInCell(name);
    else if (this.#isInData) this.#openInData(name, attributes);
    else if (name === "sheetData") {
      this.#isInData = true;
      this.hasData = true;
    } else this.frame.open(name, attributes);
  }

  #openInData(name: string, attributes: Attributes): void {
    if (name === "row") {
      const given = attributes["r"];
      const line = given === undefined ? this.#lastLine + 1 : Number(given);
      if (!Number.isInteger(line) || line < 1 || line > MAX_ROWS) {
        throw damaged(`the row number ${JSON.stringify(given)}`);
      }
      this.#hasLine = given !== undefined;
      this.#lastLine = line;
      this.#row = { line, cells: [] };
      const isFlat = Number(attributes["ht"] ?? LEAST_HEIGHT) < LEAST_HEIGHT;
      if (isTrue(attributes["hidden"]) || isFlat) this.#row.isHidden = true;
      this.#column = 0;
    } else if (name === "c") {
      this.#cell = attributes;
      this.#value = undefined;
      this.#formula = undefined;
      this.#hasInline = false;
    }
  }

  #openInCell(name: string): void {
    this.#element = name;
    if (name === "v") this.#value = "";
    else if (name === "f") this.#formula = "";
    else if (name === "is") this.#hasInline = true;
    else this.#inline.open(name);
  }

  text(text: string): void {
    if (this.#cell === undefined) {
      if (!this.#isInData) this.frame.text(text);
    } else if (this.#element === "v") this.#value += text;
    else if (this.#element === "f") this.#formula += text;
    else this.#inline.add(text);
  }

  close(name: string): void {
    if (!this.#isInData) this.frame.close(name);
    else if (name === "c") this.#closeCell();
    else if (this.#cell !== undefined) {
      this.#element = "";
      this.#inline.close(name);
    } else if (name === "row") this.#closeRow();
    else if (name === "sheetData") this.#isInData = false;
  }

  #closeCell(): void {
    const { r: ref, t: type = "n", s: style = "0", vm } = this.#cell ?? {};
    this.#cell = undefined;
    this.#column = ref === undefined ? this.#column + 1 : this.#columnOf(ref);
    const cell = this.#readCell(type, Number(style), vm);
    if (this.#formula !== undefined) this.#countFormula();
    if (cell === undefined || cell === "") return;
    const { cells } = this.#row;
    const at = this.#column - 1;
    if ((cells[at] ?? "") !== "") throw damaged(`the cell ${ref} twice`);
    while (cells.length < at) cells.push("");
    cells[at] = cell;
  }

  #readCell(type: string, style: number, vm: string | undefined): RawCell | undefined {
    const text = this.#inline.take();
    const inline = this.#hasInline ? text : undefined;
    const isText = type === "str" && this.#value !== undefined;
    const value = isText ? decodeEscapes(this.#value ?? "") : this.#value;
    if (this.frame.hidesZeros && type === "n" && isZero(value)) return UNSEEN_ZERO;
    return toRawCell({ type, style, value, inline, formula: this.#formula, vm }, this.#context);
  }

  #columnOf(ref: string): number {
    const { row, column } = parseAddress(ref);
    if (!this.#hasLine && row >= this.#lastLine) {
      this.#lastLine = row;
      this.#row.line = row;
    }
    this.#hasLine = true;
    if (row !== this.#row.line) throw damaged(`the cell ${ref} in row ${this.#row.line}`);
    return column;
  }

  #countFormula(): void {
    const { count, line } = this.formulas ?? { count: 0, line: this.#row.line };
    this.formulas = { count: count + 1, line };
  }

  #closeRow(): void {
    const row = this.#row;
    if (row.cells.length === 0) return;
    this.#cellCount += row.cells.length;
    if (this.#cellCount > this.#maxCells) {
      throw new ZipFault(
        `sheet must have at most ${this.#maxCells.toLocaleString("en")} cells, got more`,
        "save the sheet as CSV: CSV has no such limit",
      );
    }
    this.rows.push(row);
  }
}

function sortRows(rows: MutableRow[]): void {
  rows.sort((a, b) => a.line - b.line);
  for (let at = 1; at < rows.length; at += 1) {
    const line = rows[at]?.line;
    if (line === rows[at - 1]?.line) throw damaged(`row ${line} twice`);
  }
}

/** The rows from one line to another; `rows` are in order. */
function* rowsBetween(
  rows: readonly MutableRow[],
  top: number,
  bottom: number,
): Generator<MutableRow> {
  let [low, high] = [0, rows.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((rows[middle]?.line ?? 0) < top) low = middle + 1;
    else high = middle;
  }
  for (let at = low; at < rows.length; at += 1) {
    const row = rows[at];
    if (row === undefined || row.line > bottom) return;
    yield row;
  }
}

/** Counts the cells under areas: in honest sheets, few areas overlap. */
class Cover {
  #left: number;

  constructor(maxCells: number) {
    this.#left = 4 * maxCells;
  }

  /** @throws ZipFault when areas overlap far more often than there are cells */
  take(cells: number): void {
    this.#left -= 1 + cells;
    if (this.#left < 0) throw damaged("merged cells or links that lie over each other");
  }
}

/**
 * Contents of cells below merged ones are never seen: they become blank, or get the text of the
 * first cell. Rows without content of their own are left out.
 */
function coverMerged(
  rows: readonly MutableRow[],
  areas: readonly Area[],
  { fillsMerged: fills, maxCells }: Pick<SheetOptions, "fillsMerged" | "maxCells">,
): void {
  if (areas.length === 0) return;
  const width = rows.reduce((most, { cells }) => Math.max(most, cells.length), 0);
  const cover = new Cover(maxCells);
  for (const { top, bottom, left, right } of areas) {
    const [first] = rowsBetween(rows, top, top);
    const text = (fills ? first?.cells[left - 1] : undefined) ?? "";
    for (const { line, cells } of rowsBetween(rows, top, bottom)) {
      const end = Math.min(right, text === "" ? cells.length : width);
      cover.take(Math.max(0, end - left));
      while (cells.length < end) cells.push("");
      for (let at = line === top ? left : left - 1; at < end; at += 1) cells[at] = text;
    }
  }
}

function addLinks(
  rows: readonly MutableRow[],
  links: readonly SheetLink[],
  { targets, maxCells }: Pick<SheetOptions, "targets" | "maxCells">,
): void {
  const cover = new Cover(maxCells);
  for (const { area, id, fragment } of links) {
    if (id === undefined) continue;
    const target = targets.get(id);
    if (target === undefined) throw damaged(`a hyperlink whose address is missing (${area.ref})`);
    const isWhole = fragment === undefined || target.includes("#");
    const link = isWhole ? target : `${target}#${fragment}`;
    for (const { cells } of rowsBetween(rows, area.top, area.bottom)) {
      cover.take(Math.max(0, Math.min(area.right, cells.length) - area.left));
      for (let at = area.left - 1; at < Math.min(area.right, cells.length); at += 1) {
        const cell = cells[at] ?? "";
        if (cell !== "") cells[at] = withLink(cell, link);
      }
    }
  }
}

export interface SheetContent {
  /** With at least one cell each, in order. */
  readonly rows: readonly RawRow[];
  readonly merged: readonly Area[];
  /** Letters of hidden columns with content. */
  readonly hiddenColumns: readonly string[];
  readonly formulas: { readonly count: number; readonly line: number } | undefined;
  readonly showsFormulas: boolean;
  /** Areas with rules that may show another text than the cell's own. */
  readonly ruled: readonly string[];
  /** Relationships of the tables on the sheet. */
  readonly tables: readonly string[];
}

/** What the parts of a workbook say about the cells of all its sheets. */
export interface References extends CellContext {
  /** Number formats of rules (conditional formatting), by their number. */
  readonly ruleFormats: ReadonlySet<number>;
}

export interface SheetOptions extends References {
  readonly maxCells: number;
  readonly fillsMerged: boolean;
  /** Relationship -> address of its hyperlink. */
  readonly targets: ReadonlyMap<string, string>;
}

/**
 * Reads a worksheet to its end. Empty formatted cells are dropped on the way: there can be a
 * hundred times more of them than data.
 * @throws ZipFault when it is damaged or above a limit; never answers a part of the rows
 */
export async function readSheet(
  chunks: AsyncIterable<Buffer>,
  options: SheetOptions,
): Promise<SheetContent> {
  const reader = new SheetReader(options, options.maxCells);
  await readXml(chunks, reader);
  if (!reader.hasData) throw damaged("a sheet without rows");
  const { rows, frame, formulas } = reader;
  const { merged, tables, showsFormulas } = frame;
  sortRows(rows);
  addLinks(rows, frame.links, options);
  if (options.fillsMerged) lowerNames(rows, merged, true);
  coverMerged(rows, merged, options);
  if (!options.fillsMerged) lowerNames(rows, merged, false);
  const ruled = frame.listRuled(options.ruleFormats);
  return {
    rows,
    merged,
    formulas,
    tables,
    showsFormulas,
    ruled,
    hiddenColumns: findHidden(reader),
  };
}

/** The chunks up to the one after which enough is known; the XML then breaks off. */
async function* stopWhen(
  chunks: AsyncIterable<Buffer>,
  isEnough: () => boolean,
): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    yield chunk;
    if (isEnough()) return;
  }
}

/** The first rows with content. */
export async function readSheetStart(
  chunks: AsyncIterable<Buffer>,
  options: CellContext & { readonly maxCells: number; readonly rows: number },
): Promise<readonly RawRow[]> {
  const reader = new SheetReader(options, options.maxCells);
  const isEnough = (): boolean => reader.rows.length >= options.rows;
  try {
    await readXml(stopWhen(chunks, isEnough), reader);
  } catch (error) {
    if (!isEnough()) throw error;
  }
  return reader.rows.slice(0, options.rows);
}

function findHidden({ rows, frame: { hiddenColumns } }: SheetReader): string[] {
  if (hiddenColumns.length === 0) return [];
  const used = new Set<number>();
  for (const { cells } of rows) {
    for (const [at, cell] of cells.entries()) if (cell !== "") used.add(at + 1);
  }
  return [...used]
    .toSorted((a, b) => a - b)
    .filter((column) => hiddenColumns.some(([min, max]) => column >= min && column <= max))
    .map(toLetters);
}
