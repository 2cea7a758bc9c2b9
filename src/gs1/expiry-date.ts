/** AI 17, `YYMMDD` (docs/spec/gs1.md section 1). */
const MONTH_DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const;

/** Why `text` is no expiry date, as "must …", or undefined. Day `00` means that no day is given. */
export function checkExpiryDate(text: string): string | undefined {
  if (!/^\d{6}$/u.test(text)) return "must be six digits, YYMMDD";
  const [year, month, day] = [text.slice(0, 2), text.slice(2, 4), text.slice(4)].map(Number);
  const days = MONTH_DAYS[(month ?? 0) - 1];
  if (days === undefined) return "must have a month from 01 to 12";
  // With two-digit years, every fourth is a leap year.
  const last = month === 2 && (year ?? 0) % 4 === 0 ? days + 1 : days;
  return (day ?? 0) <= last ? undefined : `must have a day from 00 to ${last}`;
}
