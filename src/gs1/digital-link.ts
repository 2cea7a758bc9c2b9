/** Digital Link paths (gs1.md section 3): from identifiers to paths and back. */
import { checkExpiryDate } from "./expiry-date.ts";
import {
  checkIdentifier,
  identifierKinds,
  isIdentifierType,
  type IdentifierType,
} from "./identifiers.ts";
import { checkQualifier, mayQualify } from "./qualifiers.ts";

/** An AI and its value, such as `["10", "LOT1"]`. */
export type Element = readonly [ai: string, value: string];

export interface DigitalLink {
  readonly type: IdentifierType;
  readonly value: string;
  /** In path order. */
  readonly qualifiers: readonly Element[];
}

export interface ParsedPath extends DigitalLink {
  /** What stands in front of the key: empty, or `/some/words`. */
  readonly stem: string;
}

const PLAIN = /[^A-Za-z0-9\-._~]/gu;

/** Percent-escapes all but `A-Za-z0-9-._~`: `encodeURIComponent` would leave `! ' ( ) *`. */
export function escapeValue(value: string): string {
  return value.replace(PLAIN, (character) =>
    [...Buffer.from(character)]
      .map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`)
      .join(""),
  );
}

/** Percent pairs back to bytes; a broken pair stays as it stands. Bytes are read as Latin-1. */
export function unescapeValue(text: string): string {
  return text.replace(/%([0-9a-f]{2})/giu, (_, pair: string) =>
    String.fromCharCode(Number.parseInt(pair, 16)),
  );
}

/** `/01/09506000134352/10/LOT1`. */
export function toDigitalLinkPath({ type, value, qualifiers }: DigitalLink): string {
  return [[type, value] as const, ...qualifiers]
    .map(([ai, each]) => `/${ai}/${escapeValue(each)}`)
    .join("");
}

/** The path with its attributes: what a code holds behind the host. */
export function toDigitalLink(link: DigitalLink, expiryDate: string | null): string {
  const path = toDigitalLinkPath(link);
  return expiryDate === null ? path : `${path}?17=${expiryDate}`;
}

const NOT_IN_URI = /[<>{}\\^`\s]/u;

/**
 * Reads a raw, still escaped path without its trailing slash. The rightmost key wins; what stands
 * in front of it is the stem. Answers undefined when no key is in it, a sentence when it has a fault.
 */
export function parseDigitalLinkPath(path: string): ParsedPath | string | undefined {
  const segments = path.split("/").slice(1);
  const at = findKey(segments);
  if (at === undefined) return undefined;
  if (NOT_IN_URI.test(path)) return "The path has characters that no URI may have.";
  const parts = segments.slice(at).map(unescapeValue);
  const [type = "", value = ""] = parts;
  if (!isIdentifierType(type)) return undefined;
  const fault = value.includes("\u0000") ? "must have no NUL" : checkPathValue(type, value);
  if (fault !== undefined) return `${identifierKinds[type].label} (${type}) ${fault}.`;
  const qualifiers = toPairs(parts.slice(2));
  if (qualifiers === undefined) return "Every qualifier must have a value.";
  const wrong = checkQualifiers(type, qualifiers);
  if (wrong !== undefined) return wrong;
  const stem = segments.slice(0, at).map((segment) => `/${segment}`);
  return { stem: stem.join(""), type, value, qualifiers };
}

/**
 * Keys stand at an even distance from the end, so that a batch `01` is none; the rightmost one wins.
 * Where none does, one at an odd distance tells that the path has a part too many.
 */
function findKey(segments: readonly string[]): number | undefined {
  for (const from of [segments.length - 2, segments.length - 1]) {
    for (let i = from; i >= 0; i -= 2) if (isIdentifierType(segments[i] ?? "")) return i;
  }
  return undefined;
}

/** In a URI a GTIN has fourteen digits. */
function checkPathValue(type: IdentifierType, value: string): string | undefined {
  if (type === "01" && value.length !== 14) return "must have 14 digits";
  return checkIdentifier(type, value);
}

function toPairs(parts: readonly string[]): Element[] | undefined {
  if (parts.length % 2 !== 0) return undefined;
  const pairs: Element[] = [];
  for (let i = 0; i < parts.length; i += 2) pairs.push([parts[i] ?? "", parts[i + 1] ?? ""]);
  return pairs;
}

function checkQualifiers(type: IdentifierType, pairs: readonly Element[]): string | undefined {
  for (const [ai, value] of pairs) {
    const fault = checkQualifier(ai, value);
    if (fault !== undefined) return `Qualifier ${ai} ${fault}.`;
  }
  const ais = pairs.map(([ai]) => ai);
  if (ais.length === 0 || mayQualify(type, ais)) return undefined;
  return `${identifierKinds[type].label} (${type}) takes no qualifiers ${ais.join(", ")} in this order.`;
}

/** Why the attributes of a query are wrong, or undefined. Keys that are no AI say nothing. */
export function checkAttributes(link: DigitalLink, query: URLSearchParams): string | undefined {
  const dates = query.getAll("17");
  if (dates.length > 1) return "Attribute 17 must be given once.";
  const [date] = dates;
  if (date !== undefined) {
    const fault = checkExpiryDate(date);
    if (fault !== undefined) return `Attribute 17 ${fault}.`;
    if (!identifierKinds[link.type].expires) {
      return `${identifierKinds[link.type].label} (${link.type}) takes no attribute 17.`;
    }
  }
  const taken = [link.type as string, ...link.qualifiers.map(([ai]) => ai)];
  const twice = taken.find((ai) => query.has(ai));
  return twice === undefined
    ? undefined
    : `AI ${twice} must stand in the path or the query, not both.`;
}
