import { setTimeout as pause } from "node:timers/promises";

import { toMessage } from "../base/errors.ts";
import type { Prover } from "../verify/prover.ts";
import { type Chunk, proveChunk, type Result, Unseen } from "./chunk.ts";
import { isAway } from "./database.ts";
import type { Queue } from "./queue.ts";

const AGAIN_MS = 1000;

export interface TryOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onAway?: (error: unknown) => void;
  /** Told why a chunk came to nothing. */
  readonly onTrouble?: (message: string) => void;
}

/** Does it again for as long as the database is away; once it is told to stop, not again. */
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

/** Proves a chunk that was fetched, and tells the queue what came of it. */
export async function tryChunk(
  queue: Queue,
  chunk: Chunk,
  prover: Prover,
  options: TryOptions = {},
): Promise<"answered" | "failed" | "unseen"> {
  let result: Result;
  try {
    result = await proveChunk(chunk, prover);
  } catch (error) {
    options.onTrouble?.(toMessage(error));
    if (error instanceof Unseen) {
      await whenBack(() => queue.giveBack(chunk), options);
      return "unseen";
    }
    await whenBack(() => queue.fail(chunk, toMessage(error)), options);
    return "failed";
  }
  await whenBack(() => queue.answer(chunk, result), options);
  return "answered";
}
