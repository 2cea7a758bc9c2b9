/** Thread body of `prove-file.ts`: proves the pages it is handed, answers once, ends. */
import { parentPort, workerData } from "node:worker_threads";

import { type ProofTask, provePages } from "./prove-pages.ts";

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- threads have no origin
parentPort?.postMessage(await provePages(workerData as ProofTask));
