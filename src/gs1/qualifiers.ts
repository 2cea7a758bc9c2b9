/**
 * With what the API's batch, serial number and expiry may be combined (docs/spec/gs1.md section 1).
 */
import { findAi } from "./application-identifiers.ts";
import { isCset82 } from "./cset82.ts";
import type { IdentifierType } from "./identifiers.ts";

const MAX_CHARACTERS = 20;

/** Why `value` can be no batch (10) or serial number (21), as "must …", or undefined. */
export function checkQualifier(value: string): string | undefined {
  // URL parsers remove these, even when they are escaped.
  if (value === "." || value === "..") return "must be something that a URL can hold";
  if (value === "" || value.length > MAX_CHARACTERS) {
    return `must have 1 to ${MAX_CHARACTERS} characters`;
  }
  return isCset82(value) ? undefined : "must consist of GS1's 82 characters";
}

/** True when a batch (10) and a serial number (21) are allowed. */
export function takesBatch(type: IdentifierType): boolean {
  return findAi(type)?.qualifiers?.some((sequence) => sequence.includes("10")) ?? false;
}

/** True when an expiry date (17) is allowed. */
export function takesExpiry(type: IdentifierType): boolean {
  return findAi("17")?.requires.flat(2).includes(type) ?? false;
}
