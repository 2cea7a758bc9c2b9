/**
 * What an answer to each type of field must be (docs/spec/api.md section 2.11): one table for
 * server and page.
 */
import { isOpenableUrl } from "../../../api/fields.ts";
import type { FieldType } from "../../../api/form.ts";
import { ownLimits } from "../../../api/limits.ts";
import type { FormField } from "../../resources/forms/rows.ts";
import type { AnswerValue } from "../../resources/forms/rows/responses.ts";
import type { Words } from "../words/en.ts";

export const RATING_MAX = 5;
export const SCALE_MAX = 10;
export const MAX_IMAGE_MB = 10;
const { maxTitle: MAX_OPTION } = ownLimits;

/** Faults of an answer; the words for them are in the visitor's language. */
export type AnswerFault = keyof Words["answer"];

export interface FieldRule {
  /** Longest answer in UTF-16 units, as browsers count; a longer one is refused. */
  readonly maxLength: number;
  /** The fault when a required field has no answer. */
  readonly missing: AnswerFault;
  /** The fault when an answer doesn't fit. */
  readonly invalid: AnswerFault;
  /** The fault of one text that doesn't fit; default: `invalid`. */
  readonly findFault?: (text: string) => AnswerFault;
  /** Reads what was written or chosen, never empty; undefined when it doesn't fit. */
  readonly read: (field: FormField) => (text: string) => AnswerValue | undefined;
}

/** As browsers check it (HTML Living Standard, valid e-mail address). */
const EMAIL =
  /^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$/u;
/** Three digits among blanks, brackets, hyphens, points and slashes; also the `pattern` of its input. */
const PHONE = /^\+?(?:[ \u0028\u0029\u002d-\u002f]*\d){3}[\d \u0028\u0029\u002d-\u002f]*$/u;
export const PHONE_PATTERN = PHONE.source.slice("^".length, -"$".length);
const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d{1,3})?$/iu;
const DATE = /^(\d{4})-(\d{2})-(\d{2})$/u;
const TIME = /^(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d)?$/u;

/** A day of the calendar, as browsers send it. */
function readDate(text: string): string | undefined {
  const [, year, month, day] = DATE.exec(text) ?? [];
  if (year === undefined || year === "0000") return undefined;
  const date = new Date(`${text}T00:00:00Z`);
  const isDay = date.getUTCMonth() + 1 === Number(month) && date.getUTCDate() === Number(day);
  return isDay ? text : undefined;
}

/** `digits` and `exponent` of a written number: `-0120.5e1` is 1205, 0. */
function toDigits(text: string): string {
  const [mantissa = "", exponent = "0"] = text.toLowerCase().replace(/^[+-]/u, "").split("e");
  const [whole = "", part = ""] = mantissa.split(".");
  const digits = (whole + part).replace(/^0+/u, "");
  let end = digits.length;
  while (digits[end - 1] === "0") end -= 1;
  const short = digits.slice(0, end);
  if (short === "") return "0";
  return `${short}e${Number(exponent) - part.length + digits.length - short.length}`;
}

/** Code or count: zeros before a number are lost when it becomes one. */
const HAS_LEADING_ZERO = /^[+-]?0\d/u;

/** A number that says exactly what was written: none that would be rounded, or lose zeros. */
function readNumber(text: string): number | undefined {
  if (!NUMBER.test(text) || HAS_LEADING_ZERO.test(text)) return undefined;
  const number = Number(text);
  return Number.isFinite(number) && toDigits(String(number)) === toDigits(text)
    ? number
    : undefined;
}

/** The fault of a number that was refused: it is one, but not as it is written. */
const findNumberFault = (text: string): AnswerFault =>
  NUMBER.test(text) ? "numberNotKept" : "number";

const readUpTo = (max: number) => () => (text: string) =>
  /^\d{1,2}$/u.test(text) && Number(text) >= 1 && Number(text) <= max ? Number(text) : undefined;

/** Control characters other than line breaks and tabs are removed. */
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f]/gu;

/** The text with one kind of line break and nothing around it. */
export const clean = (text: string): string =>
  text.replace(/\r\n?/gu, "\n").replace(CONTROLS, "").trim();

/** The option as its owner wrote it; the first of several that are sent alike. */
function readOption({ options = [] }: FormField): (text: string) => string | undefined {
  const values = new Map(options.toReversed().map(({ value }) => [clean(value), value]));
  return (text) => values.get(text);
}

const asWritten = () => (text: string) => text;
const YES_NO: ReadonlyMap<string, boolean> = new Map([
  ["yes", true],
  ["no", false],
]);

export const fieldRules: Readonly<Record<FieldType, FieldRule>> = {
  text: {
    maxLength: 1000,
    missing: "write",
    invalid: "text",
    read: asWritten,
  },
  textarea: {
    maxLength: 10_000,
    missing: "write",
    invalid: "textarea",
    read: asWritten,
  },
  email: {
    maxLength: 254,
    missing: "emailMissing",
    invalid: "email",
    read: () => (text) => (EMAIL.test(text) ? text : undefined),
  },
  phone: {
    maxLength: 40,
    missing: "phoneMissing",
    invalid: "phone",
    read: () => (text) => (PHONE.test(text) ? text : undefined),
  },
  number: {
    maxLength: 100,
    missing: "numberMissing",
    invalid: "number",
    findFault: findNumberFault,
    read: () => readNumber,
  },
  select: {
    maxLength: MAX_OPTION,
    missing: "choose",
    invalid: "select",
    read: readOption,
  },
  radio: { maxLength: MAX_OPTION, missing: "choose", invalid: "choose", read: readOption },
  checkbox: {
    maxLength: MAX_OPTION,
    missing: "checkboxMissing",
    invalid: "checkbox",
    read: readOption,
  },
  date: {
    maxLength: 10,
    missing: "dateMissing",
    invalid: "date",
    read: () => readDate,
  },
  time: {
    maxLength: 8,
    missing: "timeMissing",
    invalid: "time",
    read: () => (text) => (TIME.test(text) ? text : undefined),
  },
  url: {
    maxLength: 2048,
    missing: "urlMissing",
    invalid: "url",
    read: () => (text) => (/^https?:/iu.test(text) && isOpenableUrl(text) ? text : undefined),
  },
  rating: {
    maxLength: 2,
    missing: "ratingMissing",
    invalid: "choose",
    read: readUpTo(RATING_MAX),
  },
  scale: {
    maxLength: 2,
    missing: "scaleMissing",
    invalid: "choose",
    read: readUpTo(SCALE_MAX),
  },
  yes_no: {
    maxLength: 3,
    missing: "yesNo",
    invalid: "yesNo",
    read: () => (text) => YES_NO.get(text),
  },
  image: {
    maxLength: 0,
    missing: "imageMissing",
    invalid: "image",
    read: () => () => undefined,
  },
};
