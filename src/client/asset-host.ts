import type { Clock } from "../base/time/clock.ts";
import { AppError } from "../base/errors.ts";

/** A host counts as away after this many failures in a row, over at least this time. */
const FAILURES = 12;
const AWAY_AFTER_MS = 30_000;
/** While it is away, one file is tried this often. */
const PROBE_MS = 30_000;

/**
 * Whether the hosts of files answer. Trying every file on a host that is away would take hours: so
 * the files of its rows fail at once, and the next run fetches them.
 */
export class AssetHosts {
  readonly #clock: Clock;
  readonly #byOrigin = new Map<string, Health>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Throws `server-unavailable` while the host is away and was tried a moment ago. */
  check({ origin }: URL): void {
    const health = this.#byOrigin.get(origin);
    if (health === undefined || !this.#isAway(health)) return;
    const now = this.#clock.monotonicMs();
    if (now >= health.probeAtMs) {
      health.probeAtMs = now + PROBE_MS;
      return;
    }
    throw new AppError(
      "server-unavailable",
      `${health.tried} must give out files, got ${health.failures} failures in a row`,
      { hint: "run the same command again when that host is back: only the files are fetched" },
    );
  }

  /** True when another attempt right away makes sense. */
  isWorthRepeating({ origin }: URL): boolean {
    const health = this.#byOrigin.get(origin);
    return health === undefined || !this.#isAway(health);
  }

  good({ origin }: URL): void {
    this.#byOrigin.delete(origin);
  }

  /** @param home the API's own host, where it was tried instead and had no file either */
  bad({ origin, host }: URL, home?: string): void {
    const now = this.#clock.monotonicMs();
    const fresh = { failures: 0, sinceMs: now, probeAtMs: 0, tried: host };
    const health = this.#byOrigin.get(origin) ?? fresh;
    health.failures += 1;
    health.tried = home === undefined ? host : `${host} or ${home}`;
    health.probeAtMs = now + PROBE_MS;
    this.#byOrigin.set(origin, health);
  }

  #isAway({ failures, sinceMs }: Health): boolean {
    return failures >= FAILURES && this.#clock.monotonicMs() - sinceMs >= AWAY_AFTER_MS;
  }
}

interface Health {
  failures: number;
  readonly sinceMs: number;
  probeAtMs: number;
  /** Hosts, in words. */
  tried: string;
}
