/**
 * Recognises compressed Digital Links. They are not unpacked (docs/spec/gs1.md section 6); a
 * request for one gets an answer that says so.
 */
import { hasCheckDigit } from "./check-digit.ts";
import { readDigitalLink } from "./digital-link.ts";

/**
 * First bits in hex -> digits of the key after them. Codes with a letter mean a GTIN and another AI.
 */
const KEYS: readonly (readonly [head: RegExp, digits: number])[] = [
  [/^00/u, 18],
  [/^(?:01|[0-3][a-f])/u, 14],
  [/^(?:253|255|414|417)/u, 13],
  [/^402/u, 17],
  [/^8003/u, 14],
  [/^801[78]/u, 18],
];
const SEGMENT = /^[A-Za-z0-9_-]{9,}$/u;
/** The same for the first qualifier after an uncompressed key. */
const QUALIFIERS = /^(?:10|2[12]|235|254|7040|8019)/u;
const REST = /^[A-Za-z0-9_-]{3,}$/u;

const toHex = (segment: string): string => Buffer.from(segment, "base64url").toString("hex");

/** True when a segment unpacks to a key with its right check digit. */
function isCompressedKey(segment: string): boolean {
  if (!SEGMENT.test(segment)) return false;
  const hex = toHex(segment);
  const [head, digits = 0] = KEYS.find(([each]) => each.test(hex)) ?? [];
  const from = 4 * (head?.exec(hex)?.[0].length ?? 0);
  const width = Math.ceil(digits * Math.log2(10));
  const left = BigInt(4 * hex.length - from - width);
  if (head === undefined || left < 0n) return false;
  const value = (BigInt(`0x${hex}`) >> left) & ((1n << BigInt(width)) - 1n);
  const text = String(value).padStart(digits, "0");
  return text.length === digits && hasCheckDigit(text);
}

/** True for `/01/09506000134352/IjVeCRg`: everything after key and value is compressed. */
function isCompressedRest(path: string, segment: string): boolean {
  if (!REST.test(segment) || !QUALIFIERS.test(toHex(segment))) return false;
  return typeof readDigitalLink(path.slice(0, -segment.length - 1), "") === "object";
}

/** True for a path whose last segment is a compressed Digital Link, or the compressed rest of one. */
export function isCompressed(path: string): boolean {
  const segment = path.slice(path.lastIndexOf("/") + 1);
  return isCompressedKey(segment) || isCompressedRest(path, segment);
}
