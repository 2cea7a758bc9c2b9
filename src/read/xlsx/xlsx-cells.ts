/** A cell of a worksheet's XML -> a raw cell. */
import { isTooLong } from "../cells/cell-links.ts";
import { GENERAL, type NumberFormat } from "../formats/number-format.ts";
import { textOf, type RawCell } from "../raw.ts";
import { toSerial } from "../formats/show-date.ts";
import { writeOut } from "../formats/show-number.ts";
import { readHyperlink } from "./hyperlink.ts";
import { damaged } from "./xlsx-address.ts";

/** What cells refer to. */
export interface CellContext {
  readonly strings: readonly string[];
  /** Formats by style number. */
  readonly formats: readonly NumberFormat[];
  readonly uses1904: boolean;
  /** By their `vm`, texts of cells that say to be errors. */
  readonly richTexts?: ReadonlyMap<string, string>;
}

/** A `<c>` element (ISO/IEC 29500-1, 18.3.1.4). */
export interface CellContent {
  /** `t`: s, str, inlineStr, b, e, d or n. */
  readonly type: string;
  readonly style: number;
  /** Of `<v>`; undefined without one. */
  readonly value: string | undefined;
  /** Of `<is>`. */
  readonly inline: string | undefined;
  readonly formula: string | undefined;
  readonly vm?: string | undefined;
}

const NUMBER = /^\s*[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?\s*$/iu;
const DATE_TIME = /^(\d{4}-\d{2}-\d{2})(?:T(\d{2}:\d{2}(?::\d{2})?)(?:\.\d+)?Z?)?$/u;

function readShared(value: string, { strings }: CellContext): string {
  const text = /^\s*\d+\s*$/u.test(value) ? strings[Number(value)] : undefined;
  if (text === undefined) throw damaged(`a cell whose text is missing (number ${value})`);
  return text;
}

/** A number in its cell's format. */
const showIn = (style: number, number: number, { formats, uses1904 }: CellContext): RawCell =>
  (formats[style] ?? GENERAL).show(number, uses1904);

function readNumber(value: string, style: number, context: CellContext): RawCell {
  if (!NUMBER.test(value)) throw damaged(`a number cell without a number (${value.slice(0, 40)})`);
  const number = Number(value);
  if (!Number.isFinite(number))
    throw damaged(`a number cell without a number (${value.slice(0, 40)})`);
  const cell = showIn(style, number, context);
  const isFormatted = typeof cell === "string" || cell.value !== undefined;
  // A number that is refused is shown as the file has it, unless a format shows it otherwise.
  return isFormatted || !isTooLong(cell) ? cell : { ...cell, text: writeOut(value) };
}

/** A text with what its format adds; some formats hide it. */
function showText(text: string, style: number, { formats }: CellContext): RawCell {
  const shown = formats[style]?.showText?.(text) ?? text;
  if (shown.trim() !== "" || text.trim() === "") return shown;
  return { kind: "text", text: "", value: text, oddity: "hidden" };
}

/** Dates of the strict form, `2026-11-20T00:00:00`, in the cell's format if that is a date's. */
function readIsoDate(value: string, style: number, context: CellContext): RawCell {
  const [, day, time = "00:00"] = DATE_TIME.exec(value.trim()) ?? [];
  if (day === undefined) return { kind: "date", text: value.trim() };
  const serial = toSerial(`${day}T${time}`, context.uses1904);
  const shown = serial === undefined ? undefined : showIn(style, serial, context);
  if (typeof shown === "object" && shown.kind === "date") return shown;
  const isDay = /^00:00(?::00)?$/u.test(time);
  return { kind: "date", text: isDay ? day : `${day} ${time}` };
}

function readBoolean(value: string): RawCell {
  const isTrue = /^\s*(?:1|true)\s*$/iu.test(value);
  const text = isTrue ? "TRUE" : "FALSE";
  return { kind: "boolean", text, value: String(isTrue), oddity: "truth" };
}

function readValue(content: CellContent, value: string, context: CellContext): RawCell {
  switch (content.type) {
    case "s":
      return showText(readShared(value, context), content.style, context);
    case "str":
    case "inlineStr":
      return showText(value, content.style, context);
    case "b":
      return readBoolean(value);
    case "e":
      return (
        context.richTexts?.get(content.vm ?? "") ?? {
          kind: "error",
          text: value,
          ...(content.formula === undefined && { isTyped: true }),
        }
      );
    case "d":
      return readIsoDate(value, content.style, context);
    default:
      return readNumber(value, content.style, context);
  }
}

/** Undefined for a cell that has only a format. */
export function toRawCell(content: CellContent, context: CellContext): RawCell | undefined {
  const { type, formula } = content;
  const value = content.inline ?? content.value;
  const isText = type === "str" || type === "inlineStr";
  // A formula's text may be empty, but a number may not: that formula was never calculated.
  if (value === undefined || (value === "" && !isText)) {
    return formula === undefined ? undefined : { kind: "unsaved", text: "" };
  }
  const cell = readValue(content, value, context);
  return formula === undefined ? cell : withFormula(cell, formula);
}

function withFormula(cell: RawCell, formula: string): RawCell {
  const isText = typeof cell === "string" || cell.kind === "text";
  const found = isText ? readHyperlink(formula, textOf(cell)) : undefined;
  if (found === undefined) return cell;
  const bare = typeof cell === "string" ? { text: cell } : cell;
  if (found === "unknown") return { ...bare, kind: "text", hasMadeLink: true };
  return { ...bare, kind: "link", link: found.link };
}

export function withLink(cell: RawCell | undefined, link: string): RawCell {
  if (typeof cell === "object" && cell.text === "" && cell.oddity === "hidden")
    return { ...cell, kind: "link", link };
  const text = textOf(cell);
  return { kind: "link", text: text === "" ? link : text, link };
}
