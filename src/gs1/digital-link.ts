/** The Digital Links that makeready makes and resolves (docs/spec/gs1.md sections 3 and 6). */
import { isUriFault, parseDigitalLinkParts } from "./digital-link-uri.ts";
import type { Element } from "./elements.ts";
import { escapeValue } from "./escape.ts";
import { isIdentifierType, type IdentifierType } from "./identifiers.ts";

export interface DigitalLink {
  readonly type: IdentifierType;
  readonly value: string;
  /** In path order. */
  readonly qualifiers: readonly Element[];
}

export interface RequestedLink extends DigitalLink {
  /** The part before the key: empty, or `/some/words`. */
  readonly stem: string;
}

/** `/01/09506000134352/10/LOT1`. */
export function toDigitalLinkPath({ type, value, qualifiers }: DigitalLink): string {
  return [[type, value] as const, ...qualifiers]
    .map(([ai, each]) => `/${ai}/${escapeValue(each)}`)
    .join("");
}

/** The path with its attributes: everything after the host in a code. */
export function toDigitalLink(link: DigitalLink, expiryDate: string | null): string {
  const path = toDigitalLinkPath(link);
  return expiryDate === null ? path : `${path}?17=${expiryDate}`;
}

/**
 * Reads the path of a request, still escaped and without its trailing slash, and its query without
 * `?`. Answers undefined when no segment is a key, a sentence when there is a key but no Digital
 * Link.
 */
export function readDigitalLink(path: string, query: string): RequestedLink | string | undefined {
  if (!path.split("/").some(isIdentifierType)) return undefined;
  const parsed = parseDigitalLinkParts(path, query);
  if (isUriFault(parsed)) return parsed.detail;
  const [[type, value] = ["", ""], ...qualifiers] = parsed.path;
  return isIdentifierType(type) ? { stem: parsed.stem, type, value, qualifiers } : undefined;
}
