import type { ApiRequest } from "../../src/client/send.ts";
import type { Transport, WireAnswer, WireRequest } from "../../src/client/wire.ts";
import { TransportFailure } from "../../src/client/wire.ts";

export const TOKEN = "secret-token-1";

export function makeRequest(more: Partial<ApiRequest> = {}): ApiRequest {
  return {
    method: "GET",
    url: "http://api.test/api/v2/qrcode/c1/",
    headers: { authorization: `Token ${TOKEN}` },
    timeoutMs: 60_000,
    class: "read",
    label: "GET /qrcode/c1/",
    expect: "json",
    ...more,
  };
}

export interface FakeAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** A string is sent as it is, anything else as JSON. */
  readonly body?: unknown;
  readonly sentAtMs?: number;
  readonly receivedAtMs?: number;
}

export function makeAnswer(answer: FakeAnswer = {}): WireAnswer {
  const { body = {}, receivedAtMs = 0 } = answer;
  const bytes =
    body instanceof Uint8Array
      ? body
      : new TextEncoder().encode(typeof body === "string" ? body : JSON.stringify(body));
  return {
    status: answer.status ?? 200,
    headers: new Headers(answer.headers),
    body: bytes,
    sentAtMs: answer.sentAtMs ?? receivedAtMs,
    receivedAtMs,
  };
}

export type Step = FakeAnswer | TransportFailure | ((request: WireRequest) => FakeAnswer);

export interface ScriptedTransport extends Transport {
  readonly requests: WireRequest[];
  isClosed: boolean;
}

/** Answers by a script, step by step; the last step answers all that come later. */
export function scriptedTransport(...steps: readonly Step[]): ScriptedTransport {
  const requests: WireRequest[] = [];
  return {
    requests,
    isClosed: false,
    async close() {
      this.isClosed = true;
    },
    async send(request) {
      requests.push(request);
      const step = steps[Math.min(requests.length, steps.length) - 1];
      if (step instanceof TransportFailure) throw step;
      return makeAnswer(typeof step === "function" ? step(request) : step);
    },
  };
}
