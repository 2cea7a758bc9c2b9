/** Windows of time that a report looks at. Pure. */
import { addDays, startOfDay, toDay } from "../base/time/zoned-time.ts";

/** ISO moments, as queries take them; `end` is the first moment after the window. */
export interface ScanWindow {
  readonly start: string;
  readonly end: string;
  /** For people: `2026-11-14 to 2026-11-20`, in the job's zone. */
  readonly says: string;
}

export const isSameWindow = (a: ScanWindow | null, b: ScanWindow): boolean =>
  a !== null && a.start === b.start && a.end === b.end;

/** Either `days`, or `start` with or without `end`. */
export interface WindowWish {
  readonly days: number | null;
  /** ISO dates or moments. */
  readonly start: string | null;
  readonly end: string | null;
  readonly compare: "none" | "previous";
}

interface Now {
  readonly nowMs: number;
  readonly timeZone: string;
}

export interface ScanWindows {
  readonly current: ScanWindow;
  readonly previous: ScanWindow | null;
}

const HAS_TIME = /T\d/u;

const toIso = (ms: number): string => new Date(ms).toISOString();

function toWindow(startMs: number, endMs: number, timeZone: string): ScanWindow {
  const first = toDay(timeZone, startMs);
  const last = toDay(timeZone, Math.max(startMs, endMs - 1));
  const says = first === last ? first : `${first} to ${last}`;
  return { start: toIso(startMs), end: toIso(endMs), says };
}

const startMs = (text: string, timeZone: string): number =>
  HAS_TIME.test(text) ? Date.parse(text) : startOfDay(timeZone, text);

/** A mere date takes its whole day in. */
const endMs = (text: string, timeZone: string): number =>
  HAS_TIME.test(text) ? Date.parse(text) : startOfDay(timeZone, addDays(text, 1));

/** Today and the days before it, up to now. */
export function lastDays(days: number, { nowMs, timeZone }: Now): ScanWindow {
  const first = addDays(toDay(timeZone, nowMs), 1 - days);
  return toWindow(startOfDay(timeZone, first), nowMs, timeZone);
}

/**
 * The window of a report, and the one before it: as many days earlier, and up to the same hour
 * where today is not over yet, so that both are comparable.
 */
export function toWindows(wish: WindowWish, now: Now): ScanWindows {
  const { timeZone, nowMs } = now;
  if (wish.start === null) {
    const days = wish.days ?? 30;
    const current = lastDays(days, now);
    if (wish.compare === "none") return { current, previous: null };
    const today = toDay(timeZone, nowMs);
    const from = startOfDay(timeZone, addDays(today, 1 - 2 * days));
    const sinceMidnight = nowMs - startOfDay(timeZone, today);
    const to = startOfDay(timeZone, addDays(today, -days)) + sinceMidnight;
    return { current, previous: toWindow(from, to, timeZone) };
  }
  const from = startMs(wish.start, timeZone);
  const to = wish.end === null ? nowMs : endMs(wish.end, timeZone);
  const current = toWindow(from, to, timeZone);
  const previous = wish.compare === "none" ? null : toWindow(from - (to - from), from, timeZone);
  return { current, previous };
}
