/**
 * Sends what waits in the outbox: at least once, in order per code, never more than the receiver
 * bears. Each code with reports is a lane; one report of a lane is under way at a time. A receiver
 * that failed gets one try at a time, later and later, until it answers or is paused.
 */
import type { Clock } from "../../base/clock.ts";
import { toMessage } from "../../base/errors.ts";
import type { Log } from "../../base/log.ts";

import type { PostBytes } from "../http/guarded-fetch.ts";
import type { Store } from "../store/store.ts";
import { attempt, type Outcome } from "./attempt.ts";

/** Failures in a row after which a receiver counts as dead (docs/spec/design.md section 5). */
export const MAX_FAILURES = 20;
/** A report is given up when it is so old. */
export const MAX_AGE_MS = 24 * 3_600_000;
const FIRST_WAIT_MS = 5000;
const LONGEST_WAIT_MS = 3_600_000;
const CONCURRENCY = 8;
/** How often to see whether the process that did this work is gone. */
const RETRY_MS = 5000;
/** How long a stop waits for receivers. */
const CLOSE_MS = 3000;
/** Deliveries kept per workspace. */
const KEPT = 1000;
const TRIM_EVERY = 200;

/** 5 s, then twice as long each time, an hour at most. */
export const toWaitMs = (failures: number): number =>
  Math.min(FIRST_WAIT_MS * 2 ** Math.max(0, failures - 1), LONGEST_WAIT_MS);

interface Endpoint {
  readonly workspace_id: string;
  readonly url: string;
  readonly secret: string;
  readonly trusted: number;
  readonly failures: number;
  readonly next_try: number;
}

interface Lane {
  readonly workspace_id: string;
  readonly code_id: string;
  readonly attempts: number;
}

interface Head {
  readonly seq: number;
  readonly scan_id: string;
  readonly created: number;
  readonly held_until: number;
  readonly body: string;
}

interface Delivery {
  readonly endpoint: Endpoint;
  readonly lane: Lane;
  readonly head: Head;
  readonly outcome: Outcome;
  readonly tookMs: number;
}

const ENDPOINTS = "SELECT * FROM webhooks WHERE paused IS NULL";
const DUE_LANES = `
  SELECT workspace_id, code_id, attempts FROM webhook_lanes
  WHERE workspace_id = ? AND next_try <= ? ORDER BY next_try, code_id LIMIT ?`;
const NEXT_LANE = `
  SELECT min(next_try) AS next_try FROM webhook_lanes WHERE workspace_id = ? AND next_try > ?`;
const HEAD = `
  SELECT seq, scan_id, created, held_until, body FROM webhook_outbox
  WHERE workspace_id = ? AND code_id = ? ORDER BY seq LIMIT 1`;
const DROP = "DELETE FROM webhook_outbox WHERE seq = ?";
const DROP_LANE = "DELETE FROM webhook_lanes WHERE workspace_id = ? AND code_id = ?";
const SET_LANE = `
  UPDATE webhook_lanes SET attempts = ?, next_try = ? WHERE workspace_id = ? AND code_id = ?`;
const SET_ENDPOINT = `
  UPDATE webhooks SET failures = ?, next_try = ?, paused = ? WHERE workspace_id = ?`;
const LOG_DELIVERY = `
  INSERT INTO webhook_deliveries (workspace_id, code_id, scan_id, time, attempt, status, fault, took_ms)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?)`;
const TRIM = `
  DELETE FROM webhook_deliveries WHERE workspace_id = ? AND seq <= (
    SELECT seq FROM webhook_deliveries WHERE workspace_id = ? ORDER BY seq DESC LIMIT 1 OFFSET ${KEPT})`;

interface DelivererParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly post: PostBytes;
  /** False while another process does this work. */
  readonly isOurs: () => boolean;
}

export class Deliverer {
  readonly #parts: DelivererParts;
  /** `workspace code` of lanes that are under way. */
  readonly #busy = new Set<string>();
  readonly #underWay = new Set<Promise<void>>();
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

  /** Waits for what is under way; whatever else waits is sent after the next start. */
  async close(): Promise<void> {
    this.#stop.abort();
    this.#alarm.abort();
    await this.#running;
    // What is cut off here counts as not received: it is sent again.
    const isOver = new AbortController();
    const deadline = this.#parts.clock.sleep(CLOSE_MS, isOver.signal);
    await Promise.race([Promise.all(this.#underWay), deadline]);
    isOver.abort();
  }

  async #run(): Promise<void> {
    const { clock, log } = this.#parts;
    // Ends before it is known to run, otherwise.
    await Promise.resolve();
    while (!this.#stop.signal.aborted) {
      this.#alarm = new AbortController();
      let waitMs = RETRY_MS;
      try {
        waitMs = this.#startDue();
      } catch (error) {
        log.error({ error: toMessage(error) }, "webhooks could not be sent");
      }
      // Nothing waits: the next scan wakes us.
      if (waitMs === Infinity) break;
      await clock.sleep(waitMs, this.#alarm.signal);
    }
    this.#running = undefined;
  }

  /** Starts what is due; answers after how long to look again. */
  #startDue(): number {
    const { store, clock, isOurs } = this.#parts;
    const nowMs = clock.nowMs();
    const endpoints = store.raw.all<Endpoint>(ENDPOINTS);
    if (endpoints.length > 0 && !isOurs()) return RETRY_MS;
    let nextMs = Infinity;
    for (const endpoint of endpoints) {
      if (endpoint.next_try > nowMs) nextMs = Math.min(nextMs, endpoint.next_try);
      else nextMs = Math.min(nextMs, this.#startLanes(endpoint, nowMs));
    }
    return nextMs === Infinity ? Infinity : Math.max(0, nextMs - nowMs);
  }

  #startLanes(endpoint: Endpoint, nowMs: number): number {
    const { raw } = this.#parts.store;
    const { workspace_id: workspaceId } = endpoint;
    const busy = [...this.#busy].filter((key) => key.startsWith(`${workspaceId} `)).length;
    let free = (endpoint.failures === 0 ? CONCURRENCY : 1) - busy;
    if (free <= 0) return Infinity;
    const lanes = raw.all<Lane>(DUE_LANES, workspaceId, nowMs, free + busy);
    for (const lane of lanes) {
      if (free === 0) break;
      if (this.#start(endpoint, lane, nowMs)) free -= 1;
    }
    const next = raw.get<{ next_try: number | null }>(NEXT_LANE, workspaceId, nowMs);
    return next?.next_try ?? Infinity;
  }

  /** False when the lane is under way already. */
  #start(endpoint: Endpoint, lane: Lane, nowMs: number): boolean {
    const key = `${lane.workspace_id} ${lane.code_id}`;
    if (this.#busy.has(key)) return false;
    const { raw } = this.#parts.store;
    const { workspace_id: workspaceId, code_id: codeId } = lane;
    const head = raw.get<Head>(HEAD, workspaceId, codeId);
    this.#busy.add(key);
    const isIdle = head === undefined || head.held_until > nowMs;
    const done = (isIdle ? this.#settleLane(lane) : this.#deliver(endpoint, lane, head))
      .catch((error: unknown) => {
        const { clock, log } = this.#parts;
        log.error({ error: toMessage(error) }, "a webhook could not be settled");
        // The store takes nothing: at once, the same report would be sent again and again.
        return clock.sleep(RETRY_MS, this.#stop.signal);
      })
      .finally(() => {
        this.#busy.delete(key);
        this.#underWay.delete(done);
        this.wake();
      });
    this.#underWay.add(done);
    return true;
  }

  async #settleLane(lane: Lane): Promise<void> {
    const { store, clock } = this.#parts;
    await store.write(async () => this.#nextInLane(lane, clock.nowMs()), "normal");
  }

  /** The lane waits for its next report, or is gone. To be called inside a transaction. */
  #nextInLane({ workspace_id: workspaceId, code_id: codeId }: Lane, nowMs: number): void {
    const { raw } = this.#parts.store;
    const head = raw.get<Head>(HEAD, workspaceId, codeId);
    if (head === undefined) raw.run(DROP_LANE, workspaceId, codeId);
    else raw.run(SET_LANE, 0, Math.max(nowMs, head.held_until), workspaceId, codeId);
  }

  async #deliver(endpoint: Endpoint, lane: Lane, head: Head): Promise<void> {
    const { store, clock, post } = this.#parts;
    const startedMs = clock.monotonicMs();
    const target = { ...endpoint, trusted: endpoint.trusted === 1 };
    const outcome = await attempt(post, target, head.body);
    const tookMs = Math.round(clock.monotonicMs() - startedMs);
    const delivery = { endpoint, lane, head, outcome, tookMs };
    await store.write(async () => this.#settle(delivery), "normal");
    this.#tell(delivery);
  }

  #settle(delivery: Delivery): void {
    const { raw } = this.#parts.store;
    const { endpoint, lane, head, outcome, tookMs } = delivery;
    const { workspace_id: workspaceId, code_id: codeId } = lane;
    const nowMs = this.#parts.clock.nowMs();
    const { status, fault } = outcome;
    const tries = lane.attempts + 1;
    const about = [workspaceId, codeId, head.scan_id, nowMs, tries, status] as const;
    raw.run(LOG_DELIVERY, ...about, fault ?? null, tookMs);
    this.#settled += 1;
    if (this.#settled % TRIM_EVERY === 1) raw.run(TRIM, workspaceId, workspaceId);
    this.#settleEndpoint(endpoint, fault === undefined, nowMs);
    if (fault === undefined || nowMs - head.created >= MAX_AGE_MS) {
      raw.run(DROP, head.seq);
      this.#nextInLane(lane, nowMs);
    } else raw.run(SET_LANE, tries, nowMs + toWaitMs(tries), workspaceId, codeId);
  }

  #settleEndpoint(started: Endpoint, isReceived: boolean, nowMs: number): void {
    const { raw } = this.#parts.store;
    const { workspace_id: workspaceId } = started;
    const now = raw.get<Endpoint>("SELECT * FROM webhooks WHERE workspace_id = ?", workspaceId);
    // Set anew meanwhile: what was sent to the old one says nothing about it.
    if (now === undefined || now.url !== started.url) return;
    if (isReceived) {
      if (now.failures > 0) raw.run(SET_ENDPOINT, 0, 0, null, workspaceId);
      return;
    }
    // Those that were under way together fail together: that is one failure.
    const failures = Math.max(now.failures, started.failures + 1);
    const pausedMs = failures >= MAX_FAILURES ? nowMs : null;
    raw.run(SET_ENDPOINT, failures, nowMs + toWaitMs(failures), pausedMs, workspaceId);
  }

  /** Only the host is named: the rest of an address may hold a key. */
  #tell({ endpoint, lane, head, outcome }: Delivery): void {
    const { log } = this.#parts;
    if (outcome.fault === undefined) return;
    const { host } = new URL(endpoint.url);
    const about = { host, code: lane.code_id, scan: head.scan_id, attempt: lane.attempts + 1 };
    log.warn({ ...about, status: outcome.status, fault: outcome.fault }, "webhook not received");
    if (endpoint.failures + 1 >= MAX_FAILURES) {
      log.error({ host, failures: MAX_FAILURES }, "webhook paused: its receiver seems to be dead");
    }
  }
}
