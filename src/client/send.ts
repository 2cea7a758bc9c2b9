import type { RequestClass } from "../api/limits.ts";
import type { WireAnswer, WireRequest } from "./wire.ts";

/** A request on its way through the decorators. */
export interface ApiRequest extends WireRequest {
  /** The budget that it counts against. */
  readonly class: RequestClass;
  /** For people: method and path, without query and secrets. */
  readonly label: string;
  /** Its purpose, such as `the server must make the code`: used in the message when it is refused. */
  readonly wants?: string | undefined;
  /** Goes before all waiting requests: after a 429, a request keeps its place. */
  readonly front?: boolean | undefined;
  /**
   * Called when the pace allows the request, right before it is sent. If it throws, nothing is sent.
   */
  readonly beforeSend?: (() => Promise<void> | void) | undefined;
  /** Ends the wait. A request that was sent is always finished, since its answer is useful. */
  readonly waitSignal?: AbortSignal | undefined;
  /** The body of a good answer; any other body in a 2xx is unusable. */
  readonly expect: "json" | "nothing" | "bytes";
}

/**
 * The function type of every layer between a client method and the network. Rejects with a
 * `TransportFailure`, with the reason of `waitSignal` if that ended the wait, or with an error of
 * `beforeSend`.
 */
export type Send = (request: ApiRequest) => Promise<WireAnswer>;

export interface Waiting {
  readonly reason: "rate-limit" | "server";
  /** Wall clock time at which requests continue or are tried again. */
  readonly untilMs: number;
  readonly message: string;
}
