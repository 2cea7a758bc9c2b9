import type { LimitFacts } from "./limit-headers.ts";

/**
 * How many requests of one class a token may still send, and when (docs/spec/engine.md sections 2.2
 * and 2.3). It has no timers: callers pass in the time. All times are `Clock.monotonicMs`.
 */

export interface BudgetOptions {
  /** Requests per window when the server says nothing: 60 writes, 120 reads. */
  readonly limit: number;
  /** The share of the limit for this job, above 0 and at most 1. Default 1. */
  readonly share?: number | undefined;
  /** Length of a window when the server says nothing. Default 60 s. */
  readonly windowMs?: number | undefined;
  /**
   * `unknown` (default): the first request is a probe; if the server sends no limit headers,
   * `limit` per window applies. `none`: the server is known to have no limits; none applies until
   * it sends limit headers or a 429.
   */
  readonly assume?: "unknown" | "none" | undefined;
}

/**
 * The right to send one request. It is returned with exactly one of `answer`, `lose` and `giveBack`.
 */
export interface Ticket {
  readonly epoch: number;
  readonly takenAtMs: number;
}

/** A ticket, or a wait: until a time, or (without one) until the next answer. */
export type Verdict =
  | { readonly ticket: Ticket }
  | { readonly ticket?: undefined; readonly untilMs: number | undefined };

export interface Answered {
  readonly receivedAtMs: number;
  readonly limits: LimitFacts | undefined;
  readonly retryAfterMs: number | undefined;
  /** The answer was a 429: the request was not done and not counted. */
  readonly isLimited: boolean;
}

/**
 * How the pace is known: `headers` = from the server's windows; `log` = from our own receive times.
 */
export type PaceSource = "unknown" | "headers" | "log" | "none";

const WINDOW_MS = 60_000;
/** Added to every time from the server: clocks differ and networks delay. */
export const GUARD_MS = 50;
/**
 * With this few left and other users of the token, requests go one by one: each answer says what is
 * left.
 */
const TAIL = 8;
/** The same for the first window, in which other users may not have shown yet. */
const FIRST_TAIL = 4;
/** A date from a wrong clock must not stop a run for days: after this time one request asks again. */
const MAX_CLOSED_MS = 5 * 60_000;
/** For so many windows after a 429, other users are assumed. */
const CROWDED_WINDOWS = 5;
const FIRST_PENALTY_MS = 1_000;
/** Rounding to whole seconds hides up to this much. */
const ROUNDED_MS = 1_000;
const MAX_PENALTY_MS = 60_000;

export class Budget {
  readonly #share: number;
  #windowMs: number;
  #source: PaceSource;
  #limit: number;
  #others = 0;
  #ownSent = 0;
  #inFlight = 0;
  #windowEnd = 0;
  #closedUntil = -Infinity;
  #epoch = 0;
  #wasLimited = false;
  #crowded = false;
  #penaltyMs = FIRST_PENALTY_MS;
  /** It is not known yet whether others use the token. */
  #isFirstWindow = true;
  /** All requests of this window are taken. */
  #isFull = false;
  /** Whether the server has confirmed that a new window began: its seconds may be rounded down. */
  #proof: "none" | "due" | "asked" = "none";
  /** Undefined: however long it takes. */
  #proofUntil: number | undefined = 0;
  /** Without headers: time of the last 429, and how many requests had fitted into that window. */
  #limitedAt = -Infinity;
  #fitted = 0;
  /** Added to the ends of windows once the server is known to round seconds down. */
  #slackMs = 0;
  /** Receive times of the last window, oldest first; used only without headers. */
  #log: number[] = [];

  constructor(options: BudgetOptions) {
    this.#share = options.share ?? 1;
    this.#limit = options.limit;
    this.#windowMs = options.windowMs ?? WINDOW_MS;
    this.#source = options.assume ?? "unknown";
  }

  get source(): PaceSource {
    return this.#source;
  }

  /** Requests allowed per window; undefined when no limit is known or assumed. */
  get allowedPerWindow(): number | undefined {
    return this.#source === "none" ? undefined : this.#allowed();
  }

  get windowMs(): number {
    return this.#windowMs;
  }

  /** A ticket when a request may be sent now. Must be called in the order of the requests. */
  take(nowMs: number): Verdict {
    this.#roll(nowMs);
    if (nowMs < this.#closedUntil) return { untilMs: this.#closedUntil };
    const wait = this.#waitBySource(nowMs);
    if (wait !== undefined) return wait;
    if (this.#proof === "due") this.#proof = "asked";
    this.#inFlight += 1;
    this.#ownSent += 1;
    return { ticket: { epoch: this.#epoch, takenAtMs: nowMs } };
  }

  /** A complete answer came. */
  answer(ticket: Ticket, answered: Answered): void {
    // First: the answer may belong to the window that begins now.
    this.#roll(answered.receivedAtMs);
    this.#inFlight -= 1;
    const limit = answered.limits?.limit ?? (this.#source === "headers" ? this.#limit : undefined);
    if (answered.limits === undefined || limit === undefined) {
      this.#learnFromSilence(answered);
    } else {
      this.#learn(ticket, answered, { ...answered.limits, limit });
    }
    // It said nothing of windows, as the error page of a proxy: another request asks again.
    const isOpen = this.#proof === "asked" && this.#proofUntil === undefined;
    if (isOpen && ticket.epoch === this.#epoch) this.#proof = "due";
    if (answered.isLimited) this.#close(ticket, answered);
    else this.#penaltyMs = FIRST_PENALTY_MS;
  }

  /** No answer came, but the server may have counted the request. */
  lose(nowMs: number): void {
    this.#inFlight -= 1;
    if (this.#proof === "asked") this.#proof = "due";
    if (this.#source === "log") this.#log.push(nowMs);
  }

  /** The request was certainly not sent. */
  giveBack(ticket: Ticket): void {
    this.#inFlight -= 1;
    this.#ownSent -= 1;
    if (ticket.epoch === this.#epoch && this.#proof === "asked") this.#proof = "due";
  }

  #allowed(): number {
    return Math.max(1, Math.floor(this.#limit * this.#share));
  }

  #room(): number {
    return this.#allowed() - this.#others - this.#ownSent;
  }

  #roll(nowMs: number): void {
    while (this.#source === "headers" && nowMs >= this.#windowEnd) {
      if (this.#isFull || this.#wasLimited) this.#proof = "due";
      this.#proofUntil = this.#wasLimited ? undefined : this.#windowEnd + ROUNDED_MS;
      this.#isFull = false;
      this.#isFirstWindow = false;
      this.#windowEnd += this.#windowMs;
      this.#epoch += 1;
      this.#crowded = this.#others > 0 || this.#wasLimited;
      this.#wasLimited = false;
      // Requests under way may count in the new window; their answers will show it.
      this.#ownSent = this.#inFlight;
      this.#others = 0;
    }
  }

  #waitBySource(nowMs: number): Verdict | undefined {
    if (this.#source === "none") return undefined;
    if (this.#source === "unknown") return this.#inFlight > 0 ? { untilMs: undefined } : undefined;
    if (this.#source === "log") return this.#waitByLog(nowMs);
    const room = this.#room();
    this.#isFull = room <= 0;
    if (this.#isFull) return { untilMs: this.#windowEnd };
    const until = this.#proofUntil;
    if (this.#proof === "asked" && (until === undefined || nowMs < until))
      return { untilMs: until };
    const isTail = this.#inFlight > 0 && room <= this.#tail();
    return isTail ? { untilMs: this.#windowEnd } : undefined;
  }

  #tail(): number {
    if (this.#crowded || this.#others > 0) return TAIL;
    return this.#isFirstWindow ? FIRST_TAIL : 0;
  }

  /**
   * A request sent a whole window after an earlier answer can't share a window with that request,
   * wherever the server's windows begin. Requests under way count as just received.
   */
  #waitByLog(nowMs: number): Verdict | undefined {
    const firstLive = this.#log.findIndex(
      (receivedMs) => receivedMs + this.#windowMs + GUARD_MS > nowMs,
    );
    this.#log = firstLive === -1 ? [] : this.#log.slice(firstLive);
    if (this.#inFlight > 0 && this.#isNarrow(nowMs)) return { untilMs: undefined };
    if (this.#inFlight + this.#log.length < this.#allowed()) return undefined;
    const oldest = this.#log[0];
    return { untilMs: oldest === undefined ? undefined : oldest + this.#windowMs + GUARD_MS };
  }

  /**
   * True when requests go one by one: right after a 429, to see whether it is over; and near the
   * count at which the last 429 came, as long as others may use the token.
   */
  #isNarrow(nowMs: number): boolean {
    const isNear = this.#inFlight + this.#log.length >= this.#fitted / 2;
    return this.#wasLimited || (isNear && nowMs - this.#limitedAt < 2 * this.#windowMs);
  }

  #learnFromSilence(answered: Answered): void {
    const { isLimited, receivedAtMs } = answered;
    if (this.#source === "headers") {
      // For example a proxy's own error page. The known windows stay.
      if (isLimited) this.#ownSent -= 1;
      this.#wasLimited ||= isLimited;
      return;
    }
    this.#wasLimited = isLimited;
    if (isLimited) this.#fitted = this.#log.length;
    if (this.#source === "unknown" || isLimited) this.#source = "log";
    if (this.#source === "log" && !isLimited) this.#log.push(receivedAtMs);
  }

  #learn(ticket: Ticket, answered: Answered, facts: LimitFacts & { limit: number }): void {
    this.#windowMs = facts.windowMs ?? this.#windowMs;
    this.#limit = facts.limit;
    // Seconds that are rounded up are never 0; a server that rounds down would end a window too
    // early.
    if (facts.resetMs === 0) this.#slackMs = ROUNDED_MS;
    const endMs = answered.receivedAtMs + facts.resetMs + this.#slackMs + GUARD_MS;
    const place = this.#place(ticket, answered, endMs);
    const isSame = place === "same";
    if (isSame) this.#proof = "none";
    if (isSame) this.#seeOthers(facts.limit - facts.remaining);
    if (place === "over" || answered.isLimited) this.#ownSent -= 1;
    if (!answered.isLimited) return;
    this.#wasLimited = true;
    if (isSame) this.#seeOthers(facts.limit);
  }

  /**
   * Finds the window of an answer by its end. `same`: the request was sent in the current window and
   * counted there. `crossed`: by our clock, it was sent before that window. `over`: it was counted
   * in an earlier window, and its figures are outdated.
   */
  #place(
    ticket: Ticket,
    { receivedAtMs, isLimited }: Answered,
    endMs: number,
  ): "same" | "crossed" | "over" {
    const half = this.#windowMs / 2;
    if (this.#source !== "headers" || endMs >= this.#windowEnd + half) {
      this.#startWindow(endMs);
      this.#source = "headers";
      return "same";
    }
    const isSame = ticket.epoch === this.#epoch;
    const isCrowded =
      isLimited || receivedAtMs - this.#limitedAt < CROWDED_WINDOWS * this.#windowMs;
    // A sliding window may end sooner than expected. That matters when others use what our requests
    // leave free.
    if (endMs <= this.#windowEnd - half && !(isSame && isCrowded)) {
      return isSame ? "crossed" : "over";
    }
    this.#windowEnd = endMs;
    return isSame ? "same" : "crossed";
  }

  #startWindow(endMs: number): void {
    this.#epoch += 1;
    this.#windowEnd = endMs;
    this.#ownSent = this.#inFlight + 1;
    this.#others = 0;
    this.#log = [];
  }

  /** `used`: requests that the server has counted in this window, ours and others'. */
  #seeOthers(used: number): void {
    this.#others = Math.max(this.#others, used - this.#ownSent);
  }

  #close(ticket: Ticket, { receivedAtMs, retryAfterMs, limits }: Answered): void {
    const toldMs = retryAfterMs ?? limits?.resetMs;
    const askedMs = toldMs === undefined ? 0 : toldMs + this.#slackMs;
    // A given time may be wrong too: a gateway's clock may differ from the server's.
    const penaltyMs = this.#penalty(ticket, receivedAtMs, toldMs !== undefined);
    const mostMs = Math.max(MAX_CLOSED_MS, this.#windowMs);
    const closedMs = Math.min(mostMs, Math.max(askedMs, penaltyMs, ROUNDED_MS)) + GUARD_MS;
    this.#closedUntil = Math.max(this.#closedUntil, receivedAtMs + closedMs);
  }

  /**
   * Requests that were sent together and refused together count as one refusal. A refusal soon
   * after another one, though we waited as told, means that windows slide and others are faster.
   * Then we wait until more is free.
   */
  #penalty(ticket: Ticket, nowMs: number, wasTold: boolean): number {
    if (ticket.takenAtMs < this.#closedUntil) return 0;
    const isSoon = nowMs - this.#limitedAt < this.#windowMs / 2;
    this.#limitedAt = nowMs;
    if (wasTold && isSoon) this.#penaltyMs = Math.max(this.#penaltyMs, this.#windowMs / 4);
    const waitMs = this.#penaltyMs;
    this.#penaltyMs = Math.min(MAX_PENALTY_MS, this.#penaltyMs * 2);
    return waitMs;
  }
}
