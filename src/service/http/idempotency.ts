/**
 * `Idempotency-Key` on creates (docs/spec/engine.md section 1.7): the answer is stored in the
 * transaction of the create, so that a repeated request gets the same answer and makes nothing.
 */
import { ownLimits } from "../../api/limits.ts";
import type { Clock } from "../../base/time/clock.ts";
import { sha256 } from "../../base/ids/ids.ts";

import type { Drawings } from "../designs/drawing.ts";
import type { Drawing } from "../designs/stored-design.ts";
import { firstOf, prepare } from "../store/prepared.ts";
import type { Store } from "../store/store.ts";
import type { Db } from "../store/tables.ts";
import { refuse, type Reply } from "./reply.ts";

export interface Keyed {
  readonly tokenId: string;
  readonly key: string;
  readonly requestHash: string;
}

const PRUNE_EVERY = 500;
const VISIBLE_ASCII = /^[\u0020-\u007e]+$/u;

/** The key of a request, or undefined; an unusable key is a 400. */
export function readKey(request: Request): string | undefined {
  const key = request.headers.get("idempotency-key");
  if (key === null) return undefined;
  if (key.length <= ownLimits.maxIdempotencyKey && VISIBLE_ASCII.test(key)) return key;
  throw refuse.whole(
    `The header Idempotency-Key must have 1 to ${ownLimits.maxIdempotencyKey} visible ASCII characters.`,
  );
}

/** Two requests are the same when endpoint and body are, byte for byte. */
export function hashRequest(endpoint: string, body: Uint8Array): string {
  return sha256(Buffer.concat([Buffer.from(`${endpoint}\n`), body]));
}

const answerOf = prepare((db, { tokenId, key }: { tokenId: string; key: string }) =>
  db.selectFrom("idempotency").selectAll().where("token_id", "=", tokenId).where("key", "=", key),
);

interface Kept {
  readonly [name: string]: string | number | null;
  readonly tokenId: string;
  readonly key: string;
  readonly hash: string;
  readonly status: number;
  readonly answer: string;
  readonly drawing: string | null;
  readonly nowMs: number;
}

const keepAnswer = prepare((tx, { tokenId, key, hash, status, answer, drawing, nowMs }: Kept) =>
  tx
    .insertInto("idempotency")
    .values({
      token_id: tokenId,
      key,
      request_hash: hash,
      status,
      answer,
      drawing,
      created: nowMs,
    })
    .onConflict((conflict) => conflict.doNothing()),
);

export class Idempotency {
  readonly #store: Store;
  readonly #drawings: Drawings;
  readonly #clock: Clock;
  readonly #inFlight = new Map<string, string>();
  #sincePrune = PRUNE_EVERY;

  constructor(store: Store, drawings: Drawings, clock: Clock) {
    this.#store = store;
    this.#drawings = drawings;
    this.#clock = clock;
  }

  /**
   * Answers a repeated request from the store; refuses one whose first is in flight (409) or
   * differs (422); else runs `work`. `work` must call `keep` in its transaction; when it throws,
   * the key stays free.
   */
  async once(keyed: Keyed, work: () => Promise<Reply>): Promise<Reply> {
    const id = `${keyed.tokenId}\n${keyed.key}`;
    const flying = this.#inFlight.get(id);
    if (flying !== undefined) {
      throw flying === keyed.requestHash ? refuse.inFlight() : refuse.otherBody();
    }
    this.#inFlight.set(id, keyed.requestHash);
    try {
      return (await this.#recall(keyed)) ?? (await work());
    } finally {
      this.#inFlight.delete(id);
    }
  }

  /** Stores the answer in the transaction of the create. */
  async keep(tx: Db, keyed: Keyed, reply: Reply): Promise<void> {
    const { svg: _svg, ...answer } = reply.body ?? {};
    await this.#prune(tx);
    const kept = await keepAnswer(tx, {
      tokenId: keyed.tokenId,
      key: keyed.key,
      hash: keyed.requestHash,
      status: reply.status,
      answer: JSON.stringify(reply.drawing === undefined ? reply.body : answer),
      drawing: reply.drawing === undefined ? null : JSON.stringify(reply.drawing),
      nowMs: this.#clock.nowMs(),
    });
    // Another process on this store was faster: the create of this one is undone.
    if (kept.numAffectedRows === 0n) throw refuse.inFlight();
  }

  async #recall(keyed: Keyed): Promise<Reply | undefined> {
    const row = await firstOf(answerOf(this.#store.db, { tokenId: keyed.tokenId, key: keyed.key }));
    if (row === undefined) return undefined;
    if (row.request_hash !== keyed.requestHash) throw refuse.otherBody();
    const answer = JSON.parse(row.answer) as Record<string, unknown>;
    if (row.drawing === null) return { status: row.status, body: answer };
    const svg = await this.#drawings.svg(JSON.parse(row.drawing) as Drawing);
    return { status: row.status, body: { ...answer, svg } };
  }

  async #prune(tx: Db): Promise<void> {
    this.#sincePrune += 1;
    if (this.#sincePrune < PRUNE_EVERY) return;
    this.#sincePrune = 0;
    await tx
      .deleteFrom("idempotency")
      .where("created", "<", this.#clock.nowMs() - ownLimits.idempotencyMs)
      .execute();
  }
}
