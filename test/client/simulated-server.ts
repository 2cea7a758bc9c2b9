import type { Transport, WireAnswer, WireRequest } from "../../src/client/wire.ts";
import type { Clock } from "../../src/base/clock.ts";

type Windows = "wall" | "first-request" | "sliding" | "none";
type HeaderForm = "06" | "07" | "08" | "none";

export interface ServerOptions {
  readonly clock: Clock;
  readonly random: () => number;
  readonly windows: Windows;
  readonly headers?: HeaderForm;
  /** How seconds are written. Default: up. */
  readonly rounding?: "up" | "down";
  /** Whether a 429 says when to come again. Default: yes. */
  readonly retryAfter?: boolean;
  /** Mean of both ways together; half to one and a half of it. */
  readonly latencyMs?: number;
  /** Where the first wall window lies. */
  readonly phaseMs?: number;
  /** Writes a minute that another client of the token tries, evenly. */
  readonly othersPerMinute?: number;
  readonly limits?: { readonly write: number; readonly read: number };
}

export interface SimulatedServer extends Transport {
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

  take(now: number): { ok: boolean; remaining: number; resetMs: number } {
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
      await clock.sleep(WINDOW_MS / (options.othersPerMinute ?? 1));
      counts.othersTried += 1;
      if (counters.write.take(clock.monotonicMs()).ok) counts.othersDone += 1;
    }
  };
  void others();
  return {
    counts,
    stop: () => {
      other.isOn = false;
    },
    close: async () => {},
    async send(request: WireRequest): Promise<WireAnswer> {
      const sentAtMs = clock.monotonicMs();
      await oneWay();
      const requestClass = request.method === "GET" ? "read" : "write";
      const verdict = counters[requestClass].take(clock.monotonicMs());
      if (verdict.ok) counts.done += 1;
      else counts.limited += 1;
      const headers = toHeaders(options, limits[requestClass], verdict);
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

function toHeaders(
  { headers: form = "06", rounding = "up", windows, retryAfter = true }: ServerOptions,
  limit: number,
  verdict: { ok: boolean; remaining: number; resetMs: number },
): Headers {
  const round = rounding === "up" ? Math.ceil : Math.floor;
  const seconds = round(verdict.resetMs / 1000);
  const headers = new Headers();
  if (windows === "none") return headers;
  if (!verdict.ok && retryAfter) headers.set("Retry-After", `${seconds}`);
  if (form === "06") {
    headers.set("RateLimit-Limit", `${limit}`);
    headers.set("RateLimit-Remaining", `${verdict.remaining}`);
    headers.set("RateLimit-Reset", `${seconds}`);
    headers.set("RateLimit-Policy", `${limit};w=60`);
  }
  if (form === "07") {
    headers.set("RateLimit", `limit=${limit}, remaining=${verdict.remaining}, reset=${seconds}`);
  }
  if (form === "08") {
    headers.set("RateLimit", `"default";r=${verdict.remaining};t=${seconds}`);
    headers.set("RateLimit-Policy", `"default";q=${limit};w=60`);
  }
  return headers;
}
