/** A worker: takes chunks from the queue and proves them. It sends nothing and holds no lock. */
import { setTimeout as pause } from "node:timers/promises";

import type { Prover } from "../verify/prover.ts";
import { type Chunk, describeChunk } from "./chunk.ts";
import { toDatabaseError, whyAway } from "./database.ts";
import type { Queue, WorkerRow } from "./queue.ts";
import { tryChunk, whenBack } from "./try-chunk.ts";

const IDLE_MS = 300;
const BEAT_MS = 2000;
/** How long a worker waits that can't see the files of a job. */
const BLIND_MS = 10_000;

export interface WorkOptions {
  readonly queue: Queue;
  readonly prover: Prover;
  readonly worker: Pick<WorkerRow, "id" | "host" | "pid" | "threads">;
  readonly say: (message: string) => void;
  /** Aborted: what is under way is ended, nothing new begun. */
  readonly signal: AbortSignal;
}

/** What a worker has done. */
export interface WorkDone {
  readonly answered: number;
  readonly failed: number;
}

/** Works until it is told to stop. */
export async function work({ queue, prover, worker, say, signal }: WorkOptions): Promise<WorkDone> {
  const now = new Set<string>();
  const done = { answered: 0, failed: 0 };
  let trouble: string | null = null;
  let told = "";
  const tell = (message: string): void => {
    if (message !== told) say(message);
    told = message;
  };
  const onAway = (error: unknown): void =>
    tell(`database ${queue.database.name} is away (${whyAway(error)}): waits until it is back`);
  const back = { onAway, signal };
  const rest = (ms: number): Promise<void> =>
    pause(ms, undefined, { signal }).catch(() => undefined);
  const beat = async (): Promise<void> => {
    await queue.beat({ ...worker, trouble }, [...now]);
    await queue.reap();
  };
  const turn = async (chunk: Chunk): Promise<void> => {
    // A worker that was taken for dead may have answered it.
    if (await whenBack(() => queue.hasAnswer(chunk.id), back)) {
      await whenBack(() => queue.end(chunk), back);
      return;
    }
    let why: string | null = null;
    const onTrouble = (message: string): void => {
      why = message;
      tell(`${describeChunk(chunk.job)}: ${message}`);
    };
    const came = await tryChunk(queue, chunk, prover, { ...back, onTrouble });
    if (came !== "unseen") done[came] += 1;
    const isBlind = came === "unseen";
    if (isBlind !== (trouble !== null)) {
      trouble = isBlind ? why : null;
      await whenBack(beat, back);
    }
    if (isBlind) await rest(BLIND_MS);
  };
  const lane = async (): Promise<void> => {
    while (!signal.aborted) {
      const chunk = await whenBack(() => queue.fetch(), back);
      if (chunk === undefined) {
        await rest(IDLE_MS);
        continue;
      }
      now.add(chunk.id);
      try {
        await whenBack(beat, back);
        await turn(chunk);
      } finally {
        now.delete(chunk.id);
      }
    }
  };
  await whenBack(beat, back);
  const ended = new AbortController();
  const pulse = (async () => {
    while (!ended.signal.aborted) {
      await pause(BEAT_MS, undefined, { signal: ended.signal }).catch(() => undefined);
      if (!ended.signal.aborted) await beat().catch(onAway);
    }
  })();
  try {
    await Promise.all(Array.from({ length: worker.threads }, lane));
  } catch (error) {
    if (!signal.aborted) throw toDatabaseError(error, queue.database.name);
  } finally {
    ended.abort();
    await pulse;
    await queue.leave(worker.id).catch(() => undefined);
  }
  return done;
}
