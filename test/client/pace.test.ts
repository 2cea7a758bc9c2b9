import { describe, expect, it } from "vitest";

import type { Clock } from "../../src/base/time/clock.ts";
import { fakeClock, type FakeClock } from "../help/fake-clock.ts";
import { Budget } from "../../src/client/budget.ts";
import { pace, type Pace } from "../../src/client/pace.ts";
import { TransportFailure, type WireAnswer } from "../../src/client/wire.ts";
import type { ApiRequest, Waiting } from "../../src/client/send.ts";
import { makeAnswer, makeRequest } from "./wire-fakes.ts";

interface Scene {
  readonly clock: FakeClock;
  readonly pace: Pace;
  readonly sent: string[];
  readonly waitings: Waiting[];
  readonly sleepsMs: number[];
  /** What the server says next; default: 200 with nothing left for 30 s. */
  readonly next: (() => WireAnswer | Promise<WireAnswer>)[];
}

function makeScene(limit = 1): Scene {
  const clock = fakeClock();
  const sent: string[] = [];
  const waitings: Waiting[] = [];
  const next: Scene["next"] = [];
  const sleepsMs: number[] = [];
  const spied: Clock = {
    ...clock,
    sleep: (ms, signal) => {
      sleepsMs.push(ms);
      return clock.sleep(ms, signal);
    },
  };
  const budgets = { read: new Budget({ limit: 120 }), write: new Budget({ limit }) };
  const send = async (request: ApiRequest): Promise<WireAnswer> => {
    sent.push(request.label);
    return (next.shift() ?? (() => full(limit)))();
  };
  const full = (of: number): WireAnswer =>
    makeAnswer({
      headers: {
        "ratelimit-limit": `${of}`,
        "ratelimit-remaining": "0",
        "ratelimit-reset": "30",
      },
      receivedAtMs: clock.monotonicMs(),
    });
  const onWaiting = (waiting: Waiting): void => void waitings.push(waiting);
  return {
    clock,
    sent,
    waitings,
    next,
    sleepsMs,
    pace: pace(send, { clock: spied, budgets, onWaiting }),
  };
}

const write = (label: string, more: Partial<ApiRequest> = {}): ApiRequest =>
  makeRequest({ method: "POST", class: "write", label, ...more });

describe("pace", () => {
  it("lets requests go in the order in which they came, as windows open", async () => {
    const scene = makeScene();
    const all = ["a", "b", "c"].map((label) => scene.pace.send(write(label)));
    await scene.clock.advance(0);
    expect(scene.sent).toEqual(["a"]);
    await scene.clock.advance(30_100);
    expect(scene.sent).toEqual(["a", "b"]);
    await scene.clock.advance(30_100);
    expect(scene.sent).toEqual(["a", "b", "c"]);
    await Promise.all(all);
  });

  it("lets those to the front go first, in their own order", async () => {
    const scene = makeScene();
    await scene.pace.send(write("a"));
    const all = [
      scene.pace.send(write("b")),
      scene.pace.send(write("c", { front: true })),
      scene.pace.send(write("d", { front: true })),
    ];
    await scene.clock.advance(100_000);
    await Promise.all(all);
    expect(scene.sent).toEqual(["a", "c", "d", "b"]);
  });

  it("does not stall where a proxy answers the first request after a 429", async () => {
    const scene = makeScene(60);
    const { clock } = scene;
    const refused = {
      "ratelimit-limit": "60",
      "ratelimit-remaining": "0",
      "ratelimit-reset": "30",
    };
    scene.next.push(
      () => makeAnswer({ status: 429, headers: refused, receivedAtMs: clock.monotonicMs() }),
      () => makeAnswer({ status: 503, headers: {}, receivedAtMs: clock.monotonicMs() }),
    );
    const all = ["a", "b", "c"].map((label) => scene.pace.send(write(label)));
    await clock.advance(200_000);
    expect(scene.sent).toEqual(["a", "b", "c"]);
    expect(scene.waitings.map(({ message }) => message).join()).not.toContain("Infinity");
    await Promise.all(all);
  });

  it("paces reads and writes apart", async () => {
    const scene = makeScene();
    await scene.pace.send(write("a"));
    void scene.pace.send(write("b"));
    await scene.pace.send(makeRequest({ label: "read" }));
    expect(scene.sent).toEqual(["a", "read"]);
  });

  it("runs beforeSend when the turn has come, and not before", async () => {
    const scene = makeScene();
    await scene.pace.send(write("a"));
    const seen: number[] = [];
    const beforeSend = async (): Promise<void> => {
      seen.push(scene.clock.monotonicMs());
      expect(scene.sent).toEqual(["a"]);
    };
    const sending = scene.pace.send(write("b", { beforeSend }));
    await scene.clock.advance(30_049);
    expect(seen).toEqual([]);
    await scene.clock.advance(1);
    await sending;
    expect(seen).toEqual([30_050]);
  });

  it("gives the place to the next one when beforeSend throws", async () => {
    const scene = makeScene();
    const full = new Error("the disk is full");
    const beforeSend = (): Promise<void> => Promise.reject(full);
    await expect(scene.pace.send(write("a", { beforeSend }))).rejects.toThrow("the disk is full");
    await scene.pace.send(write("b"));
    expect(scene.sent).toEqual(["b"]);
  });

  it("ends the waiting of a request whose signal is aborted, and only that", async () => {
    const scene = makeScene();
    await scene.pace.send(write("a"));
    const stop = new AbortController();
    const given = scene.pace.send(write("b", { waitSignal: stop.signal }));
    const kept = scene.pace.send(write("c"));
    const reason = new Error("interrupted");
    stop.abort(reason);
    await expect(given).rejects.toBe(reason);
    await scene.clock.advance(30_100);
    await kept;
    expect(scene.sent).toEqual(["a", "c"]);
    await expect(scene.pace.send(write("d", { waitSignal: stop.signal }))).rejects.toBe(reason);
  });

  it("gives the place back when nothing left, and keeps it taken when something may have", async () => {
    const server = makeScene(2);
    const lost = new TransportFailure("reset", true);
    const unsent = new TransportFailure("refused", false);
    server.next.push(
      () => makeAnswer({ headers: limits(2, 1, 30) }),
      () => Promise.reject(unsent),
      () => Promise.reject(lost),
    );
    await server.pace.send(write("a"));
    await expect(server.pace.send(write("b"))).rejects.toBe(unsent);
    await expect(server.pace.send(write("c"))).rejects.toBe(lost);
    void server.pace.send(write("d"));
    await server.clock.advance(20_000);
    expect(server.sent).toEqual(["a", "b", "c"]);
    await server.clock.advance(11_000);
    expect(server.sent).toEqual(["a", "b", "c", "d"]);
  });

  it("reports each wait once, with reason and end", async () => {
    const scene = makeScene();
    await scene.pace.send(write("a"));
    const all = [scene.pace.send(write("b")), scene.pace.send(write("c"))];
    await scene.clock.advance(1_000);
    expect(scene.waitings).toEqual([
      {
        reason: "rate-limit",
        untilMs: Date.UTC(2026, 0, 1) + 30_050,
        message: "waiting for the rate limit, 31 s",
      },
    ]);
    await scene.clock.advance(100_000);
    await Promise.all(all);
    expect(scene.waitings).toHaveLength(2);
  });

  it("does not run in circles over a fraction of a millisecond", async () => {
    const scene = makeScene();
    scene.next.push(() => makeAnswer({ status: 429, headers: { "retry-after": "1.10013" } }));
    await scene.pace.send(write("a"));
    const second = scene.pace.send(write("b"));
    await scene.clock.advance(2_000);
    await second;
    expect(scene.sent).toEqual(["a", "b"]);
    expect(scene.sleepsMs.every((ms) => Number.isInteger(ms))).toBe(true);
  });

  it("asks again after five minutes when a Retry-After names years: clocks may be off", async () => {
    const scene = makeScene();
    scene.next.push(() => makeAnswer({ status: 429, headers: { "retry-after": "900000000" } }));
    await scene.pace.send(write("a"));
    void scene.pace.send(write("b"));
    await scene.clock.advance(5 * 60_000);
    expect(scene.sent).toEqual(["a"]);
    await scene.clock.advance(60_000);
    expect(scene.sent).toEqual(["a", "b"]);
    // A timer of more than 2^31 ms would fire at once.
    expect(Math.max(...scene.sleepsMs)).toBeLessThan(2 ** 31);
  });

  it("counts", async () => {
    const scene = makeScene();
    scene.next.push(() => makeAnswer({ status: 429, headers: limits(1, 0, 10) }));
    await scene.pace.send(write("a"));
    const second = scene.pace.send(write("b"));
    expect(scene.pace.stats("write")).toMatchObject({ sent: 1, limited: 1, waiting: 1 });
    await scene.clock.advance(12_000);
    await second;
    expect(scene.pace.stats("write")).toEqual({
      sent: 2,
      perMinute: 2,
      allowedPerWindow: 1,
      windowMs: 60_000,
      limited: 1,
      waits: 1,
      waitedMs: 10_050,
      waiting: 0,
    });
    await scene.clock.advance(61_000);
    expect(scene.pace.stats("write").perMinute).toBe(0);
    expect(scene.pace.stats("read").sent).toBe(0);
  });
});

function limits(limit: number, remaining: number, resetS: number): Record<string, string> {
  return {
    "ratelimit-limit": `${limit}`,
    "ratelimit-remaining": `${remaining}`,
    "ratelimit-reset": `${resetS}`,
  };
}
