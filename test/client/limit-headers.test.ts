import * as fc from "../help/property.ts";
import { describe, expect, it } from "vitest";

import { readLimits, readRetryAfter, type LimitFacts } from "../../src/client/limit-headers.ts";

const WALL_MS = Date.UTC(2026, 10, 20, 12, 0, 0);
const DATE = "Fri, 20 Nov 2026 12:00:00 GMT";

const facts = (
  limit: number | undefined,
  remaining: number,
  resetS: number,
  windowS?: number,
): LimitFacts => ({
  limit,
  remaining,
  resetMs: resetS * 1000,
  windowMs: windowS === undefined ? undefined : windowS * 1000,
});

const read = (headers: Record<string, string>): LimitFacts | undefined =>
  readLimits(new Headers(headers), WALL_MS).limits;

const good: readonly (readonly [string, Record<string, string>, LimitFacts])[] = [
  [
    "draft 06, as the API document says",
    {
      "RateLimit-Limit": "60",
      "RateLimit-Remaining": "12",
      "RateLimit-Reset": "34",
      "RateLimit-Policy": "60;w=60",
    },
    facts(60, 12, 34, 60),
  ],
  [
    "draft 06 in capitals, without a policy",
    { "RATELIMIT-LIMIT": "60", "RATELIMIT-REMAINING": "0", "ratelimit-reset": " 1 " },
    facts(60, 0, 1),
  ],
  [
    "draft 03 with the policies behind the limit",
    { "ratelimit-limit": "60, 60;w=60", "ratelimit-remaining": "5", "ratelimit-reset": "9" },
    facts(60, 5, 9),
  ],
  [
    "the policy that belongs to the limit, of two",
    {
      "ratelimit-limit": "60",
      "ratelimit-remaining": "5",
      "ratelimit-reset": "9",
      "ratelimit-policy": "10;w=1, 60;w=30",
    },
    facts(60, 5, 9, 30),
  ],
  [
    "a reset that is a moment, in seconds",
    {
      date: DATE,
      "ratelimit-limit": "60",
      "ratelimit-remaining": "5",
      "ratelimit-reset": `${WALL_MS / 1000 + 7}`,
    },
    facts(60, 5, 7),
  ],
  [
    "a reset that is a moment, in milliseconds, seen from the answer's own date",
    {
      date: "Fri, 20 Nov 2026 11:00:00 GMT",
      "ratelimit-limit": "60",
      "ratelimit-remaining": "5",
      "ratelimit-reset": `${WALL_MS}`,
    },
    facts(60, 5, 3600),
  ],
  [
    "a moment in the past",
    {
      date: DATE,
      "ratelimit-limit": "9",
      "ratelimit-remaining": "9",
      "ratelimit-reset": "1000000001",
    },
    facts(9, 9, 0),
  ],
  [
    "X- names",
    { "X-RateLimit-Limit": "60", "X-RateLimit-Remaining": "7", "X-RateLimit-Reset": "34" },
    facts(60, 7, 34),
  ],
  ["draft 07", { RateLimit: "limit=60, remaining=12, reset=34" }, facts(60, 12, 34)],
  [
    "draft 07 in another order, with a policy",
    { ratelimit: "Reset=34,Remaining=12 , LIMIT=60", "ratelimit-policy": "60;w=120" },
    facts(60, 12, 34, 120),
  ],
  [
    "draft 08",
    { RateLimit: '"default";r=12;t=34', "RateLimit-Policy": '"default";q=60;w=60' },
    facts(60, 12, 34, 60),
  ],
  [
    "draft 08: of several policies the one with least left",
    {
      ratelimit: '"hour";r=900;t=1800, "minute";r=12;t=34',
      "ratelimit-policy": '"hour";q=1000;w=3600, "minute";q=60;w=60',
    },
    facts(60, 12, 34, 60),
  ],
  [
    "draft 08: equally little left, the longer wait counts",
    {
      ratelimit: '"minute";r=0;t=34, "hour";r=0;t=1800',
      "ratelimit-policy": '"hour";q=1000;w=3600, "minute";q=60;w=60',
    },
    facts(1000, 0, 1800, 3600),
  ],
  [
    "draft 08: a policy that counts bytes is none of ours",
    {
      ratelimit: '"bytes";r=3;t=9, "default";r=12;t=34',
      "ratelimit-policy": '"bytes";q=9999;w=60;qu="content-bytes", "default";q=60;w=60',
    },
    facts(60, 12, 34, 60),
  ],
  [
    "draft 08 with separators inside the name",
    { ratelimit: '"a;b, \\"c";r=1;t=2', "ratelimit-policy": '"a;b, \\"c";q=3;w=4' },
    facts(3, 1, 2, 4),
  ],
  [
    "draft 08 whose quota is told elsewhere",
    { ratelimit: '"default";r=12;t=34' },
    facts(undefined, 12, 34),
  ],
  [
    "the newest form wins",
    {
      ratelimit: '"default";r=1;t=2',
      "ratelimit-policy": '"default";q=3;w=4',
      "ratelimit-limit": "60",
      "ratelimit-remaining": "12",
      "ratelimit-reset": "34",
    },
    facts(3, 1, 2, 4),
  ],
  [
    "a malformed new form leaves the old one",
    {
      ratelimit: '"default";r=-1;t=x',
      "ratelimit-limit": "60",
      "ratelimit-remaining": "12",
      "ratelimit-reset": "34",
    },
    facts(60, 12, 34),
  ],
];

const triple = (limit: string, remaining: string, reset: string): Record<string, string> => ({
  "ratelimit-limit": limit,
  "ratelimit-remaining": remaining,
  "ratelimit-reset": reset,
});

const bad: readonly (readonly [string, Record<string, string>])[] = [
  ["nothing at all", {}],
  ["no reset", { "ratelimit-limit": "60", "ratelimit-remaining": "12" }],
  ["words", triple("many", "some", "soon")],
  ["negative", triple("60", "-1", "34")],
  ["fractions", triple("60", "1.5", "34")],
  ["exponents", triple("6e1", "1", "34")],
  ["a limit of nothing, which would stop everything", triple("0", "0", "34")],
  ["more left than there is", triple("60", "61", "34")],
  ["two answers in one", triple("60", "12, 13", "34")],
  ["a draft 07 without what is left", { ratelimit: "limit=60, reset=34" }],
  [
    "a draft 08 without a time",
    { ratelimit: '"default";r=12', "ratelimit-policy": '"default";q=60' },
  ],
  ["an open quote", { ratelimit: '"default;r=12;t=34' }],
];

describe("readLimits", () => {
  it.each(good)("reads %s", (_, headers, expected) => {
    expect(read(headers)).toEqual(expected);
  });

  it.each(bad)("takes %s as absent", (_, headers) => {
    expect(read(headers)).toBeUndefined();
  });

  it("never throws and never lets nonsense through", () => {
    const piece = fc.constantFrom(
      '"a"',
      "r=1",
      "t=2",
      "limit=",
      ";",
      ",",
      "60",
      "=",
      " ",
      '"',
      "\\",
      "-",
    );
    const value = fc.array(piece, { maxLength: 12 }).map((parts) => parts.join(""));
    fc.assert(
      fc.property(value, value, value, (ratelimit, policy, limit) => {
        const read = readLimits(
          new Headers({ ratelimit, "ratelimit-policy": policy, "ratelimit-limit": limit }),
          WALL_MS,
        ).limits;
        if (read === undefined) return;
        expect(Number.isInteger(read.remaining) && read.remaining >= 0).toBe(true);
        expect(Number.isInteger(read.resetMs) && read.resetMs >= 0).toBe(true);
        expect(read.limit === undefined || read.limit >= 1).toBe(true);
      }),
    );
  });
});

describe("readRetryAfter", () => {
  it.each([
    ["0", 0],
    ["120", 120_000],
    [" 7 ", 7_000],
    ["1.5", 1_500],
    ["Fri, 20 Nov 2026 12:00:30 GMT", 30_000],
    ["Fri, 20 Nov 2026 11:00:00 GMT", 0],
    ["Friday, 20-Nov-26 12:00:30 GMT", 30_000],
    ["soon", undefined],
    ["", undefined],
    ["-5", undefined],
    ["5 seconds", undefined],
    ["99999999999999", undefined],
  ])("reads %j as %s ms", (value, expected) => {
    expect(readRetryAfter(value, WALL_MS)).toBe(expected);
  });

  it("sees a date from the answer's own date, not from this machine's", () => {
    const headers = new Headers({
      date: "Fri, 20 Nov 2026 12:00:00 GMT",
      "retry-after": "Fri, 20 Nov 2026 12:00:20 GMT",
    });
    const anHourOff = WALL_MS + 3_600_000;
    expect(readLimits(headers, anHourOff).retryAfterMs).toBe(20_000);
  });

  it("falls back to this machine's clock when the answer has no date", () => {
    const headers = new Headers({ "retry-after": "Fri, 20 Nov 2026 12:00:20 GMT" });
    expect(readLimits(headers, WALL_MS + 5_000).retryAfterMs).toBe(15_000);
  });
});
