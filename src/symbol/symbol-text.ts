/**
 * A row's text -> what is encoded, what readers must answer, what people read (docs/spec/symbols.md
 * section 2).
 */
import type { SymbolName } from "../base/shapes/label-art.ts";
import { cutText, quoteText } from "../base/text/words.ts";
import { checkGtin, computeCheckDigit, hasCheckDigit, toGtin14 } from "../gs1/check-digit.ts";
import {
  checkElements,
  type Element,
  FNC1,
  parseBracketed,
  toElementString,
} from "../gs1/elements.ts";
import { checkExclusions, checkRepeats, checkRequisites, type Clash } from "../gs1/pairings.ts";
import { symbolKinds } from "./symbols.ts";
import { fromUpcE, toUpcE } from "./upc-e.ts";

/** What a symbol holds. */
export interface SymbolData {
  /** Input of the encoder. */
  readonly input: string;
  /** As readers answer it: digits, text, or an element string with separators. */
  readonly says: string;
  /** Text for people; in parts that must not be broken. */
  readonly hri: readonly string[];
  /** The product's GTIN, 14 digits. */
  readonly gtin: string | undefined;
}

/** Why a text can't become a symbol, as "must …", with the fix. */
export interface SymbolFault {
  readonly rule: string;
  readonly hint?: string;
}

export type ReadText = SymbolData | SymbolFault;

export const isFault = (read: ReadText): read is SymbolFault => "rule" in read;

/** Between values of variable length, as readers answer it. */
const SEPARATOR = "\u001D";

const quote = (text: string): string => quoteText(cutText(text, 60));

/** Restores a leading zero that a spreadsheet dropped. */
function readGtin(text: string): string | SymbolFault {
  if (text === "") return { rule: "must be a GTIN, got an empty text", hint: "fill the cell" };
  const rule = checkGtin(text);
  if (rule === undefined) return toGtin14(text);
  const isBody = /^\d{12,13}$/u.test(text) && !hasCheckDigit(text);
  if (!isBody || text.length !== 12) return { rule: `${rule}, got ${quote(text)}` };
  const hint = `where the check digit is missing, it is ${computeCheckDigit(text)}: ${text}${computeCheckDigit(text)}`;
  return { rule: `${rule}, got ${quote(text)}`, hint };
}

interface GtinRule {
  /** Number of digits in the symbol, the last of the 14. */
  readonly digits: number;
  readonly hint: string;
}

const gtinRules: Partial<Readonly<Record<SymbolName, GtinRule>>> = {
  "ean-13": { digits: 13, hint: "itf-14 is for a GTIN-14" },
  "ean-8": { digits: 8, hint: "ean-13 is for a GTIN-13, upc-a for a GTIN-12" },
  "upc-a": { digits: 12, hint: "ean-13 is for a GTIN-13, itf-14 for a GTIN-14" },
};

const HINT_GTIN_8 = "print such rows by a job of their own, whose label has the symbol ean-8";

/**
 * True of a GTIN-8, also when it was filled up: GS1 gives no longer GTIN that begins like this, but
 * for prefix 0000000, a company's own numbers of 12 or 13 digits.
 */
const isGtin8 = (text: string, gtin14: string): boolean =>
  gtin14.startsWith("000000") && !/^0{6,7}\d{6}$/u.test(text);

const split = (text: string, ...ends: readonly number[]): string[] =>
  [0, ...ends].map((from, i) => text.slice(from, ends[i] ?? text.length));

function toUpcEData(text: string): ReadText {
  const isShort = /^\d{7,8}$/u.test(text);
  const gtin = isShort ? fromUpcE(text.padStart(8, "0")) : readGtin(text);
  if (gtin === undefined)
    return { rule: `must be 8 digits that begin with 0, or a GTIN-12, got ${quote(text)}` };
  if (typeof gtin !== "string") return gtin;
  const gtin14 = toGtin14(gtin);
  if (!hasCheckDigit(gtin14))
    return {
      rule: `must be a GTIN with a right check digit (${computeCheckDigit(gtin14.slice(0, -1))} at the end), got ${quote(text)}`,
    };
  if (!isShort && isGtin8(text, gtin14))
    return {
      rule: `must be a GTIN-12, got the GTIN-8 ${quote(gtin14.slice(-8))}`,
      hint: HINT_GTIN_8,
    };
  const short = gtin14.startsWith("00") ? toUpcE(gtin14.slice(2)) : undefined;
  if (short === undefined)
    return {
      rule: `must be a GTIN-12 with the zeros that UPC-E leaves out, got ${quote(text)}`,
      hint: "upc-a holds any GTIN-12",
    };
  return {
    input: short,
    says: gtin14.slice(1),
    hri: [short.slice(0, 1), short.slice(1, 7), short.slice(7)],
    gtin: gtin14,
  };
}

/** `1 54 00141 28876 3` */
const itfGroups = (gtin: string): string => split(gtin, 1, 3, 8, 13).join(" ");

function toEanParts(name: SymbolName, digits: string): string[] {
  if (name === "ean-8") return split(digits, 4);
  return name === "ean-13" ? split(digits, 1, 7) : split(digits, 1, 6, 11);
}

function toGtinData(name: SymbolName, text: string): ReadText {
  if (name === "upc-e") return toUpcEData(text);
  const gtin = readGtin(text);
  if (typeof gtin !== "string") return gtin;
  const rule = gtinRules[name];
  if (rule !== undefined) {
    if (rule.digits > 8 && isGtin8(text, gtin)) {
      const got = `got the GTIN-8 ${quote(gtin.slice(-8))}`;
      return { rule: `must be a GTIN-${rule.digits}, ${got}`, hint: HINT_GTIN_8 };
    }
    if (gtin.slice(0, -rule.digits).replaceAll("0", "") !== "")
      return { rule: `must be a GTIN-${rule.digits}, got ${quote(text)}`, hint: rule.hint };
    const digits = gtin.slice(-rule.digits);
    return {
      input: digits,
      says: name === "upc-a" ? `0${digits}` : digits,
      hri: toEanParts(name, digits),
      gtin,
    };
  }
  if (name === "itf-14") return { input: gtin, says: gtin, hri: [itfGroups(gtin)], gtin };
  if (name === "databar-limited" && !/^[01]/u.test(gtin))
    return {
      rule: `must be a GTIN that begins with 0 or 1 when it has 14 digits, got ${quote(text)}`,
      hint: "databar-omni holds any GTIN",
    };
  return { input: gtin, says: `01${gtin}`, hri: [`(01)${gtin}`], gtin };
}

const readElements = (text: string): Element[] | undefined => parseBracketed(text);

/** GS1's fault names, in words for people. */
function describeFault(name: string, ai: string, value: string): string {
  if (name === "UNKNOWN_AI") return `must have AIs that GS1 knows, got (${ai})`;
  if (name === "INCORRECT_CHECK_DIGIT")
    return `must have a right check digit in AI ${ai}, got ${quote(value)}`;
  const words = name.toLowerCase().replaceAll("_", " ");
  return `must have a valid value of AI ${ai}, got ${quote(value)} (${words})`;
}

/** Zint treats it like one of fixed length, which AI 23 once was, and writes no FNC1 after it. */
const UNENDED = "235";

/** A GTIN-13 in AI 01 is a GTIN-14 with a leading zero. */
const padGtin = ([ai, value]: Element): Element =>
  /^0[123]$/u.test(ai) && /^(?:\d{8}|\d{12,13})$/u.test(value)
    ? [ai, toGtin14(value)]
    : [ai, value];

const ELEMENTS_HINT = 'write it like "(01){{ gtin }}(10){{ batch }}"';

/** The first AI without a value, as from an empty cell. */
const findEmpty = (text: string): string | undefined => /\((\d{2,4})\)\s*(?=\(|$)/u.exec(text)?.[1];

/** Why a text can't be read as AIs and values. */
function refuseElements(text: string): SymbolFault {
  const empty = findEmpty(text);
  if (empty === undefined)
    return {
      rule: `must be AIs in brackets, each with its value, got ${quote(text)}`,
      hint: ELEMENTS_HINT,
    };
  return {
    rule: `must have a value behind (${empty}), got ${quote(text)}`,
    hint: `fill the cell; or write {{ column | prefix: "(${empty})" }}, which leaves the AI out where the cell is empty`,
  };
}

/** Other texts in AIs on the label; if they are unknown, nothing is reported as missing. */
export type Beside = readonly string[] | "unknown";

/**
 * AIs that require others may find them in any symbol of the label (GS1 General Specifications,
 * 4.13.2).
 */
function findClash(elements: readonly Element[], beside: Beside): Clash | undefined {
  if (beside === "unknown") return checkRepeats(elements) ?? checkExclusions(elements);
  const own = new Set(elements.map(([ai]) => ai));
  const others = beside.flatMap((text) => readElements(text.trim()) ?? []);
  const foreign = others.map(([ai]) => ai).filter((ai) => !own.has(ai));
  return (
    checkRepeats(elements) ??
    checkExclusions(elements) ??
    checkRequisites([...elements, ...others], foreign)
  );
}

function toElementData(name: SymbolName, text: string, beside: Beside): ReadText {
  const read = readElements(text);
  if (read === undefined) return refuseElements(text);
  const elements = read.map(padGtin);
  const fault = checkElements(elements);
  if (fault !== undefined) {
    const value = elements.find(([ai]) => ai === fault.ai)?.[1] ?? "";
    return { rule: describeFault(fault.name, fault.ai, value) };
  }
  const clash = findClash(elements, beside);
  if (clash !== undefined) {
    const told = clash.detail.replace(/\.$/u, "");
    return { rule: `must have AIs that go together: ${told}, in ${quote(text)}` };
  }
  if (elements.slice(0, -1).some(([ai]) => ai === UNENDED))
    return {
      rule: `must have AI ${UNENDED} at the end, got ${quote(text)}`,
      hint: "the encoder ends its value with no separator",
    };
  const open = toElementString(elements);
  const most = name === "gs1-128" ? 48 : Infinity;
  // The first FNC1 defines the symbol; it is no character of the data.
  if (open.length - 1 > most)
    return { rule: `must have at most ${most} characters, got ${open.length - 1}` };
  return {
    // CSET 82 has no square brackets: so no value can look like an AI.
    input: elements.map(([ai, value]) => `[${ai}]${value}`).join(""),
    says: open.slice(1).replaceAll(FNC1, SEPARATOR),
    hri: elements.map(([ai, value]) => `(${ai})${value}`),
    gtin: elements.find(([ai]) => ai === "01")?.[1],
  };
}

const alphabets = {
  "code-39": {
    pattern: /^[0-9A-Z\-. $/+%]+$/u,
    most: 40,
    rule: "digits, capital letters, blanks and - . $ / + %",
    hint: "small letters: {{ column | upper }}",
  },
  "code-128": {
    pattern: /^[\u0020-\u007E]+$/u,
    most: 80,
    rule: "letters, digits and signs of ASCII",
    hint: "datamatrix holds any letters",
  },
} as const;

/** Characters that no print program shows and no cell should contain. */
// oxlint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u001F\u007F]/u;

const MOST_TEXT = 1000;

/**
 * Readers may treat a sign and a letter as one character of full ASCII: then one symbol would mean
 * two texts.
 */
function findPair(text: string): SymbolFault | undefined {
  const pair = /[$/+%][A-Z]/u.exec(text)?.[0];
  if (pair === undefined) return undefined;
  return {
    rule: `must have no letter behind $ / + %, got ${quote(pair)} in ${quote(text)}: readers may take both for one sign`,
    hint: "code-128 holds any text of ASCII",
  };
}

function toTextData(name: SymbolName, text: string): ReadText {
  const plain = { input: text, says: text, hri: [text], gtin: undefined };
  if (text === "") return { rule: "must have a text, got nothing" };
  if (name === "code-39" || name === "code-128") {
    const { pattern, most, rule, hint } = alphabets[name];
    if (!pattern.test(text)) return { rule: `must be made of ${rule}, got ${quote(text)}`, hint };
    if (text.length > most)
      return { rule: `must have at most ${most} characters, got ${text.length}` };
    return (name === "code-39" ? findPair(text) : undefined) ?? plain;
  }
  if (CONTROL.test(text)) return { rule: `must have no control characters, got ${quote(text)}` };
  if (text.length > MOST_TEXT)
    return { rule: `must have at most ${MOST_TEXT} characters, got ${text.length}` };
  return text.isWellFormed()
    ? plain
    : { rule: `must be made of whole characters, got ${quote(text)}` };
}

/** The texts of symbols that hold AIs. */
export const elementTexts = (
  symbols: readonly { readonly symbol: SymbolName; readonly text: number }[],
  texts: readonly string[],
): string[] =>
  symbols
    .filter(({ symbol }) => symbolKinds[symbol].content === "elements")
    .map(({ text }) => texts[text] ?? "");

/** Reads the text of a symbol; `beside`: texts in AIs on the same label. Pure. */
export function readSymbolText(name: SymbolName, given: string, beside: Beside = []): ReadText {
  const text = given.trim();
  switch (symbolKinds[name].content) {
    case "gtin":
      return toGtinData(name, text);
    case "elements":
      return toElementData(name, text, beside);
    case "text":
      return toTextData(name, text);
  }
}
