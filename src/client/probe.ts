/** Checks whether an address answers, before it is printed or used as a destination. */
import type { Clock } from "../base/time/clock.ts";
import { isUrl } from "../base/text/url.ts";
import { makeQueue } from "./queues.ts";
import { openTransport } from "./transport.ts";
import { TransportFailure, type Transport, type WireAnswer } from "./wire.ts";

const TIMEOUT_MS = 15_000;
const MAX_REDIRECTS = 5;
/** At most this much of a page is read; a longer page exists, too. */
const MAX_BYTES = 256 * 1024;
const CONCURRENCY = 8;

export interface Prober {
  /** Why an address isn't usable, as "must …", or undefined. Each address is requested once. */
  probe(url: string): Promise<string | undefined>;
  close(): Promise<void>;
}

export interface ProbeOptions {
  /** `head` requests no body; if the server refuses that, the page is requested. */
  readonly method: "head" | "get";
  readonly clock: Clock;
  /** Default: the network. */
  readonly transport?: Transport | undefined;
}

/** Requests addresses, a few at a time, without the token. */
export function openProber({ method, clock, transport }: ProbeOptions): Prober {
  const wire = transport ?? openTransport({ clock });
  const queue = makeQueue(CONCURRENCY);
  const asked = new Map<string, Promise<string | undefined>>();
  return {
    probe: (url) => {
      const known = asked.get(url) ?? queue.add(() => ask(wire, url, method), "updates");
      asked.set(url, known);
      return known;
    },
    close: () => (transport === undefined ? wire.close() : Promise.resolve()),
  };
}

async function ask(
  wire: Transport,
  url: string,
  method: "head" | "get",
): Promise<string | undefined> {
  // Other schemes, such as mailto and tel, can't be requested.
  if (!/^https?:/iu.test(url)) return undefined;
  try {
    const status = await follow(wire, url, method === "head" ? "HEAD" : "GET");
    const isRefused = status === 405 || status === 501;
    const last = isRefused && method === "head" ? await follow(wire, url, "GET") : status;
    return last < 400 ? undefined : `must answer, got ${last} from ${url}`;
  } catch (error) {
    if (!(error instanceof TransportFailure)) throw error;
    if (error.reason === "too-long") return undefined;
    return `must answer, got no answer from ${url}: ${error.message}`;
  }
}

/** The status at the end of the redirects. */
async function follow(wire: Transport, url: string, method: string): Promise<number> {
  let at = url;
  for (let hop = 0; hop <= MAX_REDIRECTS; hop += 1) {
    const answer = await send(wire, at, method);
    const location = answer.headers.get("location");
    const isRedirect = answer.status >= 300 && answer.status < 400 && location !== null;
    if (!isRedirect || !isUrl(location, at)) return answer.status;
    at = new URL(location, at).href;
    if (!/^https?:/iu.test(at)) return answer.status;
  }
  // An endless redirect: as status 508.
  return 508;
}

const send = (wire: Transport, url: string, method: string): Promise<WireAnswer> =>
  wire.send({
    method,
    url,
    headers: { accept: "*/*", "user-agent": "makeready" },
    timeoutMs: TIMEOUT_MS,
    maxBytes: MAX_BYTES,
  });
