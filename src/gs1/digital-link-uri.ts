/** Whole Digital Link URIs: from addresses to elements and back (docs/spec/gs1.md section 3). */
import { findAi } from "./application-identifiers.ts";
import { checkElements, type Element, type ElementFault } from "./elements.ts";
import { escapeValue, unescapeValue } from "./escape.ts";
import { checkPairings } from "./pairings.ts";

export interface DigitalLinkUri {
  /** Scheme, authority and everything before the key. */
  readonly stem: string;
  /** The key, then its qualifiers in path order. */
  readonly path: readonly Element[];
  /** From the query, in its order. */
  readonly attributes: readonly Element[];
}

/** Why a URI is no Digital Link. */
export interface UriFault {
  /** A sentence. */
  readonly detail: string;
  /** The faulty value, if a value is at fault. */
  readonly value?: ElementFault | undefined;
}

export interface UriOptions {
  /** Adds zeros to GTINs of 8, 12 and 13 digits. Default false. */
  readonly padGtin?: boolean | undefined;
  /** Allows unknown AIs in the query. Default false. */
  readonly allowUnknown?: boolean | undefined;
}

const URI_CHARACTERS = /^[A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=%]*$/u;
/** Name, any notation of an IPv4 address, or an IPv6 address in brackets without zone; a port. */
const AUTHORITY = /^(?:\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+)(?::\d+)?$/u;
const URI = /^(https?|HTTPS?):\/\/([^/?#]*)((?:\/[^?#]*)?)(?:\?([^#]*))?(?:#[^]*)?$/u;
const DIGITS = /^\d+$/u;

const fault = (detail: string): UriFault => ({ detail });

/** `MUST_BE_SO` as GS1 writes it -> words. */
export function describeFault({ ai, name, at }: ElementFault): string {
  const words = name.toLowerCase().replaceAll("_", " ");
  return `The value of AI ${ai} is wrong at character ${at + 1}: ${words}.`;
}

/** True when an alternative of the key allows these qualifiers in this order. */
function isSequence(key: string, ais: readonly string[]): boolean {
  if (ais.length === 0) return true;
  return (findAi(key)?.qualifiers ?? []).some((allowed) => {
    const places = ais.map((ai) => allowed.indexOf(ai));
    return places.every((place, i) => place > (places[i - 1] ?? -1));
  });
}

/** True when `ai` could also be a qualifier of the path. */
function fitsPath(key: string, ais: readonly string[], ai: string): boolean {
  return (findAi(key)?.qualifiers ?? []).some((allowed) =>
    [...ais, ai].every((each) => allowed.includes(each)),
  );
}

const isKey = (ai: string): boolean => findAi(ai)?.qualifiers !== undefined;

function padGtin(ai: string, value: string): string {
  const isShort = ai === "01" && DIGITS.test(value) && [8, 12, 13].includes(value.length);
  return isShort ? value.padStart(14, "0") : value;
}

/** The rightmost key with its qualifiers; `from` = segments before it. */
function readPath(path: string): { readonly from: number; readonly pairs: Element[] } | undefined {
  const segments = path.split("/").slice(1);
  for (let from = segments.length - 2; from >= 0; from -= 2) {
    if (!isKey(segments[from] ?? "")) continue;
    const pairs: Element[] = [];
    for (let i = from; i < segments.length; i += 2) {
      pairs.push([segments[i] ?? "", unescapeValue(segments[i + 1] ?? "")]);
    }
    return { from, pairs };
  }
  return undefined;
}

/** Pairs of the query with a name of digits. */
function readQuery(query: string): Element[] {
  return query.split("&").flatMap((piece): Element[] => {
    const at = piece.indexOf("=");
    const name = piece.slice(0, Math.max(0, at));
    return DIGITS.test(name)
      ? [[name, unescapeValue(piece.slice(at + 1).replaceAll("+", " "))]]
      : [];
  });
}

function checkQuery(
  path: readonly Element[],
  attributes: readonly Element[],
  { allowUnknown = false }: UriOptions,
): UriFault | undefined {
  const [key = "", ...qualifiers] = path.map(([ai]) => ai);
  const seen = new Set([key, ...qualifiers]);
  for (const [ai] of attributes) {
    if (seen.has(ai)) return fault(`AI ${ai} must be given once, got it twice.`);
    seen.add(ai);
    const entry = findAi(ai);
    if (entry === undefined) {
      const isName = ai.length >= 2 && ai.length <= 4;
      if (allowUnknown && isName) continue;
      return fault(`The query must hold AIs that GS1 knows, got ${ai}.`);
    }
    if (fitsPath(key, qualifiers, ai)) {
      return fault(`AI ${ai} must stand in the path behind AI ${key}, got it in the query.`);
    }
    if (!entry.isAttribute) return fault(`AI ${ai} must not stand in the query.`);
  }
  return undefined;
}

/**
 * Reads path and query of a Digital Link as they are in the request, still escaped. The query comes
 * without `?`.
 */
export function parseDigitalLinkParts(
  path: string,
  query: string,
  options: UriOptions = {},
): (Omit<DigitalLinkUri, "stem"> & { readonly stem: string }) | UriFault {
  if (!URI_CHARACTERS.test(path) || !URI_CHARACTERS.test(query)) {
    return fault("A URI must have only the characters that RFC 3986 allows.");
  }
  const found = readPath(path);
  if (found === undefined) return fault("The path must hold a GS1 key and its value.");
  const pad = ([ai, value]: Element): Element => [
    ai,
    options.padGtin === true ? padGtin(ai, value) : value,
  ];
  const pairs = found.pairs.map(pad);
  const [key = "", ...qualifiers] = pairs.map(([ai]) => ai);
  if (!isSequence(key, qualifiers)) {
    return fault(`AI ${key} takes no qualifiers ${qualifiers.join(", ")} in this order.`);
  }
  const attributes = readQuery(query).map(pad);
  const wrong = checkQuery(pairs, attributes, options);
  if (wrong !== undefined) return wrong;
  const all = [...pairs, ...attributes];
  const value = checkElements(all, options);
  if (value !== undefined) return { detail: describeFault(value), value };
  // The dictionary allows 22 after 8006 in a path, though elsewhere it requires an 01 beside it.
  const clash = checkPairings(all, qualifiers);
  if (clash !== undefined) return fault(clash.detail);
  const stem = path
    .split("/")
    .slice(0, found.from + 1)
    .join("/");
  return { stem, path: pairs, attributes };
}

/** True for a fault from the parsers. */
export function isUriFault(answer: object): answer is UriFault {
  return "detail" in answer;
}

/** Reads a whole URI: key, qualifiers and attributes, or why it is no Digital Link. */
export function parseDigitalLinkUri(
  uri: string,
  options: UriOptions = {},
): DigitalLinkUri | UriFault {
  const [, scheme, authority = "", path = "", query = ""] = URI.exec(uri) ?? [];
  if (scheme === undefined || !URI_CHARACTERS.test(uri)) {
    return fault("A Digital Link must begin with http:// or https:// and be a URI.");
  }
  if (!AUTHORITY.test(authority)) return fault("A Digital Link must name a host.");
  const parsed = parseDigitalLinkParts(path, query, options);
  return isUriFault(parsed)
    ? parsed
    : { ...parsed, stem: `${scheme}://${authority}${parsed.stem}` };
}

const isFixed = ([ai]: Element): boolean => findAi(ai)?.isFixed === true;

/** Equal elements count once. */
function withoutRepeats(elements: readonly Element[]): Element[] {
  return [...new Map(elements)];
}

/**
 * Elements -> URI under `stem`: the first key, its qualifiers in order, then attributes, those of
 * fixed length first. Answers a fault when GS1's rules are broken.
 */
export function buildDigitalLinkUri(
  elements: readonly Element[],
  {
    stem = "https://id.gs1.org",
    allowUnknown = false,
  }: { readonly stem?: string } & UriOptions = {},
): string | UriFault {
  const wrong = checkElements(elements, { allowUnknown });
  if (wrong !== undefined) return { detail: describeFault(wrong), value: wrong };
  const clash = checkPairings(elements);
  if (clash !== undefined) return fault(clash.detail);
  const all = withoutRepeats(elements);
  const key = all.find(([ai]) => isKey(ai));
  if (key === undefined) return fault("A Digital Link must have a key, got none.");
  const alternatives = findAi(key[0])?.qualifiers ?? [];
  const names = all.map(([ai]) => ai);
  const order = alternatives.find((each) => each.some((ai) => names.includes(ai))) ?? [];
  const path = [key, ...order.flatMap((ai) => all.filter(([name]) => name === ai))];
  const rest = all.filter((element) => !path.includes(element));
  const closed = rest.find(([ai]) => findAi(ai)?.isAttribute === false);
  if (closed !== undefined) return fault(`AI ${closed[0]} must not stand in the query.`);
  const query = [...rest.filter(isFixed), ...rest.filter((element) => !isFixed(element))]
    .map(([ai, value]) => `${ai}=${escapeValue(value).replaceAll("%20", "+")}`)
    .join("&");
  const written = path.map(([ai, value]) => `/${ai}/${escapeValue(value)}`).join("");
  return `${stem.replace(/\/$/u, "")}${written}${query === "" ? "" : `?${query}`}`;
}
