import type { Painter } from "../print/draw/volume-task.ts";
import type { Prover } from "../verify/proof/prover.ts";
import { type Chunk, proveChunk, type Result } from "./chunk.ts";
import { drawChunk } from "./volume-chunk.ts";

/** Works on chunks on this computer. */
export type Near = Prover & Painter;

/**
 * Proves or draws a chunk with the files that this computer sees. Throws `Unseen`, `FileChanged`,
 * `ReadOnly`, or another error.
 */
export const computeChunk = (chunk: Chunk, near: Near): Promise<Result> =>
  chunk.job.kind === "volume" ? drawChunk(chunk, near) : proveChunk(chunk, near);
