/** Answers requests that come over a port of threads as if they had come over HTTP (`api/port-messages.ts`). */
import type { MessagePort } from "node:worker_threads";

import type { PortAnswer, PortRequest } from "../../api/port-messages.ts";
import { guardBody } from "../http/body.ts";
import { readWholeBody } from "../http/whole-body.ts";

type Fetch = (request: Request) => Promise<Response>;

async function* toPieces(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

/** Lengths are announced as a sender over HTTP would. */
function toRequest({ method, url, headers, body }: PortRequest): Request {
  if (body === undefined) return new Request(url, { method, headers });
  const length = String(Buffer.byteLength(body));
  const request = new Request(url, { method, headers: { ...headers, "content-length": length } });
  guardBody(request, toPieces(body));
  return request;
}

/** Bytes of their own, which go over without being copied again. */
async function readBody(response: Response): Promise<string | Uint8Array<ArrayBuffer>> {
  const whole = readWholeBody(response);
  if (typeof whole === "string") return whole;
  return whole === undefined ? new Uint8Array(await response.arrayBuffer()) : new Uint8Array(whole);
}

/** Answers until the port is closed. */
export function answerPort(port: MessagePort, fetch: Fetch): void {
  const answer = async (asked: PortRequest): Promise<void> => {
    const { id } = asked;
    try {
      const response = await fetch(toRequest(asked));
      const body = await readBody(response);
      const { status, headers } = response;
      const message: PortAnswer = { id, answer: { status, headers: [...headers], body } };
      port.postMessage(message, typeof body === "string" ? [] : [body.buffer]);
    } catch {
      // Told as a connection that breaks is: the service has noted what went wrong.
      port.postMessage({ id } satisfies PortAnswer);
    }
  };
  port.on("message", (asked: PortRequest) => void answer(asked));
}
