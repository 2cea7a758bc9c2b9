/** How a workbook shows numbers: what its format codes mean, as far as rows need to know. */

export type NumberFormat =
  | { readonly kind: "general" | "date" | "duration" }
  /** `000`: at least so many digits. */
  | { readonly kind: "digits"; readonly least: number }
  /** `#,##0.00` and `0.0%`. */
  | { readonly kind: "decimals" | "percent"; readonly places: number };

export const GENERAL: NumberFormat = { kind: "general" };

/** Formats that files name by number only (ISO/IEC 29500-1, 18.8.30; 27-36 and 50-58: East Asia). */
const BUILT_IN: Readonly<Record<number, string>> = {
  2: "0.00",
  4: "#,##0.00",
  7: "0.00",
  8: "0.00",
  9: "0%",
  10: "0.00%",
  39: "0.00",
  40: "0.00",
  44: "0.00",
  45: "mm:ss",
  46: "[h]:mm:ss",
  47: "mm:ss.0",
};

const isBuiltInDate = (id: number): boolean =>
  (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 50 && id <= 58);

/** Literal text, and the character behind `_` (its width) and `*` (repeated). */
const LITERAL = /"[^"]*"?|[\\_*]./gu;

/** @param code such as `yyyy-mm-dd` or `#,##0.00 [$€-407]`; the part for positive numbers counts */
export function parseNumberFormat(code: string): NumberFormat {
  const [section = ""] = code.replace(LITERAL, "").split(";");
  if (/\[(?:h+|m+|s+)\]/iu.test(section)) return { kind: "duration" };
  const plain = section.replace(/\[[^[\]]*\]/gu, "").trim();
  if (/general/iu.test(plain)) return GENERAL;
  if (/[ymdhs]/iu.test(plain)) return { kind: "date" };
  if (/^0{2,}$/u.test(plain)) return { kind: "digits", least: plain.length };
  const [, decimals, percent] = /^[#,0?]*0(?:\.(0+))?\s*(%)?$/u.exec(plain) ?? [];
  if (percent !== undefined) return { kind: "percent", places: decimals?.length ?? 0 };
  return decimals === undefined ? GENERAL : { kind: "decimals", places: decimals.length };
}

/** The format that a style names by its number, `codes` being those that the file defines. */
export function numberFormatOf(id: number, codes: ReadonlyMap<number, string>): NumberFormat {
  const code = codes.get(id) ?? BUILT_IN[id];
  if (code !== undefined) return parseNumberFormat(code);
  return isBuiltInDate(id) ? { kind: "date" } : GENERAL;
}

/** 15 digits, as spreadsheets keep them; no exponent for whole numbers. */
function toPlain(value: number): string {
  const rounded = Number(value.toPrecision(15));
  return Number.isInteger(rounded) ? BigInt(rounded).toString() : String(rounded);
}

/** With at least so many decimals; none is ever dropped. */
function toDecimals(value: number, places: number): string {
  const plain = toPlain(value);
  const fixed = value.toFixed(places);
  return Number(fixed) === Number(plain) && !plain.includes("e") ? fixed : plain;
}

/** A number as it is, and as a person sees it, near enough: no digit is dropped or grouped. */
export function showNumber(value: number, format: NumberFormat): { value: string; text: string } {
  const plain = toPlain(value);
  const same = { value: plain, text: plain };
  if (format.kind === "digits" && Number.isInteger(Number(plain)) && value >= 0) {
    return { value: plain, text: plain.padStart(format.least, "0") };
  }
  if (format.kind === "decimals") return { value: plain, text: toDecimals(value, format.places) };
  if (format.kind !== "percent") return same;
  return {
    value: plain,
    text: `${toDecimals(Number((value * 100).toPrecision(15)), format.places)}%`,
  };
}

const DAY_MS = 86_400_000;
const LAST_DAY = 2_958_465;
/** Day 0 of the 1900 system from March 1900 on; before, the system has a day 60 that never was. */
const EPOCH_1900 = Date.UTC(1899, 11, 30);
const EPOCH_1904 = Date.UTC(1904, 0, 1);
const LEAP_BUG_DAY = 60;

const pad = (n: number): string => String(n).padStart(2, "0");

const toTime = (seconds: number): string =>
  `${pad(Math.floor(seconds / 3600))}:${pad(Math.floor(seconds / 60) % 60)}:${pad(seconds % 60)}`;

/** Hours above 24 stay hours: `36:00:00`. */
export function showDuration(days: number): string {
  const seconds = Math.round(Math.abs(days) * 86_400);
  return `${days < 0 ? "-" : ""}${toTime(seconds)}`;
}

/**
 * A serial day number -> a day, a day with a time, or a time alone; no zones, as workbooks know none.
 * Undefined for what spreadsheets show as `#####`.
 */
export function showDate(serial: number, uses1904: boolean): string | undefined {
  if (serial < 0 || serial >= LAST_DAY + 1) return undefined;
  const seconds = Math.round(serial * 86_400);
  const [day, rest] = [Math.floor(seconds / 86_400), seconds % 86_400];
  if (day === 0 && !uses1904) return toTime(rest);
  if (day === LEAP_BUG_DAY && !uses1904) return "1900-02-29";
  const isEarly = !uses1904 && day < LEAP_BUG_DAY;
  const ms = (uses1904 ? EPOCH_1904 : EPOCH_1900) + (isEarly ? day + 1 : day) * DAY_MS;
  const iso = new Date(ms).toISOString().slice(0, 10);
  return rest === 0 ? iso : `${iso} ${toTime(rest)}`;
}
