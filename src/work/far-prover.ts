/**
 * Proof and drawing by other computers: requests go out as chunks and come back as answers. Where
 * no worker is up, this computer works by itself; where the database is away, it waits.
 */
import { existsSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";

import { toMessage } from "../base/errors.ts";
import { sha256 } from "../base/ids/ids.ts";
import { Room } from "../base/flow/room.ts";
import type { Drawer, VolumeTask } from "../print/draw/volume-task.ts";
import type { DrawnVolume } from "../print/volume.ts";
import { joinProofs, splitByPage } from "../verify/proof/proof-pool.ts";
import type { PagesProof } from "../verify/proof/prove-pages.ts";
import {
  type PagesTask,
  type PicturesProof,
  type PicturesTask,
  type Portions,
  ProofEnded,
  type Prover,
} from "../verify/proof/prover.ts";
import {
  type Chunk,
  type Claims,
  describeChunk,
  makeChunk,
  proveChunk,
  type Result,
  toPagesProof,
  toPicturesProof,
  type VolumeResult,
} from "./chunk.ts";
import type { Near } from "./compute-chunk.ts";
import { isAway, toDatabaseError, whyAway } from "./database.ts";
import type { Able, Queue } from "./queue.ts";
import { tryChunk, whenBack } from "./try-chunk.ts";
import { whoWorks } from "./who-works.ts";
import { drawHere, drawnFile, makeVolumeChunk, readDrawn } from "./volume-chunk.ts";

/** Pages and pictures of a chunk: seconds of work, so that a dead worker loses little. */
const PAGES = 20;
const PICTURES = 200;
/** pg-boss slows down when more are queued. */
const MOST_QUEUED = 2000;
/** Files under way at once: enough that hundreds of workers have chunks. */
const FILES = 64;
const LOOK_MS = 250;
const CHECK_MS = 2000;
/** How long workers have to report again after the database was away. */
const BACK_MS = 10_000;

/** Thrown for a volume that workers broke down over: this computer draws it when it is its turn. */
class GivenUp extends Error {
  override readonly name = "GivenUp";
}

interface Pending {
  readonly chunk: Chunk;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/** Throws the reason of a proof that was ended, else the error itself. */
function throwCause(error: unknown): never {
  throw error instanceof ProofEnded ? error.cause : error;
}

export interface FarOptions {
  readonly queue: Queue;
  /** Proves and draws on this computer. */
  readonly near: Near;
  /** Called while it works: who proves, why it waits. */
  readonly say: (message: string) => void;
  /** Called for warnings. */
  readonly warn: (message: string) => void;
  readonly signal: AbortSignal;
}

export class FarProver implements Prover, Drawer {
  readonly #queue: Queue;
  readonly #near: Near;
  readonly #say: (message: string) => void;
  readonly #warn: (message: string) => void;
  readonly #signal: AbortSignal;
  readonly #room = new Room(MOST_QUEUED);
  readonly #pending = new Map<string, Pending>();
  readonly #asked = new Map<string, Promise<Result>>();
  /** Files of volumes that must be removed in the end. */
  readonly #left = new Set<string>();
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

  /** A file that waits for answers is not in memory, nor are its claims. */
  pages(task: PagesTask): Promise<PagesProof> {
    return this.#askPages(task)
      .then((asked) => Promise.all(asked))
      .then(joinProofs);
  }

  async pictures({ pictures }: PicturesTask): Promise<PicturesProof> {
    const [first] = pictures;
    if (first === undefined) return [];
    const claims: Claims = { kind: "pictures", program: this.#queue.program.hash, pictures };
    const made = makeChunk(claims, { file: first.file, batch: "pictures" });
    const proof = await this.#ask(made.chunk, made.text);
    if (proof === undefined) return this.#near.pictures({ pictures });
    const { chunk, result } = proof;
    try {
      return await toPicturesProof(pictures, await result, this.#near);
    } finally {
      await rm(chunk.job.claims, { force: true }).catch(() => undefined);
    }
  }

  readonly volumesAtOnce = FILES;

  async draw(
    task: VolumeTask,
    file: string,
  ): Promise<{ readonly read: () => Promise<DrawnVolume> }> {
    const program = this.#queue.program.hash;
    const { chunk, left } = await makeVolumeChunk(task, { file, program });
    for (const name of left) this.#left.add(name);
    const giveBack = await this.#room.take(1);
    // An answer to an earlier run is worth nothing without its file.
    if (!existsSync(drawnFile(chunk))) {
      const onAway = (error: unknown): void => this.#tellAway(error);
      await whenBack(() => this.#queue.forget([chunk.id]), { signal: this.#signal, onAway });
    }
    const result = this.#await(chunk);
    result.then(giveBack, giveBack);
    return { read: () => this.#readVolume(chunk, result) };
  }

  async #readVolume(chunk: Chunk, result: Promise<Result>): Promise<DrawnVolume> {
    const answer = await result.catch((error: unknown) =>
      error instanceof GivenUp ? undefined : throwCause(error),
    );
    const drawn = answer && (await readDrawn(chunk, answer as VolumeResult));
    if (answer !== undefined && drawn === undefined) {
      this.#warn(
        `${describeChunk(chunk.job)}: what a worker drew was changed or is gone; drawn again by this computer`,
      );
    }
    const found = drawn ?? (await drawHere(chunk));
    for (const name of [chunk.job.claims, drawnFile(chunk)]) {
      await rm(name, { force: true }).catch(() => undefined);
      this.#left.delete(name);
    }
    return found;
  }

  /** Ends what it began; takes its chunks and answers out of the database. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#giveUp(new ProofEnded(new Error("the prover was closed")));
    await this.#looking;
    for (const name of this.#left) await rm(name, { force: true }).catch(() => undefined);
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
      const made = makeChunk(own, { file, batch: hash });
      const proof = await this.#ask(made.chunk, made.text);
      const found =
        proof === undefined
          ? this.#near.pages({ ...task, claims })
          : this.#toPages(proof.chunk, proof.result);
      // Its error comes when all chunks of the file are awaited.
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
    chunk: Chunk,
    claims: string | Uint8Array,
  ): Promise<{ readonly chunk: Chunk; readonly result: Promise<Result> } | undefined> {
    const giveBack = await this.#room.take(1);
    try {
      if (this.#signal.aborted) throw new ProofEnded(this.#signal.reason);
      await writeFile(chunk.job.claims, claims);
    } catch (error) {
      giveBack();
      if (error instanceof ProofEnded) throw error;
      this.#tell(
        `claims can't be written beside ${chunk.job.file} (${toMessage(error)}): this computer proves it by itself`,
      );
      return undefined;
    }
    const result = this.#await(chunk);
    result.then(giveBack, giveBack);
    return { chunk, result };
  }

  /** The answer of a chunk; the same for a second request. */
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

  /** Reports the same message once. */
  #tell(message: string): void {
    if (message === this.#said) return;
    this.#said = message;
    this.#say(message);
  }

  #tellAway(error: unknown): void {
    const { name } = this.#queue.database;
    const what = this.#isDrawing() ? "drawing" : "proof";
    this.#tell(`database ${name} is away (${whyAway(error)}): the ${what} goes on when it is back`);
  }

  #isDrawing(): boolean {
    return [...this.#pending.values()].some(({ chunk }) => chunk.job.kind === "volume");
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
        // Workers could not report, either.
        this.#reapFromMs = performance.now() + BACK_MS;
        this.#tellAway(error);
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

  /** Puts lost chunks in again, proves given-up ones here, and looks who works. */
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
    const draws = this.#isDrawing();
    const { isAlone, message } = whoWorks(workers, { queue: this.#queue, draws });
    this.#tell(message);
    if (isAlone) this.#help({ draws, proves: !draws });
  }

  /** Works through the queue as a worker would, until one comes. */
  #help(what: Able): void {
    const { atOnce } = this.#near.portions({ pages: this.#pending.size * PAGES });
    const until = performance.now() + CHECK_MS;
    const goOn = async (): Promise<void> => {
      while (performance.now() < until && this.#pending.size > 0 && !this.#isClosed) {
        const chunk = await this.#queue.fetch(what);
        if (chunk === undefined) return;
        const came = await tryChunk(this.#queue, chunk, this.#near);
        if (came === "unseen" || came === "read-only") return;
      }
    };
    while (this.#helping < atOnce) {
      this.#helping += 1;
      goOn()
        .catch(() => undefined)
        .finally(() => (this.#helping -= 1));
    }
  }

  /** Workers broke down over it: it is proven here, or its error is thrown. */
  async #proveGivenUp(id: string, why = "workers died over it"): Promise<void> {
    const pending = this.#pending.get(id);
    if (pending === undefined) return;
    const { chunk } = pending;
    if (chunk.job.kind === "volume") {
      this.#warn(
        `${describeChunk(chunk.job)}: no worker could draw it (${why}); drawn by this computer`,
      );
      this.#settle(id, ({ reject }) => reject(new GivenUp()));
      return;
    }
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
