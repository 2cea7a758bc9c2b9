/**
 * Sends the reports in the outbox: at least once, in order per code or form, and without flooding a
 * receiver. A lane holds the reports of one code (or form) for one receiver; only one report of a
 * lane is sent at a time. After a failure, a receiver gets one try at a time, later and later, until
 * it answers or is paused.
 */
import type { Clock } from "../../base/time/clock.ts";
import { toMessage } from "../../base/errors.ts";
import type { Log } from "../../base/log.ts";

import type { PostBytes } from "../http/guarded-fetch.ts";
import type { Rows, Store } from "../store/store.ts";
import { attempt, type Outcome } from "./attempt.ts";

/** Failures in a row after which a receiver counts as dead (docs/spec/design.md section 5). */
export const MAX_FAILURES = 20;
/** A report is dropped at this age. */
export const MAX_AGE_MS = 24 * 3_600_000;
const FIRST_WAIT_MS = 5000;
const LONGEST_WAIT_MS = 3_600_000;
const CONCURRENCY = 8;
/** How often to check whether the process that did this work is gone. */
const RETRY_MS = 5000;
/** How long a stop waits for receivers. */
const CLOSE_MS = 3000;
/** Deliveries kept per receiver. */
const KEPT = 1000;
const TRIM_EVERY = 200;

/** 5 s, then twice as long each time, at most an hour. */
export const toWaitMs = (failures: number): number =>
  Math.min(FIRST_WAIT_MS * 2 ** Math.max(0, failures - 1), LONGEST_WAIT_MS);

interface Receiver {
  readonly id: string;
  readonly url: string;
  readonly secret: string;
  readonly trusted: number;
  readonly failures: number;
  readonly next_try: number;
}

interface Lane {
  readonly webhook_id: string;
  readonly lane: string;
  readonly attempts: number;
}

interface Head {
  readonly seq: number;
  readonly event: string;
  readonly record_id: string;
  readonly created: number;
  readonly held_until: number;
  readonly body: string;
}

interface Settled {
  readonly receiver: Receiver;
  readonly lane: Lane;
  readonly head: Head;
  readonly outcome: Outcome;
  readonly tookMs: number;
}

const RECEIVERS = "SELECT * FROM webhooks WHERE paused IS NULL";
const DUE_LANES = `
  SELECT webhook_id, lane, attempts FROM webhook_lanes
  WHERE webhook_id = ? AND next_try <= ? ORDER BY next_try, lane LIMIT ?`;
const NEXT_LANE = `
  SELECT min(next_try) AS next_try FROM webhook_lanes WHERE webhook_id = ? AND next_try > ?`;
const HEAD = `
  SELECT seq, event, record_id, created, held_until, body FROM webhook_outbox
  WHERE webhook_id = ? AND lane = ? ORDER BY seq LIMIT 1`;
const DROP = "DELETE FROM webhook_outbox WHERE seq = ?";
const DROP_LANE = "DELETE FROM webhook_lanes WHERE webhook_id = ? AND lane = ?";
const SET_LANE = `
  UPDATE webhook_lanes SET attempts = ?, next_try = ? WHERE webhook_id = ? AND lane = ?`;
const SET_RECEIVER = "UPDATE webhooks SET failures = ?, next_try = ?, paused = ? WHERE id = ?";
const LOG_DELIVERY = `
  INSERT INTO webhook_deliveries
    (webhook_id, lane, event, record_id, time, attempt, status, fault, took_ms, body)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;
const TRIM = `
  DELETE FROM webhook_deliveries WHERE webhook_id = ? AND seq <= (
    SELECT seq FROM webhook_deliveries WHERE webhook_id = ? ORDER BY seq DESC LIMIT 1 OFFSET ${KEPT})`;

interface DelivererParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly post: PostBytes;
  /** False while another process does this work. */
  readonly isOurs: () => Promise<boolean>;
}

export class Deliverer {
  readonly #parts: DelivererParts;
  /** `receiver lane` of each lane with a report in flight. */
  readonly #busy = new Set<string>();
  readonly #underWay = new Set<Promise<void>>();
  /**
   * Lanes that ended and receivers that failed since the current look began: what it read of them may
   * be outdated.
   */
  readonly #changed = new Set<string>();
  readonly #stop = new AbortController();
  #alarm = new AbortController();
  #running: Promise<void> | undefined;
  #settled = 0;

  constructor(parts: DelivererParts) {
    this.#parts = parts;
  }

  /** There may be something to send. */
  wake(): void {
    if (this.#stop.signal.aborted) return;
    this.#alarm.abort();
    this.#running ??= this.#run();
  }

  /** Waits for reports in flight; all others are sent after the next start. */
  async close(): Promise<void> {
    this.#stop.abort();
    this.#alarm.abort();
    await this.#running;
    // Reports cut off here count as not received: they are sent again.
    const isOver = new AbortController();
    const deadline = this.#parts.clock.sleep(CLOSE_MS, isOver.signal);
    await Promise.race([Promise.all(this.#underWay), deadline]);
    isOver.abort();
  }

  async #run(): Promise<void> {
    const { clock, log } = this.#parts;
    // Otherwise it could end before `#running` is set.
    await Promise.resolve();
    while (!this.#stop.signal.aborted) {
      this.#alarm = new AbortController();
      let waitMs = RETRY_MS;
      try {
        waitMs = await this.#startDue();
      } catch (error) {
        log.error({ error: toMessage(error) }, "webhooks could not be sent");
      }
      // Nothing is due: the next report wakes us, unless one came meanwhile.
      if (waitMs === Infinity && !this.#alarm.signal.aborted) break;
      await clock.sleep(waitMs, this.#alarm.signal);
    }
    this.#running = undefined;
  }

  /** Sends what is due; answers how long to wait before the next look. */
  async #startDue(): Promise<number> {
    const { store, clock, isOurs } = this.#parts;
    const nowMs = clock.nowMs();
    this.#changed.clear();
    const receivers = await store.rows.all<Receiver>(RECEIVERS);
    if (receivers.length > 0 && !(await isOurs())) return RETRY_MS;
    let nextMs = Infinity;
    for (const receiver of receivers) {
      if (receiver.next_try > nowMs) nextMs = Math.min(nextMs, receiver.next_try);
      else nextMs = Math.min(nextMs, await this.#startLanes(receiver, nowMs));
    }
    return nextMs === Infinity ? Infinity : Math.max(0, nextMs - nowMs);
  }

  async #startLanes(receiver: Receiver, nowMs: number): Promise<number> {
    const { rows } = this.#parts.store;
    const { id } = receiver;
    const busy = [...this.#busy].filter((key) => key.startsWith(`${id} `)).length;
    let free = (receiver.failures === 0 ? CONCURRENCY : 1) - busy;
    if (free <= 0) return Infinity;
    const lanes = await rows.all<Lane>(DUE_LANES, id, nowMs, free + busy);
    // A failure during this look has set an alarm: the next look has current values.
    if (this.#changed.has(id)) return Infinity;
    for (const lane of lanes) {
      if (free === 0) break;
      if (this.#start(receiver, lane, nowMs)) free -= 1;
    }
    const next = await rows.get<{ next_try: number | null }>(NEXT_LANE, id, nowMs);
    return next?.next_try ?? Infinity;
  }

  /**
   * False when a report of the lane is in flight, or was when this look began; its end starts a new
   * look.
   */
  #start(receiver: Receiver, lane: Lane, nowMs: number): boolean {
    const key = `${lane.webhook_id} ${lane.lane}`;
    if (this.#busy.has(key) || this.#changed.has(key)) return false;
    this.#busy.add(key);
    const done = this.#send(receiver, lane, nowMs)
      .catch((error: unknown) => {
        const { clock, log } = this.#parts;
        log.error({ error: toMessage(error) }, "a webhook could not be settled");
        // The store can't be written: without a pause, the same report would be sent again and again.
        return clock.sleep(RETRY_MS, this.#stop.signal);
      })
      .finally(() => {
        this.#busy.delete(key);
        this.#changed.add(key);
        this.#underWay.delete(done);
        this.wake();
      });
    this.#underWay.add(done);
    return true;
  }

  /** Sends the first report of a lane, unless it has to wait. */
  async #send(receiver: Receiver, lane: Lane, nowMs: number): Promise<void> {
    const { store, clock } = this.#parts;
    const head = await store.rows.get<Head>(HEAD, lane.webhook_id, lane.lane);
    if (head !== undefined && head.held_until <= nowMs) return this.#deliver(receiver, lane, head);
    return store.write((_tx, rows) => this.#nextInLane(rows, lane, clock.nowMs()), "normal");
  }

  /** Plans the lane's next report, or removes the lane. To be called inside a transaction. */
  async #nextInLane(rows: Rows, { webhook_id: id, lane }: Lane, nowMs: number): Promise<void> {
    const head = await rows.get<Head>(HEAD, id, lane);
    if (head === undefined) await rows.run(DROP_LANE, id, lane);
    else await rows.run(SET_LANE, 0, Math.max(nowMs, head.held_until), id, lane);
  }

  async #deliver(receiver: Receiver, lane: Lane, head: Head): Promise<void> {
    const { store, clock, post } = this.#parts;
    const startedMs = clock.monotonicMs();
    const { event, record_id: recordId, body } = head;
    const delivery = { receiver, event, recordId, attempt: lane.attempts + 1, body };
    const outcome = await attempt(post, delivery);
    const tookMs = Math.round(clock.monotonicMs() - startedMs);
    const settled = { receiver, lane, head, outcome, tookMs };
    await store.write((_tx, rows) => this.#settle(rows, settled), "normal");
    if (outcome.fault !== undefined) this.#changed.add(receiver.id);
    this.#tell(settled);
  }

  async #settle(rows: Rows, { receiver, lane, head, outcome, tookMs }: Settled): Promise<void> {
    const { webhook_id: id, lane: about } = lane;
    const nowMs = this.#parts.clock.nowMs();
    const { status, fault } = outcome;
    const tries = lane.attempts + 1;
    const what = [id, about, head.event, head.record_id, nowMs, tries, status] as const;
    await rows.run(LOG_DELIVERY, ...what, fault ?? null, tookMs, head.body);
    this.#settled += 1;
    if (this.#settled % TRIM_EVERY === 1) await rows.run(TRIM, id, id);
    await this.#settleReceiver(rows, receiver, fault === undefined, nowMs);
    if (fault === undefined || nowMs - head.created >= MAX_AGE_MS) {
      await rows.run(DROP, head.seq);
      await this.#nextInLane(rows, lane, nowMs);
    } else await rows.run(SET_LANE, tries, nowMs + toWaitMs(tries), id, about);
  }

  async #settleReceiver(
    rows: Rows,
    started: Receiver,
    isReceived: boolean,
    nowMs: number,
  ): Promise<void> {
    const now = await rows.get<Receiver>("SELECT * FROM webhooks WHERE id = ?", started.id);
    // The address was changed meanwhile: this result is about the old one.
    if (now === undefined || now.url !== started.url) return;
    if (isReceived) {
      if (now.failures > 0) await rows.run(SET_RECEIVER, 0, 0, null, started.id);
      return;
    }
    // Reports sent at the same time fail together: that counts as one failure.
    const failures = Math.max(now.failures, started.failures + 1);
    const pausedMs = failures >= MAX_FAILURES ? nowMs : null;
    await rows.run(SET_RECEIVER, failures, nowMs + toWaitMs(failures), pausedMs, started.id);
  }

  /** Only the host is logged: the rest of an address may contain a key. */
  #tell({ receiver, lane, head, outcome }: Settled): void {
    const { log } = this.#parts;
    if (outcome.fault === undefined) return;
    const { host } = new URL(receiver.url);
    const { event, record_id: record } = head;
    const about = { host, event, about: lane.lane, record, attempt: lane.attempts + 1 };
    log.warn({ ...about, status: outcome.status, fault: outcome.fault }, "webhook not received");
    if (receiver.failures + 1 >= MAX_FAILURES) {
      log.error({ host, failures: MAX_FAILURES }, "webhook paused: its receiver seems to be dead");
    }
  }
}
