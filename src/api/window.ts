/** Windows of time in queries: `days`, or `start` and `end`, both ISO dates or datetimes. */
import { z } from "zod";

import { wholeNumber } from "./fields.ts";
import { limits } from "./limits.ts";

const DATE = /^\d{4}-\d{2}-\d{2}$/u;
const DATETIME =
  /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})?$/iu;
const ZONE = /(?:Z|[+-]\d{2}:?\d{2})$/iu;
const DAY_MS = 86_400_000;

const isRealDate = (date: string): boolean => {
  const ms = Date.parse(`${date}T00:00:00Z`);
  // Date.parse rolls 30 February over; the text must come back as it went in.
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(date);
};

/**
 * ISO date or datetime -> epoch milliseconds, or undefined. A missing zone means UTC. A `+` that a
 * query string turned into a space is put back.
 */
export function parseMoment(value: string): number | undefined {
  const text = value
    .trim()
    .replace(/ (\d{2}:?\d{2})$/u, (end, zone: string) => (value.includes("T") ? `+${zone}` : end));
  if (!isRealDate(text.slice(0, 10))) return undefined;
  if (DATE.test(text)) return Date.parse(`${text}T00:00:00Z`);
  if (!DATETIME.test(text)) return undefined;
  const iso = text.replace(" ", "T").replace(/([+-]\d{2})(\d{2})$/u, "$1:$2");
  const ms = Date.parse(ZONE.test(iso) ? iso : `${iso}Z`);
  return Number.isNaN(ms) ? undefined : ms;
}

const moment = (dateOnlyAddsMs: number) =>
  z.string().transform((value, context) => {
    const ms = parseMoment(value);
    if (ms !== undefined) return DATE.test(value.trim()) ? ms + dateOnlyAddsMs : ms;
    context.issues.push({
      code: "custom",
      message: "Must be an ISO date or datetime like 2026-11-20 or 2026-11-20T08:30:00Z",
      input: value,
    });
    return z.NEVER;
  });

/** First moment of the window, epoch ms. */
export const startMoment = moment(0);
/** First moment after the window, epoch ms: a mere date takes its whole day in. */
export const endMoment = moment(DAY_MS);

/** `start` and `end`. */
export const span = { start: startMoment.optional(), end: endMoment.optional() };

/** `days`, `start` and `end`; `start` wins over `days`, which end with `end`. */
export const windowFields = { days: wholeNumber(1, limits.maxAnalyticsDays).optional(), ...span };

interface Span {
  readonly start?: number | undefined;
  readonly end?: number | undefined;
}

/** Where `end` meets `start` at midnight, `end` was the day before: one moment at both is no window of days. */
const isInOrder = (start: number, end: number): boolean =>
  start < end || (start === end && start % DAY_MS !== 0);

/** Refuses a window that ends before it begins; to be put on every shape that has `span`. */
export const spanInOrder = {
  holds: ({ start, end }: Span): boolean =>
    typeof start !== "number" || typeof end !== "number" || isInOrder(start, end),
  error: { path: ["end"], error: "Must not lie before start" },
};
