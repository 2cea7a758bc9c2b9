import { describe, expect, it } from "vitest";

import { fakeClock } from "../help/fake-clock.ts";
import { Breaker, guard, watch } from "../../src/client/breaker.ts";
import { TransportFailure, type WireAnswer } from "../../src/client/wire.ts";
import type { Send, Waiting } from "../../src/client/send.ts";
import { makeAnswer, makeRequest, TOKEN } from "./wire-fakes.ts";

const down = new TransportFailure("refused", false);

function makeScene() {
  const clock = fakeClock();
  const waitings: Waiting[] = [];
  const breaker = new Breaker({ clock, onWaiting: (waiting) => waitings.push(waiting) });
  const sentAtMs: number[] = [];
  const server: { answer: () => WireAnswer | Promise<WireAnswer> } = { answer: () => makeAnswer() };
  const send: Send = async () => {
    sentAtMs.push(clock.monotonicMs());
    return server.answer();
  };
  const guarded = guard(send, breaker, clock);
  const fail = async (times: number): Promise<void> => {
    server.answer = () => Promise.reject(down);
    for (let n = 0; n < times; n += 1) await guarded(makeRequest()).catch(() => {});
  };
  return { clock, waitings, breaker, sentAtMs, server, send, guarded, fail };
}

describe("Breaker", () => {
  it("stays out of the way while things go well, or badly now and then", async () => {
    const { breaker, fail, server, guarded, waitings } = makeScene();
    for (let round = 0; round < 3; round += 1) {
      await fail(4);
      server.answer = () => makeAnswer();
      await guarded(makeRequest());
    }
    expect(breaker.isOpen).toBe(false);
    expect(waitings).toEqual([]);
  });

  it("pauses everything after five failures in a row, and says so", async () => {
    const scene = makeScene();
    await scene.fail(5);
    expect(scene.breaker.isOpen).toBe(true);
    expect(scene.waitings).toEqual([
      {
        reason: "server",
        untilMs: Date.UTC(2026, 0, 1) + 1_000,
        message:
          "the server doesn't answer as it should (5 times in a row: nothing listens there, the connection was refused), trying again in 1 s",
      },
    ]);
    void scene.guarded(makeRequest());
    await scene.clock.advance(999);
    expect(scene.sentAtMs).toHaveLength(5);
  });

  it("sends one request ahead; when it comes back well, all go", async () => {
    const scene = makeScene();
    await scene.fail(5);
    const probe = deferred<WireAnswer>();
    scene.server.answer = () => probe.promise;
    const all = [1, 2, 3].map(async () => scene.guarded(makeRequest()));
    await scene.clock.advance(5_000);
    expect(scene.sentAtMs).toHaveLength(6);
    scene.server.answer = () => makeAnswer();
    probe.resolve(makeAnswer());
    await scene.clock.advance(0);
    await Promise.all(all);
    expect(scene.sentAtMs).toHaveLength(8);
    expect(scene.breaker.isOpen).toBe(false);
  });

  it("doubles its pauses up to a minute while the probes fail", async () => {
    const scene = makeScene();
    // It has answered before, so that there is patience for ten minutes.
    await scene.guarded(makeRequest());
    await scene.fail(5);
    const start = scene.clock.monotonicMs();
    const trying = (async () => {
      for (let n = 0; n < 8; n += 1) await scene.guarded(makeRequest()).catch(() => {});
    })();
    await scene.clock.advance(9 * 60_000);
    await trying;
    const probes = scene.sentAtMs.slice(6).map((ms) => (ms - start) / 1000);
    expect(probes).toEqual([1, 3, 7, 15, 31, 63, 123, 183]);
  });

  it("takes 502, 503 and 504 for an outage, a 500 for an answer", async () => {
    const scene = makeScene();
    scene.server.answer = () => makeAnswer({ status: 500 });
    for (let n = 0; n < 9; n += 1) await scene.guarded(makeRequest());
    expect(scene.breaker.isOpen).toBe(false);
    for (const status of [502, 503, 504, 502, 503]) {
      scene.server.answer = () => makeAnswer({ status });
      await scene.guarded(makeRequest());
    }
    expect(scene.breaker.isOpen).toBe(true);
  });

  it("says why in the server's own words, without the token", async () => {
    const scene = makeScene();
    const body = { detail: `The service can't store anything right now. ${TOKEN}` };
    scene.server.answer = () => makeAnswer({ status: 503, body });
    for (let n = 0; n < 5; n += 1) await scene.guarded(makeRequest());
    expect(scene.waitings[0]?.message).toContain(
      "(5 times in a row: status 503, The service can't store anything right now. [secret])",
    );
  });

  it("pauses for Retry-After when that is longer", async () => {
    const scene = makeScene();
    scene.server.answer = () => makeAnswer({ status: 503, headers: { "retry-after": "17" } });
    for (let n = 0; n < 5; n += 1) await scene.guarded(makeRequest());
    expect(scene.waitings[0]?.message).toContain("trying again in 17 s");
  });

  it("gives a server that never answered half a minute, one that did ten", async () => {
    const never = makeScene();
    await never.fail(5);
    await never.clock.advance(30_000);
    await expect(never.guarded(makeRequest())).rejects.toMatchObject({
      code: "server-unavailable",
      message:
        "the server must answer, got 5 failures in a row over 30 s: nothing listens there, the connection was refused",
    });
    const once = makeScene();
    await once.guarded(makeRequest());
    await once.fail(5);
    await once.clock.advance(599_000);
    await expect(once.guarded(makeRequest())).rejects.toBe(down);
    await once.clock.advance(60_000);
    await expect(once.guarded(makeRequest())).rejects.toMatchObject({ code: "server-unavailable" });
  });

  it("does not let latecomers of the outage lengthen the pause", async () => {
    const scene = makeScene();
    await scene.guarded(makeRequest());
    const late = Array.from({ length: 8 }, () => scene.breaker.pass());
    await scene.fail(5);
    for (const pass of await Promise.all(late)) scene.breaker.report(pass, "bad");
    scene.server.answer = () => makeAnswer();
    const sending = scene.guarded(makeRequest());
    await scene.clock.advance(1_000);
    await sending;
    expect(scene.sentAtMs.at(-1)).toBe(1_000);
  });

  it("hands the probe on when the one that had it never left", async () => {
    const scene = makeScene();
    await scene.fail(5);
    await scene.clock.advance(1_000);
    scene.server.answer = () => Promise.reject(new Error("interrupted"));
    await expect(scene.guarded(makeRequest())).rejects.toThrow("interrupted");
    scene.server.answer = () => makeAnswer();
    await expect(scene.guarded(makeRequest())).resolves.toMatchObject({ status: 200 });
  });

  it("ends a pause for the one whose signal is aborted", async () => {
    const scene = makeScene();
    await scene.fail(5);
    const stop = new AbortController();
    const sending = scene.guarded(makeRequest({ waitSignal: stop.signal }));
    const reason = new Error("interrupted");
    stop.abort(reason);
    await expect(sending).rejects.toBe(reason);
    expect(scene.clock.waiting).toBe(0);
  });
});

describe("watch", () => {
  it("holds nothing back, but its failures count and its success ends the pause", async () => {
    const scene = makeScene();
    const watched = watch(scene.send, scene.breaker, scene.clock);
    scene.server.answer = () => Promise.reject(down);
    for (let n = 0; n < 7; n += 1) await watched(makeRequest()).catch(() => {});
    expect(scene.sentAtMs).toHaveLength(7);
    expect(scene.breaker.isOpen).toBe(true);
    scene.server.answer = () => makeAnswer();
    await watched(makeRequest());
    expect(scene.breaker.isOpen).toBe(false);
  });
});

function deferred<T>(): { promise: Promise<T>; resolve: (value: T) => void } {
  const hands: ((value: T) => void)[] = [];
  const promise = new Promise<T>((resolve) => hands.push(resolve));
  return { promise, resolve: (value) => hands.forEach((hand) => hand(value)) };
}
