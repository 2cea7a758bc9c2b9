import { describe, expect, it } from "vitest";

import { fakeClock, type FakeClock } from "../help/fake-clock.ts";
import { retry, type RetryOptions } from "../../src/client/retry.ts";
import { TransportFailure, type FailureReason, type WireAnswer } from "../../src/client/wire.ts";
import type { ApiRequest } from "../../src/client/send.ts";
import { makeAnswer, makeRequest, type FakeAnswer } from "./wire-fakes.ts";

interface Scene {
  readonly clock: FakeClock;
  readonly requests: ApiRequest[];
  readonly sentAtMs: number[];
  send(more?: Partial<ApiRequest>): Promise<WireAnswer>;
}

type Step = FakeAnswer | TransportFailure;

/** The last step repeats. `random: 1` makes every wait as long as it may be. */
function makeScene(steps: readonly Step[], options: Partial<RetryOptions> = {}): Scene {
  const clock = fakeClock();
  const requests: ApiRequest[] = [];
  const sentAtMs: number[] = [];
  const send = retry(
    async (request) => {
      requests.push(request);
      sentAtMs.push(clock.monotonicMs());
      const step = steps[Math.min(requests.length, steps.length) - 1];
      if (step instanceof TransportFailure) throw step;
      return makeAnswer(step);
    },
    { clock, breaker: { isOpen: false }, random: () => 1, ...options },
  );
  return { clock, requests, sentAtMs, send: (more) => send(makeRequest(more)) };
}

/** Lets an hour pass and answers what came of it. */
async function outcome(scene: Scene, sending: Promise<WireAnswer>): Promise<unknown> {
  const settled = sending.catch((error: unknown) => error);
  await scene.clock.advance(3_600_000);
  return settled;
}

const failure = (reason: FailureReason, written = true): TransportFailure =>
  new TransportFailure(reason, written);

describe("retry", () => {
  it.each([408, 425, 500, 502, 503, 504, 520, 599])(
    "repeats a %i until it passes",
    async (status) => {
      const scene = makeScene([{ status }, { status }, { body: { ok: true } }]);
      expect(await outcome(scene, scene.send())).toMatchObject({ status: 200 });
      expect(scene.sentAtMs).toEqual([0, 500, 1_500]);
    },
  );

  it.each([200, 204, 302, 400, 401, 403, 404, 409, 415, 422, 501, 505])(
    "hands a %i to the caller at once",
    async (status) => {
      const scene = makeScene([{ status }]);
      expect(await outcome(scene, scene.send())).toMatchObject({ status });
      expect(scene.requests).toHaveLength(1);
    },
  );

  it.each([
    "refused",
    "dns",
    "connect-timeout",
    "timeout",
    "reset",
    "truncated",
    "garbled",
  ] as const)("repeats after %s, written or not", async (reason) => {
    const scene = makeScene([failure(reason, true), failure(reason, false), {}]);
    expect(await outcome(scene, scene.send())).toMatchObject({ status: 200 });
    expect(scene.requests).toHaveLength(3);
  });

  it.each(["tls", "invalid", "too-long"] as const)(
    "does not repeat after %s: it would happen again",
    async (reason) => {
      const scene = makeScene([failure(reason)]);
      expect(await outcome(scene, scene.send())).toMatchObject({ reason });
      expect(scene.requests).toHaveLength(1);
    },
  );

  it.each([
    ["an HTML page", "<html></html>"],
    ["half a body", '{"id": "c'],
    ["nothing", ""],
    ["a bare string", '"fine"'],
    ["bytes that are no text", new Uint8Array([0xff, 0xfe])],
  ])("repeats a 200 with %s", async (_, body) => {
    const scene = makeScene([{ body }, { body: { id: "c1" } }]);
    expect(await outcome(scene, scene.send())).toMatchObject({ status: 200 });
    expect(scene.requests).toHaveLength(2);
  });

  it("reads no JSON where none is expected", async () => {
    const scene = makeScene([{ status: 204, body: "" }]);
    await scene.send({ expect: "nothing" });
    expect(scene.requests).toHaveLength(1);
  });

  it("gives up after six attempts and hands over the last answer", async () => {
    const scene = makeScene([{ status: 503 }]);
    expect(await outcome(scene, scene.send())).toMatchObject({ status: 503 });
    expect(scene.sentAtMs).toEqual([0, 500, 1_500, 3_500, 7_500, 15_500]);
  });

  it("gives up after six attempts and throws the last failure", async () => {
    const scene = makeScene([failure("reset")]);
    expect(await outcome(scene, scene.send())).toMatchObject({ reason: "reset" });
    expect(scene.requests).toHaveLength(6);
  });

  it("spreads its waits over the whole range", async () => {
    const draws = [0, 0.5, 0.25];
    const scene = makeScene([{ status: 503 }, { status: 503 }, { status: 503 }, {}], {
      random: () => draws.shift() ?? 0,
    });
    await outcome(scene, scene.send());
    expect(scene.sentAtMs).toEqual([0, 0, 500, 1_000]);
  });

  it("never comes back before Retry-After, in seconds or as a date", async () => {
    const date = "Thu, 01 Jan 2026 00:00:00 GMT";
    const scene = makeScene(
      [
        { status: 503, headers: { "retry-after": "20" } },
        { status: 503, headers: { date, "retry-after": "Thu, 01 Jan 2026 00:00:30 GMT" } },
        {},
      ],
      { random: () => 0 },
    );
    await outcome(scene, scene.send());
    expect(scene.sentAtMs).toEqual([0, 20_000, 50_000]);
  });

  it("does not begin an attempt later than its time budget", async () => {
    const scene = makeScene([{ status: 503, headers: { "retry-after": "120" } }]);
    expect(await outcome(scene, scene.send())).toMatchObject({ status: 503 });
    expect(scene.sentAtMs).toEqual([0, 120_000, 240_000]);
  });

  it("counts no 429 as an attempt, and sends again to the front", async () => {
    const scene = makeScene([
      ...Array.from({ length: 15 }, () => ({ status: 429 })),
      { status: 503 },
      {},
    ]);
    expect(await outcome(scene, scene.send())).toMatchObject({ status: 200 });
    expect(scene.requests.map((request) => request.front ?? false).slice(0, 3)).toEqual([
      false,
      true,
      true,
    ]);
    // The pace does the waiting for a 429; only the 503 costs time here.
    expect(scene.sentAtMs.at(-1)).toBe(500);
  });

  it("counts 429s in a row only", async () => {
    const closed = Array.from({ length: 15 }, () => ({ status: 429 }));
    const scene = makeScene([...closed, { status: 503 }, ...closed, {}]);
    expect(await outcome(scene, scene.send())).toMatchObject({ status: 200 });
  });

  it("gives up when the limit never opens", async () => {
    const scene = makeScene([{ status: 429 }]);
    expect(await outcome(scene, scene.send())).toMatchObject({ status: 429 });
    expect(scene.requests).toHaveLength(20);
  });

  it("burns no attempts while the breaker is open", async () => {
    const breaker = { isOpen: true };
    const steps = [...Array.from({ length: 30 }, () => failure("refused", false)), {}];
    const scene = makeScene(steps, { breaker });
    expect(await outcome(scene, scene.send())).toMatchObject({ status: 200 });
    expect(scene.requests).toHaveLength(31);
  });

  it("ends its wait when it is stopped", async () => {
    const scene = makeScene([{ status: 503 }]);
    const stop = new AbortController();
    const sending = scene.send({ waitSignal: stop.signal });
    await scene.clock.advance(100);
    const reason = new Error("interrupted");
    stop.abort(reason);
    await expect(sending).rejects.toBe(reason);
    expect(scene.clock.waiting).toBe(0);
  });

  it("does not repeat what is no failure of the network", async () => {
    const clock = fakeClock();
    let calls = 0;
    const send = retry(
      async () => {
        calls += 1;
        throw new Error("a bug");
      },
      { clock, breaker: { isOpen: false }, random: () => 1 },
    );
    await expect(send(makeRequest())).rejects.toThrow("a bug");
    expect(calls).toBe(1);
  });
});
