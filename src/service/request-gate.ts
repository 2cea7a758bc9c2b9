/** Every request passes here: it gets its id and its line in the log, and `close` waits for it. */
import { randomUUID } from "node:crypto";

import type { Clock } from "../base/clock.ts";
import type { Log } from "../base/log.ts";

/** An id that a proxy or a client gave; others are not worth a line in a log. */
const KNOWN_ID = /^[\w.:-]{1,100}$/u;

const toRequestId = (request: Request): string => {
  const given = request.headers.get("x-request-id");
  return given !== null && KNOWN_ID.test(given) ? given : randomUUID();
};

/** Answers stay in memory or go out as they are: both know their headers only. */
function withId(response: Response, requestId: string): Response {
  response.headers.set("x-request-id", requestId);
  return response;
}

export class RequestGate {
  readonly #log: Log;
  readonly #clock: Clock;
  readonly #inFlight = new Set<Promise<unknown>>();
  #closed = false;

  constructor(log: Log, clock: Clock) {
    this.#log = log;
    this.#clock = clock;
  }

  /** Answers through `work`; once closed, with 503. */
  pass(request: Request, work: (requestId: string) => Promise<Response>): Promise<Response> {
    const requestId = toRequestId(request);
    if (this.#closed) return Promise.resolve(withId(refuseClosed(), requestId));
    const answer = this.#answer(request, requestId, work);
    this.#inFlight.add(answer);
    const forget = (): void => void this.#inFlight.delete(answer);
    answer.then(forget, forget);
    return answer;
  }

  /** Takes nothing more and waits for what is under way. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.allSettled(this.#inFlight);
  }

  async #answer(
    request: Request,
    requestId: string,
    work: (requestId: string) => Promise<Response>,
  ): Promise<Response> {
    const startedMs = this.#clock.nowMs();
    const response = withId(await work(requestId), requestId);
    const { pathname: path } = new URL(request.url);
    // Neither query nor headers: searches are private, tokens secret.
    const line = {
      requestId,
      method: request.method,
      path,
      status: response.status,
      ms: this.#clock.nowMs() - startedMs,
    };
    // Visits are many: they are counted, not logged, unless somebody looks for something.
    this.#log[path.startsWith("/api/") ? "info" : "debug"](line, "request");
    return response;
  }
}

function refuseClosed(): Response {
  return new Response(JSON.stringify({ detail: "The service is stopping." }), {
    status: 503,
    headers: { "content-type": "application/json", connection: "close", "retry-after": "5" },
  });
}
