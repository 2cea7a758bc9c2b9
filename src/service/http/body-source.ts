/**
 * The bytes of a body, one piece per request: until it is asked for, a piece stays with the sender.
 */
import type { Readable } from "node:stream";

export interface BodySource {
  /** Undefined at the end. Fails when the sender is gone. */
  next(): Promise<Uint8Array | undefined>;
  /** Ends the reading: nothing more is asked for. */
  leave(): void;
}

/**
 * The body of a Node request. Node's own web streams (`Readable.toWeb`) take up to 16,384 pieces
 * before the first is read: a gigabyte from one sender. Many small chunks are joined into one
 * piece, once Node has read all that the socket had: a piece costs far more than its bytes.
 */
export function readIncoming(incoming: Readable): BodySource {
  let leave: (() => void) | undefined;
  const next = (): Promise<Uint8Array | undefined> =>
    new Promise((resolve, reject) => {
      let turn: NodeJS.Immediate | undefined;
      const take = (): void => {
        turn = undefined;
        const piece = incoming.read() as Uint8Array | null;
        if (piece === null) return;
        leave?.();
        resolve(piece);
      };
      const onReadable = (): void => {
        turn ??= setImmediate(take);
      };
      const onEnd = (): void => {
        leave?.();
        resolve(undefined);
      };
      const onGone = (error?: Error): void => {
        leave?.();
        reject(error ?? incoming.errored ?? new Error("the sender is gone"));
      };
      leave = () => {
        clearImmediate(turn);
        incoming.off("readable", onReadable).off("end", onEnd);
        incoming.off("error", onGone).off("close", onGone);
      };
      if (incoming.readableEnded) onEnd();
      else if (incoming.destroyed) onGone();
      else {
        incoming.on("readable", onReadable).on("end", onEnd);
        incoming.on("error", onGone).on("close", onGone);
        onReadable();
      }
    });
  return { next, leave: () => leave?.() };
}
