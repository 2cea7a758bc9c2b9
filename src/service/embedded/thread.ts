/** The service of a job in a thread of its own: opened, used over HTTP, closed. */
import { once } from "node:events";
import { Worker } from "node:worker_threads";

import { builtUrl } from "../../base/files/package-files.ts";
import { fromFault, type Fault } from "../../base/fault.ts";
import { makeParking, parkAtExit } from "../../base/flow/park-thread.ts";
import type { Embedded, EmbeddedOptions } from "./here.ts";

export interface ThreadInput {
  readonly options: EmbeddedOptions;
  /** See `park-thread.ts`. */
  readonly parking: SharedArrayBuffer;
}

/** What a thread reports: where it serves, then that it has closed, or a fault. */
export type ThreadSays =
  | { readonly type: "open"; readonly server: Omit<Embedded, "close"> }
  | { readonly type: "closed" }
  | { readonly type: "fault"; readonly fault: Fault };

/** Far more than the service needs. Below 2 GB, V8 lets garbage grow to twice what lives, not to four times. */
const OLD_MB = 2000;

/** Resolves when the service listens; rejects with the reason when it can't. */
export async function openInThread(options: EmbeddedOptions): Promise<Embedded> {
  const input: ThreadInput = { options, parking: makeParking() };
  const worker = new Worker(builtUrl("service/embedded/embedded-worker.js"), {
    workerData: input,
    resourceLimits: { maxOldGenerationSizeMb: OLD_MB },
  });
  parkAtExit(worker, input.parking);
  const exit = new Promise<void>((resolve) => worker.once("exit", () => resolve()));
  // Rejects when the thread fails meanwhile.
  const hear = async (): Promise<ThreadSays> =>
    ((await once(worker, "message")) as [ThreadSays])[0];
  let isServing = false;
  worker.on("error", (error) => {
    // A bug in the thread ends this process, as it would without a thread.
    if (isServing) throw error;
  });
  const first = await hear();
  if (first.type !== "open") {
    await exit;
    throw first.type === "fault" ? fromFault(first.fault) : new Error("the service did not open");
  }
  isServing = true;
  return {
    ...first.server,
    async close() {
      isServing = false;
      const last = hear();
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- threads have no origin
      worker.postMessage("close");
      const said = await last;
      await exit;
      if (said.type === "fault") throw fromFault(said.fault);
    },
  };
}
