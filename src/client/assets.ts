import type { Clock } from "../base/time/clock.ts";
import { AppError } from "../base/errors.ts";
import { isUrl } from "../base/text/url.ts";
import { AssetHosts } from "./asset-host.ts";
import type { AskHome } from "./home-host.ts";
import { readLimits } from "./limit-headers.ts";
import { makeQueue } from "./queues.ts";
import type { Send } from "./send.ts";
import { TransportFailure, type Transport, type WireAnswer } from "./wire.ts";

export interface AssetOptions {
  /** A longer file is refused. Default 32 MB. */
  readonly maxBytes?: number | undefined;
  /** `image/*`: any picture made of pixels; never an SVG, which may be a page. */
  readonly expect: "image/png" | "image/svg+xml" | "image/*" | "application/json";
  readonly signal?: AbortSignal | undefined;
}

/**
 * Downloads a file that the API named. The token goes only to addresses under the base URL, and to
 * others of the same origin that ask for it with 401 or 403; never to another origin, nor along a
 * redirect to one. Files outside the API use no budget. Throws `not-found`, `answer-unusable` or
 * `server-unavailable`.
 */
export type FetchAsset = (url: string, options: AssetOptions) => Promise<Uint8Array>;

export interface AssetParts {
  /** The API root, with a slash at its end. */
  readonly root: URL;
  readonly authorization: string;
  readonly transport: Transport;
  /** The API's own `send`, for files under the root: paced, one attempt. */
  readonly sendApi: Send;
  /** Around requests to the API's own host. */
  readonly askHome: AskHome;
  readonly clock: Clock;
  readonly random: () => number;
  readonly timeoutMs: number;
  readonly concurrency: number;
}

const MAX_BYTES = 32 * 1024 * 1024;
const MAX_REDIRECTS = 5;
const ATTEMPTS = 5;
const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 30_000;
/** If a host asks for a longer wait, it isn't waited for. */
const MAX_WAIT_MS = 5 * 60_000;

export function makeFetchAsset(parts: AssetParts): FetchAsset {
  // A queue of their own: a file host that hangs must not hold up creates.
  const queue = makeQueue(parts.concurrency);
  const shared = { ...parts, hosts: new AssetHosts(parts.clock), atHome: new Set<string>() };
  return (url, options) =>
    queue.add(async () => {
      const address = parseUrl(url, parts.root);
      const answer = await getWithRetry(shared, address, options);
      checkType(address, answer, options);
      return answer.body;
    }, "downloads");
}

/** Relative addresses are resolved against the API root. */
function parseUrl(text: string, base: URL): URL {
  const url = isUrl(text, base.href) ? new URL(text, base) : undefined;
  if (url?.protocol === "https:" || url?.protocol === "http:") return url;
  throw new AppError("answer-unusable", `a file's URL must be http or https, got ${text}`);
}

interface SharedParts extends AssetParts {
  readonly hosts: AssetHosts;
  /** Origins with names that are unknown here, whose files the API's own host has. */
  readonly atHome: Set<string>;
}

type Result = WireAnswer | TransportFailure;

interface Got {
  readonly result: Result;
  /** What the API's own host said, where it was asked instead. */
  readonly home?: Result | undefined;
}

async function getWithRetry(
  parts: SharedParts,
  url: URL,
  options: AssetOptions,
): Promise<WireAnswer> {
  for (let failed = 1; ; failed += 1) {
    options.signal?.throwIfAborted();
    parts.hosts.check(url);
    const got = await followHere(parts, url, options);
    const { result } = got;
    noteHosts(parts, url, got);
    if (!(result instanceof TransportFailure) && result.status === 200) return result;
    const isHopeless = result instanceof TransportFailure ? isFinal(result) : !isPassing(result);
    const delayMs = toDelayMs(parts, result, failed);
    const isVain = isHopeless || !parts.hosts.isWorthRepeating(url);
    if (isVain || failed >= ATTEMPTS || delayMs > MAX_WAIT_MS) throw toError(url, got, parts.root);
    await parts.clock.sleep(delayMs, options.signal);
  }
}

function noteHosts({ hosts, root }: SharedParts, url: URL, { result, home }: Got): void {
  const isHomeAway = home !== undefined && isAbsent(home);
  if (isAbsent(result)) hosts.bad(url, isHomeAway ? root.host : undefined);
  else hosts.good(url);
}

/**
 * A server behind a proxy names files by its public address, whose host name may be unknown here.
 * Then they are requested from the API's own host, without the token; the answer is checked in the
 * same way. Where that host has given such a file before, it is asked first.
 */
async function followHere(parts: SharedParts, url: URL, options: AssetOptions): Promise<Got> {
  const { atHome, root } = parts;
  const first = atHome.has(url.origin) ? await askAtHome(parts, url, options) : undefined;
  if (first !== undefined && isFile(first)) return { result: first };
  const result = await follow(parts, url, options).catch(toFailure);
  const isUnknown = result instanceof TransportFailure && result.reason === "dns";
  if (!isUnknown || url.origin === root.origin) return { result };
  const home = first ?? (await askAtHome(parts, url, options));
  if (!isFile(home)) return { result, home };
  atHome.add(url.origin);
  return { result: home };
}

const isFile = (result: Result): boolean =>
  !(result instanceof TransportFailure) && result.status === 200;

/** The same path at the API's own host. */
async function askAtHome(parts: AssetParts, url: URL, options: AssetOptions): Promise<Result> {
  const here = new URL(`${url.pathname}${url.search}`, parts.root.origin);
  const request = toRequest(parts, here, options);
  const { signal } = options;
  return parts
    .askHome(() => parts.transport.send({ ...request, signal }), signal)
    .catch((error: unknown) => toFailure(error));
}

/** No server answered for the file. */
const isAbsent = (result: Result): boolean =>
  result instanceof TransportFailure ? result.reason !== "too-long" : result.status >= 500;

function toFailure(error: unknown): TransportFailure {
  if (error instanceof TransportFailure) return error;
  throw error;
}

const isFinal = ({ reason }: TransportFailure): boolean =>
  reason === "invalid" || reason === "tls" || reason === "too-long" || reason === "aborted";

/** A 404 is tried again for a while: some hosts show a new file only a moment after its address. */
const isPassing = ({ status }: WireAnswer): boolean =>
  status >= 500 || status === 404 || status === 408 || status === 425 || status === 429;

function toDelayMs(
  { clock, random }: AssetParts,
  result: WireAnswer | TransportFailure,
  failed: number,
): number {
  const ceilingMs = Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** (failed - 1));
  if (result instanceof TransportFailure) return random() * ceilingMs;
  const askedMs = readLimits(result.headers, clock.nowMs()).retryAfterMs ?? 0;
  return Math.max(random() * ceilingMs, askedMs);
}

/** A redirect may lead to the public name as well, where that is unknown here. */
async function askHomeInstead(
  parts: AssetParts,
  url: URL,
  options: AssetOptions,
  error: unknown,
): Promise<WireAnswer> {
  const failure = toFailure(error);
  if (failure.reason !== "dns" || url.origin === parts.root.origin) throw failure;
  const home = await askAtHome(parts, url, options);
  if (home instanceof TransportFailure || home.status !== 200) throw failure;
  return home;
}

/** One download with its redirects, up to five. */
async function follow(parts: AssetParts, start: URL, options: AssetOptions): Promise<WireAnswer> {
  let url = start;
  // After another host, a redirect back gets no token: the other host wrote that address.
  let isTrusted = true;
  for (let hop = 0; hop <= MAX_REDIRECTS; hop += 1) {
    isTrusted &&= url.origin === parts.root.origin;
    const answer = await get(parts, url, { ...options, isTrusted }).catch((error: unknown) =>
      hop === 0 ? Promise.reject(error) : askHomeInstead(parts, url, options, error),
    );
    const location = answer.headers.get("location");
    const isRedirect = [301, 302, 303, 307, 308].includes(answer.status) && location !== null;
    if (!isRedirect) return answer;
    url = parseUrl(location, url);
  }
  throw new AppError(
    "answer-unusable",
    `${plain(start)} must lead to a file, got more than ${MAX_REDIRECTS} redirects`,
  );
}

const toRequest = (
  { timeoutMs }: AssetParts,
  url: URL,
  { expect, maxBytes = MAX_BYTES }: AssetOptions,
) => ({ method: "GET", url: url.href, headers: { accept: expect }, timeoutMs, maxBytes });

type GetOptions = AssetOptions & { readonly isTrusted: boolean };

const get = (parts: AssetParts, url: URL, options: GetOptions): Promise<WireAnswer> =>
  url.origin === parts.root.origin
    ? parts.askHome(() => getOnce(parts, url, options), options.signal)
    : getOnce(parts, url, options);

async function getOnce(parts: AssetParts, url: URL, options: GetOptions): Promise<WireAnswer> {
  const { isTrusted, signal } = options;
  const request = toRequest(parts, url, options);
  const trusted = {
    ...request,
    headers: { ...request.headers, authorization: parts.authorization },
  };
  if (isTrusted && url.pathname.startsWith(parts.root.pathname)) {
    const label = `GET ${url.pathname}`;
    return parts.sendApi({ ...trusted, class: "read", label, expect: "bytes", waitSignal: signal });
  }
  const answer = await parts.transport.send({ ...request, signal });
  const wantsToken = answer.status === 401 || answer.status === 403;
  return isTrusted && wantsToken ? parts.transport.send({ ...trusted, signal }) : answer;
}

function checkType(url: URL, answer: WireAnswer, { expect }: AssetOptions): void {
  const type = (answer.headers.get("content-type") ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
  const isVague =
    type === "" || type === "application/octet-stream" || type === "binary/octet-stream";
  const isExpected = expect === "image/*" ? PIXELS.includes(type) : type === expect;
  if (isExpected || (isVague && looksLike(expect, answer.body))) return;
  throw new AppError(
    "answer-unusable",
    `${plain(url)} must be ${expect}, got ${type || "no content type"}`,
  );
}

const PIXELS = ["image/jpeg", "image/png", "image/gif", "image/webp"];

const PNG_START = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

/** File stores often don't know the type: then the first bytes decide. */
function looksLike(expect: AssetOptions["expect"], body: Uint8Array): boolean {
  // For any picture, or for data, the caller checks the bytes.
  if (expect === "image/*" || expect === "application/json") return true;
  if (expect === "image/png") return PNG_START.every((byte, index) => body[index] === byte);
  return new TextDecoder().decode(body.subarray(0, 1024)).includes("<svg");
}

/** Without the query: file stores put a signature there, which is a secret. */
const plain = (url: URL): string => `${url.origin}${url.pathname}`;

/** That the API's own host, asked instead, is away as well; empty where it is not. */
function sayHome({ home }: Got, { origin }: URL): string {
  if (home === undefined || !isAbsent(home)) return "";
  const said =
    home instanceof TransportFailure
      ? `gave none either: ${home.message}`
      : `answered ${home.status}`;
  return `; ${origin}, where the API was reached, ${said}`;
}

function toHint(url: URL, got: Got, root: URL): string | undefined {
  const { origin } = root;
  const more = "then run again; only the files are fetched";
  if (url.origin === origin) return undefined;
  return sayHome(got, root) === ""
    ? `the API was reached at ${origin}, but names its files at ${url.origin}: let that address be reached from this computer, ${more}`
    : `see whether the server at ${origin} is up, ${more}`;
}

function toError(url: URL, got: Got, root: URL): AppError {
  const { result } = got;
  const what = `GET ${plain(url)} must be answered with the file`;
  if (result instanceof TransportFailure) {
    const code = result.reason === "too-long" ? "answer-unusable" : "server-unavailable";
    const message = `${what}, got no answer: ${result.message}${sayHome(got, root)}`;
    return new AppError(code, message, { cause: result, hint: toHint(url, got, root) });
  }
  const { status } = result;
  const message = `${what}, got ${status}`;
  if (status === 404 || status === 410) return new AppError("not-found", message);
  return new AppError(
    status >= 500 || status === 429 ? "server-unavailable" : "answer-unusable",
    message,
  );
}
