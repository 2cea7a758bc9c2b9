import { randomUUID } from "node:crypto";
import { availableParallelism, hostname } from "node:os";

import { badUsage } from "../../base/errors.ts";
import { EXIT_INTERRUPTED } from "../../base/exit-codes.ts";
import { formatMany } from "../../base/text/words.ts";
import { ProofPool } from "../../verify/proof/proof-pool.ts";
import { Queue, sayProgram } from "../../work/queue.ts";
import { work as workOnChunks } from "../../work/work.ts";
import type { Call } from "../call.ts";
import { toProgram } from "../far-proof.ts";
import { readSetting, readWhole } from "../settings.ts";

const MOST_THREADS = 1024;

/** Takes chunks until it is stopped. */
export async function work(call: Call): Promise<number> {
  const { context } = call;
  const on = readSetting(call, "on");
  const range = { least: 1, most: MOST_THREADS };
  const threads = readWhole(call.given("threads"), range) ?? availableParallelism();
  const hint = "--on postgres://USER@HOST/DATABASE, or MAKEREADY_ON";
  if (on === undefined) throw badUsage("--on must name a database, got none", hint);
  const program = toProgram(context);
  const queue = await Queue.open(on.text, program);
  const near = new ProofPool({ threads, pagesPerThread: 0 });
  const say = (message: string): void => call.note("work", { message }, message);
  const worker = { id: randomUUID(), host: hostname(), pid: process.pid, threads };
  try {
    say(
      `at work for ${sayProgram(program)} on ${queue.database.name} with ${formatMany(threads, "thread")}; Ctrl-C ends it`,
    );
    const done = await workOnChunks({ queue, near, worker, say, signal: context.signal });
    say(`${formatMany(done.answered, "chunk")} done, ${done.failed} failed`);
    return EXIT_INTERRUPTED;
  } finally {
    await near.close();
    await queue.close().catch(() => undefined);
  }
}
