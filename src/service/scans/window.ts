/** Time windows of queries, in epoch milliseconds. */
import type { WindowEnd } from "../../api/window.ts";

export interface Span {
  readonly startMs: number;
  /** The first moment after the window. */
  readonly endMs: number;
}

interface Wanted {
  readonly days?: number | undefined;
  readonly start?: number | undefined;
  readonly end?: WindowEnd | undefined;
}

export const DAY_MS = 86_400_000;
/** Later than every moment that a Date can hold. */
export const EVER_MS = 8.64e15;

/** Today and the days before it, whole days in UTC. */
function lastDays(days: number, nowMs: number): Span {
  return { startMs: (Math.floor(nowMs / DAY_MS) - days + 1) * DAY_MS, endMs: EVER_MS };
}

/**
 * The window of `start` and `end`, or the last `days` (up to `end`); undefined when none was given.
 * `start` alone has no end, `end` alone no start.
 */
export function toSpan(wanted: Wanted & { readonly days: number }, nowMs: number): Span;
export function toSpan(wanted: Wanted, nowMs: number): Span | undefined;
export function toSpan({ days, start, end }: Wanted, nowMs: number): Span | undefined {
  const endMs = end?.afterMs ?? EVER_MS;
  if (start !== undefined) return { startMs: start, endMs };
  if (days === undefined) return end === undefined ? undefined : { startMs: 0, endMs };
  return { startMs: lastDays(days, end === undefined ? nowMs : endMs - 1).startMs, endMs };
}
