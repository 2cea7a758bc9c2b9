/** A worker: takes chunks from the queue, proves and draws them. It sends nothing and holds no lock. */
import { setTimeout as pause } from "node:timers/promises";

import { Turns } from "../base/flow/turns.ts";
import { type Chunk, describeChunk } from "./chunk.ts";
import type { Near } from "./compute-chunk.ts";
import { toDatabaseError, whyAway } from "./database.ts";
import type { Queue, WorkerRow } from "./queue.ts";
import { tryChunk, whenBack } from "./try-chunk.ts";

const IDLE_MS = 300;
const BEAT_MS = 2000;
/** How long a worker waits that can't see the files of a job. */
const BLIND_MS = 10_000;

export interface WorkOptions {
  readonly queue: Queue;
  readonly near: Near;
  readonly worker: Pick<WorkerRow, "id" | "host" | "pid" | "threads">;
  readonly say: (message: string) => void;
  /** Aborted: finishes what is under way, begins nothing new. */
  readonly signal: AbortSignal;
}

/** Counts of a worker. */
export interface WorkDone {
  readonly answered: number;
  readonly failed: number;
}

class Working {
  readonly #options: WorkOptions;
  readonly #back: { readonly onAway: (error: unknown) => void; readonly signal: AbortSignal };
  readonly #now = new Set<string>();
  /** A beat that passed a fetch on its way would hide the chunk that was fetched. */
  readonly #talk = new Turns();
  readonly #done = { answered: 0, failed: 0 };
  #trouble: string | null = null;
  /** False once it turns out that it may not write where volumes lie. */
  #draws = true;
  #told = "";
  #isAway = false;

  constructor(options: WorkOptions) {
    this.#options = options;
    const { name } = options.queue.database;
    const onAway = (error: unknown): void => {
      this.#isAway = true;
      this.#tell(`database ${name} is away (${whyAway(error)}): waits until it is back`);
    };
    this.#back = { onAway, signal: options.signal };
  }

  async work(): Promise<WorkDone> {
    const { queue, worker, signal } = this.#options;
    await whenBack(() => this.#beat(), this.#back);
    const ended = new AbortController();
    const pulse = this.#pulse(ended.signal);
    try {
      await Promise.all(Array.from({ length: worker.threads }, () => this.#lane()));
    } catch (error) {
      if (!signal.aborted) throw toDatabaseError(error, queue.database.name);
    } finally {
      ended.abort();
      await pulse;
      await queue.leave(worker.id).catch(() => undefined);
    }
    return this.#done;
  }

  /** Reports the same message once. */
  #tell(message: string): void {
    if (message !== this.#told) this.#options.say(message);
    this.#told = message;
  }

  async #beat(): Promise<void> {
    const { queue, worker } = this.#options;
    await this.#talk.take(() =>
      queue.beat({ ...worker, trouble: this.#trouble }, [...this.#now], this.#draws),
    );
    await queue.reap();
    if (this.#isAway) this.#tell(`database ${queue.database.name} is back: goes on`);
    this.#isAway = false;
  }

  async #pulse(ended: AbortSignal): Promise<void> {
    while (!ended.aborted) {
      await pause(BEAT_MS, undefined, { signal: ended }).catch(() => undefined);
      if (!ended.aborted) await this.#beat().catch(this.#back.onAway);
    }
  }

  async #rest(ms: number): Promise<void> {
    const { signal } = this.#options;
    await pause(ms, undefined, { signal }).catch(() => undefined);
  }

  async #fetch(): Promise<Chunk | undefined> {
    const { queue, worker } = this.#options;
    const chunk = await queue.fetch({ proves: true, draws: this.#draws }, worker.id);
    if (chunk !== undefined) this.#now.add(chunk.id);
    return chunk;
  }

  async #lane(): Promise<void> {
    const { signal } = this.#options;
    while (!signal.aborted) {
      const chunk = await whenBack(() => this.#talk.take(() => this.#fetch()), this.#back);
      if (chunk === undefined) {
        await this.#rest(IDLE_MS);
        continue;
      }
      try {
        await this.#turn(chunk);
      } finally {
        this.#now.delete(chunk.id);
      }
    }
  }

  async #turn(chunk: Chunk): Promise<void> {
    const { queue, near } = this.#options;
    // A worker that was taken for dead may have answered it.
    if (await whenBack(() => queue.hasAnswer(chunk.id), this.#back)) {
      await whenBack(() => queue.end(chunk), this.#back);
      return;
    }
    let why: string | null = null;
    const onTrouble = (message: string): void => {
      why = message;
      this.#tell(`${describeChunk(chunk.job)}: ${message}`);
    };
    const came = await tryChunk(queue, chunk, near, { ...this.#back, onTrouble });
    if (came === "read-only") {
      this.#draws = false;
      this.#now.delete(chunk.id);
      await whenBack(() => this.#beat(), this.#back);
      return;
    }
    if (came !== "unseen") this.#done[came] += 1;
    const isBlind = came === "unseen";
    if (isBlind !== (this.#trouble !== null)) {
      this.#trouble = isBlind ? why : null;
      this.#now.delete(chunk.id);
      await whenBack(() => this.#beat(), this.#back);
    }
    if (isBlind) await this.#rest(BLIND_MS);
  }
}

/** Works until it is stopped. */
export const work = (options: WorkOptions): Promise<WorkDone> => new Working(options).work();
