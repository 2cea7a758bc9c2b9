import { createRequire } from "node:module";

import type { Agent, Dispatcher } from "undici";

import { systemClock, type Clock } from "../base/time/clock.ts";
import {
  TransportFailure,
  type FailureReason,
  type Transport,
  type WireAnswer,
  type WireRequest,
} from "./wire.ts";

export interface TransportOptions {
  readonly clock?: Clock | undefined;
  /** Name look-up, TCP and TLS together. Default 10 s. */
  readonly connectTimeoutMs?: number | undefined;
  /** How long an idle connection is kept, unless the server says less. Default 4 s. */
  readonly keepAliveMs?: number | undefined;
}

/** Loaded for the first server: most commands ask none, and it is a tenth of a program's start. */
const loadUndici = (): { readonly Agent: typeof Agent } =>
  createRequire(import.meta.url)("undici") as { readonly Agent: typeof Agent };

const CONNECT_TIMEOUT_MS = 10_000;
const KEEP_ALIVE_MS = 4_000;

/**
 * The network, through undici's lowest interface: its `onRequestStart` runs right before the first
 * byte is written, which proves that nothing was written before. One request per connection at a
 * time, no pipelining, no retry agent, HTTP/1.1 only (docs/spec/engine.md section 1.3).
 */
export function openTransport(options: TransportOptions = {}): Transport {
  const clock = options.clock ?? systemClock;
  const connectTimeoutMs = options.connectTimeoutMs ?? CONNECT_TIMEOUT_MS;
  const agent = new (loadUndici().Agent)({
    pipelining: 1,
    connections: null,
    allowH2: false,
    keepAliveTimeout: options.keepAliveMs ?? KEEP_ALIVE_MS,
    // Deadlines of an exchange use the injected clock; undici's own only clean up later.
    connect: { timeout: connectTimeoutMs * 2, autoSelectFamily: true },
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  const deadlines = new Deadlines(clock);
  return {
    send: (request) =>
      new Promise<WireAnswer>((resolve, reject) => {
        const exchange = new Exchange({
          request,
          clock,
          deadlines,
          connectTimeoutMs,
          resolve,
          reject,
        });
        exchange.start(agent);
      }),
    close: () => agent.destroy(),
  };
}

interface Late {
  late(): void;
}

/** Deadlines of many exchanges with one timer, since hardly any is ever late. */
class Deadlines {
  readonly #clock: Clock;
  /** Monotonic, ms. */
  readonly #ends = new Map<Late, number>();
  #alarm: { readonly atMs: number; readonly off: AbortController } | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Calls `late` after this time, unless it is set again or forgotten before. */
  set(who: Late, ms: number): void {
    const atMs = this.#clock.monotonicMs() + ms;
    this.#ends.set(who, atMs);
    if (this.#alarm === undefined || atMs < this.#alarm.atMs) void this.#wait(atMs);
  }

  forget(who: Late): void {
    this.#ends.delete(who);
    if (this.#ends.size > 0) return;
    this.#alarm?.off.abort("nobody waits");
    this.#alarm = undefined;
  }

  async #wait(atMs: number): Promise<void> {
    this.#alarm?.off.abort("set anew");
    const alarm = { atMs, off: new AbortController() };
    this.#alarm = alarm;
    const sleepMs = Math.max(0, Math.ceil(atMs - this.#clock.monotonicMs()));
    await this.#clock.sleep(sleepMs, alarm.off.signal);
    if (this.#alarm !== alarm) return;
    this.#alarm = undefined;
    // Timers may ring a fraction of a millisecond early.
    const nowMs = Math.max(this.#clock.monotonicMs(), atMs);
    for (const [who, endMs] of this.#ends) if (endMs <= nowMs) who.late();
    if (this.#ends.size > 0 && this.#alarm === undefined)
      void this.#wait(Math.min(...this.#ends.values()));
  }
}

interface ExchangeParts {
  readonly request: WireRequest;
  readonly clock: Clock;
  readonly deadlines: Deadlines;
  readonly connectTimeoutMs: number;
  readonly resolve: (answer: WireAnswer) => void;
  readonly reject: (failure: TransportFailure) => void;
}

/** One request and its answer, as an undici handler. Settles once. */
class Exchange implements Dispatcher.DispatchHandler {
  readonly #parts: ExchangeParts;
  readonly #onAbort = (): void => this.#fail("aborted");
  #isSettled = false;
  readonly #chunks: Uint8Array[] = [];
  #controller: Dispatcher.DispatchController | undefined;
  #sentAtMs: number | undefined;
  #status = 0;
  #headers = new Headers();
  #bytes = 0;

  constructor(parts: ExchangeParts) {
    this.#parts = parts;
  }

  start(agent: Agent): void {
    const { request, deadlines, connectTimeoutMs } = this.#parts;
    if (request.signal?.aborted === true) return this.#fail("aborted");
    request.signal?.addEventListener("abort", this.#onAbort);
    deadlines.set(this, connectTimeoutMs);
    try {
      const url = new URL(request.url);
      agent.dispatch(
        {
          origin: url.origin,
          path: `${url.pathname}${url.search}`,
          method: request.method,
          headers: { ...request.headers },
          body: request.body ?? null,
        },
        this,
      );
    } catch (error) {
      this.#fail("invalid", error);
    }
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    const isSecond = this.#sentAtMs !== undefined;
    // Given up meanwhile, or about to be written a second time: nothing may be sent.
    if (this.#isSettled || isSecond) {
      controller.abort(new Error("must not be sent"));
      return;
    }
    this.#controller = controller;
    this.#sentAtMs = this.#parts.clock.monotonicMs();
    this.#parts.deadlines.set(this, this.#parts.request.timeoutMs);
  }

  late(): void {
    this.#fail(this.#sentAtMs === undefined ? "connect-timeout" : "timeout");
  }

  onResponseStart(
    _: Dispatcher.DispatchController,
    status: number,
    headers: Readonly<Record<string, string | string[] | undefined>>,
  ): void {
    // Interim answers, such as 103, come before the real one.
    if (status < 200) return;
    this.#status = status;
    this.#headers = toHeaders(headers);
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Uint8Array): void {
    this.#bytes += chunk.byteLength;
    if (this.#bytes > (this.#parts.request.maxBytes ?? Infinity)) return this.#fail("too-long");
    this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    const { clock, resolve } = this.#parts;
    if (this.#isSettled) return;
    this.#settle();
    const receivedAtMs = clock.monotonicMs();
    resolve({
      status: this.#status,
      headers: this.#headers,
      body: join(this.#chunks, this.#bytes),
      sentAtMs: this.#sentAtMs ?? receivedAtMs,
      receivedAtMs,
    });
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.#fail(this.#status === 0 ? toReason(error) : "truncated", error);
  }

  /** Ends all of its waits. */
  #settle(): void {
    this.#isSettled = true;
    this.#parts.deadlines.forget(this);
    this.#parts.request.signal?.removeEventListener("abort", this.#onAbort);
  }

  #fail(reason: FailureReason, cause?: unknown): void {
    if (this.#isSettled) return;
    this.#settle();
    const failure = new TransportFailure(reason, this.#sentAtMs !== undefined, cause);
    this.#parts.reject(failure);
    this.#controller?.abort(failure);
  }
}

/** A copy: chunks from the network are parts of much larger buffers. */
function join(chunks: readonly Uint8Array[], bytes: number): Uint8Array {
  const all = new Uint8Array(bytes);
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.length;
  }
  return all;
}

function toHeaders(raw: Readonly<Record<string, string | string[] | undefined>>): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(raw)) {
    for (const one of Array.isArray(value) ? value : [value ?? ""]) {
      // A header that fetch's rules refuse must not make the answer unusable.
      try {
        headers.append(name, one);
      } catch {
        continue;
      }
    }
  }
  return headers;
}

/** Pattern of code -> reason; the first that fits. */
const reasons: readonly (readonly [RegExp, FailureReason])[] = [
  [/^ECONNREFUSED$|^EHOSTUNREACH$|^ENETUNREACH$|^EADDRNOTAVAIL$/u, "refused"],
  [/^ENOTFOUND$|^EAI_/u, "dns"],
  [/CONNECT_TIMEOUT$|^ETIMEDOUT$/u, "connect-timeout"],
  [/^ERR_TLS|^ERR_SSL|CERT|^EPROTO$|SELF_SIGNED|UNABLE_TO_/u, "tls"],
  [/_TIMEOUT$/u, "timeout"],
  [/CONTENT_LENGTH_MISMATCH$/u, "truncated"],
  [/^HPE_|^HTTPParserError$|HEADERS_OVERFLOW$/u, "garbled"],
  [/INVALID_ARG$/u, "invalid"],
];

function toReason(error: unknown): FailureReason {
  const code = toCode(error);
  return reasons.find(([pattern]) => pattern.test(code))?.[1] ?? "reset";
}

/**
 * The code of an error, of the first of several (one per tried address), or of its cause; else a
 * name.
 */
function toCode(error: unknown): string {
  if (!(error instanceof Error)) return "";
  if ("code" in error && typeof error.code === "string") return error.code;
  if (error instanceof AggregateError) return toCode(error.errors[0]);
  return error.cause === undefined ? error.name : toCode(error.cause);
}
