/** Requests per wall-aligned minute (docs/spec/api.md section 8): in memory, or for several processes. */
import { limits } from "../../api/limits.ts";
import { systemClock, type Clock } from "../../base/time/clock.ts";

import type { SharedCounters, Store } from "../store/store.ts";

export interface Quota {
  readonly limit: number;
  readonly remaining: number;
  /** Seconds until the window ends, at least 1. */
  readonly resetS: number;
  /** The request is one too many. */
  readonly exceeded: boolean;
}

/** Counts per key within the current window; all keys share its edges. */
export interface RateLimit {
  take(key: string, limit: number): Promise<Quota>;
  /** The same without counting one. */
  peek(key: string, limit: number): Promise<Quota>;
}

/** Counts what `name` stands for, in all processes on the store. */
export const openRateLimit = (
  { store, clock }: { readonly store: Store; readonly clock: Clock },
  name: string,
): RateLimit =>
  store.counters === undefined
    ? new OwnLimit(clock)
    : new SharedLimit({ counters: store.counters, clock, name });

function toQuota(used: number, limit: number, nowMs: number): Quota {
  const { windowMs } = limits;
  const endMs = (Math.floor(nowMs / windowMs) + 1) * windowMs;
  return {
    limit,
    remaining: Math.max(0, limit - used),
    resetS: Math.max(1, Math.ceil((endMs - nowMs) / 1000)),
    exceeded: used > limit,
  };
}

/** In memory, for a process that serves alone. */
export class OwnLimit implements RateLimit {
  readonly #clock: Clock;
  #window = Number.NaN;
  readonly #used = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  async take(key: string, limit: number): Promise<Quota> {
    return this.#count(key, limit, 1);
  }

  async peek(key: string, limit: number): Promise<Quota> {
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
    return toQuota(used, limit, now);
  }
}

interface SharedParts {
  readonly counters: SharedCounters;
  readonly clock: Clock;
  readonly name: string;
}

/** One limit for all processes: each request is counted in the database. */
class SharedLimit implements RateLimit {
  readonly #parts: SharedParts;

  constructor(parts: SharedParts) {
    this.#parts = parts;
  }

  take(key: string, limit: number): Promise<Quota> {
    return this.#count(key, limit, 1);
  }

  peek(key: string, limit: number): Promise<Quota> {
    return this.#count(key, limit, 0);
  }

  async #count(key: string, limit: number, more: 0 | 1): Promise<Quota> {
    const { counters, clock, name } = this.#parts;
    const { used, nowMs } = await counters.count({
      key: `${name} ${key}`,
      windowMs: limits.windowMs,
      more,
      // Clocks of machines differ; windows must not: the database's clock counts.
      nowMs: clock === systemClock ? undefined : clock.nowMs(),
    });
    return toQuota(used, limit, nowMs);
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
