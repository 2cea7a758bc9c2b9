/**
 * Every long answer passes here on its way out: it is sent in pieces, each when the one before was
 * taken. It counts for its reader until it is sent, and is cut off when it is read too slowly.
 */
import type { Clock } from "../../base/time/clock.ts";
import { toMessage } from "../../base/errors.ts";
import type { Log } from "../../base/log.ts";

import { Pace, Watch } from "./pace.ts";
import { refuse } from "./reply.ts";
import { Turns, type Turn } from "./turns.ts";

const KIB = 1024;
const MIB = 1024 * KIB;
export const PIECE_BYTES = 64 * KIB;
/** What the connection of a long answer holds: pieces that the system has not sent yet. */
const CONNECTION_BYTES = 4 * PIECE_BYTES;
/** 256 files at a time, 96 for one reader. Nobody waits: without room, an answer is refused. */
const rules = { bytes: 64 * MIB, bytesOfOne: 24 * MIB, mostWaiting: 0, mostWaitingOfOne: 0 };
const GRACE_MS = 30_000;
const LEAST_BYTES_PER_S = 4 * KIB;
/** While another reader finds no room. */
const LEAST_WHEN_WANTED_BYTES_PER_S = 16 * KIB;

export interface Reader {
  /** The reader that it counts for. */
  readonly key: string;
  readonly method: string;
  /** Ends the connection; left out = there is none, and the body fails instead. */
  readonly cut?: (() => void) | undefined;
}

interface Outgoing {
  readonly reader: Reader;
  readonly source: ReadableStreamDefaultReader<Uint8Array>;
  /** The first piece, already read. */
  readonly first: Uint8Array;
  /** Left out = it counts for nobody. */
  readonly turn: Turn | undefined;
}

/** One long answer on its way out. */
class Transfer {
  readonly #parts: TransferParts;
  readonly #outgoing: Outgoing;
  readonly #onEnd: (transfer: Transfer) => void;
  readonly #pace: Pace;
  #rest: Uint8Array;
  #isOver = false;
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;

  constructor(parts: TransferParts, outgoing: Outgoing, onEnd: (transfer: Transfer) => void) {
    this.#parts = parts;
    this.#outgoing = outgoing;
    this.#onEnd = onEnd;
    this.#rest = outgoing.first;
    this.#pace = new Pace(parts.clock.monotonicMs());
  }

  get key(): string {
    return this.#outgoing.reader.key;
  }

  isTooSlow(): boolean {
    return this.#pace.isBelow(LEAST_BYTES_PER_S, GRACE_MS, this.#parts.clock.monotonicMs());
  }

  isSlowLately(): boolean {
    return this.#pace.isBelowLately(LEAST_WHEN_WANTED_BYTES_PER_S, this.#parts.clock.monotonicMs());
  }

  toStream(): ReadableStream<Uint8Array> {
    return new ReadableStream(
      {
        start: (controller) => void (this.#controller = controller),
        pull: (controller) => this.#pull(controller),
        cancel: () => this.#end(),
      },
      { highWaterMark: 0 },
    );
  }

  /** Ends it early. May be called twice. */
  cut(reason: unknown = new Error("the answer was taken too slowly")): void {
    if (this.#isOver) return;
    void this.#end();
    const { cut } = this.#outgoing.reader;
    cut?.();
    // `cut` has ended the connection already: no error is needed.
    if (cut === undefined) this.#controller?.error(reason);
    else this.#controller?.close();
  }

  async #pull(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    try {
      const piece = await this.#next();
      if (this.#isOver) return;
      if (piece !== undefined) {
        this.#pace.add(piece.length, this.#parts.clock.monotonicMs());
        controller.enqueue(piece);
        return;
      }
      controller.close();
      await this.#end();
    } catch (error) {
      this.#parts.log.warn({ error: toMessage(error) }, "answer broke off");
      this.cut(error);
    }
  }

  async #next(): Promise<Uint8Array | undefined> {
    if (this.#rest.length === 0) {
      const { value } = await this.#outgoing.source.read();
      if (value === undefined) return undefined;
      this.#rest = value;
    }
    const piece = this.#rest.subarray(0, PIECE_BYTES);
    this.#rest = this.#rest.subarray(PIECE_BYTES);
    return piece;
  }

  async #end(): Promise<void> {
    if (this.#isOver) return;
    this.#isOver = true;
    const { turn, source } = this.#outgoing;
    turn?.end();
    this.#onEnd(this);
    await source.cancel().catch(() => {});
  }
}

interface TransferParts {
  readonly clock: Clock;
  readonly log: Log;
}

export class Transfers {
  readonly #parts: TransferParts;
  readonly #turns = new Turns(rules);
  readonly #watch: Watch<Transfer>;

  constructor(parts: TransferParts) {
    this.#parts = parts;
    this.#watch = new Watch(parts.clock, (transfer) => {
      if (transfer.isTooSlow()) transfer.cut();
    });
  }

  /** The answer as it will be sent. Only a long one (by its `content-length`) is changed. */
  async send(response: Response, reader: Reader): Promise<Response> {
    const { status, headers, body } = response;
    if (Number(headers.get("content-length")) <= PIECE_BYTES || body === null) return response;
    const source = body.getReader();
    // An answer made in memory comes as one piece, a file in pieces.
    const { value: first = new Uint8Array() } = await source.read();
    const turn = this.#take(reader.key, Math.max(first.length, CONNECTION_BYTES));
    // Only GET is refused: any other method has done its work, and the sender must learn of it.
    if (turn === undefined && reader.method === "GET") {
      void source.cancel().catch(() => {});
      return refuse.busy().toResponse();
    }
    const outgoing = { reader, source, first, turn };
    const transfer = new Transfer(this.#parts, outgoing, (one) => this.#watch.delete(one));
    this.#watch.add(transfer);
    return new Response(transfer.toStream(), { status, headers });
  }

  /** Ends what is under way. */
  close(): void {
    this.#watch.stop();
    for (const transfer of this.#watch.things) transfer.cut();
  }

  /** When there is no room, cuts off answers that are read too slowly. */
  #take(key: string, bytes: number): Turn | undefined {
    const free = this.#turns.tryTake(key, bytes);
    if (free !== undefined) return free;
    const isOwnFault = !this.#turns.hasShare(key, bytes);
    for (const transfer of this.#watch.things) {
      if ((isOwnFault && transfer.key !== key) || !transfer.isSlowLately()) continue;
      transfer.cut();
      const turn = this.#turns.tryTake(key, bytes);
      if (turn !== undefined) return turn;
    }
    return undefined;
  }
}
