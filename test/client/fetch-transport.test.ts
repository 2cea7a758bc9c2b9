import { describe, expect, it } from "vitest";

import { fakeClock } from "../help/fake-clock.ts";
import { fetchTransport } from "../../src/client/fetch-transport.ts";
import type { WireRequest } from "../../src/client/wire.ts";
import { testTransport } from "./transport-suite.ts";

testTransport("fetchTransport", async (handler) => ({
  transport: fetchTransport(handler),
  url: "http://in-process.test",
  close: async () => {},
}));

const request: WireRequest = {
  method: "POST",
  url: "http://in-process.test/x/",
  headers: {},
  body: "{}",
  timeoutMs: 60_000,
};

describe("fetchTransport", () => {
  it("is in doubt when the service throws: it may have committed before", async () => {
    const transport = fetchTransport(() => {
      throw new Error("boom");
    });
    await expect(transport.send(request)).rejects.toMatchObject({ reason: "reset", written: true });
  });

  it("is in doubt when the answer takes too long", async () => {
    const clock = fakeClock();
    const transport = fetchTransport(() => new Promise<Response>(() => {}), { clock });
    const sending = transport.send(request).catch((error: unknown) => error);
    await clock.advance(60_000);
    expect(await sending).toMatchObject({ reason: "timeout", written: true });
    expect(clock.waiting).toBe(0);
  });

  it("leaves no timer behind when the answer came", async () => {
    const clock = fakeClock();
    await fetchTransport(() => new Response("{}"), { clock }).send(request);
    expect(clock.waiting).toBe(0);
  });

  it("sees a body that is shorter than its content-length, or breaks off", async () => {
    const short = fetchTransport(() => new Response("{}", { headers: { "content-length": "3" } }));
    await expect(short.send(request)).rejects.toMatchObject({ reason: "truncated", written: true });
    const broken = fetchTransport(
      () =>
        new Response(
          new ReadableStream({
            start: (controller) => controller.error(new Error("gone")),
          }),
        ),
    );
    await expect(broken.send(request)).rejects.toMatchObject({
      reason: "truncated",
      written: true,
    });
  });

  it("reads no further than the longest answer allowed, however small it was packed", async () => {
    let sent = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        sent += 1000;
        controller.enqueue(new Uint8Array(1000));
      },
    });
    const transport = fetchTransport(() => new Response(endless));
    await expect(transport.send({ ...request, maxBytes: 10_000 })).rejects.toMatchObject({
      reason: "too-long",
      written: true,
    });
    expect(sent).toBeLessThan(20_000);
  });
});
