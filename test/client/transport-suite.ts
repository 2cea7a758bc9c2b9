/** What every transport does alike. An implementation brings a way to serve a handler. */
import { describe, expect, it } from "vitest";

import { systemClock } from "../../src/base/time/clock.ts";
import { TransportFailure, type Transport, type WireRequest } from "../../src/client/wire.ts";

export type Handler = (request: Request) => Response | Promise<Response>;

export interface Served {
  readonly transport: Transport;
  readonly url: string;
  close(): Promise<void>;
}

export function testTransport(name: string, serve: (handler: Handler) => Promise<Served>): void {
  const exchange = async (
    handler: Handler,
    more: Partial<WireRequest> = {},
  ): ReturnType<Transport["send"]> => {
    const served = await serve(handler);
    try {
      const url = `${served.url}/api/v2/thing/?a=1&b=%20`;
      return await served.transport.send({
        method: "GET",
        headers: {},
        timeoutMs: 600_000,
        ...more,
        url: more.url ?? url,
      });
    } finally {
      await served.close();
    }
  };

  describe(`${name} as a transport`, () => {
    it("carries method, path, query, headers and body as they are", async () => {
      const seen: string[] = [];
      await exchange(
        async (request) => {
          const { pathname, search } = new URL(request.url);
          seen.push(request.method, pathname, search, request.headers.get("x-a") ?? "");
          seen.push(await request.text());
          return new Response("{}");
        },
        { method: "POST", headers: { "X-A": "1", "content-type": "application/json" }, body: "ü€" },
      );
      expect(seen).toEqual(["POST", "/api/v2/thing/", "?a=1&b=%20", "1", "ü€"]);
    });

    it("answers status, headers in any case, and the whole body, with times in order", async () => {
      const big = "é".repeat(300_000);
      const before = systemClock.monotonicMs();
      const answer = await exchange(
        () => new Response(big, { status: 418, headers: { "X-Tea": "pot" } }),
      );
      expect(answer.status).toBe(418);
      expect(answer.headers.get("x-TEA")).toBe("pot");
      expect(new TextDecoder().decode(answer.body)).toBe(big);
      expect(answer.sentAtMs).toBeGreaterThanOrEqual(before);
      expect(answer.receivedAtMs).toBeGreaterThanOrEqual(answer.sentAtMs);
    });

    it("answers an empty body", async () => {
      const answer = await exchange(() => new Response(null, { status: 204 }), {
        method: "DELETE",
      });
      expect(answer.status).toBe(204);
      expect(answer.body).toHaveLength(0);
    });

    it("follows no redirect", async () => {
      let calls = 0;
      const answer = await exchange(() => {
        calls += 1;
        return new Response(null, { status: 302, headers: { location: "/elsewhere" } });
      });
      expect([answer.status, calls]).toEqual([302, 1]);
      expect(answer.headers.get("location")).toBe("/elsewhere");
    });

    it("refuses an answer that is too long, in doubt", async () => {
      const sending = exchange(() => new Response("x".repeat(1001)), { maxBytes: 1000 });
      await expect(sending).rejects.toMatchObject({ reason: "too-long", written: true });
    });

    it("never sends when it was given up before", async () => {
      let calls = 0;
      const handler = (): Response => {
        calls += 1;
        return new Response("{}");
      };
      const sending = exchange(handler, { signal: AbortSignal.abort() });
      await expect(sending).rejects.toMatchObject({ reason: "aborted", written: false });
      expect(calls).toBe(0);
    });

    it("is in doubt when it is given up after", async () => {
      const stop = new AbortController();
      const sending = exchange(
        async () => {
          stop.abort();
          await new Promise((resolve) => setImmediate(resolve));
          return new Response("{}");
        },
        { signal: stop.signal, method: "POST", body: "{}" },
      );
      await expect(sending).rejects.toMatchObject({ reason: "aborted", written: true });
    });

    it("refuses an invalid request, and says that nothing was sent", async () => {
      const sending = exchange(() => new Response("{}"), { headers: { "bad name": "x" } });
      await expect(sending).rejects.toBeInstanceOf(TransportFailure);
      await expect(
        exchange(() => new Response("{}"), { headers: { "bad name": "x" } }),
      ).rejects.toMatchObject({ reason: "invalid", written: false });
    });
  });
}
