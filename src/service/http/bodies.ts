/**
 * Every request body passes here on its way in. It is taken no faster than it is read, and its
 * bytes in memory count for its sender. A long body waits for its turn; meanwhile none of its bytes
 * are taken in. A body that comes too slowly is cut off.
 */
import { ownLimits } from "../../api/limits.ts";
import type { Clock } from "../../base/time/clock.ts";

import { guardBody } from "./body.ts";
import type { BodySource } from "./body-source.ts";
import { Pace, Watch } from "./pace.ts";
import { refuse, type Refusal } from "./reply.ts";
import { Turns, type Turn } from "./turns.ts";

const KIB = 1024;
const MIB = 1024 * KIB;
/** Up to this length a body needs no turn: it delays nobody. */
const SHORT_BYTES = 64 * KIB;
/** Bodies that need no turn or wait for one. Nothing waits for these bytes. */
const shortRules = { bytes: 32 * MIB, bytesOfOne: 4 * MIB, mostWaiting: 0, mostWaitingOfOne: 0 };
/** Long bodies, by the length that they announce: three of the longest, or 30 photos. */
const longRules = { bytes: 96 * MIB, bytesOfOne: 32 * MIB, mostWaiting: 200, mostWaitingOfOne: 40 };
const MAX_WAIT_MS = 30_000;
/** The first bytes may take this long. */
const GRACE_MS = 20_000;
/** A phone with a bad connection is twice as fast. */
const LEAST_BYTES_PER_S = 4 * KIB;
/** While other bodies wait for the bytes that this one holds. */
const LEAST_WHEN_WANTED_BYTES_PER_S = 32 * KIB;

const hasBody = ({ method, headers }: Request): boolean =>
  method !== "GET" &&
  method !== "HEAD" &&
  method !== "TRACE" &&
  ((headers.get("content-length") ?? "0") !== "0" || headers.has("transfer-encoding"));

/** The most bytes that a body can hold: never more than the longest that is read. */
function toLength({ headers }: Request): number {
  const announced = Number(headers.get("content-length") ?? Infinity);
  return Math.min(announced, ownLimits.maxPdfBodyBytes);
}

interface Arriving {
  readonly key: string;
  readonly source: BodySource;
  readonly length: number;
}

interface Rooms {
  readonly clock: Clock;
  readonly short: Turns;
  readonly long: Turns;
}

class Body {
  readonly #arriving: Arriving;
  readonly #rooms: Rooms;
  /** Ends the wait for a turn. */
  #stop: AbortController | undefined;
  #isStopped = false;
  #pace: Pace;
  #received = 0;
  #short: Turn | undefined;
  #long: Turn | undefined;
  #waitsSinceMs: number | undefined;
  /** Ends the wait for the sender's next bytes. */
  #fail: ((reason: Refusal) => void) | undefined;

  constructor(arriving: Arriving, rooms: Rooms) {
    this.#arriving = arriving;
    this.#rooms = rooms;
    this.#pace = new Pace(rooms.clock.monotonicMs());
  }

  /** The next bytes, once there is room for them; undefined at the end. */
  async next(): Promise<Uint8Array | undefined> {
    const bytes = await this.#receive();
    this.#fail = undefined;
    if (bytes === undefined) return undefined;
    this.#pace.add(bytes.length, this.#rooms.clock.monotonicMs());
    this.#received += bytes.length;
    if (this.#long === undefined) await this.#hold(bytes.length);
    return bytes;
  }

  /** Cuts the body off when it has waited too long, or is so slow that it keeps others waiting. */
  check(): void {
    const { clock, long } = this.#rooms;
    const nowMs = clock.monotonicMs();
    if (this.#waitsSinceMs !== undefined) {
      if (nowMs - this.#waitsSinceMs >= MAX_WAIT_MS) this.stopWaiting();
      return;
    }
    const isLate =
      this.#pace.isBelow(LEAST_BYTES_PER_S, GRACE_MS, nowMs) ||
      (this.#long !== undefined &&
        long.isWanted(this.#arriving.key) &&
        this.#pace.isBelowLately(LEAST_WHEN_WANTED_BYTES_PER_S, nowMs));
    if (isLate) this.#fail?.(refuse.tooSlow());
  }

  /** No longer waits for a turn. */
  stopWaiting(): void {
    this.#isStopped = true;
    this.#stop?.abort();
  }

  /** Releases everything that it holds. May be called twice. */
  end(): void {
    this.stopWaiting();
    this.#arriving.source.leave();
    this.#short?.end();
    this.#long?.end();
  }

  #receive(): Promise<Uint8Array | undefined> {
    return new Promise((resolve, reject) => {
      this.#fail = reject;
      this.#arriving.source.next().then(resolve, reject);
    });
  }

  async #hold(bytes: number): Promise<void> {
    const { key } = this.#arriving;
    if (this.#received > SHORT_BYTES) {
      this.#long = await this.#takeTurn();
      this.#short?.end();
      return;
    }
    this.#short ??= this.#rooms.short.tryTake(key, 0);
    if (this.#short?.grow(bytes) !== true) throw refuse.busy();
  }

  async #takeTurn(): Promise<Turn> {
    const { clock, long } = this.#rooms;
    const { key, length } = this.#arriving;
    this.#waitsSinceMs = clock.monotonicMs();
    this.#stop = new AbortController();
    if (this.#isStopped) this.#stop.abort();
    const turn = await long.take(key, length, this.#stop.signal);
    this.#waitsSinceMs = undefined;
    if (turn === undefined) throw refuse.busy();
    this.#pace = new Pace(clock.monotonicMs());
    return turn;
  }
}

export interface Guarded {
  /**
   * The same request; `readBytes` of it fails with a `Refusal` when its body comes too slowly or
   * there is no room for it.
   */
  readonly request: Request;
  /** To be called once the body isn't needed any more. */
  readonly end: () => void;
}

/** Takes nothing in before it is read. */
async function* piecesOf(body: Body): AsyncGenerator<Uint8Array> {
  for (let piece = await body.next(); piece !== undefined; piece = await body.next()) yield piece;
}

export class Bodies {
  readonly #rooms: Rooms;
  readonly #watch: Watch<Body>;

  constructor(clock: Clock) {
    this.#rooms = { clock, short: new Turns(shortRules), long: new Turns(longRules) };
    this.#watch = new Watch(clock, (body) => body.check());
  }

  /** `key`: the sender it counts for; `source`: where its bytes come from. */
  guard(request: Request, key: string, source: BodySource): Guarded {
    if (!hasBody(request)) return { request, end: () => {} };
    const body = new Body({ key, source, length: toLength(request) }, this.#rooms);
    this.#watch.add(body);
    const end = (): void => {
      this.#watch.delete(body);
      body.end();
    };
    guardBody(request, piecesOf(body));
    return { request, end };
  }

  /** Ends all waits for a turn. */
  close(): void {
    this.#watch.stop();
    for (const body of this.#watch.things) body.stopWaiting();
  }
}
