/**
 * Element strings: AIs and values as barcodes and people write them (docs/spec/gs1.md section 8).
 */
import { findAi, type ApplicationIdentifier } from "./application-identifiers.ts";
import { isCset82 } from "./cset82.ts";
import type { Fault } from "./lint.ts";

/** An AI and its value, such as `["10", "LOT1"]`. */
export type Element = readonly [ai: string, value: string];

/** Represents FNC1 in element strings: at the beginning, and after a value of variable length. */
export const FNC1 = "^";

const TOO_SHORT = "VALUE_TOO_SHORT";
const TOO_LONG = "VALUE_TOO_LONG";
const MOST_UNKNOWN = 90;

/** The first fault of a value, or undefined. Positions count from the value's first character. */
export function checkValue({ parts }: ApplicationIdentifier, value: string): Fault | undefined {
  let at = 0;
  for (const { min, max, isOptional, lints } of parts) {
    const text = value.slice(at, at + max);
    if (text === "" && isOptional) break;
    if (text.length < min) return { name: TOO_SHORT, at, length: text.length };
    for (const lint of lints) {
      const fault = lint(text);
      if (fault !== undefined) return { ...fault, at: at + fault.at };
    }
    at += text.length;
  }
  return at < value.length ? { name: TOO_LONG, at, length: value.length - at } : undefined;
}

/** For an unknown AI, only characters and length can be checked. */
export function checkUnknown(value: string): Fault | undefined {
  if (value === "") return { name: TOO_SHORT, at: 0, length: 0 };
  if (value.length > MOST_UNKNOWN) {
    return { name: TOO_LONG, at: MOST_UNKNOWN, length: value.length - MOST_UNKNOWN };
  }
  const at = Array.from(value, isCset82).indexOf(false);
  return at < 0 ? undefined : { name: "INVALID_CSET82_CHARACTER", at, length: 1 };
}

/** A fault, and the AI with the faulty value. */
export interface ElementFault extends Fault {
  readonly ai: string;
}

export interface ElementOptions {
  /** Accepts unknown AIs with any value. Default false. */
  readonly allowUnknown?: boolean | undefined;
}

/** The first fault of any element, or undefined. */
export function checkElements(
  elements: readonly Element[],
  { allowUnknown = false }: ElementOptions = {},
): ElementFault | undefined {
  for (const [ai, value] of elements) {
    const entry = findAi(ai);
    if (entry === undefined && !allowUnknown) return { name: "UNKNOWN_AI", ai, at: 0, length: 0 };
    const fault = entry === undefined ? checkUnknown(value) : checkValue(entry, value);
    if (fault !== undefined) return { ...fault, ai };
  }
  return undefined;
}

/** `(01)09506000134352(10)A\(1` -> elements, unchecked; undefined in any other form. */
export function parseBracketed(text: string): Element[] | undefined {
  const elements: Element[] = [];
  const pattern = /\((\d{2,4})\)((?:\\\(|[^(])+)/uy;
  while (pattern.lastIndex < text.length) {
    const match = pattern.exec(text);
    if (match === null) return undefined;
    const [, ai = "", value = ""] = match;
    elements.push([ai, value.replaceAll("\\(", "(")]);
  }
  return elements.length === 0 ? undefined : elements;
}

/** `^010950600013435210LOT1^21S` -> elements, unchecked; undefined when an AI is missing. */
export function parseElementString(text: string): Element[] | undefined {
  const elements: Element[] = [];
  if (!text.startsWith(FNC1) || text.length === 1) return undefined;
  let at = 1;
  while (at < text.length) {
    const entry = [2, 3, 4].map((n) => findAi(text.slice(at, at + n))).find(Boolean);
    if (entry === undefined) return undefined;
    const from = at + entry.ai.length;
    const separator = text.indexOf(FNC1, from);
    const end = separator < 0 ? text.length : separator;
    const most = entry.parts.reduce((sum, { max }) => sum + max, 0);
    const to = entry.isFixed ? Math.min(end, from + most) : end;
    elements.push([entry.ai, text.slice(from, to)]);
    at = text[to] === FNC1 ? to + 1 : to;
  }
  return elements;
}

/** Elements as a barcode carries them, `^` for FNC1. */
export function toElementString(elements: readonly Element[]): string {
  const parts = elements.map(([ai, value], i) => {
    const isOpen = findAi(ai)?.isFixed !== true && i < elements.length - 1;
    return `${ai}${value}${isOpen ? FNC1 : ""}`;
  });
  return FNC1 + parts.join("");
}
