/**
 * The checks that GS1's Syntax Dictionary names for the parts of a value, one function per name
 * (docs/spec/gs1.md sections 1 and 2). Lists maintained by others (countries, currencies, coupons,
 * IBAN, package types, coordinates) are not included: such values are checked for characters and
 * length only.
 */
import { computeCheckDigit } from "./check-digit.ts";
import { isCset82 } from "./cset82.ts";
import { computeGmnPair, MAX_GMN_BODY } from "./gmn.ts";

/** What is wrong with a text, and which characters of it. */
export interface Fault {
  /** As GS1 names it, such as `INCORRECT_CHECK_DIGIT`. */
  readonly name: string;
  /** Position of the first wrong character, from 0. */
  readonly at: number;
  readonly length: number;
}

export type Lint = (text: string) => Fault | undefined;

const whole = (name: string, text: string): Fault => ({ name, at: 0, length: text.length });

/** The first character outside of a set. */
const everyCharacter =
  (name: string, isMember: (character: string) => boolean): Lint =>
  (text) => {
    const at = Array.from(text, isMember).indexOf(false);
    return at < 0 ? undefined : { name, at, length: 1 };
  };

const matches =
  (name: string, pattern: RegExp): Lint =>
  (text) =>
    pattern.test(text) ? undefined : whole(name, text);

/** The first fault that any of them finds. */
export const first =
  <Found>(...checks: readonly ((text: string) => Found | undefined)[]) =>
  (text: string): Found | undefined => {
    for (const check of checks) {
      const fault = check(text);
      if (fault !== undefined) return fault;
    }
    return undefined;
  };

const isDigit = (character: string): boolean => character >= "0" && character <= "9";
const digits = everyCharacter("NON_DIGIT_CHARACTER", isDigit);

const BASE64URL = /^[A-Za-z0-9_-]$/u;

/** Base64url whose padding, if any, fills up threes as the dictionary counts them. */
const cset64: Lint = (text) => {
  const at = text.replace(/(?<!=)=+$/u, "").length;
  const padding = text.length - at;
  if (padding > 2 || (padding > 0 && text.length % 3 !== 0)) {
    return { name: "INVALID_CSET64_PADDING", at, length: padding };
  }
  const characters = everyCharacter("INVALID_CSET64_CHARACTER", (each) => BASE64URL.test(each));
  return characters(text.slice(0, at));
};

const checkDigit: Lint = (text) => {
  if (text === "") return whole("TOO_SHORT_FOR_CHECK_DIGIT", text);
  const at = text.length - 1;
  if (computeCheckDigit(text.slice(0, at)) === Number(text[at])) return undefined;
  return { name: "INCORRECT_CHECK_DIGIT", at, length: 1 };
};

const cset82 = everyCharacter("INVALID_CSET82_CHARACTER", isCset82);

const checkPair: Lint = (text) => {
  if (text.length < 2) return whole("TOO_SHORT_FOR_CHECK_PAIR", text);
  const at = text.length - 2;
  if (at > MAX_GMN_BODY) return whole("TOO_LONG_FOR_CHECK_PAIR_IMPLEMENTATION", text);
  const body = text.slice(0, at);
  const fault = cset82(body);
  if (fault !== undefined) return fault;
  if (text.endsWith(computeGmnPair(body))) return undefined;
  return { name: "INCORRECT_CHECK_PAIR", at, length: 2 };
};

const pieceOfTotal: Lint = (text) => {
  const half = text.length / 2;
  if (half === 0 || !Number.isInteger(half)) {
    return whole("INVALID_LENGTH_FOR_PIECE_OF_TOTAL", text);
  }
  const fault = digits(text);
  if (fault !== undefined) return fault;
  const [piece, total] = [BigInt(text.slice(0, half)), BigInt(text.slice(half))];
  if (piece === 0n) return { name: "ZERO_PIECE_NUMBER", at: 0, length: half };
  if (total === 0n) return { name: "ZERO_TOTAL_PIECES", at: half, length: half };
  return piece > total ? whole("PIECE_NUMBER_EXCEEDS_TOTAL", text) : undefined;
};

const MONTH_DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const;

/** Dates with `yearDigits` digits of the year. With two-digit years, every fourth is a leap year. */
const date =
  (yearDigits: 2 | 4, leastDay: 0 | 1): Lint =>
  (text) => {
    const length = yearDigits + 4;
    if (text.length < length) return whole("DATE_TOO_SHORT", text);
    if (text.length > length) return whole("DATE_TOO_LONG", text);
    const fault = digits(text);
    if (fault !== undefined) return fault;
    const [year, month, day] = [
      text.slice(0, yearDigits),
      text.slice(yearDigits, yearDigits + 2),
      text.slice(yearDigits + 2),
    ].map(Number) as [number, number, number];
    const days = MONTH_DAYS[month - 1];
    if (days === undefined) return { name: "ILLEGAL_MONTH", at: yearDigits, length: 2 };
    const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0 || yearDigits === 2);
    const last = month === 2 && isLeap ? days + 1 : days;
    if (day >= leastDay && day <= last) return undefined;
    return { name: "ILLEGAL_DAY", at: yearDigits + 2, length: 2 };
  };

/** Two digits up to `most`, at position `at` of the text. */
const clock =
  (name: string, most: number, at = 0): Lint =>
  (text) => {
    const part = text.slice(at, at + 2);
    return Number(part) <= most ? undefined : { name, at, length: part.length };
  };

const hour = first(digits, clock("ILLEGAL_HOUR", 23));
const minute = first(digits, clock("ILLEGAL_MINUTE", 59));

/** A company prefix begins at `start` with four digits; there is no list of issued ones. */
const companyPrefix =
  (start: number): Lint =>
  (text) => {
    const prefix = text.slice(start, start + 4);
    if (prefix.length < 4) return whole("TOO_SHORT_FOR_GCP", text);
    if (digits(prefix) === undefined) return undefined;
    return { name: "INVALID_GCP_PREFIX", at: start, length: 4 };
  };

const percentPairs: Lint = (text) => {
  const at = text.search(/%(?![0-9A-Fa-f]{2})/u);
  if (at < 0) return undefined;
  return { name: "INVALID_PERCENT_SEQUENCE", at, length: Math.min(3, text.length - at) };
};

const noZeroPrefix: Lint = (text) =>
  text.startsWith("0") ? { name: "ILLEGAL_ZERO_PREFIX", at: 0, length: 1 } : undefined;

const positionInSequence: Lint = (text) => {
  const parts = /^(\d+)\/(\d+)$/u.exec(text);
  if (parts === null) return whole("POSITION_IN_SEQUENCE_MALFORMED", text);
  const [, position = "", end = ""] = parts;
  if (position.startsWith("0")) return noZeroPrefix(text);
  const at = position.length + 1;
  if (end.startsWith("0")) return { name: "ILLEGAL_ZERO_PREFIX", at, length: 1 };
  return Number(position) > Number(end) ? whole("POSITION_EXCEEDS_END", text) : undefined;
};

/** name in the dictionary -> check. */
const lints: ReadonlyMap<string, Lint> = new Map(
  Object.entries({
    csetnumeric: digits,
    cset82,
    cset39: everyCharacter("INVALID_CSET39_CHARACTER", (each) => /^[#/0-9A-Z-]$/u.test(each)),
    cset64,
    csum: first(digits, checkDigit),
    csumalpha: checkPair,
    gcppos1: companyPrefix(0),
    gcppos2: companyPrefix(1),
    pieceoftotal: pieceOfTotal,
    yymmd0: date(2, 0),
    yymmdd: date(2, 1),
    yyyymmdd: date(4, 1),
    hh: hour,
    mi: minute,
    ss: first(digits, clock("ILLEGAL_SECOND", 59)),
    hhmi: first(digits, clock("ILLEGAL_HOUR", 23), clock("ILLEGAL_MINUTE", 59, 2)),
    zero: matches("NOT_ZERO", /^0+$/u),
    nonzero: first(digits, matches("ILLEGAL_ZERO_VALUE", /[1-9]/u)),
    nozeroprefix: first(digits, noZeroPrefix),
    hasnondigit: matches("REQUIRES_NON_DIGIT_CHARACTER", /[^0-9]/u),
    importeridx: matches("INVALID_IMPORT_IDX_CHARACTER", /^[A-Za-z0-9_-]$/u),
    yesno: matches("NOT_ZERO_OR_ONE", /^[01]$/u),
    winding: matches("INVALID_WINDING_DIRECTION", /^[019]$/u),
    hyphen: matches("NOT_HYPHEN", /^-+$/u),
    iso5218: matches("INVALID_BIOLOGICAL_SEX_CODE", /^[0129]$/u),
    posinseqslash: positionInSequence,
    pcenc: percentPairs,
  } satisfies Record<string, Lint>),
);

/** The check with this name, or undefined if there is none. */
export function findLint(name: string): Lint | undefined {
  return lints.get(name);
}
