import type { RequestClass } from "../api/limits.ts";
import type { Clock } from "../base/time/clock.ts";
import type { Budget, Ticket } from "./budget.ts";
import { readLimits } from "./limit-headers.ts";
import type { ApiRequest, Send, Waiting } from "./send.ts";
import { Width } from "./width.ts";
import { TransportFailure } from "./wire.ts";

/** Events of the last minute, in 60 buckets of a second, however many there are. */
interface Rate {
  count(nowMs: number): void;
  perMinute(nowMs: number): number;
}

const BUCKETS = 60;

function makeRate(): Rate {
  const buckets = Array.from({ length: BUCKETS }, () => ({ second: -Infinity, events: 0 }));
  return {
    count(nowMs) {
      const second = Math.floor(nowMs / 1000);
      const bucket = buckets[((second % BUCKETS) + BUCKETS) % BUCKETS];
      if (bucket === undefined) return;
      if (bucket.second !== second) bucket.events = 0;
      bucket.second = second;
      bucket.events += 1;
    },
    perMinute(nowMs) {
      const oldest = Math.floor(nowMs / 1000) - BUCKETS;
      return buckets.reduce((sum, bucket) => sum + (bucket.second > oldest ? bucket.events : 0), 0);
    },
  };
}

export interface PaceOptions {
  readonly clock: Clock;
  readonly budgets: Readonly<Record<RequestClass, Budget>>;
  readonly onWaiting?: ((waiting: Waiting) => void) | undefined;
}

export interface ClassStats {
  /** Sent so far. */
  readonly sent: number;
  /** Sent in the last minute. */
  readonly perMinute: number;
  /** Allowed per window; undefined without a limit. */
  readonly allowedPerWindow: number | undefined;
  readonly windowMs: number;
  /** Answers with status 429. */
  readonly limited: number;
  /** How many requests had to wait, and how long all of them waited. */
  readonly waits: number;
  readonly waitedMs: number;
  /** Number of requests waiting now. */
  readonly waiting: number;
}

export interface Pace {
  readonly send: Send;
  readonly stats: (requestClass: RequestClass) => ClassStats;
}

/**
 * Holds every request until the budget of its class allows it, first come, first served, and
 * reports the answers to the budget. One pace per class; all waiting requests share one timer.
 */
export function pace(send: Send, options: PaceOptions): Pace {
  const gates = {
    read: new Gate(options.budgets.read, options),
    write: new Gate(options.budgets.write, options),
  };
  return {
    send: (request) => gates[request.class].pass(request, send),
    stats: (requestClass) => gates[requestClass].stats(),
  };
}

/** Shorter waits are not announced. */
const WORTH_TELLING_MS = 2_000;

const MAX_SLEEP_MS = 60 * 60_000;

/** The right to send: from the budget, and from the number under way. */
interface Leave {
  readonly ticket: Ticket;
  readonly entry: { readonly epoch: number };
}

interface Waiter {
  readonly front: boolean;
  readonly enter: (leave: Leave) => void;
}

class Gate {
  readonly #budget: Budget;
  readonly #clock: Clock;
  readonly #onWaiting: PaceOptions["onWaiting"];
  readonly #rate = makeRate();
  readonly #width = new Width();
  readonly #waiters: Waiter[] = [];
  #alarm: { readonly atMs: number; readonly off: AbortController } | undefined;
  #toldMs = -Infinity;
  #sent = 0;
  #limited = 0;
  #waits = 0;
  #waitedMs = 0;

  constructor(budget: Budget, options: PaceOptions) {
    this.#budget = budget;
    this.#clock = options.clock;
    this.#onWaiting = options.onWaiting;
  }

  async pass(request: ApiRequest, send: Send): ReturnType<Send> {
    const { ticket, entry } = await this.#enter(request);
    let outcome: "good" | "bad" | "none" = "none";
    try {
      await request.beforeSend?.();
      this.#sent += 1;
      this.#rate.count(this.#clock.monotonicMs());
      const answer = await send(request);
      const isLimited = answer.status === 429;
      if (isLimited) this.#limited += 1;
      // Not the transport's time of receipt: it may use another clock.
      const receivedAtMs = this.#clock.monotonicMs();
      const said = readLimits(answer.headers, this.#clock.nowMs());
      this.#budget.answer(ticket, { ...said, receivedAtMs, isLimited });
      outcome = answer.status >= 500 ? "bad" : "good";
      return answer;
    } catch (error) {
      const isInDoubt = error instanceof TransportFailure && error.written;
      if (error instanceof TransportFailure) outcome = "bad";
      if (isInDoubt) this.#budget.lose(this.#clock.monotonicMs());
      else this.#budget.giveBack(ticket);
      throw error;
    } finally {
      this.#width.done(entry, outcome);
      this.#admit();
    }
  }

  stats(): ClassStats {
    return {
      sent: this.#sent,
      perMinute: this.#rate.perMinute(this.#clock.monotonicMs()),
      allowedPerWindow: this.#budget.allowedPerWindow,
      windowMs: this.#budget.windowMs,
      limited: this.#limited,
      waits: this.#waits,
      waitedMs: this.#waitedMs,
      waiting: this.#waiters.length,
    };
  }

  async #enter(request: ApiRequest): Promise<Leave> {
    const { waitSignal: signal, front = false } = request;
    signal?.throwIfAborted();
    const cameMs = this.#clock.monotonicMs();
    const right = await new Promise<Leave>((resolve, reject) => {
      const leave = (): void => {
        this.#waiters.splice(this.#waiters.indexOf(waiter), 1);
        reject(signal?.reason);
      };
      const enter = (granted: Leave): void => {
        signal?.removeEventListener("abort", leave);
        resolve(granted);
      };
      const waiter: Waiter = { front, enter };
      signal?.addEventListener("abort", leave, { once: true });
      this.#queue(waiter);
      this.#admit();
    });
    const waitedMs = this.#clock.monotonicMs() - cameMs;
    if (waitedMs > 0) this.#waits += 1;
    this.#waitedMs += waitedMs;
    return right;
  }

  /** Requests with `front` keep their order among themselves. */
  #queue(waiter: Waiter): void {
    const place = waiter.front ? this.#waiters.findIndex((other) => !other.front) : -1;
    this.#waiters.splice(place === -1 ? this.#waiters.length : place, 0, waiter);
  }

  #admit(): void {
    for (;;) {
      const first = this.#waiters[0];
      if (first === undefined) return this.#setAlarm(undefined);
      const entry = this.#width.enter();
      // Only an answer makes room.
      if (entry === undefined) return this.#setAlarm(undefined);
      const verdict = this.#budget.take(this.#clock.monotonicMs());
      if (verdict.ticket === undefined) {
        this.#width.done(entry, "none");
        return this.#setAlarm(verdict.untilMs);
      }
      this.#waiters.shift();
      first.enter({ ticket: verdict.ticket, entry });
    }
  }

  #setAlarm(atMs: number | undefined): void {
    if (this.#alarm?.atMs === atMs) return;
    this.#alarm?.off.abort();
    this.#alarm = undefined;
    if (atMs === undefined) return;
    const alarm = { atMs, off: new AbortController() };
    this.#alarm = alarm;
    const waitMs = atMs - this.#clock.monotonicMs();
    this.#tell(waitMs, atMs);
    const ring = async (): Promise<void> => {
      // Rounded up to whole milliseconds: with fractions, the timer would ring again and again.
      // Timers overflow beyond 24 days; waking early does no harm.
      const sleepMs = Math.min(Math.ceil(waitMs), MAX_SLEEP_MS);
      await this.#clock.sleep(sleepMs, alarm.off.signal);
      if (this.#alarm !== alarm) return;
      this.#alarm = undefined;
      this.#admit();
    };
    void ring();
  }

  #tell(waitMs: number, atMs: number): void {
    // Every answer may move the end of the window by some milliseconds: that isn't announced.
    if (waitMs < WORTH_TELLING_MS || atMs - this.#toldMs < WORTH_TELLING_MS) return;
    this.#toldMs = atMs;
    const seconds = Math.ceil(waitMs / 1000);
    this.#onWaiting?.({
      reason: "rate-limit",
      untilMs: this.#clock.nowMs() + waitMs,
      message: `waiting for the rate limit, ${seconds} s`,
    });
  }
}
