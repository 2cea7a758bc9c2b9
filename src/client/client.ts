/**
 * The client of the API v2: one method per endpoint that makeready calls, made from the endpoint
 * table. Every request goes through `stack.ts`.
 */
import { setMaxListeners } from "node:events";

import {
  ToldCode,
  type Code,
  type CodeCreate,
  type CodeFiles,
  type CodeItem,
  type CodeListQuery,
  type CodeUpdate,
} from "../api/code.ts";
import type { DesignPatch } from "../api/design.ts";
import type { Folder, FolderCreate } from "../api/folder.ts";
import type { BodyOf } from "../api/endpoints.ts";
import { limits as apiLimits, type RequestClass } from "../api/limits.ts";
import { pageOf, type Page, type PageQuery } from "../api/paging.ts";
import type { Analytics, AnalyticsQuery } from "../api/scan.ts";
import type { TagAdd } from "../api/tag.ts";
import type { Template } from "../api/template.ts";
import { systemClock, type Clock } from "../base/time/clock.ts";
import { AppError } from "../base/errors.ts";
import type { Log } from "../base/log.ts";
import { isUrl } from "../base/text/url.ts";
import { makeFetchAsset, type FetchAsset } from "./assets.ts";
import { Breaker, PATIENCE_MS } from "./breaker.ts";
import { makeAskHome } from "./home-host.ts";
import { Budget } from "./budget.ts";
import { makeCall, type Call } from "./call.ts";
import { sendCreate, type CreateOutcome } from "./create.ts";
import { fetchTransport, type FetchLike } from "./fetch-transport.ts";
import { eachItem } from "./pages.ts";
import type { ClassStats } from "./pace.ts";
import { feed, makeQueues, type FeedOptions, type Queues } from "./queues.ts";
import type { Waiting } from "./send.ts";
import { ServerTime } from "./server-time.ts";
import { makeThingMethods, wasThere, type ThingMethods } from "./thing-methods.ts";
import { stack } from "./stack.ts";
import { openTransport } from "./transport.ts";
import type { Transport } from "./wire.ts";

export type { ToldCode } from "../api/code.ts";
export type { BodyOf } from "../api/endpoints.ts";
export type { Page } from "../api/paging.ts";
export { verifyWebhook, type ReceivedWebhook, type WebhookEvent } from "../api/webhook.ts";
export type { Clock } from "../base/time/clock.ts";
export type { Log } from "../base/log.ts";
export type { FetchAsset } from "./assets.ts";
export type { CreateOutcome } from "./create.ts";
export type { FetchLike } from "./fetch-transport.ts";
export type { ClassStats } from "./pace.ts";
export type { Registered } from "./thing-methods.ts";
export type { FeedOptions, Queues, WorkQueue } from "./queues.ts";
export type { Waiting } from "./send.ts";
export type { Transport, WireAnswer, WireRequest } from "./wire.ts";

export interface ClientOptions {
  /** The API root, http or https, such as `https://host/api/v2`. */
  readonly baseUrl: string;
  readonly token: string;
  /** Id of the workspace that lists and folders belong to. */
  readonly workspace: string;
  readonly clock?: Clock | undefined;
  /** Default: the network, or `fetch`. */
  readonly transport?: Transport | undefined;
  /** A service in this process that answers without the network, such as `app.fetch`. */
  readonly fetch?: FetchLike | undefined;
  /**
   * What to assume when the server sends no limit headers. `unknown` (default): 60 writes and 120
   * reads a minute. `none`: no limits, until an answer says otherwise.
   */
  readonly limits?: "unknown" | "none" | undefined;
  /** Most writes, and most reads, under way at a time. Minimum 1. Default 8. */
  readonly concurrency?: number | undefined;
  /** Part of the token's limit that this client uses, above 0 and at most 1. Default 1. */
  readonly share?: number | undefined;
  /** From the first byte of a request to the last of its answer. Default 60 s. */
  readonly timeoutMs?: number | undefined;
  readonly log?: Log | undefined;
  /** Called when requests must wait for seconds, with the reason in words. */
  readonly onWaiting?: ((waiting: Waiting) => void) | undefined;
  /** From 0 to below 1. Default `Math.random`. */
  readonly random?: (() => number) | undefined;
  /** Ends all waits: requests that were not sent yet reject with its reason. */
  readonly signal?: AbortSignal | undefined;
  /** How long a server may be away before requests throw. Default 10 min; 30 s if it never answered. */
  readonly patienceMs?: number | undefined;
}

export interface CreateOptions {
  /** Sent as `Idempotency-Key`; the same for every send of the same code. */
  readonly idempotencyKey: string;
  /**
   * Called when the pace allows the create, right before it is sent: the place to make the intent
   * durable. If it throws, nothing is sent and the error is thrown on.
   */
  readonly beforeSend?: (() => Promise<void> | void) | undefined;
  /** Ends the wait for the pace. A create that was sent is always finished. */
  readonly signal?: AbortSignal | undefined;
}

export interface ClientStats {
  readonly write: ClassStats;
  readonly read: ClassStats;
}

/** Creates that make a new thing each time they are sent. */
export type CreateName = "createCode" | "createPdf" | "createLink" | "createPage" | "createForm";

/**
 * All methods except `create` and `createCode` can be called again at will, and repeat requests by
 * themselves after passing failures. They throw `token-refused`, `not-found`, `request-refused`,
 * `rate-limited`, `server-unavailable` or `answer-unusable`.
 */
export interface Client extends ThingMethods {
  /** Sent once, never repeated. Rejects only with an error of `beforeSend` or the signal's reason. */
  createCode(body: CodeCreate, options: CreateOptions): Promise<CreateOutcome>;
  /**
   * The same for every kind of thing; `code` of the outcome holds the fields that its answer shares
   * with codes.
   */
  create<Name extends CreateName>(
    name: Name,
    body: BodyOf<Name>,
    options: CreateOptions,
  ): Promise<CreateOutcome>;
  /** Answers the existing folder if that parent has one with that name. */
  createFolder(body: Omit<FolderCreate, "workspace"> & { workspace?: string }): Promise<Folder>;
  listFolders(query?: PageQuery): Promise<Page<Folder>>;
  listCodes(query?: CodeListQuery): Promise<Page<CodeItem>>;
  /** The same for callers that complete missing fields by `getToldCode`. */
  listToldCodes(query?: CodeListQuery): Promise<Page<ToldCode>>;
  listTemplates(query?: PageQuery): Promise<Page<Template>>;
  /** Every item of every page. */
  folders(): AsyncIterable<Folder>;
  codes(query?: Omit<CodeListQuery, "page" | "page_size">): AsyncIterable<CodeItem>;
  templates(): AsyncIterable<Template>;
  getCode(id: string): Promise<Code>;
  getToldCode(id: string): Promise<ToldCode>;
  updateCode(id: string, patch: CodeUpdate): Promise<Code>;
  restyleCode(id: string, design: DesignPatch): Promise<Code>;
  /** False when the code was gone already. */
  deleteCode(id: string): Promise<boolean>;
  downloadCode(id: string): Promise<CodeFiles>;
  /** The file itself, from our own service. */
  readPicture(id: string, type: PictureType, maxBytes: number): Promise<Uint8Array>;
  getAnalytics(id: string, query?: AnalyticsQuery): Promise<Analytics>;
  addTags(id: string, tags: TagAdd): Promise<Code>;
  /** `tag`: id or slug. */
  removeTag(id: string, tag: string): Promise<Code>;
  readonly fetchAsset: FetchAsset;
  readonly queues: Queues;
  /** `feed` of the write queue; default priority: that of creates. */
  eachWrite: Each;
  /** `feed` of the read queue; default priority: that of downloads. */
  eachRead: Each;
  stats(): ClientStats;
  /** The server's wall clock; undefined until an answer had a date. */
  serverNowMs(): number | undefined;
  close(): Promise<void>;
}

type PictureType = "image/png" | "image/svg+xml";

type Each = <Item>(
  items: Iterable<Item> | AsyncIterable<Item>,
  work: (item: Item) => Promise<void>,
  options?: Partial<FeedOptions>,
) => Promise<number>;

const TIMEOUT_MS = 60_000;
const CONCURRENCY = 8;

/** Throws `bad-usage` with all faults of the options. */
export function openClient(options: ClientOptions): Client {
  checkOptions(options);
  const { token, clock = systemClock, random = Math.random, onWaiting } = options;
  const { timeoutMs = TIMEOUT_MS, concurrency = CONCURRENCY } = options;
  const root = toRoot(options.baseUrl);
  // Every waiting request listens to the signal: many listeners are no leak.
  if (options.signal !== undefined) setMaxListeners(0, options.signal);
  const serverTime = new ServerTime(clock);
  const transport = serverTime.watch(
    options.transport ?? makeTransport(options.fetch, clock),
    root.origin,
  );
  const authorization = `Token ${token}`;
  const breaker = makeBreaker(options, clock);
  const { repeat, once, stats } = stack({
    transport,
    budgets: makeBudgets(options),
    breaker,
    clock,
    random,
    log: options.log,
    onWaiting,
  });
  const call = makeCall({ root, authorization, timeoutMs, signal: options.signal, send: repeat });
  const queues = makeQueues(concurrency);
  const send: Client["create"] = (name, body, { idempotencyKey, beforeSend, signal }) => {
    const request = call.toRequest(name, { params: {} as never, body });
    const headers = { ...request.headers, "idempotency-key": idempotencyKey };
    const waitSignal = signal ?? options.signal;
    return sendCreate(once, { ...request, headers, beforeSend, waitSignal }, () => clock.nowMs());
  };
  return {
    ...makeMethods(call, options.workspace),
    createCode: (body, create) => send("createCode", body, create),
    create: send,
    fetchAsset: makeFetchAsset({
      root,
      authorization,
      transport,
      clock,
      random,
      timeoutMs,
      concurrency,
      sendApi: once,
      askHome: makeAskHome(makeHomeBreaker(options, clock, breaker)),
    }),
    queues,
    eachWrite: (items, work, feeding) =>
      feed(queues.write, items, work, { priority: "creates", ...feeding }),
    eachRead: (items, work, feeding) =>
      feed(queues.read, items, work, { priority: "downloads", ...feeding }),
    stats: () => ({ write: stats("write"), read: stats("read") }),
    serverNowMs: () => serverTime.nowMs(),
    close: () => transport.close(),
  };
}

type Methods = Omit<
  Client,
  | "createCode"
  | "create"
  | "fetchAsset"
  | "queues"
  | "eachWrite"
  | "eachRead"
  | "stats"
  | "serverNowMs"
  | "close"
>;

function makeMethods(call: Call, workspace: string): Methods {
  const inWorkspace = { workspace_id: workspace };
  const methods: Methods = {
    createFolder: (body) => call("createFolder", { params: {}, body: { workspace, ...body } }),
    listFolders: (query) => call("listFolders", { params: inWorkspace, query }),
    listCodes: (query) => call("listCodes", { params: inWorkspace, query }),
    listToldCodes: (query) => call.as("listCodes", { params: inWorkspace, query }, ToldCodes),
    listTemplates: (query) => call("listTemplates", { params: inWorkspace, query }),
    folders: () => eachItem(methods.listFolders),
    codes: (query) => eachItem((page) => methods.listCodes({ ...query, ...page })),
    templates: () => eachItem(methods.listTemplates),
    getCode: (id) => call("getCode", { params: ofCode(id) }),
    getToldCode: (id) => call.as("getCode", { params: ofCode(id) }, ToldCode),
    updateCode: (id, body) => call("updateCode", { params: ofCode(id), body }),
    restyleCode: (id, body) => call("updateDesign", { params: ofCode(id), body }),
    deleteCode: (id) => wasThere(() => call("deleteCode", { params: ofCode(id) })),
    downloadCode: (id) => call("downloadCode", { params: ofCode(id) }),
    readPicture: (id, type, maxBytes) =>
      call.file("downloadCode", { params: ofCode(id) }, { type, maxBytes }),
    getAnalytics: (id, query) => call("getAnalytics", { params: ofCode(id), query }),
    addTags: (id, body) => call("addTags", { params: ofCode(id), body }),
    removeTag: (id, tag) => call("removeTag", { params: { ...ofCode(id), tag } }),
    ...makeThingMethods(call, workspace),
  };
  return methods;
}

const ToldCodes = pageOf(ToldCode);

const ofCode = (id: string): { qr_code_id: string } => ({ qr_code_id: id });

function makeTransport(fetch: FetchLike | undefined, clock: Clock): Transport {
  return fetch === undefined ? openTransport({ clock }) : fetchTransport(fetch, { clock });
}

function makeBreaker({ patienceMs, onWaiting }: ClientOptions, clock: Clock): Breaker {
  const firstPatienceMs = patienceMs === undefined ? undefined : Math.min(patienceMs, 30_000);
  return new Breaker({ clock, onWaiting, patienceMs, firstPatienceMs });
}

/** For files at the API's host, which has answered when it named them. Of the same outage, the API tells. */
function makeHomeBreaker(
  { patienceMs = PATIENCE_MS, onWaiting }: ClientOptions,
  clock: Clock,
  api: Breaker,
): Breaker {
  const tell: ClientOptions["onWaiting"] = (waiting) => {
    if (!api.isOpen) onWaiting?.(waiting);
  };
  return new Breaker({ clock, onWaiting: tell, patienceMs, firstPatienceMs: patienceMs });
}

function makeBudgets(options: ClientOptions): Record<RequestClass, Budget> {
  const { share, limits: assume } = options;
  const { windowMs, readsPerWindow, writesPerWindow } = apiLimits;
  return {
    read: new Budget({ limit: readsPerWindow, windowMs, share, assume }),
    write: new Budget({ limit: writesPerWindow, windowMs, share, assume }),
  };
}

function toRoot(baseUrl: string): URL {
  const url = new URL(baseUrl);
  url.search = "";
  url.hash = "";
  if (!url.pathname.endsWith("/")) url.pathname += "/";
  return url;
}

/** option -> its rule, and whether it is met. */
function checkOptions(options: ClientOptions): void {
  const { baseUrl, token, workspace, concurrency = CONCURRENCY, share = 1 } = options;
  const rules: readonly (readonly [boolean, string])[] = [
    [isHttpUrl(baseUrl), `baseUrl must be an http or https URL, got "${baseUrl}"`],
    [
      /^[\x21-\x7e]+$/u.test(token),
      "token must be printable ASCII without spaces, got another text",
    ],
    [workspace.trim() !== "", "workspace must be a workspace id, got nothing"],
    [
      Number.isInteger(concurrency) && concurrency >= 1,
      `concurrency must be a whole number from 1 on, got ${concurrency}`,
    ],
    [share > 0 && share <= 1, `share must be above 0 and at most 1, got ${share}`],
  ];
  const problems = rules.filter(([holds]) => !holds).map(([, message]) => ({ message }));
  if (problems.length === 0) return;
  const message = problems.map((problem) => problem.message).join("; ");
  throw new AppError("bad-usage", message, { problems });
}

function isHttpUrl(text: string): boolean {
  return isUrl(text) && /^https?:$/u.test(new URL(text).protocol);
}
