import { systemClock, type Clock } from "../base/time/clock.ts";
import { TransportFailure, type Transport, type WireAnswer, type WireRequest } from "./wire.ts";

/** A service in the same process, such as `app.fetch`. */
export type FetchLike = (request: Request) => Response | Promise<Response>;

/**
 * Requests to a service in the same process. Once the function was called, the request counts as
 * written: if it throws or takes too long, the request is in doubt, as after a lost connection.
 */
export function fetchTransport(fetch: FetchLike, options: { clock?: Clock } = {}): Transport {
  const clock = options.clock ?? systemClock;
  return {
    send: (request) => exchange(fetch, request, clock),
    close: async () => {},
  };
}

async function exchange(fetch: FetchLike, request: WireRequest, clock: Clock): Promise<WireAnswer> {
  if (request.signal?.aborted === true) throw new TransportFailure("aborted", false);
  const outgoing = toRequest(request);
  const sentAtMs = clock.monotonicMs();
  const over = new AbortController();
  request.signal?.addEventListener("abort", () => over.abort(), { signal: over.signal });
  const deadline = clock.sleep(request.timeoutMs, over.signal).then((): never => {
    throw new TransportFailure(request.signal?.aborted === true ? "aborted" : "timeout", true);
  });
  // If the answer comes first, this rejects without an effect.
  deadline.catch(() => {});
  try {
    return await Promise.race([
      readAnswer(fetch, outgoing, request, { clock, sentAtMs }),
      deadline,
    ]);
  } finally {
    over.abort();
  }
}

function toRequest(request: WireRequest): Request {
  try {
    const { method, headers, body } = request;
    return new Request(request.url, { method, headers, ...(body === undefined ? {} : { body }) });
  } catch (error) {
    throw new TransportFailure("invalid", false, error);
  }
}

async function readAnswer(
  fetch: FetchLike,
  outgoing: Request,
  request: WireRequest,
  times: { clock: Clock; sentAtMs: number },
): Promise<WireAnswer> {
  const response = await attempt("reset", () => fetch(outgoing));
  const body = await attempt("truncated", () => readBody(response, request.maxBytes));
  if (body === undefined) throw new TransportFailure("too-long", true);
  const promised = response.headers.get("content-length");
  if (promised !== null && Number(promised) !== body.byteLength) {
    throw new TransportFailure("truncated", true);
  }
  return {
    status: response.status,
    headers: response.headers,
    body,
    sentAtMs: times.sentAtMs,
    receivedAtMs: times.clock.monotonicMs(),
  };
}

/** The whole body, unpacked by fetch if it was packed; undefined when it is too long. */
async function readBody({ body }: Response, maxBytes = Infinity): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) return undefined;
    chunks.push(chunk);
  }
  return new Uint8Array(Buffer.concat(chunks));
}

async function attempt<T>(reason: "reset" | "truncated", work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new TransportFailure(reason, true, error);
  }
}
