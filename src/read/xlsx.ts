/** Workbooks -> raw rows, through the worker that reads them. */
import { stat } from "node:fs/promises";
import path from "node:path";
import { Worker } from "node:worker_threads";

import type { AppError, Problem } from "../base/errors.ts";
import type { JobSource } from "../job/job.ts";

import type { RawRow, RawTable } from "./raw.ts";
import { unreadable } from "./unreadable.ts";
import type { PackageLimits } from "./xlsx-package.ts";
import type { WorkerAnswer, WorkerInput } from "./xlsx-worker.ts";

export interface XlsxLimits extends PackageLimits {
  readonly maxFileBytes: number;
  readonly maxMemoryMb: number;
  /** For one answer of the worker. */
  readonly timeoutMs: number;
}

export const xlsxLimits: XlsxLimits = {
  maxFileBytes: 200 * 1024 * 1024,
  maxPartBytes: 400 * 1024 * 1024,
  maxCells: 8_000_000,
  maxMemoryMb: 3072,
  timeoutMs: 180_000,
};

const SAVE_AS_CSV = "save the sheet as CSV: CSV has no such limit";

/** Threads run JavaScript: from the sources the built worker is taken. */
function workerUrl(): URL {
  const isSource = import.meta.url.endsWith(".ts");
  return new URL(isSource ? "../../dist/read/xlsx-worker.js" : "./xlsx-worker.js", import.meta.url);
}

interface Waiting {
  readonly resolve: (answer: WorkerAnswer) => void;
  readonly reject: (error: unknown) => void;
  readonly timer: NodeJS.Timeout;
}

/** One question, one answer, in turn; the thread keeps the process alive only while asked. */
class SheetWorker {
  readonly #worker: Worker;
  readonly #file: string;
  readonly #timeoutMs: number;
  readonly #signal: AbortSignal | undefined;
  #turn: Promise<unknown> = Promise.resolve();
  #waiting: Waiting | undefined;
  /** An AppError, or why all is to stop. */
  #failure: unknown;

  constructor(source: JobSource, limits: XlsxLimits, signal: AbortSignal | undefined) {
    this.#file = source.file;
    this.#signal = signal;
    this.#timeoutMs = limits.timeoutMs;
    const { maxPartBytes, maxCells } = limits;
    const input: WorkerInput = {
      file: source.file,
      sheet: source.sheet,
      merged: source.merged,
      skipHiddenRows: source.skipHiddenRows,
      limits: { maxPartBytes, maxCells },
    };
    this.#worker = new Worker(workerUrl(), {
      workerData: input,
      resourceLimits: { maxOldGenerationSizeMb: limits.maxMemoryMb },
      stderr: false,
    });
    this.#worker.on("message", (answer: WorkerAnswer) => this.#settle()?.resolve(answer));
    this.#worker.on("error", (error) => this.#fail(error));
    this.#worker.on("exit", () => this.#fail(new Error("the reading thread has ended")));
    signal?.addEventListener("abort", this.#abort);
  }

  readonly #abort = (): void => this.#stop(this.#signal?.reason);

  /** The first answer; comes without a question. */
  async opened(): Promise<WorkerAnswer> {
    return this.#answer();
  }

  /** Rows from a position on. Questions of several readers are asked in turn. */
  async ask(from: number): Promise<WorkerAnswer> {
    const answer = this.#turn.then(async () => {
      const answer = this.#answer();
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

  async #answer(): Promise<WorkerAnswer> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    this.#worker.ref();
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.#stop(this.#tooSlow()), this.#timeoutMs);
      this.#waiting = { resolve, reject, timer };
    });
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

class XlsxTable implements RawTable {
  readonly format = "xlsx";
  readonly encoding = "-";
  readonly delimiter = "";
  readonly sha256: string;
  readonly sheet: string;
  readonly otherSheets: readonly string[];
  readonly warnings: readonly Problem[];
  readonly #worker: SheetWorker;
  readonly #file: string;

  constructor(
    file: string,
    worker: SheetWorker,
    opened: Extract<WorkerAnswer, { type: "opened" }>,
  ) {
    this.#file = file;
    this.#worker = worker;
    this.sha256 = opened.sha256;
    this.sheet = opened.sheet;
    this.otherSheets = opened.otherSheets;
    this.warnings = opened.warnings.map(({ message, hint, line }) => ({
      message,
      hint,
      where: { file, line },
    }));
  }

  async *batches(): AsyncGenerator<readonly RawRow[]> {
    let next: number | undefined = 0;
    while (next !== undefined) {
      const answer: WorkerAnswer = await this.#worker.ask(next);
      if (answer.type !== "rows") throw toError(answer, this.#file);
      yield answer.rows;
      ({ next } = answer);
    }
  }

  async close(): Promise<void> {
    await this.#worker.close();
  }
}

function toError(answer: WorkerAnswer, file: string): AppError {
  const where = { file };
  if (answer.type !== "fault") return unreadable("workbook must be readable", { where });
  const { message, hint } = answer;
  return unreadable(`${message}: ${path.basename(file)}`, { hint, where });
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
    const answer = await worker.opened();
    if (answer.type !== "opened") throw toError(answer, file);
    return new XlsxTable(file, worker, answer);
  } catch (error) {
    await worker.close();
    throw error;
  }
}
