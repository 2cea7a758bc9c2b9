/**
 * A thread of `proof-pool.ts`: proves the pages and pictures that it is handed, and draws volumes, one task
 * after the other.
 */
import { parentPort } from "node:worker_threads";

import { toMessage } from "../../base/errors.ts";
import { readPictures } from "../pixels/artwork.ts";
import type { ProofAnswer, ProofRequest } from "./proof-messages.ts";
import { provePages } from "./prove-pages.ts";

const port = parentPort;

const prove = async (request: ProofRequest) => {
  if ("volume" in request) {
    // Few jobs draw here, and the modules that draw take longer to load than all that prove.
    const { drawTask } = await import("../../print/draw/volume-task.ts");
    return drawTask(request.volume);
  }
  return "pages" in request ? provePages(request.pages) : readPictures(request.pictures);
};

port?.on("message", (request: ProofRequest) => {
  const { id } = request;
  prove(request).then(
    (proof) => port.postMessage({ id, proof } satisfies ProofAnswer),
    (error: unknown) => port.postMessage({ id, error: toMessage(error) } satisfies ProofAnswer),
  );
});
