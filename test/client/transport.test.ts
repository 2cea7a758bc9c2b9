import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { afterEach, describe, expect, it } from "vitest";

import { fakeClock } from "../help/fake-clock.ts";
import { openTransport } from "../../src/client/transport.ts";
import {
  TransportFailure,
  type Transport,
  type WireAnswer,
  type WireRequest,
} from "../../src/client/wire.ts";
import { hostileServer, http, type HostileServer, type Visit } from "./hostile-server.ts";
import { testTransport, type Handler } from "./transport-suite.ts";

testTransport("openTransport", async (handler) => {
  const server = await serve(handler);
  const transport = openTransport();
  return {
    transport,
    url: server.url,
    close: async () => {
      await transport.close();
      await server.close();
    },
  };
});

/** A well-behaved server over a real socket. */
async function serve(handler: Handler): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer((incoming, outgoing) => {
    const answer = async (): Promise<void> => {
      const body = await buffer(incoming);
      const hasBody = incoming.method !== "GET" && incoming.method !== "DELETE";
      const response = await handler(
        new Request(`http://${incoming.headers.host}${incoming.url}`, {
          method: incoming.method ?? "GET",
          headers: incoming.headers as Record<string, string>,
          ...(hasBody && { body: new Uint8Array(body) }),
        }),
      );
      outgoing.writeHead(response.status, Object.fromEntries(response.headers));
      outgoing.end(new Uint8Array(await response.arrayBuffer()));
    };
    void answer();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const thing of open.splice(0)) await thing.close();
});

async function hostile(behave: (visit: Visit) => Promise<void> | void): Promise<HostileServer> {
  const server = await hostileServer(behave);
  open.push(server);
  return server;
}

function transport(options: Parameters<typeof openTransport>[0] = {}): Transport {
  const opened = openTransport(options);
  open.push(opened);
  return opened;
}

const post = (url: string, more: Partial<WireRequest> = {}): WireRequest => ({
  method: "POST",
  url: `${url}/api/v2/qrcode/create/`,
  headers: { "content-type": "application/json" },
  body: '{"qr_data":"x"}',
  timeoutMs: 60_000,
  ...more,
});

const OK = http("200 OK", ["content-length: 2"], "{}");
const text = (answer: WireAnswer): string => new TextDecoder().decode(answer.body);

describe("a request that certainly did not leave", () => {
  it("met a closed port", async () => {
    const server = await hostileServer(() => {});
    await server.close();
    const sending = transport().send(post(server.url));
    await expect(sending).rejects.toMatchObject({ reason: "refused", written: false });
  });

  it("named a host that does not exist", async () => {
    const sending = transport().send(post("http://no-such-host.invalid"));
    await expect(sending).rejects.toMatchObject({ reason: "dns", written: false });
  });

  it("wanted TLS from a server that speaks none", async () => {
    const server = await hostile(async ({ socket }) => {
      await once(socket, "data");
      socket.end("HTTP/1.1 400 Bad Request\r\n\r\n");
    });
    const sending = transport().send(post(server.url.replace("http:", "https:")));
    await expect(sending).rejects.toMatchObject({ written: false });
  });

  it("waited for a TLS handshake that never ended: that is the connect time-out", async () => {
    const clock = fakeClock();
    const server = await hostile(async ({ socket }) => {
      await once(socket, "data");
      void clock.advance(10_000);
    });
    const sending = transport({ clock }).send(post(server.url.replace("http:", "https:")));
    await expect(sending).rejects.toMatchObject({ reason: "connect-timeout", written: false });
  });

  it("was given up while the connection was being made, and never leaves later", async () => {
    const stop = new AbortController();
    const server = await hostile(async ({ socket, request }) => {
      await request();
      socket.write(OK);
    });
    const client = transport();
    const sending = client.send(post(server.url, { signal: stop.signal }));
    stop.abort();
    await expect(sending).rejects.toMatchObject({ reason: "aborted", written: false });
    // A later request uses the server: by then the first one would have arrived.
    await client.send(post(server.url, { body: '{"later":1}' }));
    const bytes = server.connections.map(({ received }) => received).join("");
    expect(bytes).not.toContain("qr_data");
    expect(bytes).toContain("later");
  });
});

describe("a request that may have been committed", () => {
  const cases: readonly (readonly [string, string, (visit: Visit) => Promise<void>])[] = [
    [
      "met a reset as soon as it came",
      "reset",
      async ({ socket, request }) => {
        await request();
        socket.resetAndDestroy();
      },
    ],
    [
      "met a reset at its first bytes",
      "reset",
      async ({ socket }) => {
        await once(socket, "data");
        socket.resetAndDestroy();
      },
    ],
    [
      "met a polite end without an answer",
      "reset",
      async ({ socket, request }) => {
        await request();
        socket.end();
      },
    ],
    [
      "got half a head",
      "reset",
      async ({ socket, request }) => {
        await request();
        socket.end("HTTP/1.1 200 OK\r\ncontent-le");
      },
    ],
    [
      "got half a body by its content-length",
      "truncated",
      async ({ socket, request }) => {
        await request();
        socket.end(http("200 OK", ["content-length: 100"], '{"id": "c-1", "qr_'));
      },
    ],
    [
      "got half a body and a reset",
      "truncated",
      async ({ socket, request }) => {
        await request();
        socket.write(http("200 OK", ["content-length: 100"], '{"id": "c-1", "qr_'), () => {
          setImmediate(() => socket.resetAndDestroy());
        });
      },
    ],
    [
      "got chunks without the last one",
      "truncated",
      async ({ socket, request }) => {
        await request();
        socket.end(http("200 OK", ["transfer-encoding: chunked"], '8\r\n{"id":"c\r\n'));
      },
    ],
    [
      "got something that is not HTTP",
      "garbled",
      async ({ socket, request }) => {
        await request();
        socket.end("SSH-2.0-OpenSSH_9.6\r\n");
      },
    ],
  ];

  it.each(cases)("%s", async (_, reason, behave) => {
    const server = await hostile(behave);
    const sending = transport().send(post(server.url));
    await expect(sending).rejects.toMatchObject({ reason, written: true });
    expect(server.connections).toHaveLength(1);
  });

  it("is never called unsent when the server got a byte of it, whenever the reset comes", async () => {
    for (let n = 0; n < 20; n += 1) {
      const server = await hostile(({ socket }) => void socket.resetAndDestroy());
      const failure = await transport()
        .send(post(server.url))
        .catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(TransportFailure);
      const { written } = failure as TransportFailure;
      const received = server.connections.map((connection) => connection.received).join("");
      expect(written || received === "").toBe(true);
    }
  });

  it("got no answer in time", async () => {
    const clock = fakeClock();
    const server = await hostile(async ({ request }) => {
      await request();
      void clock.advance(60_000);
    });
    const sending = transport({ clock }).send(post(server.url));
    await expect(sending).rejects.toMatchObject({ reason: "timeout", written: true });
  });

  it("got an answer that dribbled on for too long", async () => {
    const clock = fakeClock();
    const server = await hostile(async ({ socket, request }) => {
      await request();
      socket.write(http("200 OK", ["content-length: 5"], "{"), () => void clock.advance(60_000));
    });
    const sending = transport({ clock }).send(post(server.url));
    await expect(sending).rejects.toMatchObject({ reason: "timeout", written: true });
  });

  it("went into a kept connection that the server was closing", async () => {
    const server = await hostile(async ({ socket, request, index }) => {
      await request();
      socket.write(OK);
      if (index > 0) return;
      await request();
      socket.resetAndDestroy();
    });
    const client = transport();
    await client.send(post(server.url));
    // The connection is free for the next one a turn later.
    await new Promise((resolve) => setImmediate(resolve));
    const second = client.send(post(server.url, { body: '{"second":1}' }));
    await expect(second).rejects.toMatchObject({ reason: "reset", written: true });
    // It was not sent again.
    expect(server.connections).toHaveLength(1);
  });
});

describe("openTransport", () => {
  it("sends each request once, and uses a new connection when the kept one is gone", async () => {
    const server = await hostile(async ({ socket, request }) => {
      await request();
      socket.end(OK);
    });
    const client = transport();
    for (let n = 0; n < 3; n += 1) {
      await client.send(post(server.url));
      await new Promise((resolve) => setImmediate(resolve));
    }
    const requests = server.connections.map(({ received }) => received.split("POST ").length - 1);
    expect(requests).toEqual([1, 1, 1]);
  });

  it("never puts two requests into one connection at a time", async () => {
    const server = await hostile(async ({ socket, request }) => {
      for (;;) {
        const whole = await request();
        expect(whole.split("POST ")).toHaveLength(2);
        setImmediate(() => socket.write(OK));
      }
    });
    const client = transport();
    await Promise.all(Array.from({ length: 8 }, async () => client.send(post(server.url))));
    expect(server.connections.length).toBeGreaterThan(1);
  });

  it("takes an HTML page of a proxy as the answer that it is", async () => {
    const page = "<html><h1>502 Bad Gateway</h1></html>";
    const server = await hostile(async ({ socket, request }) => {
      await request();
      const headers = ["content-type: text/html", `content-length: ${page.length}`];
      socket.write(http("502 Bad Gateway", headers, page));
    });
    const answer = await transport().send(post(server.url));
    expect([answer.status, text(answer)]).toEqual([502, page]);
  });

  it("reads a body that ends with the connection, and chunks that end well", async () => {
    const bodies = [
      http("200 OK", ["connection: close"], '{"a":1}'),
      http("200 OK", ["transfer-encoding: chunked"], '3\r\n{"a\r\n4\r\n":1}\r\n0\r\n\r\n'),
    ];
    for (const body of bodies) {
      const server = await hostile(async ({ socket, request }) => {
        await request();
        socket.end(body);
      });
      expect(text(await transport().send(post(server.url)))).toBe('{"a":1}');
    }
  });

  it("waits past informational answers", async () => {
    const server = await hostile(async ({ socket, request }) => {
      await request();
      socket.write(`HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n${OK}`);
    });
    expect((await transport().send(post(server.url))).status).toBe(200);
  });

  it("joins repeated headers", async () => {
    const server = await hostile(async ({ socket, request }) => {
      await request();
      socket.write(
        http(
          "200 OK",
          ["RateLimit-Policy: 60;w=60", "ratelimit-policy: 9;w=1", "content-length: 2"],
          "{}",
        ),
      );
    });
    const answer = await transport().send(post(server.url));
    expect(answer.headers.get("RATELIMIT-policy")).toBe("60;w=60, 9;w=1");
  });

  it("leaves no timer behind", async () => {
    const clock = fakeClock();
    const server = await hostile(async ({ socket, request }) => {
      await request();
      socket.write(OK);
    });
    await transport({ clock }).send(post(server.url));
    expect(clock.waiting).toBe(0);
  });
});
