import { setTimeout as pause } from "node:timers/promises";

import { toMessage } from "../base/errors.ts";
import { type Chunk, type Result, Unseen } from "./chunk.ts";
import { computeChunk, type Near } from "./compute-chunk.ts";
import { isAway } from "./database.ts";
import type { Queue } from "./queue.ts";
import { ReadOnly } from "./volume-chunk.ts";

const AGAIN_MS = 1000;

export interface TryOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onAway?: (error: unknown) => void;
  /** Called with the reason when a chunk failed. */
  readonly onTrouble?: (message: string) => void;
}

/** Tries again for as long as the database is away, until it is to stop. */
export async function whenBack<Value>(
  work: () => Promise<Value>,
  { onAway, signal }: Pick<TryOptions, "onAway" | "signal"> = {},
): Promise<Value> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isAway(error) || signal?.aborted === true) throw error;
      onAway?.(error);
      await pause(AGAIN_MS, undefined, { signal }).catch(() => undefined);
    }
  }
}

/** Works on a fetched chunk, and gives the queue its result. */
export async function tryChunk(
  queue: Queue,
  chunk: Chunk,
  near: Near,
  options: TryOptions = {},
): Promise<"answered" | "failed" | "unseen" | "read-only"> {
  let result: Result;
  try {
    result = await computeChunk(chunk, near);
  } catch (error) {
    options.onTrouble?.(toMessage(error));
    if (error instanceof Unseen || error instanceof ReadOnly) {
      await whenBack(() => queue.giveBack(chunk), options);
      return error instanceof Unseen ? "unseen" : "read-only";
    }
    await whenBack(() => queue.fail(chunk, toMessage(error)), options);
    return "failed";
  }
  await whenBack(() => queue.answer(chunk, result), options);
  return "answered";
}
