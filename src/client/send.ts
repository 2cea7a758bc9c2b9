import type { RequestClass } from "../api/limits.ts";
import type { WireAnswer, WireRequest } from "./wire.ts";

/** A request on its way through the decorators. */
export interface ApiRequest extends WireRequest {
  /** The budget that it counts against. */
  readonly class: RequestClass;
  /** For people: method and path, without query and secrets. */
  readonly label: string;
  /** What it is for, such as `the server must make the code`: said of it when it is refused. */
  readonly wants?: string | undefined;
  /** Goes before all that wait at the gate: a 429 is no reason to lose one's place. */
  readonly front?: boolean | undefined;
  /** Runs when the pace has let the request through, right before it leaves. Throwing stops it. */
  readonly beforeSend?: (() => Promise<void> | void) | undefined;
  /** Ends the waiting. A request that has left is always let finish: its answer is worth having. */
  readonly waitSignal?: AbortSignal | undefined;
  /** What a good answer's body is; anything else in a 2xx is unusable. */
  readonly expect: "json" | "nothing" | "bytes";
}

/**
 * The one shape of everything between a client method and the network. Rejects with a
 * `TransportFailure`, with the reason of `waitSignal` when that ended the waiting, or with what
 * `beforeSend` threw.
 */
export type Send = (request: ApiRequest) => Promise<WireAnswer>;

export interface Waiting {
  readonly reason: "rate-limit" | "server";
  /** Wall clock; when it goes on, or is tried again. */
  readonly untilMs: number;
  readonly message: string;
}
