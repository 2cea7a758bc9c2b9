/**
 * Requests and answers as they go between two threads of this process, over a port of threads: what HTTP would
 * carry, without its bytes. Each port belongs to one client.
 */

/** To the service. */
export interface PortRequest {
  /** Of this port: the answer names it. */
  readonly id: number;
  readonly method: string;
  /** Absolute. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
}

/** To the client. Without an answer the service broke: it may have acted on the request all the same. */
export interface PortAnswer {
  readonly id: number;
  readonly answer?:
    | {
        readonly status: number;
        readonly headers: readonly (readonly [name: string, value: string])[];
        readonly body: string | Uint8Array;
      }
    | undefined;
}
