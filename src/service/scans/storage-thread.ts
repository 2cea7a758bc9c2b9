/**
 * Stores scans in a separate thread: the thread that answers redirects neither parses nor waits for
 * the disk. If the storing thread dies, nothing is lost: its work goes to the next one, unless it
 * was stored.
 */
import { randomUUID } from "node:crypto";
import { Worker } from "node:worker_threads";

import { builtUrl } from "../../base/files/package-files.ts";
import type { Clock } from "../../base/time/clock.ts";
import { toMessage } from "../../base/errors.ts";
import { makeParking, parkAtExit } from "../../base/flow/park-thread.ts";
import type { Log } from "../../base/log.ts";

import type { SqliteStore } from "../store/sqlite/sqlite-store.ts";
import { WriteLock } from "../store/sqlite/write-lock.ts";
import { isStored, type ScanStorage } from "./storage.ts";
import type { StorageAnswer, StorageInput, StorageRequest } from "./storage-worker.ts";

/** Between the starts of two threads. */
const RESTART_MS = 1000;

class ThreadEnded extends Error {}

interface Waiting {
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/** One thread and its open requests. */
class Thread {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiting>();
  readonly #ended: Promise<void>;
  #count = 0;
  #isOver = false;

  constructor(given: Omit<StorageInput, "parking">, log: Log, onEnd: (reason: string) => void) {
    const input: StorageInput = { ...given, parking: makeParking() };
    // Built files don't need loaders of TypeScript and the like.
    this.#worker = new Worker(builtUrl("service/scans/storage-worker.js"), {
      workerData: input,
      execArgv: [],
    });
    parkAtExit(this.#worker, input.parking);
    this.#worker.unref();
    let reason = "";
    this.#worker.on("message", (answer: StorageAnswer) => {
      if ("id" in answer) this.#settle(answer.id, answer.fault);
      else log.error(answer.about, answer.trouble);
    });
    this.#worker.on("error", (error) => {
      reason = toMessage(error);
    });
    this.#ended = new Promise((resolve) => {
      this.#worker.on("exit", () => {
        this.#end(reason);
        onEnd(reason);
        resolve();
      });
    });
  }

  ask(request: StorageRequest): Promise<void> {
    if (this.#isOver) return Promise.reject(new ThreadEnded("the thread ended"));
    const id = (this.#count += 1);
    return new Promise((resolve, reject) => {
      if (this.#waiting.size === 0) this.#worker.ref();
      this.#waiting.set(id, { resolve, reject });
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- threads have no origin
      this.#worker.postMessage({ id, ...request });
    });
  }

  /** Lets the thread end by itself. */
  async close(): Promise<void> {
    await this.ask({ kind: "close" });
    this.#worker.ref();
    await this.#ended;
  }

  /**
   * Makes the thread end between two steps. `Worker.terminate` may interrupt SQLite, whose binding
   * then ends the whole process.
   */
  async kill(): Promise<void> {
    this.ask({ kind: "die" }).catch(() => {});
    await this.#ended;
  }

  #settle(id: number, fault: string | undefined): void {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (this.#waiting.size === 0) this.#worker.unref();
    if (fault === undefined) waiting?.resolve();
    else waiting?.reject(new Error(fault));
  }

  #end(reason: string): void {
    this.#isOver = true;
    for (const { reject } of this.#waiting.values()) reject(new ThreadEnded(reason));
    this.#waiting.clear();
  }
}

export interface ThreadParts extends Omit<StorageInput, "lock" | "parking"> {
  readonly store: SqliteStore;
  readonly clock: Clock;
  readonly log: Log;
}

export class StorageThread implements ScanStorage {
  readonly #parts: ThreadParts;
  readonly #run = randomUUID();
  #thread: Thread | undefined;
  #opening: Promise<Thread> | undefined;
  #startedMs = -Infinity;
  #batches = 0;
  #isClosing = false;

  constructor(parts: ThreadParts) {
    this.#parts = parts;
  }

  /** Resolves once the thread runs; rejects with the reason when it can't. */
  start(): Promise<void> {
    return this.#ask({ kind: "start" });
  }

  async save(batch: Parameters<ScanStorage["save"]>[0]): Promise<void> {
    const mark = `${this.#run} ${(this.#batches += 1)}`;
    try {
      await this.#ask({ kind: "save", mark, notes: JSON.stringify(batch) });
    } catch (error) {
      // It may have died after storing and before saying so.
      if (!(error instanceof ThreadEnded) || !(await isStored(this.#parts.store.rows, mark)))
        throw error;
    }
  }

  poke(): void {
    // A new thread looks by itself; a running one is poked again by the next commit.
    if (!this.#isClosing) this.#thread?.ask({ kind: "poke" }).catch(() => {});
  }

  rollUp(): Promise<void> {
    return this.#ask({ kind: "rollUp" });
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    try {
      await this.#thread?.close();
    } catch (error) {
      this.#parts.log.error({ error: toMessage(error) }, "the thread that stores scans broke down");
    }
  }

  /** For tests: ends the thread like a crash. */
  async kill(): Promise<void> {
    await this.#thread?.kill();
  }

  async #ask(request: StorageRequest): Promise<void> {
    this.#opening ??= this.#open();
    const thread = await this.#opening;
    await thread.ask(request);
  }

  /** Starts a thread; pauses between starts, so that repeated crashes cost little time. */
  async #open(): Promise<Thread> {
    const { store, log, clock, file, key, geoDatabase, isReporting } = this.#parts;
    const waitMs = this.#startedMs + RESTART_MS - clock.monotonicMs();
    if (waitMs > 0) await clock.sleep(waitMs);
    this.#startedMs = clock.monotonicMs();
    const lock = new WriteLock();
    store.lock = lock;
    const input = { file, key, geoDatabase, isReporting, lock: lock.memory };
    const thread = new Thread(input, log, (reason) => {
      this.#opening = undefined;
      this.#thread = undefined;
      // The thread may have held the lock for writing.
      lock.break();
      if (!this.#isClosing) log.error({ error: reason }, "the thread that stores scans ended");
    });
    this.#thread = thread;
    return thread;
  }
}
