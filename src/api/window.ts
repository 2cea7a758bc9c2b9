/** Time windows in queries: `days`, or `start` and `end`, both ISO dates or datetimes. */
import { z } from "zod";

import { stringUpTo, wholeNumber } from "./fields.ts";
import { limits } from "./limits.ts";

const DATE = /^\d{4}-\d{2}-\d{2}$/u;
const DATETIME =
  /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})?$/iu;
const ZONE = /(?:Z|[+-]\d{2}:?\d{2})$/iu;
const DAY_MS = 86_400_000;

const isRealDate = (date: string): boolean => {
  const ms = Date.parse(`${date}T00:00:00Z`);
  // Date.parse turns 30 February into 1 or 2 March: the text must come back unchanged.
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

/** Longer than any date and time with spaces around it. */
const MAX_MOMENT = 100;
const NO_MOMENT = "Must be an ISO date or datetime like 2026-11-20 or 2026-11-20T08:30:00Z";

/** ISO text -> the result of `build`, which gets milliseconds and whether it is only a date. */
const moment = <Value>(build: (ms: number, isDate: boolean) => Value) =>
  stringUpTo(MAX_MOMENT, { type: "Must be a string", long: NO_MOMENT })
    .meta({ examples: ["2026-11-20", "2026-11-20T08:30:00Z"] })
    .transform((value, context) => {
      const ms = parseMoment(value);
      if (ms !== undefined) return build(ms, DATE.test(value.trim()));
      context.issues.push({
        code: "custom",
        message: NO_MOMENT,
        input: value,
      });
      return z.NEVER;
    });

/** First moment of the window, epoch ms. */
export const startMoment = moment((ms) => ms);

/** Epoch ms: the given time, and the first one after the window. */
export interface WindowEnd {
  readonly ms: number;
  readonly afterMs: number;
}

/** A date without time includes its whole day. */
export const endMoment = moment((ms, isDate): WindowEnd => ({
  ms,
  afterMs: isDate ? ms + DAY_MS : ms,
}));

/** `start` and `end`. */
export const span = {
  start: startMoment
    .optional()
    .describe("First moment: an ISO date or datetime; without a zone it is UTC."),
  end: endMoment
    .optional()
    .describe("Last moment: an ISO date, which counts as a whole, or datetime."),
};

export const saysDays = "The last so many days, up to end. With start, it doesn't count.";

/** `days`, `start` and `end`; `start` overrides `days`, which end at `end`. */
export const windowFields = {
  days: wholeNumber(1, limits.maxAnalyticsDays).optional().describe(saysDays),
  ...span,
};

interface Span {
  readonly start?: number | undefined;
  readonly end?: WindowEnd | undefined;
}

/** Refuses a window that ends before it begins; for every shape with `span`. */
export const spanInOrder = {
  holds: ({ start, end }: Span): boolean =>
    start === undefined || end === undefined || start <= end.ms,
  error: { path: ["end"], error: "Must not lie before start" },
};
