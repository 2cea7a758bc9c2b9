/** Speaks to a service in another thread of this process: the requests of HTTP, without the network. */
import { validateHeaderName, validateHeaderValue } from "node:http";
import type { MessagePort } from "node:worker_threads";

import type { PortAnswer, PortRequest } from "../api/port-messages.ts";
import { systemClock, type Clock } from "../base/clock.ts";
import { Deadlines } from "./deadlines.ts";
import {
  TransportFailure,
  type FailureReason,
  type Transport,
  type WireAnswer,
  type WireRequest,
} from "./wire.ts";

export interface PortTransportOptions {
  readonly port: MessagePort;
  /** Of the service: requests to other origins take the network. */
  readonly origin: string;
  readonly network: Transport;
  readonly clock?: Clock | undefined;
}

/**
 * Once a message is posted its request counts as written: without an answer it is in doubt, as after a
 * lost socket. Closing it closes the port.
 */
export function portTransport(options: PortTransportOptions): Transport {
  const { port, origin, network } = options;
  const exchanges = new Exchanges(port, options.clock ?? systemClock);
  return {
    send: (request) =>
      request.url.startsWith(`${origin}/`) ? exchanges.send(request) : network.send(request),
    async close() {
      exchanges.close();
      await network.close();
    },
  };
}

class Exchanges {
  readonly #port: MessagePort;
  readonly #clock: Clock;
  readonly #deadlines: Deadlines;
  readonly #underWay = new Map<number, Exchange>();
  #count = 0;
  #isClosed = false;

  constructor(port: MessagePort, clock: Clock) {
    this.#port = port;
    this.#clock = clock;
    this.#deadlines = new Deadlines(clock);
    port.on("message", ({ id, answer }: PortAnswer) => this.#underWay.get(id)?.take(answer));
    port.on("close", () => this.close());
  }

  send(request: WireRequest): Promise<WireAnswer> {
    return new Promise((resolve, reject) => {
      this.#count += 1;
      const id = this.#count;
      const forget = (): void => {
        this.#underWay.delete(id);
        this.#deadlines.forget(exchange);
        request.signal?.removeEventListener("abort", onAbort);
      };
      const exchange = new Exchange({ request, clock: this.#clock, forget, resolve, reject });
      const onAbort = (): void => exchange.fail("aborted");
      if (this.#isClosed) return exchange.fail("refused");
      if (!exchange.begin()) return;
      this.#underWay.set(id, exchange);
      this.#deadlines.set(exchange, request.timeoutMs);
      request.signal?.addEventListener("abort", onAbort);
      const { method, url, headers, body } = request;
      const message: PortRequest = { id, method, url, headers, body };
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- threads have no origin
      this.#port.postMessage(message);
    });
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    for (const exchange of this.#underWay.values()) exchange.fail("reset");
    this.#port.close();
  }
}

interface ExchangeParts {
  readonly request: WireRequest;
  readonly clock: Clock;
  /** Called when it is settled. */
  readonly forget: () => void;
  readonly resolve: (answer: WireAnswer) => void;
  readonly reject: (failure: TransportFailure) => void;
}

/** One request and its answer. Settles once. */
class Exchange {
  readonly #parts: ExchangeParts;
  #sentAtMs: number | undefined;
  #isSettled = false;

  constructor(parts: ExchangeParts) {
    this.#parts = parts;
  }

  /** False, and settled, when it can't be sent. */
  begin(): boolean {
    const { request, clock } = this.#parts;
    try {
      for (const [name, value] of Object.entries(request.headers)) {
        validateHeaderName(name);
        validateHeaderValue(name, value);
      }
    } catch (error) {
      this.fail("invalid", error);
      return false;
    }
    if (request.signal?.aborted === true) this.fail("aborted");
    else this.#sentAtMs = clock.monotonicMs();
    return !this.#isSettled;
  }

  late(): void {
    this.fail("timeout");
  }

  take(answer: PortAnswer["answer"]): void {
    if (answer === undefined) return this.fail("reset");
    if (this.#isSettled) return;
    const { request, clock, forget, resolve } = this.#parts;
    const { status, headers, body } = answer;
    const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
    if (bytes.length > (request.maxBytes ?? Infinity)) return this.fail("too-long");
    this.#isSettled = true;
    forget();
    const receivedAtMs = clock.monotonicMs();
    resolve({
      status,
      headers: new Headers(headers as [string, string][]),
      body: bytes,
      sentAtMs: this.#sentAtMs ?? receivedAtMs,
      receivedAtMs,
    });
  }

  fail(reason: FailureReason, cause?: unknown): void {
    if (this.#isSettled) return;
    this.#isSettled = true;
    const { forget, reject } = this.#parts;
    forget();
    reject(new TransportFailure(reason, this.#sentAtMs !== undefined, cause));
  }
}
