import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from "node:http";
import type { AddressInfo, Socket } from "node:net";

import { getRequestListener, RequestError } from "@hono/node-server";

import { AppError, toMessage } from "../../base/errors.ts";

import type { PlainRedirect } from "../scans/redirect.ts";
import { readIncoming, type BodySource } from "./body-source.ts";
import { refuseMalformed, refuseUnaddressed } from "./malformed.ts";
import { Pipelines } from "./pipelines.ts";
import type { ReadHeader } from "./senders.ts";
import { readWholeBody } from "./whole-body.ts";

export interface ListenOptions {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  /** How long the server waits for slow senders and readers. */
  readonly patience?: Partial<Patience> | undefined;
}

export interface Patience {
  /** For all headers of a request. Default 20 s. */
  readonly headersMs: number;
  /** For a whole request with its body, which may be a PDF of 20 MB. Default 5 min. */
  readonly requestMs: number;
  /** How often connections are checked for slow senders. Default 5 s. */
  readonly checkMs: number;
  /**
   * For a reader that takes nothing of its answer; twice as long if the system's buffer took some.
   * Default 30 s.
   */
  readonly readMs: number;
}

const PATIENCE: Patience = {
  headersMs: 20_000,
  requestMs: 300_000,
  checkMs: 5000,
  readMs: 30_000,
};

export interface Listener {
  readonly url: string;
  /** Takes no more requests, waits for those in flight, `DRAIN_MS` at most. */
  close(): Promise<void>;
}

/** How a request came in. */
export interface Connection {
  readonly ip: string;
  /** Path and query as they were sent; a `URL` would escape some characters. */
  readonly target: string;
  /** Left out: there is no socket, the body is already in memory. */
  readonly body?: BodySource;
  /** Ends the connection at once. */
  readonly cut?: () => void;
}

export interface Served {
  readonly fetch: (request: Request, connection: Connection) => Promise<Response>;
  /** A shortcut for requests that only need a redirect. */
  readonly redirectPlainly?: (request: {
    readonly method: string;
    readonly target: string;
    readonly header: ReadHeader;
    readonly socketIp: string;
  }) => PlainRedirect | undefined;
}

/** Less than the 10 s after which the program closes all connections. */
const DRAIN_MS = 8000;
const SWEEP_MS = 25;
/**
 * Longer than clients and proxies keep idle connections: a request into a closing connection is lost.
 */
const KEEP_ALIVE_MS = 65_000;

const readIp = (incoming: IncomingMessage): string => incoming.socket.remoteAddress ?? "";

function toHeaderReader({ headers }: IncomingMessage): ReadHeader {
  return (name) => {
    const value = headers[name];
    return Array.isArray(value) ? value.join(", ") : value;
  };
}

/**
 * When the shortcut fails, the request takes the normal way, which logs and answers failures: an
 * error thrown here would end the process.
 */
function findRedirect(
  { redirectPlainly }: Served,
  incoming: IncomingMessage,
): PlainRedirect | undefined {
  try {
    return redirectPlainly?.({
      method: incoming.method ?? "",
      target: incoming.url ?? "",
      header: toHeaderReader(incoming),
      socketIp: readIp(incoming),
    });
  } catch {
    return undefined;
  }
}

/** Sends a redirect without the router; false when the request needs more. */
function sendRedirect(
  served: Served,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): boolean {
  const redirect = findRedirect(served, incoming);
  if (redirect === undefined) return false;
  const { location, held } = redirect;
  const send = (): void => {
    outgoing.writeHead(302, {
      location,
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
      "content-length": 0,
    });
    outgoing.end();
  };
  if (held === undefined) send();
  else void held.then(send);
  return true;
}

/**
 * Shows the adapter that nothing is left to send. Cloned, since the adapter reads this header only in
 * Node's own `Response`, and the program around us may have another one.
 */
const SENT = new Response(null, { headers: { "x-hono-already-sent": "true" } }).clone();

/** Sends an answer whose body is in memory; false when it has to be read in pieces. */
function sendWhole(response: Response, outgoing: ServerResponse): boolean {
  const body = readWholeBody(response);
  if (body === undefined || outgoing.headersSent || outgoing.destroyed) return false;
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  outgoing.end(body);
  return true;
}

const toHost = (host: string): string => {
  if (host === "0.0.0.0" || host === "::") return "127.0.0.1";
  return host.includes(":") ? `[${host}]` : host;
};

/**
 * Ends connections whose answer isn't read. A connection may also be silent because the service
 * works or the sender is slow: other limits cover those.
 */
function endUnread(server: Server, readMs: number): void {
  server.setTimeout(readMs, (socket) => {
    if (socket.writableLength > 0 || socket.timeout !== readMs) socket.destroy();
  });
}

function toListener(served: Served): RequestListener {
  const listener = getRequestListener(
    async (request, env) => {
      const { incoming, outgoing } = env as { incoming: IncomingMessage; outgoing: ServerResponse };
      const response = await served.fetch(request, {
        ip: readIp(incoming),
        target: incoming.url ?? "/",
        body: readIncoming(incoming),
        cut: () => void outgoing.destroy(),
      });
      return sendWhole(response, outgoing) ? SENT : response;
    },
    {
      // The embedding program keeps its own `Request` and `Response` classes.
      overrideGlobalObjects: false,
      errorHandler: (error) =>
        error instanceof RequestError ? refuseUnaddressed() : new Response(null, { status: 500 }),
    },
  );
  return (incoming, outgoing) => void listener(incoming, outgoing);
}

function makeServer(served: Served, patience: Patience): { server: Server; stop: () => void } {
  let stopping = false;
  const options: ServerOptions = {
    keepAliveTimeout: KEEP_ALIVE_MS,
    headersTimeout: patience.headersMs,
    requestTimeout: patience.requestMs,
    connectionsCheckingInterval: patience.checkMs,
  };
  const route = toListener(served);
  const pipelines = new Pipelines((incoming, outgoing) => {
    // Without this, a sender that keeps asking would keep the server from closing.
    if (stopping) outgoing.shouldKeepAlive = false;
    if (!sendRedirect(served, incoming, outgoing)) route(incoming, outgoing);
  });
  const server = createServer(options, pipelines.listen).on("clientError", (error, socket) => {
    const connection = socket as Socket;
    refuseMalformed(error, connection, pipelines.isAnswering(connection));
  });
  endUnread(server, patience.readMs);
  const stop = (): void => {
    stopping = true;
  };
  return { server, stop };
}

/** Serves over HTTP. A port that isn't available is "bad-usage". */
export async function listen(
  served: Served,
  { host, port, patience }: ListenOptions,
): Promise<Listener> {
  const { server, stop } = makeServer(served, { ...PATIENCE, ...patience });
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
  return {
    url: `http://${toHost(host)}:${actual}`,
    close: () => {
      stop();
      return drain(server);
    },
  };
}

/** Closes connections that have answered their last request: they would stay open for a next one. */
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
