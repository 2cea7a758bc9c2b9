import { once } from "node:events";
import { createServer, type AddressInfo, type Server, type Socket } from "node:net";

export interface HostileServer {
  readonly url: string;
  /** Connections so far, and the bytes that each brought. */
  readonly connections: { received: string }[];
  close(): Promise<void>;
}

export interface Visit {
  readonly socket: Socket;
  /** Resolves when a whole request (head, and body by its content-length) has come. */
  readonly request: () => Promise<string>;
  /** Which connection this is, from 0. */
  readonly index: number;
}

/** A TCP server that speaks HTTP as badly as the test wants: no framework gets in its way. */
export async function hostileServer(
  behave: (visit: Visit) => Promise<void> | void,
): Promise<HostileServer> {
  const connections: HostileServer["connections"] = [];
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    const connection = { received: "" };
    const index = connections.push(connection) - 1;
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
    socket.on("data", (chunk) => {
      connection.received += chunk.toString("latin1");
      socket.emit("more");
    });
    let consumed = 0;
    const request = async (): Promise<string> => {
      for (;;) {
        const rest = connection.received.slice(consumed);
        const length = wholeLength(rest);
        if (length !== undefined) {
          consumed += length;
          return rest.slice(0, length);
        }
        await once(socket, "more");
      }
    };
    void behave({ socket, request, index });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    connections,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}

/** Length of the first request in `text`, when it is whole. */
function wholeLength(text: string): number | undefined {
  const headEnd = text.indexOf("\r\n\r\n");
  if (headEnd === -1) return undefined;
  const bodyLength = Number(/content-length: (\d+)/iu.exec(text.slice(0, headEnd))?.[1] ?? 0);
  const length = headEnd + 4 + bodyLength;
  return text.length >= length ? length : undefined;
}

export const http = (status: string, headers: readonly string[], body = ""): string =>
  [`HTTP/1.1 ${status}`, ...headers, "", body].join("\r\n");
