/** Draws PNGs in a thread of its own: one engine, one request after the other (`png-pool.ts`). */
import { parentPort, workerData } from "node:worker_threads";

import {
  AppError,
  type ErrorCode,
  type Problem,
  toMessage,
  type Where,
} from "../../base/errors.ts";
import type { Design } from "../draw/design.ts";
import { type EnginePngOptions, openQrEngine } from "../engine.ts";

export interface PngWorkerInput {
  readonly fonts: readonly Uint8Array[];
}

export interface PngRequest {
  readonly id: number;
  readonly text: string;
  /** Its logo is null; `logo` names it. */
  readonly design: Design;
  readonly logo: number | null;
  /** The logo's bytes, when the thread hasn't seen it since `forget`. */
  readonly logoBytes: Uint8Array | null;
  /** Logos of earlier requests won't come again. */
  readonly forget: boolean;
  readonly options: EnginePngOptions;
}

/** An `AppError` as data. Anything else travels as a `bug`. */
export interface PngFault {
  readonly code: ErrorCode;
  readonly message: string;
  readonly hint: string | undefined;
  readonly where: Where | undefined;
  readonly problems: readonly Problem[];
}

export type PngAnswer =
  | { readonly id: number; readonly png: Uint8Array<ArrayBuffer> }
  | { readonly id: number; readonly fault: PngFault };

function toFault(error: unknown): PngFault {
  if (!(error instanceof AppError)) {
    return {
      code: "bug",
      message: toMessage(error),
      hint: undefined,
      where: undefined,
      problems: [],
    };
  }
  const { code, message, hint, where, problems } = error;
  return { code, message, hint, where, problems };
}

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
    // A copy of its own: what is transferred must not be a slice of a pool.
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
