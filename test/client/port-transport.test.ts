import { MessageChannel } from "node:worker_threads";

import { describe, expect, it } from "vitest";

import { fakeClock, type Clock } from "../../src/base/clock.ts";
import { portTransport } from "../../src/client/port-transport.ts";
import type { Transport, WireRequest } from "../../src/client/wire.ts";
import { answerPort } from "../../src/service/embedded/answer-port.ts";
import { readBytes } from "../../src/service/http/body.ts";
import { withWholeBody } from "../../src/service/http/whole-body.ts";
import { testTransport, type Handler } from "./transport-suite.ts";
import { scriptedTransport } from "./wire-fakes.ts";

const ORIGIN = "http://127.0.0.1:1234";

function connect(handler: Handler, more: { network?: Transport; clock?: Clock } = {}) {
  const { port1: port, port2 } = new MessageChannel();
  answerPort(port2, async (request) => handler(request));
  const network = more.network ?? scriptedTransport({ status: 599 });
  return portTransport({ port, origin: ORIGIN, network, clock: more.clock });
}

testTransport("portTransport", async (handler) => {
  const transport = connect(async (request) => {
    // Bodies come along beside their requests, as they do over HTTP.
    const bytes = await readBytes(request, 1000);
    const { url, method, headers } = request;
    const body = bytes.length === 0 ? null : Buffer.from(bytes);
    return handler(new Request(url, { method, headers, body }));
  });
  return { transport, url: ORIGIN, close: () => transport.close() };
});

const request: WireRequest = {
  method: "POST",
  url: `${ORIGIN}/api/v2/thing/`,
  headers: {},
  body: "{}",
  timeoutMs: 60_000,
};

describe("portTransport", () => {
  it("is in doubt when the service throws: it may have committed before", async () => {
    const transport = connect(() => {
      throw new Error("boom");
    });
    await expect(transport.send(request)).rejects.toMatchObject({ reason: "reset", written: true });
    await transport.close();
  });

  it("is in doubt when the answer takes too long, and a late one says nothing", async () => {
    const clock = fakeClock();
    let answer: ((response: Response) => void) | undefined;
    let arrive: (() => void) | undefined;
    const arrived = new Promise<void>((resolve) => {
      arrive = resolve;
    });
    const handler = (): Promise<Response> =>
      new Promise((resolve) => {
        answer = resolve;
        arrive?.();
      });
    const transport = connect(handler, { clock });
    const sending = transport.send(request).catch((error: unknown) => error);
    await arrived;
    await clock.advance(60_000);
    expect(await sending).toMatchObject({ reason: "timeout", written: true });
    answer?.(new Response("{}"));
    expect(clock.waiting).toBe(0);
    await transport.close();
  });

  it("is in doubt when the service is gone, and nothing leaves afterwards", async () => {
    const { port1: port, port2 } = new MessageChannel();
    port2.on("message", () => port2.close());
    const transport = portTransport({ port, origin: ORIGIN, network: scriptedTransport() });
    await expect(transport.send(request)).rejects.toMatchObject({ reason: "reset", written: true });
    await expect(transport.send(request)).rejects.toMatchObject({
      reason: "refused",
      written: false,
    });
  });

  it("answers each of many at once with its own bytes; what the service keeps stays whole", async () => {
    const kept = new Uint8Array(Buffer.from("kept"));
    const transport = connect(async ({ url }) => {
      const { pathname } = new URL(url);
      if (pathname === "/kept") return withWholeBody(new Response(kept), kept);
      return new Response(pathname);
    });
    const ask = (path: string) => transport.send({ ...request, url: `${ORIGIN}${path}` });
    const answers = await Promise.all(["/b", "/a", "/kept", "/kept"].map(ask));
    const texts = answers.map(({ body }) => new TextDecoder().decode(body));
    expect(texts).toEqual(["/b", "/a", "kept", "kept"]);
    await transport.close();
  });

  it("sends over the network what is for others, and closes it", async () => {
    const network = scriptedTransport({ status: 203 });
    const transport = connect(() => new Response("{}"), { network });
    const url = "http://127.0.0.1:12345/files/1.png";
    expect((await transport.send({ ...request, url })).status).toBe(203);
    expect(network.requests.map((sent) => sent.url)).toEqual([url]);
    await transport.close();
    expect(network.isClosed).toBe(true);
  });
});
