import type { Problem } from "../../base/errors.ts";
import { cutText, quoteText } from "../../base/text/words.ts";
import type { ColumnRule, JobSource } from "../../job/job.ts";

import { cleanCell, cleanTyped, losesEnds, hasNumbers, withoutMark } from "../cells/clean-cell.ts";
import { linkBehind, toFailedText, toTold } from "../cells/cell-links.ts";
import {
  cellTypes,
  findSpreadsheetFault,
  holdsMany,
  withStored,
  type CellFault,
} from "../cells/cell-types.ts";
import { checkLength, findWidth } from "../csv/check-length.ts";
import type { Header, HeaderCell } from "../header/header.ts";
import { readTextFormula, textOf, type RawCell, type RawRow } from "../raw.ts";
import { hasInvisible, isUnseen, showInvisible } from "../cells/invisible.ts";
import { Notes } from "../cells/notes.ts";
import type { MarkSurvey } from "../cells/number-text.ts";
import { isOwnList } from "../header/own-list.ts";
import { readTyped, showsTime } from "../cells/read-typed.ts";
import { CLOSE_QUOTE, hasSwallowed, ODD_CHARACTER } from "../csv/open-quote.ts";
import { NoRows } from "./no-row.ts";
import { splitLines, SwallowedRows } from "./swallowed-rows.ts";
import { TextsOf, type Texts } from "./texts-of.ts";

/** One data row. Bad cells become `problems`; they never affect other rows. */
export interface SourceRow {
  /** Physical line (CSV, where the row begins) or row number (XLSX), from 1. */
  readonly line: number;
  /** Header as given -> text as given, for failed-rows.csv. Null prototype. */
  readonly cells: Readonly<Record<string, string>>;
  /** Manifest column, or header of an unmapped one -> normalised text. Null prototype. */
  readonly values: Readonly<Record<string, string>>;
  /** Header as given -> web address behind a cell with other text. Null prototype. */
  readonly links?: Readonly<Record<string, string>>;
  readonly problems: readonly Problem[];
  /** For a serial that replaced a void one: the round of replacing, from 1. */
  readonly round?: number;
}

export const FIX_CELL = "fix the cell, then plan or run again";
/** Replaces a letter that a program could not read. */
const LOST_LETTER = "\ufffd";
/** All control characters except tabs and line ends. */
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/u;
const FORMULA = /^=[\p{L}\d$("'+\-@{]/u;
const EMPTY: CellFault = { rule: "must not be empty" };
const NO_RESULT: CellFault = {
  rule: "must have a result, but holds its formula",
  hint: "save the file as CSV with the values that are shown; if it is a text, write ' in front of it",
};
const APOSTROPHE = 0x27;
/** The decimal mark of stored numbers. */
const STORED_MARK = ".";

interface RowOptions {
  /** For CSV files; empty for workbooks. */
  readonly delimiter: string;
  /** Columns that templates use, described or not. */
  readonly uses: readonly string[];
  readonly above?: readonly RawRow[];
  /** The first rows below the header. */
  readonly below?: readonly RawRow[];
  /** Most of them have more cells than the header. */
  readonly isNarrow?: boolean;
}

/** For columns that templates use but the manifest doesn't describe; for all where neither does. */
const PLAIN_TEXT: ColumnRule = { type: "text", required: false, default: null, aliases: [] };

interface Slot extends HeaderCell {
  readonly rule: ColumnRule | undefined;
  /** The same whatever templates use where the manifest describes no column: marks of mended rows hold. */
  readonly listedBy: ColumnRule | undefined;
  /** Position in the row, from 0. */
  readonly position: number;
  /** A number that templates show. */
  readonly isNumberUsed: boolean;
}

const toNormal = (text: string, { type, decimal }: ColumnRule, mark = decimal) =>
  findSpreadsheetFault(text) ?? cellTypes[type](text, mark);

/** Elsewhere what is unseen stays: it may be in the key of a code that is made. */
const isEmpty = (text: string, { required, default: otherwise }: ColumnRule): boolean =>
  text === "" || (required && otherwise === null && isUnseen(text));

class Row implements SourceRow {
  readonly line: number;
  readonly values: Readonly<Texts>;
  readonly problems: readonly Problem[];
  readonly #slots: readonly Slot[];
  readonly #raw: readonly RawCell[];

  constructor(slots: readonly Slot[], raw: RawRow, read: { values: Texts; problems: Problem[] }) {
    this.line = raw.line;
    this.values = read.values;
    this.problems = read.problems;
    this.#slots = slots;
    this.#raw = raw.cells;
  }

  /** Made on request: only bad rows need it. */
  get cells(): Readonly<Texts> {
    const cells = new TextsOf();
    for (const { header, listedBy, isLeftOut, position } of this.#slots) {
      if (isLeftOut !== true) cells[header] = toFailedText(this.#raw[position], listedBy);
    }
    return cells;
  }

  get links(): Readonly<Texts> {
    const links = new TextsOf();
    for (const { header, position } of this.#slots) {
      const link = linkBehind(this.#raw[position]);
      if (link !== undefined) links[header] = link;
    }
    return links;
  }
}

/** As some write lists by hand: `a, "b"`. */
const LOOSE = /^ +"/u;

/** Turns raw rows into rows of the manifest. */
export class RowReader {
  readonly #file: string;
  readonly #delimiter: string;
  /** The columns that count. */
  readonly #slots: readonly Slot[];
  readonly #noRows: NoRows;
  /** The texts of the header, as given. */
  readonly #texts: readonly string[];
  /** Names of all columns, also of those without a header. */
  readonly #headers: readonly string[];
  /** Columns with a header; none if there is just one. */
  readonly #named: readonly Slot[];
  readonly #width: number;
  readonly #shape: SwallowedRows;
  readonly #isNarrow: boolean;
  /** A `'` in front was put there by makeready. */
  readonly #isOwn: boolean;
  readonly #absent: readonly (readonly [string, ColumnRule])[];
  readonly #notes = new Notes();
  #marks: MarkSurvey | undefined;
  #needsSurvey = false;

  constructor(source: JobSource, header: Header, options: RowOptions) {
    const { delimiter, uses, above = [], below = [], isNarrow = false } = options;
    this.#file = source.shownAs ?? source.file;
    this.#delimiter = delimiter;
    this.#isNarrow = isNarrow;
    const used = new Set<string | undefined>(uses);
    const isPlain = Object.keys(source.columns).length === 0;
    const otherwise = (name: string | undefined): ColumnRule | undefined =>
      used.has(name) || (isPlain && uses.length === 0) ? PLAIN_TEXT : undefined;
    const slots = header.cells.map((cell, position) => {
      const rule = cell.column === undefined ? otherwise(cell.name) : source.columns[cell.column];
      const isNumberUsed = hasNumbers(rule) && used.has(cell.name);
      return { ...cell, position, rule, listedBy: isPlain ? PLAIN_TEXT : rule, isNumberUsed };
    });
    this.#texts = header.cells.map((cell) => cell.text.trim());
    this.#width = delimiter === "" ? header.cells.length : findWidth(this.#texts, below);
    this.#shape = new SwallowedRows(delimiter, this.#texts, below);
    this.#noRows = new NoRows(this.#texts, header.line, { above, below });
    this.#isOwn = isOwnList(this.#texts);
    this.#headers = header.cells.map((cell) => cell.header.trim());
    this.#slots = slots.filter(({ isLeftOut }) => isLeftOut !== true);
    const named = this.#slots.filter(({ position }) => this.#texts[position] !== "");
    this.#named = named.length < 2 ? [] : named;
    this.#absent = header.absent.flatMap((name) => {
      const rule = source.columns[name];
      return rule === undefined ? [] : [[name, rule] as const];
    });
  }

  /** The last row can be read in two ways: `survey` all cells and read it again. */
  get needsSurvey(): boolean {
    return this.#needsSurvey && this.#marks === undefined;
  }

  /** @param marks of all rows of the file */
  useSurvey(marks: MarkSurvey): void {
    this.#marks = marks;
  }

  /** Adds the cells whose numbers may have two readings. */
  survey(raw: RawRow, marks: MarkSurvey): void {
    for (const { rule, position } of this.#slots) {
      const cell = raw.cells[position];
      if (typeof cell !== "string" || !hasNumbers(rule) || rule.decimal !== undefined) continue;
      marks.add(position, cleanTyped(cell, rule));
    }
  }

  /** No row, but a warning: a repeated header, as printouts have on each page, or strokes below it. */
  isHeaderAgain(raw: RawRow): boolean {
    const { cells, line } = raw;
    if (this.#noRows.isStrokes(raw)) {
      this.#notes.add("strokes", { file: this.#file, line }, textOf(cells.find(textOf)));
      return true;
    }
    const isSame = ({ position }: Slot): boolean =>
      textOf(cells[position]).trim() === this.#texts[position];
    const [first] = this.#named;
    if (first === undefined || !isSame(first) || !this.#named.every(isSame)) return false;
    this.#notes.add("header", { file: this.#file, line }, textOf(cells[first.position]));
    return true;
  }

  /** Warnings about the rows that were read since `start`. */
  get warnings(): Problem[] {
    return this.#notes.list();
  }

  /** Begins a pass over the file. */
  start(): void {
    this.#notes.clear();
  }

  /** Keys of `values` in every row. */
  get names(): string[] {
    const mapped = this.#slots.filter(({ column }) => column !== undefined);
    const others = this.#slots.filter(({ column }) => column === undefined);
    const rest = [...mapped, ...others].map(({ name }) => name);
    return [...rest.filter((name) => name !== undefined), ...this.#absent.map(([name]) => name)];
  }

  read(raw: RawRow): SourceRow {
    const values = new TextsOf();
    const problems: Problem[] = [];
    for (const slot of this.#slots) {
      if (slot.name === undefined) continue;
      const cell = raw.cells[slot.position] ?? "";
      values[slot.name] =
        slot.rule === undefined
          ? cleanCell(textOf(cell))
          : this.#readCell(cell, slot, raw.line, problems);
    }
    for (const [name, rule] of this.#absent) values[name] = rule.default ?? "";
    if (raw.cells.length !== this.#width) {
      const isText = this.#delimiter !== "";
      const wrong = checkLength(raw, this.#width, { isText, isNarrow: this.#isNarrow });
      if (wrong !== undefined)
        problems.push({ ...wrong, where: { file: this.#file, line: raw.line } });
    }
    const like = this.#noRows.findLikeness(raw);
    if (like !== undefined)
      this.#notes.add(like, { file: this.#file, line: raw.line }, textOf(raw.cells.find(textOf)));
    if (raw.isPlain !== true) this.#checkTexts(raw, problems);
    if (this.#delimiter !== "") this.#checkQuotes(raw, problems);
    return new Row(this.#slots, raw, { values, problems });
  }

  #readCell(cell: RawCell, slot: Slot, line: number, problems: Problem[]): string {
    const rule = slot.rule as ColumnRule;
    const typed = typeof cell === "string" ? this.#readText(cell) : readTyped(cell, rule);
    if (typeof typed !== "string") {
      problems.push(this.#problem(line, slot, typed, textOf(cell)));
      return textOf(cell);
    }
    const text = cleanTyped(typed, rule);
    if (isEmpty(text, rule)) {
      this.#note(cell, slot, line, text);
      if (rule.required && rule.default === null)
        problems.push(this.#problem(line, slot, EMPTY, undefined));
      return rule.default ?? "";
    }
    const mark = typeof cell === "string" ? this.#marks?.markOf(slot.position) : STORED_MARK;
    const normal = toNormal(text, rule, mark);
    if (typeof normal === "string") {
      this.#note(cell, slot, line, text);
      this.#noteMark(typed, text, slot, line);
      this.#noteTime(cell, normal, slot, line);
      this.#noteSeveral(text, slot, line);
      this.#noteInvisible(normal, slot, line);
      this.#noteRewritten(cell, normal, slot, line);
      return normal;
    }
    if (normal.isTwofold === true) this.#needsSurvey = true;
    problems.push(this.#problem(line, slot, withStored(normal, cell), text));
    return text;
  }

  /** Workbooks distinguish formulas from texts that begin with `=`; CSV doesn't. */
  #readText(text: string): string | CellFault {
    const isFormula = text.startsWith("=") && this.#delimiter !== "" && FORMULA.test(text);
    return isFormula && readTextFormula(text) === undefined ? NO_RESULT : text;
  }

  /** Notes a cell that doesn't show its value, or whose text is used but shown differently. */
  #note(cell: RawCell, slot: Slot, line: number, text: string): void {
    if (typeof cell === "string") return;
    if (cell.hasMadeLink === true && slot.rule?.type === "url") {
      const column = slot.header.trim();
      this.#notes.add("linked", { file: this.#file, line, column }, text);
    }
    const oddity = toTold(cell, slot.rule?.type === "text");
    if (oddity === undefined) return;
    const where = { file: this.#file, line, column: slot.header.trim() };
    const { shown = "", value = "" } = cell;
    const used = { local: [text], negative: [text], truth: [text], unseen: [value] };
    const seen = { ...used, hidden: [cell.text, text], shortened: [shown, text] };
    this.#notes.add(oddity, where, ...seen[oddity]);
  }

  /** A leading `'` that keeps programs from reading a formula is taken off; so are blanks. */
  #noteMark(typed: string, text: string, slot: Slot, line: number): void {
    if (typed === text) return;
    const where = { file: this.#file, line, column: slot.header.trim() };
    if (losesEnds(typed, slot)) this.#notes.add("trimmed", where);
    if (typed.charCodeAt(0) !== APOSTROPHE || this.#isOwn || withoutMark(typed) === typed) return;
    this.#notes.add("marked", where, typed, text);
  }

  /** A date has no time of day. */
  #noteTime(cell: RawCell, normal: string, slot: Slot, line: number): void {
    if (slot.rule?.type !== "date" || !showsTime(cell)) return;
    const where = { file: this.#file, line, column: slot.header.trim() };
    this.#notes.add("timed", where, textOf(cell).trim(), normal);
  }

  /** Cells of workbooks that don't show their whole number are told as `hidden`. */
  #noteRewritten(cell: RawCell, normal: string, slot: Slot, line: number): void {
    if (!slot.isNumberUsed || (typeof cell === "object" && cell.oddity === "hidden")) return;
    const text = cleanTyped(textOf(cell), slot.rule as ColumnRule);
    const where = { file: this.#file, line, column: slot.header.trim() };
    if (normal !== text) this.#notes.add("rewritten", where, text, normal);
  }

  /** Types that take one value take the first. */
  #noteSeveral(text: string, slot: Slot, line: number): void {
    const { type = "text" } = slot.rule ?? {};
    if ((type !== "email" && type !== "url") || !holdsMany(text)) return;
    const where = { file: this.#file, line, column: slot.header.trim() };
    this.#notes.add("several", where, text);
  }

  #noteInvisible(text: string, slot: Slot, line: number): void {
    if (!hasInvisible(text)) return;
    const where = { file: this.#file, line, column: slot.header.trim() };
    this.#notes.add("invisible", where, showInvisible(text));
  }

  #problem(line: number, slot: Slot, fault: CellFault, text: string | undefined): Problem {
    const got = text === undefined ? "" : `, got ${quoteText(cutText(text))}`;
    return {
      message: `${fault.rule}${got}`,
      hint: fault.hint ?? FIX_CELL,
      where: { file: this.#file, line, column: slot.header.trim(), field: slot.column },
    };
  }

  /** Checks for characters that no column may contain, used or not. */
  #checkTexts(raw: RawRow, problems: Problem[]): void {
    for (let at = 0; at < raw.cells.length; at += 1) {
      const text = textOf(raw.cells[at]);
      if (!ODD_CHARACTER.test(text)) continue;
      const where = { file: this.#file, line: raw.line, column: this.#columnAt(at) };
      if (text.includes(LOST_LETTER)) this.#notes.add("lost", where, text);
      // A page break in front of a line goes with the blanks.
      const control = CONTROL.exec(text.trim())?.[0];
      if (control === undefined) continue;
      const message = `cell must be text without ${control === "\u0000" ? "NUL" : "control"} characters`;
      problems.push({ message, hint: "save the file again from the program that wrote it", where });
    }
  }

  /** A misplaced quote can join several cells into one, or several rows. */
  #checkQuotes(raw: RawRow, problems: Problem[]): void {
    const { line, quote } = raw;
    if (quote !== undefined) {
      const where = { file: this.#file, line: quote.line, column: this.#columnAt(quote.position) };
      if (hasSwallowed(quote)) {
        const message = `quote must be closed, got one that opens in this cell and swallows the next rows, up to line ${quote.endLine}`;
        problems.push({ message, hint: CLOSE_QUOTE, where });
        return;
      }
      this.#notes.add("quote", where, textOf(raw.cells[quote.position]));
    }
    for (const [position, cell] of raw.cells.entries()) {
      if (typeof cell !== "string" || !LOOSE.test(cell)) continue;
      this.#notes.add("loose", { file: this.#file, line, column: this.#columnAt(position) }, cell);
    }
    if (raw.isOneLine === true) return;
    const at = raw.cells.findIndex((_, at) => this.#shape.mayBeRows(raw, at));
    if (at < 0) return;
    const lines = splitLines(textOf(raw.cells[at])).length;
    problems.push({
      message: `row must be readable in one way, got a cell that may be one text of ${lines} lines, or end on the first line and be followed by ${lines - 1} other ${lines === 2 ? "row" : "rows"}`,
      hint: 'if they are rows, double each quote that belongs to a text: "24"""; if it is a text, put a blank behind each of its quotes and delimiters',
      where: { file: this.#file, line, column: this.#columnAt(at) },
    });
  }

  #columnAt(position: number): string | undefined {
    return this.#headers[position];
  }
}
