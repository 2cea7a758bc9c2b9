import { randomUUID } from "node:crypto";
import { availableParallelism, hostname } from "node:os";

import { AppError } from "../../base/errors.ts";
import { formatMany } from "../../base/words.ts";
import { ProofPool } from "../../verify/proof-pool.ts";
import { work as workOnChunks } from "../../work/work.ts";
import { Queue, sayProgram } from "../../work/queue.ts";
import { type CliContext, type Input, readFlag, readText } from "../context.ts";
import { EXIT_INTERRUPTED } from "../exit-codes.ts";
import { toProgram } from "../far-proof.ts";
import { readSetting } from "../settings.ts";
import { toPeople } from "../terminal.ts";

const MOST_THREADS = 1024;

function readThreads(input: Input): number {
  const text = readText(input, "threads");
  if (text === undefined) return availableParallelism();
  const threads = Number(text);
  if (Number.isInteger(threads) && threads >= 1 && threads <= MOST_THREADS) return threads;
  throw new AppError(
    "bad-usage",
    `--threads must be a whole number from 1 to ${MOST_THREADS}, got ${text}`,
  );
}

/** Takes chunks until it is told to stop. */
export async function work(context: CliContext, input: Input): Promise<number> {
  const on = readSetting(context, input, "on");
  const threads = readThreads(input);
  if (on === undefined) {
    throw new AppError("bad-usage", "--on must name a database, got none", {
      hint: "--on postgres://USER@HOST/DATABASE, or MAKEREADY_ON",
    });
  }
  const program = toProgram(context);
  const queue = await Queue.open(on.text, program);
  const near = new ProofPool({ threads, pagesPerThread: 0 });
  const isJson = readFlag(input, "json");
  const say = (message: string): void => {
    if (isJson) context.out(`${JSON.stringify({ type: "work", message })}\n`);
    else toPeople(context).err(`${message}\n`);
  };
  const worker = { id: randomUUID(), host: hostname(), pid: process.pid, threads };
  try {
    say(
      `at work for ${sayProgram(program)} on ${queue.database.name} with ${formatMany(threads, "thread")}; Ctrl-C ends it`,
    );
    const { signal } = context;
    const done = await workOnChunks({ queue, near, worker, say, signal });
    say(`${formatMany(done.answered, "chunk")} done, ${done.failed} failed`);
    return EXIT_INTERRUPTED;
  } finally {
    await near.close();
    await queue.close().catch(() => undefined);
  }
}
