/** Days on the wall of a time zone. */

const MINUTE_MS = 60_000;

/** Milliseconds by which a zone is ahead of UTC at a moment. */
export function zoneOffsetMs(timeZone: string, ms: number): number {
  const format = new Intl.DateTimeFormat("sv-SE", {
    timeZone,
    dateStyle: "short",
    timeStyle: "medium",
  });
  const wallMs = Date.parse(`${format.format(ms).replace(" ", "T")}Z`);
  return Math.round((wallMs - ms) / MINUTE_MS) * MINUTE_MS;
}

/** `2026-11-20` of a moment. */
export function toDay(timeZone: string, ms: number): string {
  return new Date(ms + zoneOffsetMs(timeZone, ms)).toISOString().slice(0, 10);
}

/** The first moment of a day, given as `2026-11-20` or as any ISO text that begins so. */
export function startOfDay(timeZone: string, day: string): number {
  const wallMs = Date.parse(`${day.slice(0, 10)}T00:00:00Z`);
  // The offset is looked up where the day begins in UTC, then where it seems to begin there.
  const guess = wallMs - zoneOffsetMs(timeZone, wallMs);
  return wallMs - zoneOffsetMs(timeZone, guess);
}

/** The same day of the calendar, `days` later. */
export function addDays(day: string, days: number): string {
  const ms = Date.parse(`${day.slice(0, 10)}T00:00:00Z`) + days * 24 * 60 * MINUTE_MS;
  return new Date(ms).toISOString().slice(0, 10);
}
