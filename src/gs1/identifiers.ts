/**
 * The fourteen kinds of identifier that a product may have, in the API's words
 * (docs/spec/gs1.md section 1).
 */
import { first } from "./lint.ts";
import { computeCheckDigit, GTIN_LENGTHS, hasCheckDigit, toGtin14 } from "./check-digit.ts";
import { isCset82 } from "./cset82.ts";
import { computeGmnPair } from "./gmn.ts";

export const identifierTypes = [
  "00",
  "01",
  "253",
  "255",
  "401",
  "402",
  "414",
  "417",
  "8003",
  "8004",
  "8006",
  "8013",
  "8017",
  "8018",
] as const;
export type IdentifierType = (typeof identifierTypes)[number];

/** Answers why the value is wrong, as "must …", or undefined. */
type Check = (value: string) => string | undefined;

export interface IdentifierKind {
  readonly label: string;
  readonly check: Check;
}

const digits =
  (length: number): Check =>
  (value) =>
    /^\d+$/u.test(value) && value.length === length ? undefined : `must be ${length} digits`;

/** `length` digits from `start` on end in their check digit. */
const checkDigit =
  (length: number, start = 0): Check =>
  (value) => {
    const part = value.slice(start, start + length);
    if (hasCheckDigit(part)) return undefined;
    const end = start + length;
    // Zeros may have been added in front: then positions are not those of the sender.
    const place = end === value.length ? "at the end" : `at position ${end}`;
    return `must have the check digit ${computeCheckDigit(part.slice(0, -1))} ${place}`;
  };

/** The company prefix begins with four digits; there is no list of issued ones. */
const prefix: Check = (value) =>
  /^\d{4}/u.test(value) ? undefined : "must begin with a company prefix of at least 4 digits";

const plain = (length: number): Check => first(digits(length), checkDigit(length));

const characters =
  (min: number, max: number): Check =>
  (value) => {
    if (value.length < min || value.length > max) return `must have ${min} to ${max} characters`;
    return isCset82(value) ? undefined : "must consist of GS1's 82 characters";
  };

/** `digitCount` digits with their check digit, then a tail of at most `tailMax` characters. */
const withTail = (digitCount: number, tailMax: number, tail: RegExp): Check =>
  first(
    (value) =>
      /^\d+$/u.test(value.slice(0, digitCount)) && value.length >= digitCount
        ? undefined
        : `must begin with ${digitCount} digits`,
    (value) =>
      value.length <= digitCount + tailMax
        ? undefined
        : `must have at most ${digitCount + tailMax} characters`,
    (value) =>
      tail.test(value.slice(digitCount)) && isCset82(value)
        ? undefined
        : "must have an allowed serial component",
  );

const ANY_TAIL = /^/u;

const piece: Check = (value) => {
  const [number, total] = [Number(value.slice(14, 16)), Number(value.slice(16))];
  return number >= 1 && number <= total
    ? undefined
    : "must have a piece number from 01 to its total";
};

const gmnPair: Check = (value) => {
  const pair = computeGmnPair(value.slice(0, -2));
  return value.endsWith(pair) ? undefined : `must end in the check characters ${pair}`;
};

const gtin: Check = (value) => {
  if (!/^\d+$/u.test(value) || !GTIN_LENGTHS.includes(value.length)) {
    return "must be a GTIN of 8, 12, 13 or 14 digits";
  }
  return checkDigit(14)(toGtin14(value));
};

export const identifierKinds: Readonly<Record<IdentifierType, IdentifierKind>> = {
  "00": { label: "SSCC", check: plain(18) },
  "01": { label: "GTIN", check: gtin },
  "253": { label: "GDTI", check: first(withTail(13, 17, ANY_TAIL), checkDigit(13)) },
  "255": { label: "GCN", check: first(withTail(13, 12, /^\d*$/u), checkDigit(13)) },
  "401": { label: "GINC", check: first(characters(1, 30), prefix) },
  "402": { label: "GSIN", check: plain(17) },
  "414": { label: "GLN", check: plain(13) },
  "417": { label: "Party GLN", check: plain(13) },
  "8003": {
    label: "GRAI",
    check: first(
      (value) => (value.startsWith("0") ? undefined : "must begin with 0"),
      withTail(14, 16, ANY_TAIL),
      checkDigit(13, 1),
    ),
  },
  "8004": { label: "GIAI", check: first(characters(1, 30), prefix) },
  "8006": { label: "ITIP", check: first(digits(18), checkDigit(14), piece) },
  "8013": { label: "GMN", check: first(characters(3, 25), prefix, gmnPair) },
  "8017": { label: "GSRN Provider", check: plain(18) },
  "8018": { label: "GSRN Recipient", check: plain(18) },
};

export const isIdentifierType = (text: string): text is IdentifierType =>
  Object.hasOwn(identifierKinds, text);

/**
 * Why `value` is no identifier of this kind, as "must …", or undefined. GTINs of all four lengths are
 * accepted.
 */
export function checkIdentifier(type: IdentifierType, value: string): string | undefined {
  if (value === "." || value === "..") return "must be something that a URL can hold";
  return identifierKinds[type].check(value);
}

/** The stored form of a checked value: GTINs have fourteen digits. */
export function toIdentifierValue(type: IdentifierType, value: string): string {
  return type === "01" ? toGtin14(value) : value;
}
