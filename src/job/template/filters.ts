import { BETWEEN_MANY } from "../../base/text/many-values.ts";
import { slugLanguages, toSlug, type SlugLanguage } from "../../base/text/slug.ts";
import { escapeWifi, toWifiType } from "../../base/text/wifi-text.ts";
import { dateFormat } from "../../base/time/zoned-time.ts";
import { quoteText } from "../../base/text/words.ts";

/** Raised inside a filter: the text of a row isn't what the filter needs. */
export class FilterError extends Error {}

interface Filter {
  /** How to write it, for messages and docs. */
  readonly usage: string;
  /** Least and greatest number of arguments. */
  readonly args: readonly [number, number];
  /** The rule that the arguments break; undefined when they are fine. */
  readonly check?: (args: readonly string[]) => string | undefined;
  /** `language` is that of the source. */
  readonly apply: (value: string, args: readonly string[], language?: SlugLanguage) => string;
}

const MAX_WIDTH = 200;
const WIDTH_RULE = `a whole number from 1 to ${MAX_WIDTH}`;

const isWidth = (text: string | undefined): boolean =>
  text !== undefined && /^\d{1,3}$/u.test(text) && +text >= 1 && +text <= MAX_WIDTH;

const needsWidth = (args: readonly string[]): string | undefined =>
  isWidth(args[0]) ? undefined : WIDTH_RULE;

const needsOneCharacter = (args: readonly string[]): string | undefined =>
  needsWidth(args) ??
  (args[1] === undefined || /^.$/u.test(args[1]) ? undefined : `${WIDTH_RULE} and one character`);

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

function cutToLetters(text: string, letters: number): string {
  if (text.length <= letters) return text;
  const kept: string[] = [];
  for (const { segment } of graphemes.segment(text)) {
    if (kept.length === letters) return kept.join("");
    kept.push(segment);
  }
  return text;
}

const countLetters = (text: string): number => Array.from(graphemes.segment(text)).length;

function truncate(value: string, args: readonly string[]): string {
  const letters = Number(args[0]);
  const ending = args[1] ?? "";
  if (cutToLetters(value, letters) === value) return value;
  return cutToLetters(value, Math.max(0, letters - countLetters(ending))).trimEnd() + ending;
}

const DATE = /^(\d{4})-(\d{2})(?:-(\d{2}))?(?:[T ].*)?$/u;
const DATE_PARTS = /YYYY|YY|MM|M|DD|D/gu;

/** The parts of a date like 2026-11-20; undefined for another text. */
export function readDate(value: string) {
  const [, year, month, day = "01"] = DATE.exec(value) ?? [];
  return year === undefined || month === undefined ? undefined : { year, month, day };
}

function formatDate(value: string, args: readonly string[]): string {
  if (value === "") return "";
  const date = readDate(value);
  if (date === undefined) {
    throw new FilterError(
      `value for the filter "date" must be a date like 2026-11-20, got ${quoteText(value)}`,
    );
  }
  const { year, month, day } = date;
  const parts: Readonly<Record<string, string>> = {
    YYYY: year,
    YY: year.slice(2),
    MM: month,
    M: String(+month),
    DD: day,
    D: String(+day),
  };
  return (args[0] ?? "YYYY-MM-DD").replace(DATE_PARTS, (part) => parts[part] ?? part);
}

function toMonthName(value: string, args: readonly string[]): string {
  if (value === "") return "";
  const month = Number(DATE.exec(value)?.[2] ?? (/^\d{1,2}$/u.test(value) ? value : Number.NaN));
  if (!(month >= 1 && month <= 12)) {
    throw new FilterError(
      `value for the filter "name" must be a date or a month from 1 to 12, got ${quoteText(value)}`,
    );
  }
  const format = dateFormat(args[0] ?? "en", { month: "long", timeZone: "UTC" });
  return format.format(Date.UTC(2026, month - 1, 15));
}

function isLanguage(tag: string): boolean {
  try {
    return Intl.DateTimeFormat.supportedLocalesOf(tag).length > 0;
  } catch {
    return false;
  }
}

const needsLanguage = (args: readonly string[]): string | undefined =>
  args[0] === undefined || isLanguage(args[0]) ? undefined : 'a language like "de" or "pt-BR"';

const needsDateFormat = ([format]: readonly string[]): string | undefined =>
  format === undefined || /YY|M|D/u.test(format) ? undefined : "made of YYYY, YY, MM, M, DD, D";

const isSlugLanguage = (text: string | undefined): text is SlugLanguage =>
  slugLanguages.some((language) => language === text);

const needsSlugLanguage = ([language]: readonly string[]): string | undefined =>
  language === undefined || isSlugLanguage(language) ? undefined : slugLanguages.join(" or ");

function toWifi(value: string, [part]: readonly string[]): string {
  if (part === undefined) return escapeWifi(value);
  const type = toWifiType(value);
  if (type !== undefined) return type;
  throw new FilterError(
    `value for the filter "wifi: type" must be WPA, WEP or nopass, got ${JSON.stringify(value)}`,
  );
}

/** The whole language of row templates: name -> filter (docs/spec/jobs.md section 1). */
export const filters = {
  slug: {
    usage: "slug or slug: de",
    args: [0, 1],
    check: needsSlugLanguage,
    apply: (value, [given], language) => toSlug(value, isSlugLanguage(given) ? given : language),
  },
  upper: { usage: "upper", args: [0, 0], apply: (value) => value.toUpperCase() },
  lower: { usage: "lower", args: [0, 0], apply: (value) => value.toLowerCase() },
  trim: {
    usage: "trim",
    args: [0, 0],
    apply: (value) => value.replace(/\s+/gu, " ").trim(),
  },
  first: {
    usage: 'first or first: ";"',
    args: [0, 1],
    check: ([between]) => (between === "" ? "the sign between the values" : undefined),
    apply: (value, [between = BETWEEN_MANY]) => (value.split(between, 1)[0] ?? "").trim(),
  },
  pad: {
    usage: 'pad: 3 or pad: 3, "_"',
    args: [1, 2],
    check: needsOneCharacter,
    apply: (value, args) => value.padStart(Number(args[0]), args[1] ?? "0"),
  },
  prefix: {
    usage: 'prefix: "Table "',
    args: [1, 1],
    apply: (value, args) => (value === "" ? "" : `${args[0] ?? ""}${value}`),
  },
  suffix: {
    usage: 'suffix: " (new)"',
    args: [1, 1],
    apply: (value, args) => (value === "" ? "" : `${value}${args[0] ?? ""}`),
  },
  default: {
    usage: "default: Unsorted",
    args: [1, 1],
    apply: (value, args) => (value.trim() === "" ? (args[0] ?? "") : value),
  },
  date: { usage: "date: YYMMDD", args: [0, 1], check: needsDateFormat, apply: formatDate },
  truncate: {
    usage: 'truncate: 20 or truncate: 20, "…"',
    args: [1, 2],
    check: needsWidth,
    apply: truncate,
  },
  urlencode: {
    usage: "urlencode",
    args: [0, 0],
    apply: (value) => encodeURIComponent(value.toWellFormed()),
  },
  wifi: {
    usage: "wifi or wifi: type",
    args: [0, 1],
    check: ([part]) => (part === undefined || part === "type" ? undefined : "type"),
    apply: toWifi,
  },
  name: { usage: "name: de", args: [0, 1], check: needsLanguage, apply: toMonthName },
} as const satisfies Record<string, Filter>;

export type FilterName = keyof typeof filters;

export const filterNames = Object.keys(filters) as readonly FilterName[];

export function isFilterName(name: string): name is FilterName {
  return Object.hasOwn(filters, name);
}

/** The problem of a filter's arguments, as "must be …", or undefined. */
export function checkArguments(name: FilterName, args: readonly string[]): string | undefined {
  const filter: Filter = filters[name];
  const [least, most] = filter.args;
  if (args.length < least || args.length > most) {
    return most === 0 ? "without arguments" : `written like "${filter.usage}"`;
  }
  return filter.check?.(args);
}

/** Throws a FilterError when the text isn't what the filter needs. */
export function applyFilter(
  { name, args }: { readonly name: FilterName; readonly args: readonly string[] },
  value: string,
  language?: SlugLanguage,
): string {
  const filter: Filter = filters[name];
  return filter.apply(value, args, language);
}
