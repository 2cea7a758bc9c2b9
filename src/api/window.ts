/** Time windows in queries: `days`, or `start` and `end`, both ISO dates or datetimes. */
import { z } from "zod";

import { parseQueryMoment } from "../base/time/moment.ts";
import { stringUpTo, wholeNumber } from "./fields.ts";
import { limits } from "./limits.ts";

const DATE = /^\d{4}-\d{2}-\d{2}$/u;
const DAY_MS = 86_400_000;

/** Longer than any date and time with spaces around it. */
const MAX_MOMENT = 100;
const NO_MOMENT = "Must be an ISO date or datetime like 2026-11-20 or 2026-11-20T08:30:00Z";

/** ISO text -> the result of `build`, which gets milliseconds and whether it is only a date. */
const moment = <Value>(build: (ms: number, isDate: boolean) => Value) =>
  stringUpTo(MAX_MOMENT, { type: "Must be a string", long: NO_MOMENT })
    .meta({ examples: ["2026-11-20", "2026-11-20T08:30:00Z"] })
    .transform((value, context) => {
      const ms = parseQueryMoment(value);
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
    .describe("First moment that counts: an ISO date or datetime; without a zone it is UTC."),
  end: endMoment
    .optional()
    .describe(
      "Its end: an ISO datetime, which itself no longer counts, or a date, the whole of which counts.",
    ),
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
