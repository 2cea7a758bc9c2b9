/** What the reading library makes of a cell -> a raw cell. Knows its values by shape only. */
import type { RawCell } from "./raw.ts";

/** A formula; `result` is missing when the file was never calculated. */
interface FormulaValue {
  readonly formula?: string;
  readonly sharedFormula?: string;
  readonly result?: unknown;
}

export interface CellContent {
  readonly value: unknown;
  readonly numberFormat: string | undefined;
  /** Of a hyperlink on the cell. */
  readonly link: string | undefined;
}

/** As a spreadsheet shows it: 15 digits, no exponent for whole numbers, zeros of a `000` format. */
function numberToText(value: number, format: string | undefined): string {
  const rounded = Number(value.toPrecision(15));
  if (!Number.isInteger(rounded)) return String(rounded);
  const digits = BigInt(rounded).toString();
  const isZeros = format !== undefined && /^0{2,}$/u.test(format) && rounded >= 0;
  return isZeros ? digits.padStart(format.length, "0") : digits;
}

/** UTC, since workbooks know no zones: a day, a day with a time, or a time alone. */
function dateToText(date: Date): string {
  if (Number.isNaN(date.getTime())) return "";
  const iso = date.toISOString();
  const time = iso.slice(11, 19);
  if (date.getUTCFullYear() < 1901) return time;
  return time === "00:00:00" ? iso.slice(0, 10) : `${iso.slice(0, 10)} ${time}`;
}

const HYPERLINK = /^\s*HYPERLINK\(\s*"((?:[^"]|"")*)"/iu;

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

function joinRichText(parts: unknown): string {
  if (!Array.isArray(parts)) return "";
  const texts = parts.map((part: unknown) => (isObject(part) ? part["text"] : undefined));
  return texts.filter((text) => typeof text === "string").join("");
}

function readFormula(value: FormulaValue, format: string | undefined): RawCell {
  const { result } = value;
  if (result === undefined || result === null) return { kind: "unsaved", text: "" };
  const read = toRawCell({ value: result, numberFormat: format, link: undefined });
  const link = HYPERLINK.exec(value.formula ?? "")?.[1]?.replaceAll('""', '"');
  return link === undefined || typeof read !== "string" ? read : { kind: "link", text: read, link };
}

function readObject(value: Record<string, unknown>, format: string | undefined): RawCell {
  if ("formula" in value || "sharedFormula" in value) return readFormula(value, format);
  if ("error" in value) return { kind: "error", text: String(value["error"]) };
  if ("richText" in value) return joinRichText(value["richText"]);
  if ("hyperlink" in value) {
    const text = toRawCell({ value: value["text"], numberFormat: format, link: undefined });
    const shown = typeof text === "string" ? text : text.text;
    return { kind: "link", text: shown, link: String(value["hyperlink"]) };
  }
  return "";
}

function readValue(value: unknown, format: string | undefined): RawCell {
  if (value === null || value === undefined) return "";
  if (typeof value === "string") return value;
  if (typeof value === "number") return { kind: "number", text: numberToText(value, format) };
  if (typeof value === "boolean") return { kind: "boolean", text: String(value) };
  if (value instanceof Date) return { kind: "date", text: dateToText(value) };
  return isObject(value) ? readObject(value, format) : "";
}

export function toRawCell({ value, numberFormat, link }: CellContent): RawCell {
  const cell = readValue(value, numberFormat);
  if (link === undefined) return cell;
  const text = typeof cell === "string" ? cell : cell.text;
  return { kind: "link", text: text === "" ? link : text, link };
}
