/**
 * Proof in threads of this process, which last: all files and pictures of all groups go through one
 * queue. Results are the same on any number of threads. Small jobs are proven in the calling
 * thread, since a thread costs half a second to start.
 */
import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";

import { isSource, builtUrl } from "../../base/files/package-files.ts";
import { AppError, toMessage } from "../../base/errors.ts";
import { mmToPx } from "../../base/shapes/units.ts";
import { drawTask, type Painter, type VolumeTask } from "../../print/draw/volume-task.ts";
import type { DrawnVolume } from "../../print/volume.ts";
import { readPictures } from "../pixels/artwork.ts";
import { hideSteps } from "../pdf/pdf-file.ts";
import type { ProofAnswer, ProofRequest } from "./proof-messages.ts";
import { proofMemory } from "./proof-memory.ts";
import { type CellClaim, type PagesProof, type ProofTask, provePages } from "./prove-pages.ts";
import {
  type PagesTask,
  type PicturesProof,
  type PicturesTask,
  type Portions,
  ProofEnded,
  type Prover,
} from "./prover.ts";

/** A thread costs about as much as it takes to prove this many pages: half a second. */
const PAGES_PER_THREAD = 24;
/** About so many pictures cost as much as a page. */
const PICTURES_PER_PAGE = 16;
/** Pages of a task at most: the last ones of a file keep no thread waiting for long. */
const PAGES_PER_TASK = 20;
const PICTURES_PER_TASK = 32;
/**
 * How long threads stay without work, before a long process gets their memory back. Long enough for
 * a job to pack and print between the proof of pictures and that of sheets.
 */
const IDLE_MS = 30_000;
/** Pictures and pages lie outside of the heap, so little in it is young. Default of Node: 48. */
const YOUNG_MB = 12;

/** Splits claims into runs of whole pages, each of at most so many. */
export function splitByPage(claims: readonly CellClaim[], pagesEach: number): CellClaim[][] {
  const pages = [...new Set(claims.map((claim) => claim.page))].toSorted((a, b) => a - b);
  const part = new Map(pages.map((page, i) => [page, Math.floor(i / pagesEach)]));
  const split = Array.from({ length: Math.ceil(pages.length / pagesEach) }, (): CellClaim[] => []);
  for (const claim of claims) split[part.get(claim.page) ?? 0]?.push(claim);
  return split;
}

export const countPages = (claims: readonly CellClaim[]): number =>
  new Set(claims.map(({ page }) => page)).size;

/** The proof of all pages from those of its parts, in their order. */
export const joinProofs = (parts: readonly PagesProof[]): PagesProof => ({
  decoded: parts.reduce((sum, part) => sum + part.decoded, 0),
  compared: parts.reduce((sum, part) => sum + part.compared, 0),
  faults: parts.flatMap((part) => part.faults),
  renders: parts.reduce((sum, part) => sum + part.renders, 0),
});

type Task =
  | { readonly pages: ProofTask }
  | { readonly pictures: PicturesTask["pictures"] }
  | { readonly volume: VolumeTask };
type Done = PagesProof | PicturesProof | DrawnVolume;

interface Waiting {
  readonly task: Task;
  readonly resolve: (done: Done) => void;
  readonly reject: (error: Error) => void;
}

/** One thread and what it works on. */
class ProofThread {
  readonly #worker: Worker;
  #now: Waiting | undefined;
  #count = 0;
  isAlive = true;

  constructor(onFree: () => void) {
    this.#worker = new Worker(builtUrl("verify/proof/proof-worker.js"), {
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
    });
    this.#worker.unref();
    this.#worker.on("message", (answer: ProofAnswer) => {
      const now = this.#end();
      if ("proof" in answer) now?.resolve(answer.proof);
      else now?.reject(new Error(answer.error));
      onFree();
    });
    this.#worker.on("error", (error: unknown) => this.#die(error, onFree));
    this.#worker.on("exit", (code) => this.#die(`it ended with code ${code}`, onFree));
  }

  get isFree(): boolean {
    return this.isAlive && this.#now === undefined;
  }

  work(waiting: Waiting): void {
    this.#now = waiting;
    this.#count += 1;
    this.#worker.ref();
    const request: ProofRequest = { id: this.#count, ...waiting.task };
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- threads have no origin
    this.#worker.postMessage(request);
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }

  #end(): Waiting | undefined {
    const now = this.#now;
    this.#now = undefined;
    this.#worker.unref();
    return now;
  }

  #die(why: unknown, onFree: () => void): void {
    if (!this.isAlive) return;
    this.isAlive = false;
    this.#end()?.reject(toEnded(why));
    onFree();
  }
}

/** The death of a thread says nothing about the file that it read. */
const toEnded = (why: unknown): ProofEnded =>
  new ProofEnded(
    new AppError(
      "proof-stopped",
      `a thread that proves sheets and pictures must live until it is done, but it died: ${toMessage(why)}`,
      {
        cause: why,
        hint: "most often memory was short: close other programs, then run the same command again; no code is made twice",
      },
    ),
  );

/** Memory that other threads see, too: a file crosses over without being copied for each. */
function toShared(bytes: Uint8Array): Uint8Array {
  const shared = new Uint8Array(new SharedArrayBuffer(bytes.length));
  shared.set(bytes);
  return shared;
}

export interface PoolOptions {
  /** Most threads. Default: one per core. */
  readonly threads?: number | undefined;
  /** A thread is started only for so many pages; 0 = all is done in threads. Default: 24. */
  readonly pagesPerThread?: number | undefined;
}

export class ProofPool implements Prover, Painter {
  readonly #size: number;
  readonly #pagesPerThread: number;
  #threads: ProofThread[] = [];
  #waiting: Waiting[] = [];
  #wanted = 0;
  #idle: ReturnType<typeof setTimeout> | undefined;

  constructor({ threads, pagesPerThread = PAGES_PER_THREAD }: PoolOptions = {}) {
    this.#size = threads ?? availableParallelism();
    this.#pagesPerThread = pagesPerThread;
  }

  portions({ pages = 0, pictures = 0 }: { pages?: number; pictures?: number }): Portions {
    const threads = this.#threadsFor(pages + pictures / PICTURES_PER_PAGE);
    return { atOnce: threads + 1, pictures: PICTURES_PER_TASK };
  }

  async pages({
    hidden,
    among,
    file: _file,
    sha256: _hash,
    ...task
  }: PagesTask): Promise<PagesProof> {
    const pages = countPages(task.claims);
    const threads = this.#threadsFor(Math.max(pages, among ?? 0));
    const { width, height } = task.pageMm;
    const pixels = mmToPx(width, task.dpi) * mmToPx(height, task.dpi);
    // Each thread has the file and a page of it in its renderer.
    const room =
      task.pdf.length + Math.min(pages, Math.max(1, threads)) * (task.pdf.length + pixels);
    return proofMemory.use(room, async () => {
      const pdf = hidden.length === 0 ? task.pdf : await hideSteps(task.pdf, new Set(hidden));
      if (threads === 0) return provePages({ ...task, pdf });
      const rounds = Math.ceil(pages / (threads * PAGES_PER_TASK));
      const parts = splitByPage(task.claims, Math.max(1, Math.ceil(pages / (threads * rounds))));
      const shared = toShared(pdf);
      const proofs = await Promise.all(
        parts.map((claims) => this.#ask({ pages: { ...task, pdf: shared, claims } }, threads)),
      );
      return joinProofs(proofs as PagesProof[]);
    });
  }

  async pictures({ pictures, among }: PicturesTask): Promise<PicturesProof> {
    const threads = this.#threadsFor(Math.max(pictures.length, among ?? 0) / PICTURES_PER_PAGE);
    if (threads === 0) return readPictures(pictures);
    return (await this.#ask({ pictures }, threads)) as PicturesProof;
  }

  /**
   * Draws a volume of sheets in one of its threads, or in the calling thread when there is one
   * core.
   */
  async draw(volume: VolumeTask): Promise<DrawnVolume> {
    const threads = this.#threadsFor(Infinity);
    if (threads === 0) return drawTask(volume);
    return (await this.#ask({ volume }, threads)) as DrawnVolume;
  }

  async close(): Promise<void> {
    clearTimeout(this.#idle);
    const threads = this.#threads;
    this.#threads = [];
    for (const { reject } of this.#waiting.splice(0)) reject(toEnded("it was stopped"));
    await Promise.all(threads.map((thread) => thread.close()));
  }

  /**
   * 0: the calling thread, since one thread alone gains nothing. Threads that are up are always
   * used.
   */
  #threadsFor(pages: number): number {
    if (this.#pagesPerThread === 0) return this.#size;
    const worth = Math.floor(pages / this.#pagesPerThread);
    const threads = Math.min(this.#size, Math.max(worth, this.#threads.length));
    return threads < 2 ? 0 : threads;
  }

  async #ask(task: Task, threads: number): Promise<Done> {
    this.#wanted = Math.max(this.#wanted, threads);
    return new Promise((resolve, reject) => {
      this.#waiting.push({ task, resolve, reject });
      this.#handOut();
    });
  }

  #handOut(): void {
    clearTimeout(this.#idle);
    this.#threads = this.#threads.filter(({ isAlive }) => isAlive);
    while (this.#waiting.length > 0) {
      const thread = this.#threads.find(({ isFree }) => isFree) ?? this.#startThread();
      if (thread === undefined) return;
      thread.work(this.#waiting.shift() as Waiting);
    }
    if (this.#threads.every(({ isFree }) => isFree)) {
      this.#idle = setTimeout(() => void this.#rest(), IDLE_MS);
      this.#idle.unref();
    }
  }

  #startThread(): ProofThread | undefined {
    if (this.#threads.length >= this.#wanted) return undefined;
    const thread = new ProofThread(() => this.#handOut());
    this.#threads.push(thread);
    return thread;
  }

  async #rest(): Promise<void> {
    this.#wanted = 0;
    await this.close();
  }
}

let shared: ProofPool | undefined;

/**
 * The default pool of this process. Its threads end by themselves; run from the sources, as in
 * tests, it has none.
 */
export const sharedProver = (): Prover & Painter =>
  (shared ??= new ProofPool(isSource ? { threads: 1 } : {}));
