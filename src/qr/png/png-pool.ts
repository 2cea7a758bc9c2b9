/**
 * Draws styled PNGs in threads, so that the caller doesn't wait for pixels. Threads start with the
 * first request and don't keep the process alive.
 */
import { Worker } from "node:worker_threads";

import { builtUrl } from "../../base/files/package-files.ts";
import { fromFault } from "../../base/fault.ts";
import type { Design } from "../draw/design.ts";
import type { PixelOptions } from "./png.ts";
import type { PngAnswer, PngRequest, PngWorkerInput } from "./png-messages.ts";

/** Logos that a thread remembers; after that many it forgets all. */
const LOGOS_KEPT = 32;

interface Waiting {
  readonly resolve: (png: Uint8Array | undefined) => void;
  readonly reject: (error: Error) => void;
}

/** One thread and its open requests. */
class PngThread {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiting>();
  readonly #logos = new Map<Uint8Array, number>();
  #count = 0;
  isAlive = true;

  constructor(fonts: readonly Uint8Array[]) {
    const workerData: PngWorkerInput = { fonts };
    this.#worker = new Worker(builtUrl("qr/png/png-worker.js"), { workerData });
    this.#worker.unref();
    this.#worker.on("message", (answer: PngAnswer) => this.#settle(answer));
    this.#worker.on("error", () => this.#end());
    this.#worker.on("exit", () => this.#end());
  }

  /** Number of requests under way. */
  get load(): number {
    return this.#waiting.size;
  }

  /** Undefined when the thread died meanwhile. */
  async render(
    text: string,
    design: Design,
    options: PixelOptions,
  ): Promise<Uint8Array | undefined> {
    const id = (this.#count += 1);
    const request: PngRequest = {
      id,
      text,
      design: { ...design, logo: null },
      options,
      ...this.#nameLogo(design.logo),
    };
    return new Promise((resolve, reject) => {
      if (this.#waiting.size === 0) this.#worker.ref();
      this.#waiting.set(id, { resolve, reject });
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- threads have no origin
      this.#worker.postMessage(request);
    });
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }

  /** A logo is sent once; later requests only name it. */
  #nameLogo(logo: Uint8Array | null): Pick<PngRequest, "logo" | "logoBytes" | "forget"> {
    if (logo === null) return { logo: null, logoBytes: null, forget: false };
    const known = this.#logos.get(logo);
    if (known !== undefined) return { logo: known, logoBytes: null, forget: false };
    const forget = this.#logos.size >= LOGOS_KEPT;
    if (forget) this.#logos.clear();
    this.#logos.set(logo, this.#count);
    return { logo: this.#count, logoBytes: logo, forget };
  }

  #settle(answer: PngAnswer): void {
    const waiting = this.#waiting.get(answer.id);
    this.#waiting.delete(answer.id);
    if (this.#waiting.size === 0) this.#worker.unref();
    if ("png" in answer) waiting?.resolve(answer.png);
    else waiting?.reject(fromFault(answer.fault));
  }

  #end(): void {
    this.isAlive = false;
    for (const { resolve } of this.#waiting.values()) resolve(undefined);
    this.#waiting.clear();
  }
}

/** Threads that draw PNGs, each with an engine of its own. */
export class PngPool {
  readonly #fonts: readonly Uint8Array[];
  readonly #size: number;
  #threads: PngThread[] = [];

  /** At most `size` threads. */
  constructor(size: number, fonts: readonly Uint8Array[]) {
    this.#size = size;
    this.#fonts = fonts;
  }

  /** Throws what the engine throws. Undefined when a thread broke down: the caller then draws. */
  async render(
    text: string,
    design: Design,
    options: PixelOptions,
  ): Promise<Uint8Array | undefined> {
    return this.#leastBusy().render(text, design, options);
  }

  async close(): Promise<void> {
    const threads = this.#threads;
    this.#threads = [];
    await Promise.all(threads.map((thread) => thread.close()));
  }

  #leastBusy(): PngThread {
    this.#threads = this.#threads.filter(({ isAlive }) => isAlive);
    const idle = this.#threads.toSorted((a, b) => a.load - b.load)[0];
    if (idle !== undefined && (idle.load === 0 || this.#threads.length >= this.#size)) return idle;
    const thread = new PngThread(this.#fonts);
    this.#threads.push(thread);
    return thread;
  }
}
