import { isUrl } from "../../base/text/url.ts";
import type { ColumnType } from "../../job/job.ts";

import { checkGtin, toGtin14 } from "../../gs1/check-digit.ts";
import { BETWEEN_MANY } from "../../base/text/many-values.ts";
import { readNumberText, withSignInFront, type DecimalMark } from "./number-text.ts";

/** Why a cell doesn't fit its column. */
export interface CellFault {
  /** "must be …", without the value. */
  readonly rule: string;
  readonly hint?: string;
  /** The cell has two possible readings; the column's other cells may decide. */
  readonly isTwofold?: true;
}

/** @param mark the decimal mark of the column, where its cells show one */
type Normalise = (text: string, mark?: DecimalMark) => string | CellFault;

const SCIENTIFIC = /^[-+]?\d(?:[.,]\d+)?E[-+]?\d{1,3}$/iu;
/** As spreadsheets write long numbers; rarer shapes may be meant as text. */
const SPREADSHEET_SCIENTIFIC = /^-?\d{1,3}[.,]\d+E\+\d{1,3}$/u;

const LOST_DIGITS: CellFault = {
  rule: "must be written out, without scientific notation (the spreadsheet has dropped digits)",
  hint: "format the column as Text, enter the number again and save",
};

/** A number of a workbook that its format shows with an exponent. */
export const SHOWN_SHORT: CellFault = {
  rule: "must be shown without scientific notation (the file has all digits)",
  hint: "in the spreadsheet, give the column the format 0 and save it; a manifest can name its type instead, in source.columns",
};

const EXPONENT = /^-?[\d.,]+E[-+]\d+$/u;

/** Numbers as formats of spreadsheets show them with an exponent. */
export const isShownShort = (text: string): boolean => EXPONENT.test(text);

/** A workbook also stores the digits that it doesn't show. */
export function withStored(
  fault: CellFault,
  cell: string | { readonly value?: string },
): CellFault {
  const stored = typeof cell === "string" ? undefined : cell.value;
  const isStored = stored !== undefined && !SCIENTIFIC.test(stored);
  return fault === LOST_DIGITS && isStored ? SHOWN_SHORT : fault;
}

/** What failed formulas leave in a file that stores only text; also typed. */
const FORMULA_ERRORS = new Set(
  [
    "#DIV/0! #N/A #REF! #NAME? #VALUE! #NUM! #NULL! #SPILL! #CALC! #FIELD! #CONNECT! #BLOCKED!",
    "#UNKNOWN! #BUSY! #EXTERNAL! #GETTING_DATA #ERROR!",
    // German, French, Italian, Spanish, Portuguese, Dutch, Polish; LibreOffice in between.
    "#NV #BEZUG! #WERT! #ZAHL! #ÜBERLAUF! #N/V #VALEUR! #NOM? #NOMBRE! #N/D #NUL! #VALORE! #RIF!",
    "#NOME? #¡VALOR! #¿NOMBRE? #¡DIV/0! #¡REF! #¡NUM! #¡NULO! #VALOR! #NÚM! #NULO! #N/B #WAARDE!",
    "#VERW! #DEEL/0! #NAAM? #GETAL! #LEEG! #ARG! #ADR! #LICZBA! #NAZWA? #ZERO!",
  ].flatMap((line) => line.split(" ")),
);
const ERROR_NUMBER = /^(?:Err|Fehler|Erreur):\d{3}$/u;
const NO_ROOM = /^#{3,}$/u;

/** `\N` of MySQL and PostgreSQL. */
const NOTHING: CellFault = {
  rule: "must hold its text or nothing, but holds what databases write for nothing",
  hint: "export the table again, with empty cells for NULL",
};

/** Stands in lists of failed rows for the result that a formula doesn't have. */
export const UNCALCULATED = "#UNCALCULATED!";

/** An error that no formula of the cell has left, as far as the file says. */
export const ERROR_TEXT: CellFault = {
  rule: "must hold its text or nothing, but holds what spreadsheets write for an error",
  hint: "write its text here or empty the cell; where a formula failed, mend it in the spreadsheet",
};

const NOT_CALCULATED = "must have a result, but its formula was never calculated";

export const UNSAVED: CellFault = {
  rule: NOT_CALCULATED,
  hint: "open the file in Excel, save it and run again",
};

/** Stands in lists of failed rows before a number whose last digits a workbook has lost. */
export const LOST_DIGITS_OF = "#LOST-DIGITS!";

export const TOO_LONG: CellFault = {
  rule: "must be stored as text: as a number it keeps 15 digits only, the others are lost",
  hint: "format the column as Text, enter the number again and save",
};

/** The number behind that mark; undefined for other text. */
export const readLostDigits = (text: string): string | undefined =>
  text.startsWith(LOST_DIGITS_OF) ? text.slice(LOST_DIGITS_OF.length).trim() : undefined;

/** Faults in any kind of column. */
export function findSpreadsheetFault(text: string): CellFault | undefined {
  const first = text.charCodeAt(0);
  if (first === 0x5c /* \ */) return text === "\\N" ? NOTHING : undefined;
  const mayBe = first === 0x23 /* # */ || first === 0x45 /* E */ || first === 0x46; /* F */
  if (!mayBe) return undefined;
  if (text === UNCALCULATED) return { rule: NOT_CALCULATED, hint: "write its result here" };
  if (text.startsWith(LOST_DIGITS_OF))
    return { rule: TOO_LONG.rule, hint: "write the whole number here" };
  if (FORMULA_ERRORS.has(text) || ERROR_NUMBER.test(text)) return ERROR_TEXT;
  if (!NO_ROOM.test(text)) return undefined;
  return {
    rule: "must show its text, but its column was too narrow when the file was saved",
    hint: "widen the column in the spreadsheet and save it again",
  };
}

function toText(text: string): string | CellFault {
  return SPREADSHEET_SCIENTIFIC.test(text) ? LOST_DIGITS : text;
}

/** @param readings as they are accepted, whatever other cells of the column show */
const toTwofold = (rule: string, readings: readonly string[]): CellFault => ({
  rule: `${rule} that can be read in one way only`,
  hint: `write ${readings.join(" or ")}, as it is meant, or say for the whole column which sign stands before decimals: decimal: "." or decimal: "," in source.columns`,
  isTwofold: true,
});

function toInteger(written: string, mark?: DecimalMark): string | CellFault {
  const text = withSignInFront(written);
  if (SCIENTIFIC.test(text)) return LOST_DIGITS;
  const read = readNumberText(text, mark);
  if ("twofold" in read) {
    const [thousands, decimal] = read.twofold;
    const whole = decimal.endsWith(".000") ? [decimal.slice(0, -".000".length)] : [];
    return toTwofold("must be a whole number", [thousands, ...whole]);
  }
  const [, sign = "", found] = /^([-+]?)(\d+)(?:\.0+)?$/u.exec(read.plain) ?? [];
  if (found === undefined) return { rule: "must be a whole number" };
  const digits = found.replace(/^0+(?=\d)/u, "");
  return sign === "-" && digits !== "0" ? `-${digits}` : digits;
}

function toNumber(written: string, mark?: DecimalMark): string | CellFault {
  const text = withSignInFront(written);
  const read = readNumberText(text, mark);
  // With a digit more, what stands behind the sign is no group of three.
  if ("twofold" in read) return toTwofold("must be a number", [read.twofold[0], `${text}0`]);
  return /^[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d{1,3})?$/iu.test(read.plain)
    ? read.plain.replace(/^\+/u, "")
    : { rule: "must be a number" };
}

/** Whether a cell holds several values, as Google writes contacts that have more than one. */
export const holdsMany = (text: string): boolean => text.includes(BETWEEN_MANY);

/** The first of several values; e-mail addresses and URLs have no such sign in them. */
const firstOfMany = (text: string): string =>
  holdsMany(text) ? text.slice(0, text.indexOf(BETWEEN_MANY)).trim() : text;

const isWeb = (text: string): boolean => /^https?:\/\/[^\s/?#]/iu.test(text) && isUrl(text);
const isTypable = (text: string): boolean => isWeb(text) && !/[\s\p{Cf}]/u.test(text);
const encodeSpaces = (text: string): string => text.replaceAll(/\s/gu, "%20");

/**
 * An absolute http(s) address without spaces. Letters outside ASCII are allowed. The text stays as
 * it is: the server normalises it, and the code should hold what people wrote.
 */
function toUrl(cell: string): string | CellFault {
  const text = firstOfMany(cell);
  if (isTypable(text)) return text;
  const rule = "must be a URL";
  if (isWeb(text)) {
    const typed = encodeSpaces(text);
    return {
      rule: "must be a URL without spaces and invisible characters",
      hint: isTypable(typed)
        ? `put %20 for a space, as in ${typed}`
        : "type it anew, with %20 for a space in it",
    };
  }
  const isBare = /^www\.|^[\w-]+(?:\.[\w-]+)+(?:[/?#]|$)/iu.test(text);
  const typed = `https://${encodeSpaces(text)}`;
  if (isBare && isTypable(typed)) {
    return { rule, hint: `begin it with https://, as in ${typed}` };
  }
  const hint =
    isBare || /^https?:\/\//iu.test(text)
      ? "write the whole address, as in https://www.example.com/menu"
      : "begin it with https:// or http://";
  return { rule, hint };
}

const MAILTO = "mailto:";

function toEmail(cell: string): string | CellFault {
  const text = firstOfMany(cell);
  const address = /^mailto:/iu.test(text) ? text.slice(MAILTO.length).split("?", 1).join("") : text;
  return /^[^\s@"]+@[^\s@"]+\.[^\s@".]+$/u.test(address)
    ? address
    : { rule: "must be an e-mail address" };
}

const TRUE = new Set(["true", "yes", "y", "1", "x", "ja", "wahr", "oui", "sí", "si", "vrai"]);
const FALSE = new Set(["false", "no", "n", "0", "nein", "falsch", "non", "faux"]);

function toBoolean(text: string): string | CellFault {
  const word = text.toLowerCase();
  if (TRUE.has(word)) return "true";
  return FALSE.has(word) ? "false" : { rule: "must be true or false" };
}

const isLeapYear = (year: number): boolean =>
  year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);

/** Of each month, from January. */
const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const;

const countDays = (year: number, month: number): number =>
  month === 2 && isLeapYear(year) ? 29 : (DAYS[month - 1] ?? 0);

/** ISO date, if the day exists. */
function toIso(year: string, month: string, day: string): string | CellFault {
  const exists = +day >= 1 && +day <= countDays(+year, +month);
  return exists
    ? `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`
    : { rule: "must be a date that exists" };
}

const WRITE_ISO = "write it like 2026-11-20";
const AMBIGUOUS: CellFault = {
  rule: "must be a date that can be read in one way only",
  hint: WRITE_ISO,
};

/** Day first or month first: only a number above 12 decides. */
function toSlashedDate(first: string, second: string, year: string): string | CellFault {
  if (+first > 12) return toIso(year, second, first);
  if (+second > 12 || +first === +second) return toIso(year, first, second);
  return AMBIGUOUS;
}

type ReadDate = (a: string, b: string, c: string) => string | CellFault;

/** Forms of dates, and the order of their parts. Times after them are dropped. */
const DATES: readonly (readonly [RegExp, ReadDate])[] = [
  [/^(?<a>\d{4})(?<s>[-/.])(?<b>\d{1,2})\k<s>(?<c>\d{1,2})(?:[T ]\d{1,2}:\d{2}.*)?$/u, toIso],
  [/^(?<a>\d{4})(?<b>\d{2})(?<c>\d{2})$/u, toIso],
  [
    /^(?<a>\d{1,2})\.\s?(?<b>\d{1,2})\.\s?(?<c>\d{4})(?: \d{1,2}:\d{2}.*)?$/u,
    (day, month, year) => toIso(year, month, day),
  ],
  [/^(?<a>\d{1,2})[-/](?<b>\d{1,2})[-/](?<c>\d{4})$/u, toSlashedDate],
];

const TIME_OF_DAY = /[T ](\d{1,2}:\d{2}(?::\d{2})?)(?: ?([ap])\.?m\b)?/iu;
const MIDNIGHT = /^0?0:00(?::00)?$/u;
const MIDNIGHT_OF_12_HOURS = /^12:00(?::00)?$/u;

/** A time behind a date that isn't midnight. */
export function hasTimeOfDay(text: string): boolean {
  const [, time, half] = TIME_OF_DAY.exec(text) ?? [];
  if (time === undefined) return false;
  const midnight = half?.toLowerCase() === "a" ? MIDNIGHT_OF_12_HOURS : MIDNIGHT;
  return half?.toLowerCase() === "p" || !midnight.test(time);
}

function toDate(text: string): string | CellFault {
  for (const [pattern, read] of DATES) {
    const { a, b, c } = pattern.exec(text)?.groups ?? {};
    if (a !== undefined && b !== undefined && c !== undefined) return read(a, b, c);
  }
  return { rule: "must be a date", hint: WRITE_ISO };
}

function toGtin(text: string): string | CellFault {
  if (SCIENTIFIC.test(text)) return LOST_DIGITS;
  // Data tools turn whole numbers into decimals when a column has gaps; shops mark texts with a '.
  const digits = text.replace(/^'|[\s-]/gu, "").replace(/^(\d+)[.,]0$/u, "$1");
  const rule = checkGtin(digits);
  return rule === undefined ? toGtin14(digits) : { rule };
}

/** What cells become by column type; texts are trimmed and not empty. */
export const cellTypes = {
  text: toText,
  integer: toInteger,
  number: toNumber,
  url: toUrl,
  email: toEmail,
  date: toDate,
  gtin: toGtin,
  boolean: toBoolean,
} as const satisfies Record<ColumnType, Normalise>;
