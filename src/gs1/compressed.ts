/**
 * Telling compressed Digital Links from other addresses. They are not unpacked
 * (docs/spec/gs1.md section 6); whoever asks for one is told so.
 */
import { hasCheckDigit } from "./check-digit.ts";

/** First bits in hex -> digits of the key behind them. Codes with a letter mean a GTIN and another AI. */
const KEYS: readonly (readonly [head: RegExp, digits: number])[] = [
  [/^00/u, 18],
  [/^(?:01|[0-3][a-f])/u, 14],
  [/^(?:253|255|414|417)/u, 13],
  [/^402/u, 17],
  [/^8003/u, 14],
  [/^801[78]/u, 18],
];
const SEGMENT = /^[A-Za-z0-9_-]{9,}$/u;

/** True when a segment of a path unpacks to a key with its right check digit. */
export function isCompressed(segment: string): boolean {
  if (!SEGMENT.test(segment)) return false;
  const bytes = Buffer.from(segment, "base64url");
  const hex = bytes.toString("hex");
  const [head, digits = 0] = KEYS.find(([each]) => each.test(hex)) ?? [];
  const from = 4 * (head?.exec(hex)?.[0].length ?? 0);
  const width = Math.ceil(digits * Math.log2(10));
  const left = BigInt(8 * bytes.length - from - width);
  if (head === undefined || left < 0n) return false;
  const value = (BigInt(`0x${hex}`) >> left) & ((1n << BigInt(width)) - 1n);
  const text = String(value).padStart(digits, "0");
  return text.length === digits && hasCheckDigit(text);
}
