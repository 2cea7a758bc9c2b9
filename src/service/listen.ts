import type { IncomingMessage, Server } from "node:http";
import type { AddressInfo } from "node:net";

import { createAdaptorServer } from "@hono/node-server";

import { AppError, toMessage } from "../base/errors.ts";

export interface ListenOptions {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
}

export interface Listener {
  readonly url: string;
  /** Takes no more requests, waits for those in flight, `DRAIN_MS` at most. */
  close(): Promise<void>;
}

export type FetchWithIp = (request: Request, ip: string) => Promise<Response>;

const DRAIN_MS = 10_000;
const SWEEP_MS = 25;
/** Longer than clients and proxies keep idle connections: a request sent into a closing one is lost. */
const KEEP_ALIVE_MS = 65_000;

const toHost = (host: string): string => {
  if (host === "0.0.0.0" || host === "::") return "127.0.0.1";
  return host.includes(":") ? `[${host}]` : host;
};

/** Serves `fetch` over HTTP. A port that can't be had is "bad-usage". */
export async function listen(fetch: FetchWithIp, { host, port }: ListenOptions): Promise<Listener> {
  const server = createAdaptorServer({
    fetch: (request, env) =>
      fetch(request, (env as { incoming: IncomingMessage }).incoming.socket.remoteAddress ?? ""),
    // The embedding program keeps its own Request and Response.
    overrideGlobalObjects: false,
  }) as Server;
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  server.headersTimeout = KEEP_ALIVE_MS + 1000;
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error) =>
      reject(
        new AppError("bad-usage", `host and port must be free to listen on, got ${host}:${port}`, {
          hint: `choose another --port or --host (${toMessage(error)})`,
          cause: error,
        }),
      ),
    );
    server.listen(port, host, resolve);
  });
  const { port: actual } = server.address() as AddressInfo;
  return { url: `http://${toHost(host)}:${actual}`, close: () => drain(server) };
}

/** A connection that has answered its last request would stay open, waiting for the next. */
function drain(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS);
    const timer = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
    server.close(() => {
      clearInterval(sweep);
      clearTimeout(timer);
      resolve();
    });
  });
}
