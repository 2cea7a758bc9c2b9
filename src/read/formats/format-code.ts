/** Format codes of workbooks (ISO/IEC 29500-1, 18.8.31) -> sections of tokens. */

export interface Token {
  /**
   * `digit`: `0`, `#` or `?`; `date`: letters of days and times, one kind each, such as `yyyy`, `[h]`,
   * `ss.00` and `AM/PM`; `mark`: `.`, `,`, `%`, `/`, `E+`, `@` and `General`.
   */
  readonly kind: "literal" | "digit" | "date" | "mark";
  readonly text: string;
}

export interface Condition {
  readonly operator: string;
  readonly limit: number;
}

/** Applies to positive numbers, negative ones, zero, texts, or by its condition. */
export interface Section {
  readonly tokens: Token[];
  condition: Condition | undefined;
  /** Windows' number of a language, as in `[$-407]`, or its name on the web, as in `[$-de-DE]`. */
  language: number | string | undefined;
  /** Digits or a calendar of a language that only programs of that language can write. */
  isForeign: boolean;
  /** Digits of its own, as `一二三` or `١٢٣`. */
  hasOwnDigits: boolean;
}

/** Spreadsheets take 255. */
const MAX_CHARACTERS = 1000;
const MAX_SECTIONS = 4;

const BRACKETED = /^\[([^\]]*)\]?/u;
const GENERAL = /^general/iu;
const EXPONENT = /^E[+-]/u;
const DATE =
  /^(?:\[(?:h+|m+)\]|\[s+\](?:\.0+)?|am\/pm|a\/p|上午\/下午|y+|m+|d+|h+|s+(?:\.0+)?|aaaa|aaa|g+|e+|b{4}|bb|b[12])/iu;
const CONDITION = /^(<=|>=|<>|<|>|=)(-?\d+(?:\.\d+)?)$/u;
const CURRENCY = /^\$([^-]*)(?:-([0-9a-f]{1,8}))?$/iu;
/** A name in place of the number; behind a comma, calendar and digits as the number's upper bits. */
const NAMED_LANGUAGE =
  /^\$([^-]*)-((?:[a-z]{2,3}|x)(?:-[a-z\d]{1,8}){0,4})(?:,([0-9a-f]{1,8}))?$/iu;
/** The computer's own long date and time. */
const OWN_FORMAT = /^x-/iu;
const ELAPSED = /^\[(?:h+|m+|s+)\]/iu;

/** Of the digits 1, 2 and 3, in the upper byte of a language's number. */
const WESTERN_DIGITS = 1;
/** The number of the everyday calendar. */
const EVERYDAY = 1;

const makeSection = (): Section => ({
  tokens: [],
  condition: undefined,
  language: undefined,
  isForeign: false,
  hasOwnDigits: false,
});

function addSymbol(symbol: string, section: Section): void {
  if (symbol !== "") section.tokens.push({ kind: "literal", text: symbol });
}

/** Calendar and digits of a language. */
function readUpperBits(bits: number, section: Section): void {
  if (bits > 0) section.isForeign = true;
  if (bits >>> 8 > WESTERN_DIGITS) section.hasOwnDigits = true;
}

function readNamed(
  [, symbol = "", language = "", upper = "0"]: RegExpExecArray,
  section: Section,
): void {
  addSymbol(symbol, section);
  if (OWN_FORMAT.test(language)) section.isForeign = true;
  else section.language = language;
  const bits = Number.parseInt(upper, 16);
  readUpperBits(bits > 0xffff ? bits >>> 16 : bits === EVERYDAY ? 0 : bits, section);
}

function readBracket(inner: string, section: Section): void {
  const [, operator, limit] = CONDITION.exec(inner) ?? [];
  const [, symbol, language] = CURRENCY.exec(inner) ?? [];
  const named = NAMED_LANGUAGE.exec(inner);
  if (named !== null) {
    readNamed(named, section);
    return;
  }
  if (operator !== undefined) section.condition = { operator, limit: Number(limit) };
  else if (symbol !== undefined) {
    addSymbol(symbol, section);
    const number = Number.parseInt(language ?? "0", 16);
    // F800 and F400 mean the computer's own format.
    if (number === 0xf800 || number === 0xf400) section.isForeign = true;
    readUpperBits(number >>> 16, section);
    section.language = number & 0xffff;
  } else if (/^dbnum/iu.test(inner)) {
    section.isForeign = true;
    section.hasOwnDigits = true;
  }
}

type Taken = readonly [token: Token, length: number];

const literal = (text: string, length: number): Taken => [{ kind: "literal", text }, length];

/** Characters with a special meaning. */
const SPECIAL: Readonly<Record<string, (rest: string) => Taken>> = {
  '"': (rest) => {
    const end = rest.indexOf('"', 1);
    return end < 0 ? literal(rest.slice(1), rest.length) : literal(rest.slice(1, end), end + 1);
  },
  "\\": (rest) => literal(rest.slice(1, 2), 2),
  // A gap as wide as a character, and a character that fills the rest of the cell.
  _: () => literal(" ", 2),
  "*": () => literal("", 2),
};

const KINDS: readonly (readonly [RegExp, Token["kind"]])[] = [
  [GENERAL, "mark"],
  [EXPONENT, "mark"],
  [DATE, "date"],
  [/^[0#?]/u, "digit"],
  [/^[.,%/@]/u, "mark"],
];

const NORMAL: Readonly<Record<Token["kind"], (text: string) => string>> = {
  literal: (text) => text,
  digit: (text) => text,
  date: (text) => text.toLowerCase(),
  mark: (text) => (GENERAL.test(text) ? "General" : text),
};

/** The first token, and its length in characters. */
function readToken(rest: string): Taken {
  const special = SPECIAL[rest.charAt(0)];
  if (special !== undefined) return special(rest);
  for (const [pattern, kind] of KINDS) {
    const text = pattern.exec(rest)?.[0];
    if (text !== undefined) return [{ kind, text: NORMAL[kind](text) }, text.length];
  }
  const [character = ""] = Array.from(rest.slice(0, 2));
  return literal(character, character.length);
}

/** One to four sections; any code can be read. */
export function readSections(code: string): Section[] {
  let section = makeSection();
  const sections = [section];
  for (let rest = code.slice(0, MAX_CHARACTERS); rest !== "";) {
    if (rest.startsWith(";")) {
      section = makeSection();
      sections.push(section);
      rest = rest.slice(1);
      continue;
    }
    const bracket = ELAPSED.test(rest) ? null : BRACKETED.exec(rest);
    if (bracket !== null) {
      readBracket(bracket[1] ?? "", section);
      rest = rest.slice(bracket[0].length);
      continue;
    }
    const [token, length] = readToken(rest);
    section.tokens.push(token);
    rest = rest.slice(length);
  }
  return sections.slice(0, MAX_SECTIONS);
}
