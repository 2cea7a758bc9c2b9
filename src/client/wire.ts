/**
 * The port between the client and the network: one request out, one complete answer in.
 */

export interface WireRequest {
  readonly method: string;
  /** Absolute. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  /** From passing the request to the socket until the last byte of the answer. */
  readonly timeoutMs: number;
  /** A longer answer is a failure. Default: no limit. */
  readonly maxBytes?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface WireAnswer {
  readonly status: number;
  /** Names in any case; repeated ones are joined by a comma. */
  readonly headers: Headers;
  /** Complete: as long as `content-length` says, or up to the last chunk. */
  readonly body: Uint8Array;
  /** Both on `Clock.monotonicMs`. */
  readonly sentAtMs: number;
  readonly receivedAtMs: number;
}

/**
 * One HTTP exchange. A call sends the request at most once: nothing is repeated, no redirect is
 * followed. Any status is an answer. Without a complete answer it rejects with a
 * `TransportFailure`, which says whether the request may have reached the server.
 */
export interface Transport {
  send(request: WireRequest): Promise<WireAnswer>;
  /** Frees the sockets. Requests under way may fail. */
  close(): Promise<void>;
}

export type FailureReason =
  | "refused"
  | "dns"
  | "tls"
  | "connect-timeout"
  | "timeout"
  | "reset"
  | "truncated"
  | "too-long"
  | "garbled"
  | "aborted"
  | "invalid";

/** reason -> words for people. */
export const failureWords: Readonly<Record<FailureReason, string>> = {
  refused: "nothing listens there, the connection was refused",
  dns: "the host name is unknown",
  tls: "no secure connection could be made",
  "connect-timeout": "no connection could be made in time",
  timeout: "no complete answer came in time",
  reset: "the connection broke",
  truncated: "the answer was cut off",
  "too-long": "the answer is longer than allowed",
  garbled: "the answer is not HTTP",
  aborted: "the request was given up",
  invalid: "the request can't be sent as it is",
};

/**
 * No complete answer. `written: false` proves that not one byte of the request was sent, so it may
 * be sent again, whatever it does. `written: true` means that the server may have acted on it.
 */
export class TransportFailure extends Error {
  override readonly name = "TransportFailure";
  readonly reason: FailureReason;
  readonly written: boolean;

  constructor(reason: FailureReason, written: boolean, cause?: unknown) {
    super(failureWords[reason], cause === undefined ? undefined : { cause });
    this.reason = reason;
    this.written = written;
  }
}
