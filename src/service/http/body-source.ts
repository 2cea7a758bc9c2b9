/** The bytes of a body, one piece whenever one is asked for: what isn't asked for stays with the sender. */
import type { Readable } from "node:stream";

export interface BodySource {
  /** Undefined at the end. Fails when the sender is gone. */
  next(): Promise<Uint8Array | undefined>;
  /** Nothing more is asked for. */
  leave(): void;
}

/**
 * Of a request as Node hands it over. Its own streams for the web take up to 16,384 pieces before
 * anybody asks for one (`Readable.toWeb`): a gigabyte of one sender.
 */
export function readIncoming(incoming: Readable): BodySource {
  let leave: (() => void) | undefined;
  const next = (): Promise<Uint8Array | undefined> =>
    new Promise((resolve, reject) => {
      const onData = (piece: Uint8Array): void => {
        leave?.();
        resolve(piece);
      };
      const onEnd = (): void => {
        leave?.();
        resolve(undefined);
      };
      const onGone = (error?: Error): void => {
        leave?.();
        reject(error ?? new Error("the sender is gone"));
      };
      leave = () => {
        incoming.pause();
        incoming.off("data", onData).off("end", onEnd).off("error", onGone).off("close", onGone);
      };
      incoming.on("data", onData).on("end", onEnd).on("error", onGone).on("close", onGone);
      if (incoming.readableEnded) onEnd();
      else if (incoming.destroyed) onGone();
      else incoming.resume();
    });
  return { next, leave: () => leave?.() };
}
