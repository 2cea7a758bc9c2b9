/**
 * The rate limit in an answer, in any of the forms that servers use (docs/spec/engine.md section
 * 2.3). A malformed header counts as missing: it must not steer the pace.
 */

export interface LimitFacts {
  /** Requests per window. Undefined when the server names it only in other answers (draft 08). */
  readonly limit: number | undefined;
  /** Requests left in this window. */
  readonly remaining: number;
  /** Until the window ends, counted from the answer. */
  readonly resetMs: number;
  /** Length of the window, if it is given. */
  readonly windowMs: number | undefined;
}

export interface LimitAnswer {
  readonly limits: LimitFacts | undefined;
  /** The wait in `Retry-After`, counted from the answer. */
  readonly retryAfterMs: number | undefined;
}

/** `wallMs` replaces the answer's own `Date` when it has none. */
export function readLimits(headers: Headers, wallMs: number): LimitAnswer {
  const serverMs = readDate(headers.get("date")) ?? wallMs;
  const policies = readPolicies(headers.get("ratelimit-policy"));
  const forms = [readItems, readDictionary, readTriple("ratelimit"), readTriple("x-ratelimit")];
  let limits: LimitFacts | undefined;
  for (const form of forms) limits ??= form({ headers, policies, serverMs });
  return { limits, retryAfterMs: readRetryAfter(headers.get("retry-after"), serverMs) };
}

/** Seconds, or an HTTP date compared with the answer's own `Date`. Never negative. */
export function readRetryAfter(value: string | null, serverMs: number): number | undefined {
  if (value === null) return undefined;
  const seconds = /^\s*(\d{1,9}(?:\.\d{1,9})?)\s*$/u.exec(value)?.[1];
  if (seconds !== undefined) return Number(seconds) * 1000;
  const dateMs = readDate(value);
  return dateMs === undefined ? undefined : Math.max(0, dateMs - serverMs);
}

/** An HTTP date: names of day and month are required, so that a plain number is never a date. */
export function readDate(value: string | null): number | undefined {
  if (value === null || !/^\s*[A-Za-z]{3,9},? .*\d{2}:\d{2}:\d{2}/u.test(value)) return undefined;
  const parsed = Date.parse(value);
  return Number.isNaN(parsed) ? undefined : parsed;
}

interface Policy {
  /** Quoted or bare name; empty in the drafts before 08. */
  readonly name: string;
  readonly quota: number | undefined;
  readonly windowMs: number | undefined;
  /** Counts requests, not bytes or the like. */
  readonly isForRequests: boolean;
}

interface Sources {
  readonly headers: Headers;
  readonly policies: readonly Policy[];
  readonly serverMs: number;
}

type Form = (sources: Sources) => LimitFacts | undefined;

/** Draft 08 and later: `"default";r=12;t=34`, one item per policy. The tightest one counts. */
const readItems: Form = ({ headers, policies, serverMs }) => {
  const items = splitList(headers.get("ratelimit")).filter((item) => "r" in item.params);
  const known = items.flatMap((item) => {
    const policy = policies.find((other) => other.name === item.name);
    if (policy?.isForRequests === false) return [];
    const facts = toFacts(
      { limit: policy?.quota, remaining: toCount(item.params["r"]), policy },
      toResetMs(item.params["t"], serverMs),
    );
    return facts === undefined ? [] : [facts];
  });
  return known.toSorted((a, b) => a.remaining - b.remaining || b.resetMs - a.resetMs)[0];
};

/** Draft 07: `limit=60, remaining=12, reset=34`. */
const readDictionary: Form = ({ headers, policies, serverMs }) => {
  const fields = new Map<string, string>();
  for (const part of (headers.get("ratelimit") ?? "").split(",")) {
    const [name = "", value = ""] = part.split("=");
    fields.set(name.trim().toLowerCase(), value.trim());
  }
  const limit = toCount(fields.get("limit"));
  if (limit === undefined) return undefined;
  const policy = toPolicy(policies, limit);
  return toFacts(
    { limit, remaining: toCount(fields.get("remaining")), policy },
    toResetMs(fields.get("reset"), serverMs),
  );
};

/** Up to draft 06, and the same with `X-`: three headers of one number each. */
const readTriple =
  (prefix: string): Form =>
  ({ headers, policies, serverMs }) => {
    // Draft 03 allowed the policies to follow: `60, 60;w=60`.
    const limit = toCount(headers.get(`${prefix}-limit`)?.split(/[,;]/u)[0]);
    if (limit === undefined) return undefined;
    return toFacts(
      {
        limit,
        remaining: toCount(headers.get(`${prefix}-remaining`)),
        policy: toPolicy(policies, limit),
      },
      toResetMs(headers.get(`${prefix}-reset`), serverMs),
    );
  };

interface Counts {
  readonly limit: number | undefined;
  readonly remaining: number | undefined;
  readonly policy: Policy | undefined;
}

function toFacts(counts: Counts, resetMs: number | undefined): LimitFacts | undefined {
  const { limit, remaining, policy } = counts;
  if (remaining === undefined || resetMs === undefined) return undefined;
  if (limit !== undefined && (limit < 1 || remaining > limit)) return undefined;
  return { limit, remaining, resetMs, windowMs: policy?.windowMs };
}

/** The policy of this limit: named by its number in the old forms, or the only one. */
function toPolicy(policies: readonly Policy[], limit: number): Policy | undefined {
  const fitting = policies.filter((policy) => policy.isForRequests);
  return fitting.find((policy) => policy.quota === limit) ?? fitting[0];
}

/** `60;w=60` (old) and `"default";q=60;w=60` (new). */
function readPolicies(value: string | null): Policy[] {
  return splitList(value).map(({ name, params }) => {
    const old = toCount(name);
    const windowSeconds = toCount(params["w"]);
    return {
      name: old === undefined ? name : "",
      quota: old ?? toCount(params["q"]),
      windowMs: windowSeconds ? windowSeconds * 1000 : undefined,
      isForRequests: (params["qu"] ?? '"requests"') === '"requests"',
    };
  });
}

interface Item {
  readonly name: string;
  readonly params: Readonly<Record<string, string>>;
}

/** From one quote to the next, or to the end; each character is read once. */
const QUOTED = /"(?:[^"\\]|\\.?)*("?)/gu;

const isQuoteOpen = (value: string): boolean =>
  [...value.matchAll(QUOTED)].some(([, end]) => end === "");

/** A structured-field list, as far as these headers need it: commas and semicolons outside quotes. */
function splitList(value: string | null): Item[] {
  if (value === null || isQuoteOpen(value)) return [];
  const parts = value.match(/(?:"(?:[^"\\]|\\.)*"|[^",])+/gu) ?? [];
  return parts.map((part) => {
    const [name = "", ...pairs] = part.match(/(?:"(?:[^"\\]|\\.)*"|[^";])+/gu) ?? [];
    const params: Record<string, string> = {};
    for (const pair of pairs) {
      const [key = "", text = ""] = pair.split("=");
      params[key.trim().toLowerCase()] = text.trim();
    }
    return { name: name.trim(), params };
  });
}

function toCount(value: string | null | undefined): number | undefined {
  const digits = /^\s*(\d{1,15})\s*$/u.exec(value ?? "")?.[1];
  return digits === undefined ? undefined : Number(digits);
}

/** Above these, a number is no duration but a time: seconds, or milliseconds, since 1970. */
const EPOCH_SECONDS = 1e9;
const EPOCH_MS = 1e12;

function toResetMs(value: string | null | undefined, serverMs: number): number | undefined {
  const count = toCount(value);
  if (count === undefined) return undefined;
  if (count < EPOCH_SECONDS) return count * 1000;
  return Math.max(0, (count < EPOCH_MS ? count * 1000 : count) - serverMs);
}
