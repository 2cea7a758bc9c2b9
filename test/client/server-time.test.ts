import { expect, it } from "vitest";

import { fakeClock } from "../help/fake-clock.ts";
import { ServerTime } from "../../src/client/server-time.ts";
import type { Transport } from "../../src/client/wire.ts";

const ORIGIN = "https://api.example";

function answering(date: string | undefined): Transport {
  const headers = new Headers(date === undefined ? {} : { date });
  return {
    close: async () => {},
    send: async () =>
      Promise.resolve({
        status: 200,
        headers,
        body: new Uint8Array(),
        sentAtMs: 0,
        receivedAtMs: 0,
      }),
  };
}

const request = (origin: string): Parameters<Transport["send"]>[0] => ({
  method: "GET",
  url: `${origin}/x`,
  headers: {},
  timeoutMs: 1,
});

it("is unknown until an answer of the API names it, and then goes on by itself", async () => {
  const clock = fakeClock();
  const time = new ServerTime(clock);
  const serverMs = clock.nowMs() + 86_400_000;
  await time.watch(answering(undefined), ORIGIN).send(request(ORIGIN));
  await time.watch(answering("no date at all"), ORIGIN).send(request(ORIGIN));
  expect(time.nowMs()).toBeUndefined();
  await time
    .watch(answering(new Date(0).toUTCString()), ORIGIN)
    .send(request("https://cdn.example"));
  expect(time.nowMs()).toBeUndefined();
  await time.watch(answering(new Date(serverMs).toUTCString()), ORIGIN).send(request(ORIGIN));
  expect(time.nowMs()).toBe(serverMs);
  await clock.advance(5_000);
  expect(time.nowMs()).toBe(serverMs + 5_000);
});
