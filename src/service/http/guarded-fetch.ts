/**
 * Fetches addresses that strangers give (logos and PDFs). The name is resolved first, private
 * addresses are refused, and the connection goes to the address that was checked.
 */
import { lookup as lookUp, type LookupAddress, type LookupAllOptions } from "node:dns";
import { Agent as HttpAgent, request as requestHttp, type IncomingMessage } from "node:http";
import { Agent as HttpsAgent, request as requestHttps } from "node:https";
import { BlockList, isIP, type LookupFunction } from "node:net";

import { sayMostBytes } from "../../base/text/words.ts";

export interface FetchRules {
  readonly maxBytes: number;
  /** For tests and closed networks. */
  readonly allowPrivate: boolean;
  /** Limit for the whole fetch; default: 10 s. */
  readonly timeoutMs?: number;
  /** No redirect may lead to plain http. */
  readonly isHttpsOnly?: boolean;
  /** How a refusal says that private addresses can be allowed; default: the flag of the service. */
  readonly privateUnless?: string;
}

/** Gets the bytes behind a URL; throws an Error whose message may be shown to the sender. */
export type FetchBytes = (url: string, rules: FetchRules) => Promise<Uint8Array>;

/** The same under the rules of a running service. */
export type FetchFile = (url: string, maxBytes: number) => Promise<Uint8Array>;

const MAX_REDIRECTS = 3;
const TIMEOUT_MS = 10_000;

// Two lists: in one, IPv4 addresses would count as IPv6, too.
const private4 = new BlockList();
const private6 = new BlockList();
for (const [network, prefix] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 4],
  ["240.0.0.0", 4],
] as const) {
  private4.addSubnet(network, prefix, "ipv4");
}
for (const [network, prefix] of [
  // Public addresses begin with 2 or 3.
  ["::", 3],
  ["4000::", 2],
  ["8000::", 1],
  // Tunnels, whose ends may lie anywhere, and addresses of documentation.
  ["2001::", 32],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
] as const) {
  private6.addSubnet(network, prefix, "ipv6");
}

/** True for addresses of this computer or its network, and for ones that lead nowhere. */
export function isPrivateAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 0) return true;
  return family === 4 ? private4.check(address, "ipv4") : private6.check(address, "ipv6");
}

/** True where that is known without looking the name up. */
export function isPrivateHost({ hostname }: URL): boolean {
  const host = hostname.replace(/^\[|\]$/gu, "");
  if (isIP(host) !== 0) return isPrivateAddress(host);
  return /^(?:.*\.)?localhost\.?$/u.test(host);
}

type Resolve = (
  hostname: string,
  options: LookupAllOptions,
  callback: (error: Error | null, found: LookupAddress[]) => void,
) => void;

const MUST_BE_PUBLIC = "the address must be public";
/** The reader may be the operator of the service, or run a job with the built-in service. */
const BY_FLAG = "unless the service or the job is run with MAKEREADY_ALLOW_PRIVATE_FETCH=true";

/**
 * Looks a name up once and connects to the addresses that were checked: a name that changes right
 * after (DNS rebinding) makes no difference. If any of its addresses is private, all are refused.
 */
export function makeGuardedLookup(resolve: Resolve, says = MUST_BE_PUBLIC): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, found) => {
      if (error !== null) {
        callback(error, "", 0);
        return;
      }
      const first = found[0];
      if (first === undefined || found.some(({ address }) => isPrivateAddress(address))) {
        callback(new Error(says), "", 0);
      } else if (options.all === true) {
        // Node wants all addresses when it tries both families.
        (callback as (error: null, all: LookupAddress[]) => void)(null, found);
      } else {
        callback(null, first.address, first.family);
      }
    });
  };
}

const guardedLookup = makeGuardedLookup(lookUp);

/** A literal address is never looked up: it is checked here. */
function checkLiteral(url: URL, says = MUST_BE_PUBLIC): void {
  if (isPrivateHost(url)) throw new Error(says);
}

/** Node's code of a fault -> what happened at `host`. */
const faultWords: Readonly<Record<string, (host: string) => string>> = {
  ENOTFOUND: (host) => `the host ${host} has no address`,
  EAI_AGAIN: (host) => `the address of ${host} can't be looked up right now`,
  ECONNREFUSED: (host) => `nobody answers at ${host}`,
  EHOSTUNREACH: (host) => `nobody answers at ${host}`,
  ENETUNREACH: (host) => `nobody answers at ${host}`,
  ETIMEDOUT: (host) => `nobody answers at ${host}`,
  ECONNRESET: (host) => `${host} ended the connection without an answer`,
};

/** The fault in words for whoever gave the address; others keep Node's. */
function inPlainWords(error: NodeJS.ErrnoException, { host }: URL): Error {
  const words = faultWords[error.code ?? ""];
  return words === undefined ? error : new Error(words(host), { cause: error });
}

function send(
  url: URL,
  { allowPrivate, privateUnless = BY_FLAG }: FetchRules,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const says = privateUnless === "" ? MUST_BE_PUBLIC : `${MUST_BE_PUBLIC}, ${privateUnless}`;
  if (!allowPrivate) checkLiteral(url, says);
  const request = url.protocol === "https:" ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    const lookup = allowPrivate ? {} : { lookup: makeGuardedLookup(lookUp, says) };
    request(url, { ...lookup, signal, agent: false, headers: { accept: "*/*" } }, resolve)
      .on("error", (error) => reject(inPlainWords(error, url)))
      .end();
  });
}

async function readAll(answer: IncomingMessage, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of answer as AsyncIterable<Uint8Array>) {
      size += chunk.length;
      if (size > maxBytes) throw new Error(`the file must be ${sayMostBytes(maxBytes)}`);
      chunks.push(chunk);
    }
  } catch (cause) {
    // Node's own message is just "aborted".
    if ((cause as NodeJS.ErrnoException).code !== "ECONNRESET") throw cause;
    throw new Error(`the connection broke off after ${size} bytes`, { cause });
  }
  return Buffer.concat(chunks);
}

async function fetchOver(url: string, rules: FetchRules, signal: AbortSignal): Promise<Uint8Array> {
  let target = new URL(url);
  for (let hop = 0; hop <= MAX_REDIRECTS; hop += 1) {
    if (!/^https?:$/u.test(target.protocol)) throw new Error("the URL must be http or https");
    if (rules.isHttpsOnly === true && target.protocol !== "https:")
      throw new Error("the URL must be https, and every address that it redirects to");
    const answer = await send(target, rules, signal);
    const status = answer.statusCode ?? 0;
    const { location } = answer.headers;
    if (status >= 300 && status < 400 && location !== undefined) {
      answer.resume();
      target = new URL(location, target);
      continue;
    }
    if (status !== 200) {
      answer.resume();
      throw new Error(`the server answered ${status}`);
    }
    return readAll(answer, rules.maxBytes);
  }
  throw new Error(`the URL must redirect at most ${MAX_REDIRECTS} times`);
}

export const fetchBytes: FetchBytes = async (url, rules) => {
  const { timeoutMs = TIMEOUT_MS } = rules;
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    return await fetchOver(url, rules, signal);
  } catch (cause) {
    if (!signal.aborted) throw cause;
    throw new Error(`no whole answer came within ${timeoutMs / 1000} s`, { cause });
  }
};

export interface Posted {
  readonly body: Uint8Array;
  readonly headers: Readonly<Record<string, string>>;
  readonly allowPrivate: boolean;
}

/** Posts bytes and answers the status; follows no redirects. Throws an Error without the address. */
export type PostBytes = (url: string, posted: Posted) => Promise<number>;

/** Keeps connections for the next post; each was checked when it was opened. */
const kept = { keepAlive: true, maxFreeSockets: 4, timeout: 30_000 };
const agents = {
  http: { open: new HttpAgent(kept), guarded: new HttpAgent(kept) },
  https: { open: new HttpsAgent(kept), guarded: new HttpsAgent(kept) },
};
const MAX_ANSWER_BYTES = 65_536;

/** Reads the answer to its end, so that the connection can be reused; a long answer is cut off. */
function drain(answer: IncomingMessage, done: () => void): void {
  let size = 0;
  answer.on("data", (chunk: Uint8Array) => {
    size += chunk.length;
    if (size > MAX_ANSWER_BYTES) answer.destroy();
  });
  answer.on("close", done);
  answer.on("error", () => {});
}

function postOnce(url: URL, { body, headers, allowPrivate }: Posted): Promise<number> {
  const isHttps = url.protocol === "https:";
  const request = isHttps ? requestHttps : requestHttp;
  const pair = isHttps ? agents.https : agents.http;
  return new Promise((resolve, reject) => {
    const sent = request(url, {
      method: "POST",
      agent: allowPrivate ? pair.open : pair.guarded,
      ...(allowPrivate ? {} : { lookup: guardedLookup }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
      headers: { ...headers, "content-length": String(body.length) },
    });
    sent.on("response", (answer) => {
      drain(answer, () => resolve(answer.statusCode ?? 0));
    });
    sent.on("error", (error) => {
      reject(sent.reusedSocket ? new StaleConnection(error.message, { cause: error }) : error);
    });
    sent.end(body);
  });
}

/** The receiver closed a kept connection just as it was used. */
class StaleConnection extends Error {}

export const postBytes: PostBytes = async (text, posted) => {
  const url = new URL(text);
  if (!/^https?:$/u.test(url.protocol)) throw new Error("the URL must be http or https");
  if (!posted.allowPrivate) checkLiteral(url);
  try {
    return await postOnce(url, posted);
  } catch (error) {
    if (!(error instanceof StaleConnection)) throw error;
    return postOnce(url, posted);
  }
};
