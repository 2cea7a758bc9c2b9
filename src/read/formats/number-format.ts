/**
 * How a workbook shows numbers: compiles format codes once, then shows what a person sees in a cell.
 */
import { readSections, type Section, type Token } from "./format-code.ts";
import type { TypedCell } from "../raw.ts";
import {
  makeShowDate,
  readSerial,
  showDuration,
  toIso,
  type DateShower,
  type Moment,
} from "./show-date.ts";
import { makeShowNumber, showGeneral, toPlain } from "./show-number.ts";

/** A compiled format code. */
export interface NumberFormat {
  /** @param uses1904 the workbook counts its days from 1904 */
  show(value: number, uses1904: boolean): TypedCell;
  /** For formats that add something to texts. */
  readonly showText?: (text: string) => string;
}

/** What spreadsheets show for days outside of their calendar. */
export const NO_DAY = "########";

/** A cell as it is shown in English, where other computers show other marks. */
const withLocal = (cell: TypedCell, isLocal: boolean): TypedCell =>
  isLocal ? { ...cell, oddity: "local" } : cell;

/** With all digits, even those that aren't shown. */
function showPlain(value: number): TypedCell {
  const text = toPlain(value);
  const shown = showGeneral(value, text);
  if (shown === text) return withLocal({ kind: "number", text }, text.includes("."));
  return { kind: "number", text, shown, oddity: "shortened" };
}

export const GENERAL: NumberFormat = { show: showPlain };

/** Formats that files name by number only (ISO/IEC 29500-1, 18.8.30). */
const BUILT_IN: Readonly<Record<number, string>> = {
  1: "0",
  2: "0.00",
  3: "#,##0",
  4: "#,##0.00",
  5: '"$"#,##0;-"$"#,##0',
  6: '"$"#,##0;-"$"#,##0',
  7: '"$"#,##0.00;-"$"#,##0.00',
  8: '"$"#,##0.00;-"$"#,##0.00',
  9: "0%",
  10: "0.00%",
  11: "0.00E+00",
  12: "# ?/?",
  13: "# ??/??",
  18: "h:mm AM/PM",
  19: "h:mm:ss AM/PM",
  20: "h:mm",
  21: "h:mm:ss",
  37: "#,##0 ;(#,##0)",
  38: "#,##0 ;(#,##0)",
  39: "#,##0.00 ;(#,##0.00)",
  40: "#,##0.00 ;(#,##0.00)",
  41: "#,##0",
  42: '"$"#,##0;-"$"#,##0',
  43: "#,##0.00",
  44: '"$"#,##0.00;-"$"#,##0.00',
  45: "mm:ss",
  46: "[h]:mm:ss",
  47: "mm:ss.0",
  48: "##0.0E+0",
  49: "@",
};

/** `m/d/yy h:mm` in each computer's own form. */
const DAY_TIME = 22;

/** Dates in each computer's own form; 27-36 and 50-58 in East Asia. */
const isLocalDate = (id: number): boolean =>
  (id >= 14 && id <= 17) || id === DAY_TIME || (id >= 27 && id <= 36) || (id >= 50 && id <= 58);

type Show = NumberFormat["show"];

const noDay: TypedCell = { kind: "no-day", text: NO_DAY };
const noTime: TypedCell = { kind: "no-time", text: NO_DAY };

/** Cells of one day are one cell. */
const MAX_KNOWN = 4096;

function remember(show: Show): Show {
  const known = new Map<number, TypedCell>();
  return (value, uses1904) => {
    const found = known.get(value);
    if (found !== undefined) return found;
    const cell = show(value, uses1904);
    if (known.size >= MAX_KNOWN) known.clear();
    known.set(value, cell);
    return cell;
  };
}

/** A time that is shown with its day, and isn't midnight. */
const hasTime = ({ isTime, seconds }: Moment, showsTime: boolean): { hasTime?: true } =>
  showsTime && !isTime && seconds > 0 ? { hasTime: true } : {};

/** Shown in the standard form, since each computer shows another one. */
const makeLocalDate = (showsTime: boolean): NumberFormat => ({
  show: remember((value, uses1904) => {
    const moment = readSerial(value, uses1904);
    if (moment === undefined) return noDay;
    const iso = toIso(moment);
    return {
      kind: "date",
      text: iso,
      value: iso,
      oddity: "local",
      ...hasTime(moment, showsTime),
    };
  }),
});

const LOCAL_DATE = makeLocalDate(false);
const LOCAL_DAY_TIME = makeLocalDate(true);

/** @param iso the same as days and times are written everywhere */
function toDateCell(shower: DateShower, moment: Moment, text: string, iso: string): TypedCell {
  const { isDuration, isLocal, showsDay, showsPart, showsTime } = shower;
  // A time alone has no day; every program shows another one, Excel 0 January 1900.
  if (moment.isTime && showsPart) {
    const isHour = showsDay && moment.seconds > 0;
    return { kind: "date", text: isHour ? iso : text, value: iso, oddity: "local" };
  }
  const time = hasTime(moment, showsTime && !isDuration);
  const cell: TypedCell = { kind: "date", text, value: iso, ...time };
  if (isLocal) return { ...cell, oddity: "local" };
  return showsDay || moment.isTime || isDuration ? cell : { ...cell, oddity: "hidden" };
}

/** @param isWithoutSign the section is for negative numbers, and has its own sign */
function makeDate(section: Section, isWithoutSign: boolean): Show | undefined {
  const shower = makeShowDate(section);
  if (shower === undefined) return undefined;
  const { isDuration, showsPart, places } = shower;
  return remember((value, uses1904) => {
    const isNegative = value < 0 && isDuration;
    const moment = readSerial(isNegative ? -value : value, uses1904, places);
    if (moment === undefined) return showsPart || value > 0 ? noDay : noTime;
    const text = `${isNegative && !isWithoutSign ? "-" : ""}${shower.show(moment)}`.trim();
    const iso = isDuration ? showDuration(value) : toIso(moment);
    const cell = toDateCell(shower, moment, text, iso);
    // LibreOffice shows durations below zero; Excel only where days count from 1904.
    return isNegative && !uses1904 ? { ...cell, oddity: "negative" } : cell;
  });
}

const NUMERALS = /\d[\d,]*(?:\.\d+)?|\.\d+/gu;

/** The text contains this number and no other, whatever words and currency signs are around it. */
function saysSame(text: string, value: number): boolean {
  const [found, another] = text.matchAll(NUMERALS);
  if (found === undefined || another !== undefined) return false;
  const percent = text.includes("%") ? 100 : 1;
  const sign = /[-(]/u.test(text.slice(0, found.index)) ? -1 : 1;
  const said = Number(found[0].replaceAll(",", "")) * sign;
  return Number((value * percent).toPrecision(15)) === said;
}

const GROUPS = /\d,\d{3}/u;
const DECIMALS = /\.\d/u;

function makeNumber(section: Section, isWithoutSign: boolean): Show {
  const showDigits = makeShowNumber(section);
  const marks = section.tokens.flatMap(({ kind, text }) => (kind === "mark" ? [text] : []));
  const isScientific = marks.some((text) => text.startsWith("E"));
  const isShortened = (value: number): boolean =>
    marks.includes("General") && showGeneral(value).includes("E");
  // Texts with an exponent are refused, or told with all their digits.
  const hasPoint = marks.includes(".") && !isScientific;
  const hasMarks = (text: string): boolean =>
    section.hasOwnDigits || GROUPS.test(text) || (hasPoint && DECIMALS.test(text));
  return (value) => {
    const sign = value < 0 && !isWithoutSign ? "-" : "";
    const plain = toPlain(value);
    const text = `${sign}${showDigits(Math.abs(value))}`.trim();
    const isLocal = hasMarks(text);
    if (text === plain) return withLocal({ kind: "number", text }, isLocal);
    const hasExponent = isScientific || isShortened(value);
    const exponent = hasExponent ? { hasExponent } : {};
    const cell: TypedCell = { kind: "number", text, value: plain, ...exponent };
    if (saysSame(text, value)) return withLocal(cell, isLocal);
    return { ...cell, oddity: "hidden", ...(isLocal && { isLocal }) };
  };
}

const isValue = ({ kind, text }: Token): boolean =>
  kind === "mark" && (text === "General" || text === "@");

/** Shows the value and nothing else. */
const isPlainSection = ({ tokens }: Section): boolean =>
  tokens.some(isValue) &&
  tokens.every((token) => isValue(token) || (token.kind === "literal" && token.text.trim() === ""));

const showPlainLocal: Show = (value) => withLocal(showPlain(value), true);

function makeShow(section: Section, isWithoutSign: boolean): Show {
  const isPlain = isPlainSection(section) && !isWithoutSign;
  if (isPlain) return section.hasOwnDigits ? showPlainLocal : showPlain;
  return makeDate(section, isWithoutSign) ?? makeNumber(section, isWithoutSign);
}

const operators: Readonly<Record<string, (value: number, limit: number) => boolean>> = {
  "<": (value, limit) => value < limit,
  ">": (value, limit) => value > limit,
  "<=": (value, limit) => value <= limit,
  ">=": (value, limit) => value >= limit,
  "<>": (value, limit) => value !== limit,
  "=": (value, limit) => value === limit,
};

const holds = ({ condition }: Section, value: number): boolean =>
  condition !== undefined && (operators[condition.operator]?.(value, condition.limit) ?? false);

/** A section only for negative numbers defines by itself how they look. */
const isForNegative = ({ condition }: Section): boolean =>
  condition !== undefined && /^<=?$/u.test(condition.operator) && condition.limit <= 0;

function makeConditional(sections: readonly Section[]): Show {
  const shows = sections.map((section) => makeShow(section, isForNegative(section)));
  const rest = sections.findIndex(({ condition }) => condition === undefined);
  return (value, uses1904) => {
    const found = sections.findIndex((section) => holds(section, value));
    return (shows[found < 0 ? rest : found] ?? showPlain)(value, uses1904);
  };
}

/** Sections for positive numbers and zero; negative ones; zero. */
function makeBySign(sections: readonly Section[]): Show {
  const [positive, negative, zero] = sections;
  if (positive === undefined) return showPlain;
  const showPositive = makeShow(positive, false);
  if (negative === undefined) return showPositive;
  const showNegative = makeShow(negative, true);
  const showZero = zero === undefined ? showPositive : makeShow(zero, false);
  return (value, uses1904) => {
    const show = value > 0 ? showPositive : value < 0 ? showNegative : showZero;
    return show(value, uses1904);
  };
}

const hasText = ({ tokens }: Section): boolean => tokens.some(({ text }) => text === "@");

function makeShowText(section: Section | undefined): NumberFormat["showText"] {
  if (section === undefined || isPlainSection(section)) return undefined;
  return (text) => section.tokens.map((token) => (isValue(token) ? text : token.text)).join("");
}

/** @param code such as `yyyy-mm-dd`, `#,##0.00 [$€-407]` or `"SKU-"0000` */
export function parseNumberFormat(code: string): NumberFormat {
  const all = readSections(code);
  const last = all.at(-1);
  const text = all.length === 4 || (last !== undefined && hasText(last)) ? last : undefined;
  const sections = all.length > 1 && text !== undefined ? all.slice(0, -1) : all;
  if (code.trim() === "") return GENERAL;
  const hasConditions = sections.some(({ condition }) => condition !== undefined);
  const show = hasConditions ? makeConditional(sections) : makeBySign(sections);
  const showText = makeShowText(text);
  if (showText !== undefined) return { show, showText };
  return show === showPlain ? GENERAL : { show };
}

/** Negative numbers stand in brackets there, on computers of other languages behind a sign. */
const IN_BRACKETS = new Set([37, 38, 39, 40]);
/** Each computer shows its own currency there. */
const IN_CURRENCY = new Set([5, 6, 7, 8, 42, 44]);

function withLocalSign(code: string, isLocal: (value: number) => boolean): NumberFormat {
  const format = parseNumberFormat(code);
  return {
    show: (value, uses1904) => {
      const cell = format.show(value, uses1904);
      return isLocal(value) && cell.oddity === undefined ? withLocal(cell, true) : cell;
    },
  };
}

const isNegative = (value: number): boolean => value < 0;
const isAny = (): boolean => true;

/** The format that a style names by its number, `codes` being those that the file defines. */
export function numberFormatOf(id: number, codes: ReadonlyMap<number, string>): NumberFormat {
  const own = codes.get(id);
  const code = own ?? BUILT_IN[id];
  if (own === undefined && IN_BRACKETS.has(id)) return withLocalSign(code ?? "", isNegative);
  if (own === undefined && IN_CURRENCY.has(id)) return withLocalSign(code ?? "", isAny);
  if (code !== undefined) return parseNumberFormat(code);
  if (id === DAY_TIME) return LOCAL_DAY_TIME;
  return isLocalDate(id) ? LOCAL_DATE : GENERAL;
}
