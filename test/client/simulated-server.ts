import type { Transport, WireAnswer, WireRequest } from "../../src/client/wire.ts";
import type { Clock } from "../../src/base/time/clock.ts";

type Windows = "wall" | "first-request" | "sliding" | "none";
/** `06-mixed`: the names in any case. `06-epoch`: the reset as a moment, by the server's clock. */
export type HeaderForm = "06" | "06-mixed" | "06-epoch" | "07" | "08" | "none";

export interface ServerOptions {
  readonly clock: Clock;
  readonly random: () => number;
  readonly windows: Windows;
  readonly headers?: HeaderForm;
  /** How seconds are written. Default: up. */
  readonly rounding?: "up" | "down";
  /** How a 429 says when to come again. Default: in seconds. */
  readonly retryAfter?: "seconds" | "date" | "none";
  /** The server's wall clock is ahead of the client's by this much. */
  readonly skewMs?: number;
  /** Mean of both ways together; half to one and a half of it. */
  readonly latencyMs?: number;
  /** Where the first wall window lies. */
  readonly phaseMs?: number;
  /** Writes a minute that another client of the token tries, evenly. */
  readonly othersPerMinute?: number;
  /** The other client sends so many at once, less often. Default 1. */
  readonly othersBurst?: number;
  readonly limits?: { readonly write: number; readonly read: number };
}

/** What the server counted in one window of writes; sliding ones are cut into minutes. */
export interface CountedWindow {
  /** Writes that were done, whoever sent them. */
  used: number;
  /** 429s of our client. */
  limited: number;
}

export interface SimulatedServer extends Transport {
  /** In order of time; only those in which something came. */
  readonly windows: readonly CountedWindow[];
  readonly counts: { done: number; limited: number; othersDone: number; othersTried: number };
  /** Stops the other client. */
  stop(): void;
}

const WINDOW_MS = 60_000;
type Class = "read" | "write";

/** One class of a token on the server: decides, and says what is left. */
class Counter {
  readonly #limit: number;
  readonly #windows: Windows;
  readonly #phaseMs: number;
  #endMs = -Infinity;
  #used = 0;
  #taken: number[] = [];

  constructor(limit: number, windows: Windows, phaseMs: number) {
    this.#limit = limit;
    this.#windows = windows;
    this.#phaseMs = phaseMs;
  }

  readonly windows: CountedWindow[] = [];
  #windowEndMs = -Infinity;

  take(now: number, isOurs: boolean): { ok: boolean; remaining: number; resetMs: number } {
    const verdict = this.#decide(now);
    const endMs =
      this.#windows === "wall" || this.#windows === "first-request"
        ? this.#endMs
        : Math.floor(now / WINDOW_MS) * WINDOW_MS;
    if (endMs !== this.#windowEndMs) this.windows.push({ used: 0, limited: 0 });
    this.#windowEndMs = endMs;
    const window = this.windows.at(-1) as CountedWindow;
    window.used += Number(verdict.ok);
    window.limited += Number(!verdict.ok && isOurs);
    return verdict;
  }

  #decide(now: number): { ok: boolean; remaining: number; resetMs: number } {
    if (this.#windows === "none") return { ok: true, remaining: 0, resetMs: 0 };
    if (this.#windows === "sliding") return this.#slide(now);
    if (now >= this.#endMs) {
      const sincePhase = (((now - this.#phaseMs) % WINDOW_MS) + WINDOW_MS) % WINDOW_MS;
      this.#endMs = now + WINDOW_MS - (this.#windows === "wall" ? sincePhase : 0);
      this.#used = 0;
    }
    const ok = this.#used < this.#limit;
    if (ok) this.#used += 1;
    return { ok, remaining: this.#limit - this.#used, resetMs: this.#endMs - now };
  }

  #slide(now: number): { ok: boolean; remaining: number; resetMs: number } {
    this.#taken = this.#taken.filter((at) => at > now - WINDOW_MS);
    const ok = this.#taken.length < this.#limit;
    if (ok) this.#taken.push(now);
    const oldest = this.#taken[0] ?? now;
    return { ok, remaining: this.#limit - this.#taken.length, resetMs: oldest + WINDOW_MS - now };
  }
}

/** A server of the API that only counts: its limits are real, its codes are not. */
export function simulatedServer(options: ServerOptions): SimulatedServer {
  const { clock, random, windows, latencyMs = 150, phaseMs = 0 } = options;
  const { limits = { write: 60, read: 120 } } = options;
  const counters: Record<Class, Counter> = {
    write: new Counter(limits.write, windows, phaseMs),
    read: new Counter(limits.read, windows, phaseMs),
  };
  const counts = { done: 0, limited: 0, othersDone: 0, othersTried: 0 };
  const other = { isOn: options.othersPerMinute !== undefined };
  const oneWay = (): Promise<void> => clock.sleep((latencyMs / 2) * (0.5 + random()));
  const others = async (): Promise<void> => {
    while (other.isOn) {
      const burst = options.othersBurst ?? 1;
      await clock.sleep((WINDOW_MS * burst) / (options.othersPerMinute ?? 1));
      for (let n = 0; n < burst; n += 1) {
        counts.othersTried += 1;
        if (counters.write.take(clock.monotonicMs(), false).ok) counts.othersDone += 1;
      }
    }
  };
  void others();
  return {
    counts,
    windows: counters.write.windows,
    stop: () => {
      other.isOn = false;
    },
    close: async () => {},
    async send(request: WireRequest): Promise<WireAnswer> {
      const sentAtMs = clock.monotonicMs();
      await oneWay();
      const requestClass = request.method === "GET" ? "read" : "write";
      const verdict = counters[requestClass].take(clock.monotonicMs(), true);
      if (verdict.ok) counts.done += 1;
      else counts.limited += 1;
      const headers = toHeaders(options, { limit: limits[requestClass], ...verdict });
      const body = verdict.ok ? code(counts.done) : { detail: "Request was throttled." };
      await oneWay();
      return {
        status: verdict.ok ? 200 : 429,
        headers,
        body: new TextEncoder().encode(JSON.stringify(body)),
        sentAtMs,
        receivedAtMs: clock.monotonicMs(),
      };
    },
  };
}

const code = (n: number): object => ({
  id: `code-${n}`,
  qr_type: "Link",
  dynamic: true,
  created: "2026-01-01T00:00:00Z",
});

interface Said {
  readonly ok: boolean;
  readonly limit: number;
  readonly remaining: number;
  readonly resetMs: number;
}

function toHeaders(options: ServerOptions, said: Said): Headers {
  const { clock, headers: form = "06", rounding = "up", windows, skewMs = 0 } = options;
  const { limit, remaining, resetMs } = said;
  const serverMs = clock.nowMs() + skewMs;
  const round = rounding === "up" ? Math.ceil : Math.floor;
  const seconds = round(resetMs / 1000);
  const headers = new Headers({ Date: new Date(serverMs).toUTCString() });
  if (windows === "none") return headers;
  if (!said.ok) addRetryAfter(headers, options, resetMs);
  switch (form) {
    case "none":
      break;
    case "06":
    case "06-mixed":
    case "06-epoch": {
      const names =
        form === "06-mixed"
          ? ["ratelimit-LIMIT", "RATELIMIT-remaining", "rAtElImIt-rEsEt", "ratelimit-POLICY"]
          : ["RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset", "RateLimit-Policy"];
      const reset = form === "06-epoch" ? round((serverMs + resetMs) / 1000) : seconds;
      [limit, remaining, reset, `${limit};w=60`].forEach((value, n) =>
        headers.set(names[n] as string, `${value}`),
      );
      break;
    }
    case "07":
      headers.set("RateLimit", `limit=${limit}, remaining=${remaining}, reset=${seconds}`);
      break;
    case "08":
      headers.set("RateLimit", `"default";r=${remaining};t=${seconds}`);
      headers.set("RateLimit-Policy", `"default";q=${limit};w=60`);
      break;
    default:
      form satisfies never;
  }
  return headers;
}

function addRetryAfter(headers: Headers, options: ServerOptions, resetMs: number): void {
  const { clock, rounding = "up", retryAfter = "seconds", skewMs = 0 } = options;
  const round = rounding === "up" ? Math.ceil : Math.floor;
  if (retryAfter === "seconds") headers.set("Retry-After", `${round(resetMs / 1000)}`);
  if (retryAfter === "date") {
    // An HTTP date has whole seconds only.
    const at = round((clock.nowMs() + skewMs + resetMs) / 1000) * 1000;
    headers.set("Retry-After", new Date(at).toUTCString());
  }
}
