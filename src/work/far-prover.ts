/**
 * Proof by other computers: what is asked for goes out as chunks, and comes back as answers. Where no
 * worker is up, this computer works by itself; where the database is away, it waits.
 */
import { rm, writeFile } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";

import { toMessage } from "../base/errors.ts";
import { sha256 } from "../base/ids.ts";
import { Room } from "../base/room.ts";
import { formatMany } from "../base/words.ts";
import { joinProofs, splitByPage } from "../verify/proof-pool.ts";
import type { PagesProof } from "../verify/prove-pages.ts";
import {
  type PagesTask,
  type PicturesProof,
  type PicturesTask,
  type Portions,
  ProofEnded,
  type Prover,
} from "../verify/prover.ts";
import {
  type Chunk,
  type Claims,
  describeChunk,
  makeChunk,
  proveChunk,
  type Result,
  toPagesProof,
  toPicturesProof,
} from "./chunk.ts";
import { isAway, toDatabaseError, whyAway } from "./database.ts";
import { type Queue, sayProgram } from "./queue.ts";
import { tryChunk } from "./try-chunk.ts";

/** Pages and pictures of a chunk: seconds of work, so that what a dead worker had is little. */
const PAGES = 20;
const PICTURES = 200;
/** pg-boss slows down when more are queued. */
const MOST_QUEUED = 2000;
/** Files under way at once: enough that hundreds of workers have chunks. */
const FILES = 64;
const LOOK_MS = 250;
const CHECK_MS = 2000;
/** How long workers have to be heard of again after the database was away. */
const BACK_MS = 10_000;

interface Pending {
  readonly chunk: Chunk;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

export interface FarOptions {
  readonly queue: Queue;
  /** Who proves here. */
  readonly near: Prover;
  /** Told while it works: who proves, why it waits. */
  readonly say: (message: string) => void;
  /** Told what a person has to look at. */
  readonly warn: (message: string) => void;
  readonly signal: AbortSignal;
}

export class FarProver implements Prover {
  readonly #queue: Queue;
  readonly #near: Prover;
  readonly #say: (message: string) => void;
  readonly #warn: (message: string) => void;
  readonly #signal: AbortSignal;
  readonly #room = new Room(MOST_QUEUED);
  readonly #pending = new Map<string, Pending>();
  readonly #asked = new Map<string, Promise<Result>>();
  #outbox: Chunk[] = [];
  #looking: Promise<void> | undefined;
  #isClosed = false;
  #helping = 0;
  #said = "";
  #checkedMs = -Infinity;
  #reapFromMs = 0;

  constructor({ queue, near, say, warn, signal }: FarOptions) {
    this.#queue = queue;
    this.#near = near;
    this.#say = say;
    this.#warn = warn;
    this.#signal = signal;
  }

  portions(): Portions {
    return { atOnce: FILES, pictures: PICTURES };
  }

  /** What waits for answers holds neither the file nor its claims. */
  pages(task: PagesTask): Promise<PagesProof> {
    return this.#askPages(task)
      .then((asked) => Promise.all(asked))
      .then(joinProofs);
  }

  async pictures({ pictures }: PicturesTask): Promise<PicturesProof> {
    const [first] = pictures;
    if (first === undefined) return [];
    const claims: Claims = { kind: "pictures", program: this.#queue.program.hash, pictures };
    const proof = await this.#ask(claims, { file: first.file, batch: "pictures" });
    if (proof === undefined) return this.#near.pictures({ pictures });
    const { chunk, result } = proof;
    try {
      return await toPicturesProof(pictures, await result, this.#near);
    } finally {
      await rm(chunk.job.claims, { force: true }).catch(() => undefined);
    }
  }

  /** Ends what it began; takes its chunks and answers out of the database. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#giveUp(new ProofEnded(new Error("the prover was closed")));
    await this.#looking;
    await this.#queue.forget([...this.#asked.keys()]).catch(() => undefined);
    await this.#queue.close().catch(() => undefined);
  }

  async #askPages(task: PagesTask): Promise<Promise<PagesProof>[]> {
    const { pdf, file, sha256: known, claims: all, among: _among, ...rest } = task;
    const hash = known ?? sha256(pdf);
    const asked: Promise<PagesProof>[] = [];
    for (const claims of splitByPage(all, PAGES)) {
      const program = this.#queue.program.hash;
      const own: Claims = { kind: "pages", program, sha256: hash, ...rest, claims };
      const proof = await this.#ask(own, { file, batch: hash });
      const found =
        proof === undefined
          ? this.#near.pages({ ...task, claims })
          : this.#toPages(proof.chunk, proof.result);
      // Told when all of the file are waited for.
      found.catch(() => undefined);
      asked.push(found);
    }
    return asked;
  }

  async #toPages(chunk: Chunk, result: Promise<Result>): Promise<PagesProof> {
    try {
      return await toPagesProof(chunk, await result);
    } finally {
      await rm(chunk.job.claims, { force: true }).catch(() => undefined);
    }
  }

  /** Puts a chunk into the queue; undefined where its claims can't lie beside the file. */
  async #ask(
    claims: Claims,
    at: { readonly file: string; readonly batch: string },
  ): Promise<{ readonly chunk: Chunk; readonly result: Promise<Result> } | undefined> {
    const { chunk, text } = makeChunk(claims, at);
    const giveBack = await this.#room.take(1);
    try {
      if (this.#signal.aborted) throw new ProofEnded(this.#signal.reason);
      await writeFile(chunk.job.claims, text);
    } catch (error) {
      giveBack();
      if (error instanceof ProofEnded) throw error;
      this.#tell(
        `claims can't be written beside ${at.file} (${toMessage(error)}): this computer proves it by itself`,
      );
      return undefined;
    }
    const result = this.#await(chunk);
    result.then(giveBack, giveBack);
    return { chunk, result };
  }

  /** The answer of a chunk; of one that is asked for twice it is the same. */
  #await(chunk: Chunk): Promise<Result> {
    const known = this.#asked.get(chunk.id);
    if (known !== undefined) return known;
    const result = new Promise<Result>((resolve, reject) => {
      this.#pending.set(chunk.id, { chunk, resolve, reject });
    });
    this.#asked.set(chunk.id, result);
    this.#outbox.push(chunk);
    this.#looking ??= this.#look();
    return result;
  }

  #settle(id: string, settle: (pending: Pending) => void): void {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    if (pending !== undefined) settle(pending);
  }

  #giveUp(error: unknown): void {
    for (const id of this.#pending.keys()) this.#settle(id, ({ reject }) => reject(error));
  }

  /** The same is told once. */
  #tell(message: string): void {
    if (message === this.#said) return;
    this.#said = message;
    this.#say(message);
  }

  async #look(): Promise<void> {
    while (this.#pending.size > 0 && !this.#isClosed) {
      if (this.#signal.aborted) {
        this.#giveUp(new ProofEnded(this.#signal.reason));
        break;
      }
      try {
        await this.#step();
      } catch (error) {
        if (!isAway(error)) {
          this.#giveUp(new ProofEnded(toDatabaseError(error, this.#queue.database.name)));
          break;
        }
        // Workers could not say that they are up, either.
        this.#reapFromMs = performance.now() + BACK_MS;
        const { name } = this.#queue.database;
        this.#tell(
          `database ${name} is away (${whyAway(error)}): the proof goes on when it is back`,
        );
      }
      await pause(LOOK_MS, undefined, { signal: this.#signal }).catch(() => undefined);
    }
    this.#looking = undefined;
  }

  async #step(): Promise<void> {
    const sent = this.#outbox;
    if (sent.length > 0) {
      this.#outbox = [];
      try {
        await this.#queue.submit(sent);
      } catch (error) {
        this.#outbox.unshift(...sent);
        throw error;
      }
    }
    for (const [id, result] of await this.#queue.answers([...this.#pending.keys()]))
      this.#settle(id, ({ resolve }) => resolve(result));
    const now = performance.now();
    if (this.#pending.size === 0 || now - this.#checkedMs < CHECK_MS) return;
    await this.#check();
    this.#checkedMs = now;
  }

  /** What was lost is put in again, what was given up is proven here; and who works is looked at. */
  async #check(): Promise<void> {
    if (performance.now() > this.#reapFromMs) await this.#queue.reap();
    const waiting = new Set(this.#outbox.map(({ id }) => id));
    const ids = [...this.#pending.keys()].filter((id) => !waiting.has(id));
    const standing = await this.#queue.standing(ids);
    const lost = ids.filter((id) => !standing.has(id));
    this.#outbox.push(...lost.flatMap((id) => this.#pending.get(id)?.chunk ?? []));
    for (const [id, { state, output }] of standing)
      if (state === "failed") await this.#proveGivenUp(id, output?.message);
    const workers = await this.#queue.workers();
    const able = workers.filter(
      ({ queue, trouble }) => queue === this.#queue.name && trouble === null,
    );
    if (able.length > 0) {
      const threads = able.reduce((sum, worker) => sum + worker.threads, 0);
      this.#tell(
        `${formatMany(able.length, "worker")} with ${formatMany(threads, "thread")} in all`,
      );
      return;
    }
    const blind = workers.find(({ trouble }) => trouble !== null);
    const other = workers.find(({ queue }) => queue !== this.#queue.name);
    this.#tell(
      blind !== undefined
        ? `the worker on ${blind.host} can't help: ${blind.trouble}; this computer proves by itself`
        : other !== undefined
          ? `the worker on ${other.host} is of ${other.program}, this is ${sayProgram(this.#queue.program)}: this computer proves by itself`
          : "no worker is up: this computer proves by itself",
    );
    this.#help();
  }

  /** Works through the queue as a worker would, until one comes. */
  #help(): void {
    const { atOnce } = this.#near.portions({ pages: this.#pending.size * PAGES });
    const until = performance.now() + CHECK_MS;
    const goOn = async (): Promise<void> => {
      while (performance.now() < until && this.#pending.size > 0 && !this.#isClosed) {
        const chunk = await this.#queue.fetch();
        if (chunk === undefined || (await tryChunk(this.#queue, chunk, this.#near)) === "unseen")
          return;
      }
    };
    while (this.#helping < atOnce) {
      this.#helping += 1;
      goOn()
        .catch(() => undefined)
        .finally(() => (this.#helping -= 1));
    }
  }

  /** Workers broke down over it: here it is proven, or told what is wrong with it. */
  async #proveGivenUp(id: string, why = "workers died over it"): Promise<void> {
    const pending = this.#pending.get(id);
    if (pending === undefined) return;
    const { chunk } = pending;
    this.#warn(
      `${describeChunk(chunk.job)}: no worker could prove it (${why}); proven by this computer`,
    );
    let result: Result;
    try {
      result = await proveChunk(chunk, this.#near);
    } catch (error) {
      this.#settle(id, ({ reject }) => reject(error));
      return;
    }
    await this.#queue.answer(chunk, result);
    this.#settle(id, ({ resolve }) => resolve(result));
  }
}
