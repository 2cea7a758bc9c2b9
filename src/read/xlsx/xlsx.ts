/** Workbooks -> raw rows, through the worker that reads them. */
import { stat } from "node:fs/promises";
import path from "node:path";
import { Worker } from "node:worker_threads";

import { builtUrl } from "../../base/files/package-files.ts";
import type { AppError } from "../../base/errors.ts";
import type { JobSource } from "../../job/job.ts";

import type { RawRow, RawTable } from "../raw.ts";
import { unreadable } from "../files/unreadable.ts";
import type { PackageLimits } from "./xlsx-package.ts";
import type { SheetFacts, SheetRequest } from "./xlsx-open.ts";
import type { WorkerAnswer } from "./xlsx-worker.ts";
import type { ZipFault } from "./zip-file.ts";

export interface XlsxLimits extends PackageLimits {
  readonly maxFileBytes: number;
  readonly maxMemoryMb: number;
  /** Time limit for one answer of the worker. */
  readonly timeoutMs: number;
  /** Looks for the sheet that holds the most. */
  readonly findsFullest?: boolean;
}

export const xlsxLimits: XlsxLimits = {
  maxFileBytes: 200 * 1024 * 1024,
  maxPartBytes: 400 * 1024 * 1024,
  maxCells: 8_000_000,
  maxMemoryMb: 3072,
  timeoutMs: 180_000,
};

const SAVE_AS_CSV = "save the sheet as CSV: CSV has no such limit";

type Answer<T extends WorkerAnswer["type"]> = Extract<WorkerAnswer, { type: T }>;

interface Waiting {
  readonly resolve: (answer: WorkerAnswer) => void;
  readonly reject: (error: unknown) => void;
  readonly timer: NodeJS.Timeout;
}

export const toRequest = (
  { file, sheet, merged, skipHiddenRows }: JobSource,
  {
    maxPartBytes,
    maxCells,
    findsFullest = false,
  }: PackageLimits & Pick<XlsxLimits, "findsFullest">,
): SheetRequest => ({
  file,
  sheet,
  merged,
  skipHiddenRows,
  limits: { maxPartBytes, maxCells },
  findsFullest,
});

/** One question, one answer, in turn; the thread keeps the process alive only during a question. */
class SheetWorker {
  readonly #worker: Worker;
  readonly #file: string;
  readonly #timeoutMs: number;
  readonly #signal: AbortSignal | undefined;
  #turn: Promise<unknown> = Promise.resolve();
  #waiting: Waiting | undefined;
  /** An AppError, or the reason why everything stops. */
  #failure: unknown;

  constructor(source: JobSource, limits: XlsxLimits, signal: AbortSignal | undefined) {
    this.#file = source.file;
    this.#signal = signal;
    this.#timeoutMs = limits.timeoutMs;
    this.#worker = new Worker(builtUrl("read/xlsx/xlsx-worker.js"), {
      workerData: toRequest(source, limits),
      resourceLimits: { maxOldGenerationSizeMb: limits.maxMemoryMb },
      stderr: false,
    });
    this.#worker.on("message", (answer: WorkerAnswer) => this.#settle()?.resolve(answer));
    this.#worker.on("error", (error) => this.#fail(error));
    this.#worker.on("exit", () => this.#fail(new Error("the reading thread has ended")));
    signal?.addEventListener("abort", this.#abort);
  }

  readonly #abort = (): void => this.#stop(this.#signal?.reason);

  /** The first answer; it needs no question. */
  async opened(): Promise<SheetFacts> {
    const { facts } = await this.#answer("opened");
    return facts;
  }

  /** Rows from a position on. Several readers ask in turn. */
  async ask(from: number): Promise<Answer<"rows">> {
    const answer = this.#turn.then(async () => {
      const answer = this.#answer("rows");
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- threads have no origin
      this.#worker.postMessage(from);
      return answer;
    });
    this.#turn = answer.catch(() => undefined);
    return answer;
  }

  async close(): Promise<void> {
    this.#signal?.removeEventListener("abort", this.#abort);
    await this.#worker.terminate();
  }

  async #answer<T extends WorkerAnswer["type"]>(type: T): Promise<Answer<T>> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    this.#worker.ref();
    const answer = await new Promise<WorkerAnswer>((resolve, reject) => {
      const timer = setTimeout(() => this.#stop(this.#tooSlow()), this.#timeoutMs);
      this.#waiting = { resolve, reject, timer };
    });
    if (answer.type === "fault") throw toUnreadable(answer, this.#file);
    if (answer.type !== type) throw new Error(`the reading thread must answer ${type}`);
    return answer as Answer<T>;
  }

  #settle(): Waiting | undefined {
    const waiting = this.#waiting;
    if (waiting === undefined) return undefined;
    this.#waiting = undefined;
    clearTimeout(waiting.timer);
    this.#worker.unref();
    return waiting;
  }

  #tooSlow(): AppError {
    const seconds = Math.round(this.#timeoutMs / 1000);
    const message = `workbook must be readable within ${seconds} s, got a larger one`;
    return unreadable(message, { hint: SAVE_AS_CSV, where: { file: this.#file } });
  }

  #stop(failure: unknown): void {
    this.#failure = failure;
    this.#settle()?.reject(failure);
    void this.#worker.terminate();
  }

  #fail(error: unknown): void {
    const isMemory = (error as { code?: string }).code === "ERR_WORKER_OUT_OF_MEMORY";
    const message = isMemory
      ? "workbook must fit into memory, got a larger one"
      : "workbook must be readable, but reading it failed";
    const where = { file: this.#file };
    this.#failure ??= unreadable(message, { hint: SAVE_AS_CSV, where, cause: error });
    this.#settle()?.reject(this.#failure);
  }
}

export function toUnreadable(fault: Pick<ZipFault, "message" | "hint">, file: string): AppError {
  const { message, hint } = fault;
  return unreadable(`${message}: ${path.basename(file)}`, { hint, where: { file } });
}

/** A sheet opened here or in a thread. */
export function makeTable(
  file: string,
  { warnings, ...facts }: SheetFacts,
  rows: Pick<RawTable, "batches" | "close">,
): RawTable {
  return {
    format: "xlsx",
    encoding: "-",
    delimiter: "",
    ...facts,
    warnings: warnings.map(({ message, hint, line }) => ({ message, hint, where: { file, line } })),
    ...rows,
  };
}

async function* batchesOf(worker: SheetWorker): AsyncGenerator<readonly RawRow[]> {
  for (let next: number | undefined = 0; next !== undefined;) {
    const answer: Answer<"rows"> = await worker.ask(next);
    yield answer.rows;
    ({ next } = answer);
  }
}

/** Opens a ZIP file as workbook. */
export async function openXlsx(
  source: JobSource,
  limits: XlsxLimits = xlsxLimits,
  signal?: AbortSignal,
): Promise<RawTable> {
  const { file } = source;
  const { size } = await stat(file);
  signal?.throwIfAborted();
  if (size > limits.maxFileBytes) {
    const most = Math.floor(limits.maxFileBytes / 1_048_576);
    const message = `workbook must have at most ${most} MB, got ${Math.ceil(size / 1_048_576)} MB`;
    throw unreadable(message, { hint: SAVE_AS_CSV, where: { file } });
  }
  const worker = new SheetWorker(source, limits, signal);
  try {
    const facts = await worker.opened();
    return makeTable(file, facts, {
      batches: () => batchesOf(worker),
      close: async () => worker.close(),
    });
  } catch (error) {
    await worker.close();
    throw error;
  }
}
