/** Calendar days in a time zone. */

const MINUTE_MS = 60_000;

const formats = new Map<string, Intl.DateTimeFormat>();

/**
 * A format, made once: each takes about 50 kB outside of the heap, and a million rows would make a
 * million of them.
 */
export function dateFormat(
  locale: string,
  options: Intl.DateTimeFormatOptions,
): Intl.DateTimeFormat {
  const key = JSON.stringify([locale, options]);
  const format = formats.get(key) ?? new Intl.DateTimeFormat(locale, options);
  formats.set(key, format);
  return format;
}

/** Milliseconds by which a zone is ahead of UTC at a given time. */
export function zoneOffsetMs(timeZone: string, ms: number): number {
  const format = dateFormat("sv-SE", {
    timeZone,
    dateStyle: "short",
    timeStyle: "medium",
  });
  const wallMs = Date.parse(`${format.format(ms).replace(" ", "T")}Z`);
  return Math.round((wallMs - ms) / MINUTE_MS) * MINUTE_MS;
}

/** `2026-11-20` of a time. */
export function toDay(timeZone: string, ms: number): string {
  return new Date(ms + zoneOffsetMs(timeZone, ms)).toISOString().slice(0, 10);
}

/** The first moment of a day, given as `2026-11-20` or as any ISO text that begins so. */
export function startOfDay(timeZone: string, day: string): number {
  const wallMs = Date.parse(`${day.slice(0, 10)}T00:00:00Z`);
  // The offset is looked up where the day begins in UTC, then where the result says that it begins.
  const guess = wallMs - zoneOffsetMs(timeZone, wallMs);
  return wallMs - zoneOffsetMs(timeZone, guess);
}

/** The same day of the calendar, `days` later. */
export function addDays(day: string, days: number): string {
  const ms = Date.parse(`${day.slice(0, 10)}T00:00:00Z`) + days * 24 * 60 * MINUTE_MS;
  return new Date(ms).toISOString().slice(0, 10);
}

/** True for an IANA name, or another name of a zone that this computer accepts. */
export function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}
