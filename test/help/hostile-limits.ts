import type { Clock } from "../../src/base/time/clock.ts";

export type HeaderForm = "legacy" | "draft-08" | "mixed-case" | "none";
export type RetryAfterForm = "seconds" | "date" | "none";

export interface HostileLimits {
  readonly writes: number;
  readonly reads: number;
  readonly windowMs: number;
  readonly headers: HeaderForm;
  readonly retryAfter: RetryAfterForm;
  /** Writes a window that another client sends with the same token, spread evenly. */
  readonly others: number;
}

interface Window {
  start: number;
  used: number;
}

interface Verdict {
  readonly isAllowed: boolean;
  readonly headers: Record<string, string>;
}

/** Fixed windows on the wall clock, one per class, and the headers that tell of them. */
export class LimitWindows {
  readonly #clock: Clock;
  readonly #limits: HostileLimits;
  readonly #windows: Record<"read" | "write", Window> = {
    read: { start: -1, used: 0 },
    write: { start: -1, used: 0 },
  };

  constructor(clock: Clock, limits: HostileLimits) {
    this.#clock = clock;
    this.#limits = limits;
  }

  take(kind: "read" | "write"): Verdict {
    const { windowMs, others } = this.#limits;
    const limit = kind === "read" ? this.#limits.reads : this.#limits.writes;
    const now = this.#clock.nowMs();
    const window = this.#windows[kind];
    const start = now - (now % windowMs);
    if (window.start !== start) Object.assign(window, { start, used: 0 });
    const byOthers = kind === "write" ? Math.floor((others * (now - start)) / windowMs) : 0;
    const isAllowed = window.used + byOthers < limit;
    if (isAllowed) window.used += 1;
    const remaining = Math.max(0, limit - window.used - byOthers);
    const reset = Math.ceil((start + windowMs - now) / 1000);
    const headers = toLimitHeaders(this.#limits, { limit, remaining, reset });
    return { isAllowed, headers: { ...headers, ...(isAllowed ? {} : this.retryAfter(reset)) } };
  }

  /** `Retry-After` in the form that this server likes. */
  retryAfter(seconds: number): Record<string, string> {
    const at = new Date(this.#clock.nowMs() + seconds * 1000);
    switch (this.#limits.retryAfter) {
      case "seconds":
        return { "retry-after": String(seconds) };
      case "date":
        return { "retry-after": at.toUTCString() };
      case "none":
        return {};
      default:
        return this.#limits.retryAfter satisfies never;
    }
  }
}

function toLimitHeaders(
  { headers: form, windowMs }: HostileLimits,
  { limit, remaining, reset }: { limit: number; remaining: number; reset: number },
): Record<string, string> {
  const w = windowMs / 1000;
  switch (form) {
    case "none":
      return {};
    case "draft-08":
      return {
        RateLimit: `"default";r=${remaining};t=${reset}`,
        "RateLimit-Policy": `"default";q=${limit};w=${w}`,
      };
    case "legacy":
    case "mixed-case": {
      const names =
        form === "legacy"
          ? ["RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset", "RateLimit-Policy"]
          : ["ratelimit-LIMIT", "RATELIMIT-remaining", "rAtElImIt-rEsEt", "ratelimit-policy"];
      const values = [limit, remaining, reset, `${limit};w=${w}`];
      return Object.fromEntries(names.map((name, n) => [name, String(values[n])]));
    }
    default:
      return form satisfies never;
  }
}
