/** Draws PNGs in a thread of its own: one engine, one request after the other (`png-pool.ts`). */
import { parentPort, workerData } from "node:worker_threads";

import { toFault } from "../../base/fault.ts";
import { openQrEngine } from "../engine.ts";
import type { PngAnswer, PngRequest, PngWorkerInput } from "./png-messages.ts";

const port = parentPort;
if (port !== null) {
  const { fonts } = workerData as PngWorkerInput;
  const logos = new Map<number, Uint8Array>();
  const engine = openQrEngine({ fonts });

  const draw = async (request: PngRequest): Promise<Uint8Array<ArrayBuffer>> => {
    const { text, design, logo, logoBytes, forget, options } = request;
    if (forget) logos.clear();
    if (logo !== null && logoBytes !== null) logos.set(logo, logoBytes);
    const bytes = logo === null ? null : (logos.get(logo) ?? null);
    // A copy: bytes to transfer must not be a slice of a pooled buffer.
    return new Uint8Array(await (await engine).png(text, { ...design, logo: bytes }, options));
  };

  port.on("message", (request: PngRequest) => {
    const { id } = request;
    draw(request).then(
      (png) => port.postMessage({ id, png } satisfies PngAnswer, [png.buffer]),
      (error: unknown) => port.postMessage({ id, fault: toFault(error) } satisfies PngAnswer),
    );
  });
}
