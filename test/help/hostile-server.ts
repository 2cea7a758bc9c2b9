import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

import type { HostileAnswer, HostileApi } from "./hostile-api.ts";

export interface OpenPort {
  readonly origin: string;
  close(): Promise<void>;
}

/** Puts a hostile API on a port of this computer: sockets die, bodies end in the middle. */
export async function serveHostile(api: HostileApi, port = 0): Promise<OpenPort> {
  const server = createServer((message, response) => {
    void answer(api, message, response);
  });
  server.keepAliveTimeout = 500;
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  const { port: given } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${given}`,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

async function answer(
  api: HostileApi,
  message: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const chunks: Buffer[] = [];
  // A client that is killed in the middle of its request is no event here.
  message.on("error", () => {});
  response.on("error", () => {});
  try {
    for await (const chunk of message) chunks.push(chunk as Buffer);
  } catch {
    return;
  }
  const result = await api.handle({
    method: message.method ?? "GET",
    path: message.url ?? "/",
    headers: message.headers as Record<string, string | undefined>,
    body: Buffer.concat(chunks).toString("utf8"),
  });
  write(result, response);
}

function write(result: HostileAnswer, response: ServerResponse): void {
  if (result.kind === "drop") {
    response.socket?.destroy();
    return;
  }
  response.sendDate = false;
  const { status, headers, body, cutAt } = result;
  response.writeHead(status, {
    ...headers,
    ...(status !== 204 && { "content-length": body.length }),
  });
  if (cutAt === undefined) {
    response.end(body);
    return;
  }
  response.write(body.subarray(0, cutAt), () => response.socket?.destroy());
}
