/**
 * The mod-10 check digit of GTIN, SSCC, GLN and the like (docs/spec/gs1.md section 2): over all
 * digits but the last, from the right, weights 3, 1, 3, 1 …
 */

/** Check digit of `body`, the digits without it. Digits only. */
export function computeCheckDigit(body: string): number {
  let sum = 0;
  for (let i = 0; i < body.length; i += 1) {
    const digit = body.charCodeAt(body.length - 1 - i) - 48;
    sum += i % 2 === 0 ? 3 * digit : digit;
  }
  return (10 - (sum % 10)) % 10;
}

/** True when the last digit is the check digit of the others. */
export function hasCheckDigit(digits: string): boolean {
  return (
    /^\d{2,}$/u.test(digits) &&
    computeCheckDigit(digits.slice(0, -1)) === digits.charCodeAt(digits.length - 1) - 48
  );
}

export const GTIN_LENGTHS: readonly number[] = [8, 12, 13, 14];

/** Adds zeros in front, up to 14 digits; the check digit stays right (docs/spec/gs1.md section 2). */
export function toGtin14(digits: string): string {
  return digits.padStart(14, "0");
}

/**
 * The digits of a GTIN-8, -12, -13 or -14 that lost leading zeros, or some other digit: it can't be
 * decided which.
 */
export const isShortGtin = (digits: string): boolean =>
  /^\d{7,14}$/u.test(digits) && !GTIN_LENGTHS.includes(digits.length);

/**
 * Why `text` is no GTIN, as "must …", or undefined when it is one. Seven and nine to eleven digits
 * with a right check digit are accepted: a GTIN-8, -12 or -13 whose leading zeros a spreadsheet
 * dropped.
 */
export function checkGtin(text: string): string | undefined {
  if (!/^\d+$/u.test(text)) return "must be a GTIN of digits only";
  if (text.length < 7 || text.length > 14) return "must be a GTIN of 8, 12, 13 or 14 digits";
  if (hasCheckDigit(text)) return undefined;
  const expected = computeCheckDigit(text.slice(0, -1));
  return GTIN_LENGTHS.includes(text.length)
    ? `must be a GTIN with a right check digit (${expected} at the end)`
    : "must be a GTIN of 8, 12, 13 or 14 digits";
}
