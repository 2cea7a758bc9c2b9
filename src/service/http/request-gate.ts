/**
 * Every request passes here: it gets an id and a line in the log, its traffic is limited both ways,
 * and `close` waits for it.
 */
import { randomUUID } from "node:crypto";

import type { Clock } from "../../base/time/clock.ts";
import type { Log } from "../../base/log.ts";
import type { Watch } from "../watch/watch.ts";

import { Bodies } from "./bodies.ts";
import type { Connection } from "./listen.ts";
import { Transfers } from "./transfers.ts";

/** The form of ids that are taken over from proxies and clients; any other id is replaced. */
const KNOWN_ID = /^[\w.:-]{1,100}$/u;

const toRequestId = (request: Request): string => {
  const given = request.headers.get("x-request-id");
  return given !== null && KNOWN_ID.test(given) ? given : randomUUID();
};

/** Sets the id header. The body stays as it is. */
function withId(response: Response, requestId: string): Response {
  response.headers.set("x-request-id", requestId);
  return response;
}

export interface Passage {
  /** The sender that it counts for. */
  readonly key: string;
  readonly connection: Connection;
}

/** Answers a request whose body is limited. */
type Work = (request: Request, requestId: string) => Promise<Response>;

interface GateParts {
  readonly log: Log;
  readonly clock: Clock;
  readonly watch: Pick<Watch, "answered">;
}

export class RequestGate {
  readonly #watch: Pick<Watch, "answered">;
  readonly #clock: Clock;
  readonly #bodies: Bodies;
  readonly #transfers: Transfers;
  readonly #inFlight = new Set<Promise<unknown>>();
  #closed = false;

  constructor({ log, clock, watch }: GateParts) {
    this.#watch = watch;
    this.#clock = clock;
    this.#bodies = new Bodies(clock);
    this.#transfers = new Transfers({ clock, log });
  }

  /** Answers through `work`; after `close`, with 503. */
  pass(request: Request, passage: Passage, work: Work): Promise<Response> {
    const requestId = toRequestId(request);
    if (this.#closed) return Promise.resolve(withId(refuseClosed(), requestId));
    const answer = this.#answer(request, requestId, () =>
      this.#work(request, passage, (guarded) => work(guarded, requestId)),
    );
    this.#inFlight.add(answer);
    const forget = (): void => void this.#inFlight.delete(answer);
    answer.then(forget, forget);
    return answer;
  }

  /** Takes nothing more and waits for what is under way; answers that aren't read end. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#bodies.close();
    await Promise.allSettled(this.#inFlight);
    this.#transfers.close();
  }

  async #work(
    request: Request,
    { key, connection }: Passage,
    work: (request: Request) => Promise<Response>,
  ): Promise<Response> {
    const { body, cut } = connection;
    const guarded = body === undefined ? undefined : this.#bodies.guard(request, key, body);
    try {
      const response = await work(guarded?.request ?? request);
      const reader = { key, method: request.method, cut };
      return await this.#transfers.send(response, reader);
    } finally {
      guarded?.end();
    }
  }

  async #answer(
    request: Request,
    requestId: string,
    work: () => Promise<Response>,
  ): Promise<Response> {
    const startedMs = this.#clock.nowMs();
    const response = withId(await work(), requestId);
    const { pathname: path } = new URL(request.url);
    const { method } = request;
    const ms = this.#clock.nowMs() - startedMs;
    this.#watch.answered({ requestId, method, path, status: response.status, ms });
    return response;
  }
}

function refuseClosed(): Response {
  return new Response(JSON.stringify({ detail: "The service is stopping." }), {
    status: 503,
    headers: { "content-type": "application/json", connection: "close", "retry-after": "5" },
  });
}
