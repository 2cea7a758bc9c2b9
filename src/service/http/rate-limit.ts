/** Requests per wall-aligned minute (docs/spec/api.md section 8), in memory. */
import { limits } from "../../api/limits.ts";
import type { Clock } from "../../base/clock.ts";

export interface Quota {
  readonly limit: number;
  readonly remaining: number;
  /** Seconds until the window ends, at least 1. */
  readonly resetS: number;
  /** The request is one too many. */
  readonly exceeded: boolean;
}

/** Counts per key within the current window; all keys share its edges. */
export class RateLimit {
  readonly #clock: Clock;
  #window = Number.NaN;
  readonly #used = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Counts one request of `key`. */
  take(key: string, limit: number): Quota {
    return this.#count(key, limit, 1);
  }

  /** The same without counting one. */
  peek(key: string, limit: number): Quota {
    return this.#count(key, limit, 0);
  }

  #count(key: string, limit: number, more: number): Quota {
    const now = this.#clock.nowMs();
    const window = Math.floor(now / limits.windowMs);
    if (window !== this.#window) {
      this.#window = window;
      this.#used.clear();
    }
    const used = (this.#used.get(key) ?? 0) + more;
    if (more > 0) this.#used.set(key, Math.min(used, limit + 1));
    return {
      limit,
      remaining: Math.max(0, limit - used),
      resetS: Math.max(1, Math.ceil(((window + 1) * limits.windowMs - now) / 1000)),
      exceeded: used > limit,
    };
  }
}

/** The four headers that every answer carries. */
export function toLimitHeaders(quota: Quota): Record<string, string> {
  return {
    "ratelimit-limit": String(quota.limit),
    "ratelimit-remaining": String(quota.remaining),
    "ratelimit-reset": String(quota.resetS),
    "ratelimit-policy": `${quota.limit};w=${limits.windowMs / 1000}`,
  };
}
