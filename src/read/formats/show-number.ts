/** Sections of format codes -> texts of numbers, as spreadsheets show them in English. */
import type { Section, Token } from "./format-code.ts";

const ZEROS_LAST = /(?<!0)0+$/u;
const WRITTEN = /^([-+]?)(\d*)(?:\.(\d*))?(?:e([-+]?\d+))?$/iu;

/** A number of 1 or more as it is written, without exponent: no digit becomes another one. */
export function writeOut(written: string): string {
  const [, sign = "", whole = "", decimals = "", exponent = "0"] =
    WRITTEN.exec(written.trim()) ?? [];
  const all = `${whole}${decimals}`;
  const at = whole.length + Number(exponent);
  const rest = all.slice(at).replace(ZEROS_LAST, "");
  const digits = all
    .slice(0, at)
    .padEnd(at, "0")
    .replace(/^0+(?=\d)/u, "");
  return `${sign === "-" ? sign : ""}${digits}${rest === "" ? "" : `.${rest}`}`;
}

const SMALL = /^(-?)(\d)(?:\.(\d+))?e-(\d\d?)$/u;

/** 15 digits, as spreadsheets keep them; an exponent only for the tiniest numbers. */
export function toPlain(value: number): string {
  const rounded = Number(value.toPrecision(15));
  if (Math.abs(rounded) >= 1e15) return writeOut(value.toExponential(14));
  if (Number.isInteger(rounded)) return BigInt(rounded).toString();
  const text = String(rounded);
  const [, sign = "", first, more = "", exponent] = SMALL.exec(text) ?? [];
  if (first === undefined) return text;
  return `${sign}0.${"0".repeat(Number(exponent) - 1)}${first}${more}`;
}

/** Longest text of General, without the sign. */
const GENERAL_CHARACTERS = 11;
/** Smaller numbers are shown with an exponent. */
const GENERAL_LEAST = 0.0001;

function showExponent(value: number): string {
  const [mantissa = "", exponent = ""] = value.toExponential(5).split("e");
  const digits = mantissa.replace(ZEROS_LAST, "").replace(/\.$/u, "");
  return `${digits}E${exponent.charAt(0)}${exponent.slice(1).padStart(2, "0")}`;
}

/** A number in the format General in a wide column: shortened. */
export function showGeneral(value: number, plain = toPlain(value)): string {
  if (plain.length - (value < 0 ? 1 : 0) <= GENERAL_CHARACTERS) return plain;
  const size = Math.abs(value);
  const [digits = ""] = plain.replace("-", "").split(".");
  const isPlain = size >= GENERAL_LEAST && digits.length <= GENERAL_CHARACTERS;
  if (!isPlain) return showExponent(value);
  const places = Math.max(0, GENERAL_CHARACTERS - 1 - digits.length);
  const [whole, decimals] = round(size, places);
  if (whole.length > GENERAL_CHARACTERS) return showExponent(value);
  const behind = decimals.replace(ZEROS_LAST, "");
  return `${value < 0 ? "-" : ""}${whole}${behind === "" ? "" : `.${behind}`}`;
}

/** Whole part and decimals of a number from 0 on, without exponent. */
function toDigits(value: number): readonly [string, string] {
  const plain = toPlain(value);
  const full = plain.includes("e") ? value.toFixed(20).replace(ZEROS_LAST, "") : plain;
  const [whole = "0", decimals = ""] = full.split(".");
  return [whole, decimals];
}

/** Rounds half up, in decimals: binary numbers would round differently. */
function round(value: number, places: number): readonly [string, string] {
  const [whole, decimals] = toDigits(value);
  if (decimals.length <= places) return [whole, decimals.padEnd(places, "0")];
  const kept = BigInt(whole + decimals.slice(0, places));
  const up = decimals.charCodeAt(places) >= 0x35 /* 5 */ ? 1n : 0n;
  const all = (kept + up).toString().padStart(places + 1, "0");
  return [all.slice(0, all.length - places), all.slice(all.length - places)];
}

/** What is shown for a missing digit. */
const EMPTY: Readonly<Record<string, string>> = { "0": "0", "?": " ", "#": "" };

/** A digit before those already placed, with a mark of thousands if it belongs there. */
function putBefore(digit: string, placed: number, isGrouped: boolean): string {
  const isBorder = isGrouped && placed > 0 && placed % 3 === 0 && digit.trim() !== "";
  return isBorder ? `${digit},` : digit;
}

/** Puts digits into placeholders from the right; extra digits go before the first one. */
function fillWhole(tokens: readonly Token[], whole: string, isGrouped: boolean): string {
  const digits = whole === "0" ? "" : whole;
  const count = tokens.filter(isDigit).length;
  let out = "";
  let placed = 0;
  for (const { kind, text } of tokens.toReversed()) {
    if (kind !== "digit") {
      out = text + out;
      continue;
    }
    const last = placed + 1 === count ? Math.max(placed + 1, digits.length) : placed + 1;
    for (; placed < last; placed += 1) {
      const digit = digits.at(-1 - placed) ?? EMPTY[text] ?? "";
      out = putBefore(digit, placed, isGrouped) + out;
    }
  }
  return out;
}

/** Puts digits into placeholders from the left; zeros at the end only where a `0` requires them. */
function fillDecimals(tokens: readonly Token[], decimals: string): string {
  const digits = tokens.filter(isDigit);
  const needed = decimals.replace(ZEROS_LAST, "").length;
  const shown = Math.max(needed, digits.findLastIndex(({ text }) => text === "0") + 1);
  let at = -1;
  const fill = ({ kind, text }: Token): string => {
    if (kind !== "digit") return text;
    at += 1;
    return at < shown ? (decimals[at] ?? "0") : (EMPTY[text] ?? "");
  };
  return tokens.map(fill).join("");
}

const isDigit = ({ kind }: Token): boolean => kind === "digit";
const isMark = (token: Token | undefined, text: string): boolean =>
  token?.kind === "mark" && token.text === text;

export type ShowNumber = (value: number) => string;

const textOf = (tokens: readonly Token[], value: number): string =>
  tokens
    .map(({ kind, text }) => {
      if (kind !== "mark") return text;
      return text === "General" || text === "@" ? showGeneral(value) : text;
    })
    .join("");

const isComma = (token: Token): boolean => isMark(token, ",");

/** Marks of thousands: between digits they group; behind the last digit they divide by a thousand. */
function splitMarks(tokens: readonly Token[]) {
  const last = tokens.findLastIndex(isDigit);
  const behind = tokens.slice(last + 1);
  const scale = behind.findIndex((token) => !isMark(token, ","));
  return {
    isGrouped: tokens.slice(0, last).some(isComma),
    thousands: scale < 0 ? behind.length : scale,
    tokens: tokens.filter((token) => !isComma(token)),
  };
}

function makeDecimal(tokens: readonly Token[]): ShowNumber {
  const point = tokens.findIndex((token) => isMark(token, "."));
  const front = splitMarks(point < 0 ? tokens : tokens.slice(0, point));
  const back = splitMarks(point < 0 ? [] : tokens.slice(point + 1));
  const places = back.tokens.filter(isDigit).length;
  const percents = tokens.filter((token) => isMark(token, "%")).length;
  const thousands = front.thousands + back.thousands;
  const factor = 100 ** percents / 1000 ** thousands;
  // `.00` has no place before its point, but what stands there is shown.
  const hasPlaces = point < 0 || front.tokens.some(isDigit);
  return (value) => {
    const scaled = factor === 1 ? value : Number((value * factor).toPrecision(15));
    const [whole, decimals] = round(scaled, places);
    const left = fillWhole(front.tokens, whole, front.isGrouped);
    const more = hasPlaces || whole === "0" ? "" : whole;
    return point < 0 ? left : `${left}${more}.${fillDecimals(back.tokens, decimals)}`;
  };
}

function makeScientific(tokens: readonly Token[], at: number): ShowNumber {
  const mantissa = tokens.slice(0, at);
  const point = mantissa.findIndex((token) => isMark(token, "."));
  const places = point < 0 ? 0 : mantissa.slice(point).filter(isDigit).length;
  const width = Math.max(
    1,
    (point < 0 ? mantissa : mantissa.slice(0, point)).filter(isDigit).length,
  );
  const showMantissa = makeDecimal(mantissa);
  const exponentTokens = tokens.slice(at + 1);
  const plus = tokens[at]?.text === "E+" ? "+" : "";
  return (value) => {
    const [, e = "0"] = value.toExponential(Math.min(100, places + width - 1)).split("e");
    const exponent = value === 0 ? 0 : Math.floor(Number(e) / width) * width;
    const power = fillWhole(exponentTokens, String(Math.abs(exponent)), false);
    return `${showMantissa(value / 10 ** exponent)}E${exponent < 0 ? "-" : plus}${power}`;
  };
}

/** Best fraction with a denominator of at most so many digits (Stern-Brocot by continued fractions). */
function toFraction(value: number, most: number): readonly [number, number] {
  let [before, above] = [0, 1];
  let [beforeBelow, below] = [1, 0];
  let rest = value;
  for (let step = 0; step < 40; step += 1) {
    const whole = Math.floor(rest);
    const next = whole * below + beforeBelow;
    if (next > most) break;
    [before, above] = [above, whole * above + before];
    [beforeBelow, below] = [below, next];
    if (Math.abs(rest - whole) < 1e-9) break;
    rest = 1 / (rest - whole);
  }
  return [above, below];
}

function makeFraction(tokens: readonly Token[], slash: number): ShowNumber {
  const gap = tokens
    .slice(0, slash)
    .findLastIndex(({ kind, text }) => kind === "literal" && text === " ");
  const whole = gap < 0 ? [] : tokens.slice(0, gap);
  const hasWhole = whole.some(isDigit);
  const below = tokens.slice(slash + 1);
  const fixed = Number(
    below
      .filter(({ text }) => /^\d$/u.test(text))
      .map(({ text }) => text)
      .join(""),
  );
  const most = 10 ** below.filter(isDigit).length - 1;
  return (value) => {
    const integer = hasWhole ? Math.floor(value) : 0;
    const [above, under] =
      fixed > 0
        ? [Math.round((value - integer) * fixed), fixed]
        : toFraction(value - integer, most);
    // 2.999 is nearest to 3.
    const sum = integer + Number(hasWhole && above === under);
    const front = hasWhole ? fillWhole(whole, String(sum), false) : "";
    if (hasWhole && (above === 0 || above === under)) return sum === 0 ? "0" : front;
    return `${front} ${above}/${under}`.trim();
  };
}

/** How a section shows numbers from 0 on, with its literals. */
export function makeShowNumber({ tokens }: Section): ShowNumber {
  if (!tokens.some(isDigit)) return (value) => textOf(tokens, value);
  const exponent = tokens.findIndex(({ kind, text }) => kind === "mark" && text.startsWith("E"));
  if (exponent >= 0) return makeScientific(tokens, exponent);
  const slash = tokens.findIndex((token) => isMark(token, "/"));
  const isFraction = slash >= 0 && tokens.slice(0, slash).some(isDigit);
  return isFraction ? makeFraction(tokens, slash) : makeDecimal(tokens);
}
