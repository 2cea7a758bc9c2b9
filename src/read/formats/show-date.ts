/** Sections of format codes -> texts of days and times. */
import { dateFormat } from "../../base/time/zoned-time.ts";

import type { Section, Token } from "./format-code.ts";

const DAY_MS = 86_400_000;
const LAST_DAY = 2_958_465;
/**
 * Day 0 of the 1900 system from March 1900 on; before that, the system has a day 60 that never
 * existed.
 */
const EPOCH_1900 = Date.UTC(1899, 11, 30);
const EPOCH_1904 = Date.UTC(1904, 0, 1);
const LEAP_BUG_DAY = 60;
const DAYS_BETWEEN = (EPOCH_1904 - EPOCH_1900) / DAY_MS;

/** A calendar day with its time; workbooks have no time zones. */
export interface Moment {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  /** From Sunday, 0. */
  readonly weekday: number;
  readonly seconds: number;
  /** Of a second, as many digits as the format shows. */
  readonly fraction: string;
  /** More than nothing and less than a day: only a time. */
  readonly isTime: boolean;
  /** Seconds since the system's first day: for `[h]`. */
  readonly elapsed: number;
}

const pad = (n: number): string => String(n).padStart(2, "0");

const toTime = (seconds: number): string =>
  `${pad(Math.floor(seconds / 3600))}:${pad(Math.floor(seconds / 60) % 60)}:${pad(seconds % 60)}`;

/** Hours above 24 stay hours: `36:00:00`. */
export function showDuration(days: number): string {
  const seconds = Math.round(Math.abs(days) * 86_400);
  return `${days < 0 ? "-" : ""}${toTime(seconds)}`;
}

type CalendarDay = Pick<Moment, "year" | "month" | "day" | "weekday">;

/** The 1900 system has a 29 February 1900, which shifts the weekdays before it. */
function toCalendar(day: number, uses1904: boolean): CalendarDay {
  if (day === LEAP_BUG_DAY && !uses1904) return { year: 1900, month: 2, day: 29, weekday: 3 };
  if (day === 0 && !uses1904) return { year: 1900, month: 1, day: 0, weekday: 6 };
  const isEarly = !uses1904 && day < LEAP_BUG_DAY;
  const ms = (uses1904 ? EPOCH_1904 : EPOCH_1900) + (isEarly ? day + 1 : day) * DAY_MS;
  const date = new Date(ms);
  return {
    year: date.getUTCFullYear(),
    month: date.getUTCMonth() + 1,
    day: date.getUTCDate(),
    weekday: isEarly ? (day + 6) % 7 : date.getUTCDay(),
  };
}

/**
 * A serial day number; undefined when spreadsheets show `#####`.
 * @param places decimals of seconds in the format
 */
export function readSerial(serial: number, uses1904: boolean, places = 0): Moment | undefined {
  const last = uses1904 ? LAST_DAY - DAYS_BETWEEN : LAST_DAY;
  if (serial < 0 || serial >= last + 1) return undefined;
  const unit = 10 ** places;
  const ticks = Math.round(serial * 86_400 * unit);
  const elapsed = Math.floor(ticks / unit);
  const fraction = places === 0 ? "" : String(ticks % unit).padStart(places, "0");
  const [day, seconds] = [Math.floor(elapsed / 86_400), elapsed % 86_400];
  const isTime = day === 0 && (seconds > 0 || !uses1904);
  return { ...toCalendar(day, uses1904), seconds, fraction, isTime, elapsed };
}

/** The serial day number of a written date; undefined before March 1900. */
export function toSerial(iso: string, uses1904: boolean): number | undefined {
  const days = (Date.parse(`${iso}Z`) - (uses1904 ? EPOCH_1904 : EPOCH_1900)) / DAY_MS;
  return days > (uses1904 ? 0 : LEAP_BUG_DAY) ? days : undefined;
}

/** `2026-11-20`, with its time if it has one; or only a time. */
export function toIso(moment: Moment): string {
  const { year, month, day, seconds } = moment;
  if (moment.isTime) return toTime(seconds);
  const iso = `${year}-${pad(month)}-${pad(day)}`;
  return seconds === 0 ? iso : `${iso} ${toTime(seconds)}`;
}

/** Windows' language numbers -> web language codes, for names of months and weekdays. */
const LANGUAGES: Readonly<Record<number, string>> = {
  0x04: "zh-CN",
  0x05: "cs",
  0x06: "da",
  0x07: "de",
  0x08: "el",
  0x09: "en",
  0x0a: "es",
  0x0b: "fi",
  0x0c: "fr",
  0x0e: "hu",
  0x10: "it",
  0x11: "ja",
  0x12: "ko",
  0x13: "nl",
  0x14: "nb",
  0x15: "pl",
  0x16: "pt",
  0x18: "ro",
  0x19: "ru",
  0x1b: "sk",
  0x1d: "sv",
  0x1f: "tr",
  0x22: "uk",
  0x24: "sl",
};

/** Countries whose months have other names than those of the language. */
const COUNTRIES: Readonly<Record<number, string>> = { 0x0c07: "de-AT" };
/** Excel's numbers of languages whose months are named as behind a day: `5 февраля`. */
const BEHIND_A_DAY = 0xfc00;

const ENGLISH = 0x09;
const JAPANESE = 0x11;
/** Bits of the language; the others are the country. */
const PRIMARY = 0x3ff;

interface Names {
  readonly months: readonly string[];
  readonly shortMonths: readonly string[];
  readonly days: readonly string[];
  readonly shortDays: readonly string[];
}

/** 2023 began on a Sunday. */
const at = (month: number, day: number): number => Date.UTC(2023, month, day);

type Language = NonNullable<Section["language"]>;

/** Undefined for a language whose names nobody here knows. */
function localeOf(language: Language): string | undefined {
  if (typeof language === "number") return COUNTRIES[language] ?? LANGUAGES[language & PRIMARY];
  try {
    return Intl.DateTimeFormat.supportedLocalesOf(language)[0];
  } catch {
    return undefined;
  }
}

const isMonth = ({ type }: Intl.DateTimeFormatPart): boolean => type === "month";

function monthsBehindDay(locale: string, moments: readonly number[]): string[] {
  const format = dateFormat(locale, { day: "numeric", month: "long", timeZone: "UTC" });
  return moments.map((moment) => format.formatToParts(moment).find(isMonth)?.value ?? "");
}

function namesOf(language: Language): Names {
  const locale = localeOf(language) ?? "en";
  const list = (options: Intl.DateTimeFormatOptions, moments: readonly number[]): string[] => {
    const format = dateFormat(locale, { ...options, timeZone: "UTC" });
    return moments.map((moment) => format.format(moment));
  };
  const months = Array.from({ length: 12 }, (_, month) => at(month, 1));
  const days = Array.from({ length: 7 }, (_, day) => at(0, 1 + day));
  const isBehindDay = typeof language === "number" && (language & BEHIND_A_DAY) === BEHIND_A_DAY;
  return {
    months: isBehindDay ? monthsBehindDay(locale, months) : list({ month: "long" }, months),
    shortMonths: list({ month: "short" }, months),
    days: list({ weekday: "long" }, days),
    shortDays: list({ weekday: "short" }, days),
  };
}

type Show = (moment: Moment) => string;

const hoursOf = ({ seconds }: Moment): number => Math.floor(seconds / 3600);
const minutesOf = ({ seconds }: Moment): number => Math.floor(seconds / 60) % 60;

/** Digits by the number of letters: `m` -> 7, `mm` -> 07. */
const numeral = (letters: string, read: (moment: Moment) => number): Show =>
  letters.length === 1
    ? (moment) => String(read(moment))
    : (moment) => String(read(moment)).padStart(letters.length, "0");

function showMonth(letters: string, names: Names): Show {
  if (letters.length < 3) return numeral(letters, ({ month }) => month);
  if (letters.length === 3) return ({ month }) => names.shortMonths[month - 1] ?? "";
  if (letters.length === 5) return ({ month }) => (names.months[month - 1] ?? "").slice(0, 1);
  return ({ month }) => names.months[month - 1] ?? "";
}

function showDay(letters: string, names: Names): Show {
  if (letters.length < 3) return numeral(letters, ({ day }) => day);
  if (letters.length === 3) return ({ weekday }) => names.shortDays[weekday] ?? "";
  return ({ weekday }) => names.days[weekday] ?? "";
}

/** Decimals of seconds in letters such as `ss.00`. */
const placesOf = (letters: string): number => letters.split(".")[1]?.length ?? 0;

function withFraction(show: Show, letters: string): Show {
  const places = placesOf(letters);
  if (places === 0) return show;
  return (moment) => `${show(moment)}.${moment.fraction.slice(0, places)}`;
}

const showSeconds = (letters: string): Show =>
  withFraction(
    numeral(letters.split(".", 1).join(""), ({ seconds }) => seconds % 60),
    letters,
  );

function showElapsed(letters: string): Show {
  const unit = { h: 3600, m: 60, s: 1 }[letters[1] ?? "s"] ?? 1;
  const show = numeral(letters.slice(1, letters.indexOf("]")), ({ elapsed }) =>
    Math.floor(elapsed / unit),
  );
  return withFraction(show, letters);
}

interface Around {
  readonly isMinute: boolean;
  readonly has12Hours: boolean;
  readonly names: Names;
}

const HALF_DAY = /^(?:am?\/pm?|上午\/下午)$/u;

/** The half that the letters name: `am/pm` -> AM or PM. */
function showHalfDay(letters: string): Show {
  const [before = "", behind = ""] = letters.toUpperCase().split("/");
  return (moment) => (hoursOf(moment) < 12 ? before : behind);
}

function showLetters(letters: string, { isMinute, has12Hours, names }: Around): Show {
  if (letters.startsWith("[")) return showElapsed(letters);
  if (HALF_DAY.test(letters)) return showHalfDay(letters);
  switch (letters.charAt(0)) {
    case "y":
      return letters.length <= 2
        ? ({ year }) => pad(year % 100)
        : ({ year }) => String(year).padStart(4, "0");
    case "m":
      return isMinute ? numeral(letters, minutesOf) : showMonth(letters, names);
    case "d":
      return showDay(letters, names);
    case "h":
      return numeral(letters, (moment) =>
        has12Hours ? ((hoursOf(moment) + 11) % 12) + 1 : hoursOf(moment),
      );
    case "s":
      return showSeconds(letters);
    default:
      // Weekdays of Japanese and Chinese programs: `aaa`, `aaaa`.
      return showDay(letters.length === 3 ? "ddd" : "dddd", names);
  }
}

const letterOf = ({ text }: Token): string => (text.startsWith("[") ? text[1] : text[0]) ?? "";

/** `m` means minutes after hours or before seconds. */
function areMinutes(dates: readonly Token[], token: Token): boolean {
  const at = dates.indexOf(token);
  const [before, behind] = [dates[at - 1], dates[at + 1]];
  return (
    token.text.length < 3 &&
    letterOf(token) === "m" &&
    ((before !== undefined && letterOf(before) === "h") ||
      (behind !== undefined && letterOf(behind) === "s"))
  );
}

export interface DateShower {
  readonly show: Show;
  /** Year, month and day are all shown. */
  readonly showsDay: boolean;
  /** A year, month, day or weekday is shown. */
  readonly showsPart: boolean;
  readonly showsTime: boolean;
  /** It looks different on each computer: month names in its language, its own calendar. */
  readonly isLocal: boolean;
  readonly isDuration: boolean;
  /** Decimals of seconds. */
  readonly places: number;
}

const isWeekday = ({ text }: Token): boolean => /^(?:d{3,}|a+)$/u.test(text);
const isDate = ({ kind }: Token): boolean => kind === "date";
const isOfTime = ({ text }: Token): boolean => /^[hs[]/u.test(text) || HALF_DAY.test(text);
const isNamed = ({ text }: Token): boolean => /^(?:m{3,}|d{3,}|a{3,4})$/u.test(text);

function makeParts({ tokens, language }: Section, minutes: ReadonlySet<Token>): Show {
  const isAsian = tokens.some(({ kind, text }) => kind === "date" && text.startsWith("aaa"));
  const names = namesOf(language ?? (isAsian ? JAPANESE : ENGLISH));
  const has12Hours = tokens.some(({ kind, text }) => kind === "date" && HALF_DAY.test(text));
  const parts = tokens.map((token): Show => {
    if (token.kind !== "date") return () => token.text;
    return showLetters(token.text, { isMinute: minutes.has(token), has12Hours, names });
  });
  return (moment) => parts.map((show) => show(moment)).join("");
}

const hasNames = ({ language }: Section): boolean =>
  language !== undefined && localeOf(language) !== undefined;

/** `undefined` for a section without letters of days and times. */
export function makeShowDate(section: Section): DateShower | undefined {
  const dates = section.tokens.filter(isDate);
  if (dates.length === 0) return undefined;
  const minutes = new Set(dates.filter((token) => areMinutes(dates, token)));
  const days = dates.filter((token) => !minutes.has(token) && !isOfTime(token));
  const numerals = days.filter((token) => !isWeekday(token)).map(letterOf);
  const isOwn = section.isForeign || dates.some(({ text }) => /^[gbe]/u.test(text));
  return {
    show: isOwn ? toIso : makeParts(section, minutes),
    showsPart: days.length > 0,
    showsTime: dates.some(isOfTime),
    showsDay: isOwn || ["y", "m", "d"].every((letter) => numerals.includes(letter)),
    isLocal: isOwn || (!hasNames(section) && dates.some(isNamed)),
    isDuration: dates.some(({ text }) => text.startsWith("[")),
    places: Math.max(...dates.map(({ text }) => placesOf(text))),
  };
}
