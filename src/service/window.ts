/** Windows of time that queries ask for, in epoch milliseconds. */
export interface Span {
  readonly startMs: number;
  /** First moment after it. */
  readonly endMs: number;
}

interface Wanted {
  readonly days?: number | undefined;
  readonly start?: number | undefined;
  readonly end?: number | undefined;
}

export const DAY_MS = 86_400_000;
/** Later than every moment that a Date can hold. */
export const EVER_MS = 8.64e15;

/** Today and the days before it, whole days in UTC. */
export function lastDays(days: number, nowMs: number): Span {
  return { startMs: (Math.floor(nowMs / DAY_MS) - days + 1) * DAY_MS, endMs: EVER_MS };
}

/**
 * The window of `start` and `end`, else of the last `days`; undefined when none was asked for.
 * `start` alone has no end, `end` alone no start.
 */
export function toSpan({ days, start, end }: Wanted, nowMs: number): Span | undefined {
  if (start !== undefined || end !== undefined) {
    return { startMs: start ?? 0, endMs: end ?? EVER_MS };
  }
  return days === undefined ? undefined : lastDays(days, nowMs);
}
