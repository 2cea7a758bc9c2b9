import { once } from "node:events";
import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";

import { type CellClaim, type PagesProof, type ProofTask, provePages } from "./prove-pages.ts";

/** A thread costs about as much as it takes to prove this many pages: half a second. */
const PAGES_PER_WORKER = 24;
/** Sources run untranslated in tests; Node's threads want JavaScript. */
const isBuilt = import.meta.url.endsWith(".js");

/** Splits claims into `parts` runs of whole pages. */
export function splitByPage(claims: readonly CellClaim[], parts: number): CellClaim[][] {
  const pages = [...new Set(claims.map((claim) => claim.page))].toSorted((a, b) => a - b);
  const share = Math.max(1, Math.ceil(pages.length / parts));
  const part = new Map(pages.map((page, i) => [page, Math.floor(i / share)]));
  const split = Array.from({ length: Math.ceil(pages.length / share) }, (): CellClaim[] => []);
  for (const claim of claims) split[part.get(claim.page) ?? 0]?.push(claim);
  return split;
}

async function inWorker(task: ProofTask): Promise<PagesProof> {
  const worker = new Worker(new URL("proof-worker.js", import.meta.url), { workerData: task });
  try {
    const [proof] = (await once(worker, "message")) as [PagesProof];
    return proof;
  } finally {
    await worker.terminate();
  }
}

/** Proves a whole file, on several threads where that is quicker. The result is the same on any number. */
export async function proveFile(
  task: ProofTask,
  workers: number = availableParallelism(),
  pagesPerWorker = PAGES_PER_WORKER,
): Promise<PagesProof> {
  const pages = new Set(task.claims.map((claim) => claim.page)).size;
  const threads = isBuilt ? Math.min(workers, Math.floor(pages / pagesPerWorker)) : 1;
  if (threads < 2) return provePages(task);
  const parts = await Promise.all(
    splitByPage(task.claims, threads).map(async (claims) => inWorker({ ...task, claims })),
  );
  return {
    decoded: parts.reduce((sum, part) => sum + part.decoded, 0),
    faults: parts.flatMap((part) => part.faults),
    renders: parts.reduce((sum, part) => sum + part.renders, 0),
  };
}
