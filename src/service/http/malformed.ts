/**
 * Requests that fail in Node's parser or the adapter, before our code sees them, answered in the
 * API's words.
 */
import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";

interface Answer {
  readonly status: number;
  readonly detail: string;
}

const NO_REQUEST: Answer = { status: 400, detail: "The request must be well-formed HTTP." };
/** Code of the parser's error -> the answer. */
const answers: Readonly<Record<string, Answer>> = {
  HPE_HEADER_OVERFLOW: {
    status: 431,
    detail: "Address and headers must have at most 16 KiB in all.",
  },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: {
    status: 413,
    detail: "The body's chunks must come without long extensions.",
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: 408,
    detail: "The request came too slowly; send it again over a faster line.",
  },
};

/**
 * Answers requests that Node's parser accepts but that have no usable address: no host, or a
 * backslash in the path.
 */
export const refuseUnaddressed = (): Response =>
  Response.json({ detail: NO_REQUEST.detail }, { status: NO_REQUEST.status });

function toMessage({ status, detail }: Answer): string {
  const body = JSON.stringify({ detail });
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}`,
    "Connection: close",
    "Cache-Control: no-store",
    "Content-Type: application/json",
    `Content-Length: ${Buffer.byteLength(body)}`,
    "",
    body,
  ].join("\r\n");
}

/**
 * Answers and ends the connection. `isAnswering`: another answer is being sent on it, and is cut off.
 */
export function refuseMalformed(
  error: NodeJS.ErrnoException,
  socket: Socket,
  isAnswering: boolean,
): void {
  // The parser fails again on each piece that follows.
  if (socket.writableEnded) return;
  if (socket.writable && !isAnswering && error.code !== "ECONNRESET") {
    socket.write(toMessage(answers[error.code ?? ""] ?? NO_REQUEST));
  }
  socket.destroySoon();
}
