/**
 * The path of one API request: finds the sender, checks limits and format, calls the handler.
 * Whatever is thrown on the way becomes an answer.
 */
import { z } from "zod";

import { endpointTable, type Endpoint, type EndpointName } from "../../api/endpoints.ts";
import { toId } from "../../api/fields.ts";
import { ownLimits, type RequestClass } from "../../api/limits.ts";
import { toMessage } from "../../base/errors.ts";

import type { Caller } from "../auth/accounts.ts";
import { signChanges } from "../auth/write-as.ts";
import type { Call, Context, Handler, Handlers } from "../context.ts";
import { cantStoreHeaders } from "../store/disk-watch.ts";
import type { Db } from "../store/tables.ts";
import { readJson } from "./body.ts";
import { hashRequest, readKey, type Idempotency, type Keyed } from "./idempotency.ts";
import { parseOrRefuse } from "./problems.ts";
import { toLimitHeaders, type Quota, type RateLimit } from "./rate-limit.ts";
import { withWholeBody } from "./whole-body.ts";
import { Refusal, refuse, toLength, type Challenge, type Reply } from "./reply.ts";

/**
 * Requests per window: of a token by class, and of an address without a good token. undefined = no
 * limit, and no limit headers either.
 */
export type LimitRule = Readonly<Record<RequestClass | "rejected", number>> | undefined;

export interface DispatchParts {
  readonly context: Context;
  readonly handlers: Handlers;
  readonly rateLimit: RateLimit;
  readonly limitRule: LimitRule;
  readonly idempotency: Idempotency;
}

/** A request as the router passes it on. `names` = the endpoints of its path; none = unknown path. */
export interface Arrival {
  readonly request: Request;
  readonly ip: string;
  /** Its id in the log and in the answer. */
  readonly requestId: string;
  readonly names: readonly EndpointName[];
  readonly params: Readonly<Record<string, string>>;
  /** The sender, if it is known already; left out = found by the request's header. */
  readonly caller?: Caller;
  /** False for a part of a request that was counted already. Default true. */
  readonly isCounted?: boolean;
  /** A create that finds the thing there answers it and changes nothing. Default false. */
  readonly onlyMakes?: boolean;
}

type AnyHandler = Handler<EndpointName>;
type AnyCall = Call<EndpointName>;

const toClass = (method: string): RequestClass =>
  method === "GET" || method === "HEAD" || method === "OPTIONS" ? "read" : "write";

/** What a request is counted under, and the limit of it. */
function toBucket(
  rule: NonNullable<LimitRule>,
  { request, ip, caller }: Pick<Arrival, "request" | "ip"> & { caller: Caller | undefined },
): [key: string, limit: number] {
  if (caller === undefined) return [`ip ${ip}`, rule.rejected];
  const kind = toClass(request.method);
  return [`${kind} ${caller.tokenId}`, rule[kind]];
}

const toIds = (params: Arrival["params"]): Arrival["params"] =>
  Object.fromEntries(Object.entries(params).map(([name, value]) => [name, toId(value)]));

/** HEAD is answered as GET; the server leaves the body out. */
const toMethod = (method: string): string => (method === "HEAD" ? "GET" : method);

/** All methods that a path accepts, for `Allow`; of a token that only reads, those that it may use. */
function toAllowed(names: readonly EndpointName[], isReadOnly = false): string {
  const open = names.filter((one) => !isReadOnly || endpointTable[one].class !== "write");
  const methods: string[] = open.flatMap((one) => endpointTable[one].methods);
  return [...methods, ...(methods.includes("GET") ? ["HEAD"] : []), "OPTIONS"].join(", ");
}

/** Made once: zod compiles a shape at its first use. */
const NO_QUERY = z.object({});

/** Largest body in bytes: images and documents come as base64. */
const bodyCaps: Partial<Record<EndpointName, number>> = {
  updateDesign: ownLimits.maxLogoBodyBytes,
  createPdf: ownLimits.maxPdfBodyBytes,
};

export class Dispatcher {
  readonly #parts: DispatchParts;

  constructor(parts: DispatchParts) {
    this.#parts = parts;
  }

  async answer(arrival: Arrival): Promise<Response> {
    const headers: Record<string, string> = {};
    try {
      headers["date"] = new Date(this.#parts.context.clock.nowMs()).toUTCString();
      const caller = await this.#admit(arrival, headers);
      return toResponse(await this.#handle(arrival, caller, headers), headers);
    } catch (error) {
      return toResponse(this.#toReply(error, arrival.requestId), headers);
    }
  }

  /**
   * Answers public reading through `work`. An address may read as often as a token may. Such reads
   * don't count for the reader's token; the answer's headers show the token's own quota.
   */
  async answerReader(
    { request, ip, requestId }: Pick<Arrival, "request" | "ip" | "requestId">,
    work: () => Promise<Response>,
  ): Promise<Response> {
    const { context, limitRule: rule, rateLimit } = this.#parts;
    if (rule === undefined) return work();
    const headers: Record<string, string> = {};
    try {
      await this.#take([`reader ${ip}`, rule.read], headers);
      const response = await work();
      const caller = await context.callers.ofHeader(request.headers.get("authorization"));
      const [key, limit] = toBucket(rule, { request, ip, caller });
      const quota = toLimitHeaders(await rateLimit.peek(key, limit));
      for (const [name, value] of Object.entries(quota)) response.headers.set(name, value);
      return response;
    } catch (error) {
      return toResponse(this.#toReply(error, requestId), headers);
    }
  }

  /**
   * Answers an assistant's message through `work`. Messages count per token, apart from the
   * requests of its tools. `work` calls `countLong` for a long message; these are limited like
   * writes.
   */
  async answerMessage(
    { caller, requestId }: { readonly caller: Caller; readonly requestId: string },
    work: (countLong: () => Promise<void>) => Promise<Response>,
  ): Promise<Response> {
    const headers: Record<string, string> = {};
    const count = async (
      kind: string,
      limit: (rule: NonNullable<LimitRule>) => number,
    ): Promise<void> => {
      const rule = this.#parts.limitRule;
      if (rule !== undefined) await this.#take([`${kind} ${caller.tokenId}`, limit(rule)], headers);
    };
    try {
      await count("message", ({ read, write }) => ownLimits.messagesPerWindow + read + write);
      return await work(() => count("long message", ({ write }) => write));
    } catch (error) {
      return toResponse(this.#toReply(error, requestId), headers);
    }
  }

  /** Answers a request beside the API through `work`, for a valid token; it counts as a write. */
  async answerBeside(
    arrival: Pick<Arrival, "request" | "ip" | "requestId">,
    work: (caller: Caller) => Promise<Response>,
  ): Promise<Response> {
    const headers: Record<string, string> = {};
    try {
      const caller = await this.#admit({ ...arrival, names: [], params: {} }, headers);
      const response = await work(caller);
      for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
      return response;
    } catch (error) {
      return toResponse(this.#toReply(error, arrival.requestId), headers);
    }
  }

  /** Refuses a sender without a valid token, outside of the API; the request counts all the same. */
  async refuseStranger(
    arrival: Pick<Arrival, "request" | "ip" | "requestId">,
    challenge: Challenge,
  ): Promise<Response> {
    const headers: Record<string, string> = {};
    try {
      await this.#count({ ...arrival, caller: undefined }, headers);
      throw refuse.unauthorized(challenge);
    } catch (error) {
      return toResponse(this.#toReply(error, arrival.requestId), headers);
    }
  }

  /** What a caller has left in this minute, without counting; undefined = nothing is limited. */
  async quotasOf({
    tokenId,
  }: Caller): Promise<{ readonly read: Quota; readonly write: Quota } | undefined> {
    const { limitRule: rule, rateLimit } = this.#parts;
    if (rule === undefined) return undefined;
    return {
      read: await rateLimit.peek(`read ${tokenId}`, rule.read),
      write: await rateLimit.peek(`write ${tokenId}`, rule.write),
    };
  }

  /** Counts a change made beside the API; throws a 429 when it is one too many. */
  async countWrite({ tokenId }: Caller): Promise<void> {
    const { limitRule: rule } = this.#parts;
    if (rule !== undefined) await this.#take([`write ${tokenId}`, rule.write], {});
  }

  /** Identifies the sender and counts the request; the quota goes into `headers` in any case. */
  async #admit(arrival: Arrival, headers: Record<string, string>): Promise<Caller> {
    const { request, ip } = arrival;
    const caller =
      arrival.caller ??
      (await this.#parts.context.callers.ofHeader(request.headers.get("authorization")));
    if (arrival.isCounted !== false) await this.#count({ request, ip, caller }, headers);
    if (caller === undefined) throw refuse.unauthorized();
    return caller;
  }

  async #count(
    sent: Parameters<typeof toBucket>[1],
    headers: Record<string, string>,
  ): Promise<void> {
    const { limitRule } = this.#parts;
    if (limitRule !== undefined) await this.#take(toBucket(limitRule, sent), headers);
  }

  async #take(bucket: ReturnType<typeof toBucket>, headers: Record<string, string>): Promise<void> {
    const quota = await this.#parts.rateLimit.take(...bucket);
    Object.assign(headers, toLimitHeaders(quota));
    if (quota.exceeded) throw refuse.tooMany(quota.resetS);
  }

  async #handle(arrival: Arrival, caller: Caller, headers: Record<string, string>): Promise<Reply> {
    const { request, names } = arrival;
    if (names.length === 0) throw refuse.notFound();
    const method = toMethod(request.method);
    if (method === "OPTIONS") {
      return { status: 204, headers: { allow: toAllowed(names, caller.isReadOnly) } };
    }
    const name = names.find((one) => endpointTable[one].methods.some((known) => known === method));
    if (name === undefined) throw refuse.method(request.method, toAllowed(names));
    const endpoint: Endpoint = endpointTable[name];
    if (caller.isReadOnly && endpoint.class === "write") throw refuse.readOnly();
    const key = endpoint.creates ? readKey(request) : undefined;
    // Also on a refusal: it shows the sender that this service honours keys.
    if (key !== undefined) headers["idempotency-key"] = key;
    const { body, hash } = await readBody(request, name);
    const keyed =
      key === undefined ? undefined : { tokenId: caller.tokenId, key, requestHash: hash };
    const call = this.#toCall(arrival, { endpoint, caller, body, keyed });
    const handler: AnyHandler = this.#parts.handlers[name];
    if (keyed === undefined) return handler(call);
    return this.#parts.idempotency.once(keyed, () => handler(call));
  }

  #toCall(
    { request, params, onlyMakes = false }: Arrival,
    given: {
      readonly endpoint: Endpoint;
      readonly caller: Caller;
      readonly body: unknown;
      readonly keyed: Keyed | undefined;
    },
  ): AnyCall {
    const { endpoint, caller, body, keyed } = given;
    const { context, idempotency } = this.#parts;
    const url = context.addresses.seenByClients(new URL(request.url));
    const query = endpoint.query ?? NO_QUERY;
    const commit = (work: (tx: Db) => Promise<Reply>): Promise<Reply> =>
      context.store.write(async (tx) => {
        const reply = await work(tx);
        await signChanges(tx, context, caller);
        if (keyed !== undefined) await idempotency.keep(tx, keyed, reply);
        return reply;
      });
    return {
      params: toIds(params) as AnyCall["params"],
      query: parseOrRefuse(query, Object.fromEntries(url.searchParams)) as AnyCall["query"],
      body: body as AnyCall["body"],
      caller,
      url,
      accept: request.headers.get("accept") ?? "",
      onlyMakes,
      commit,
    };
  }

  #toReply(error: unknown, requestId: string): Reply {
    if (error instanceof Refusal) return error.reply;
    const trouble = this.#parts.context.disk.takes(error);
    if (trouble !== undefined) {
      return { status: 503, body: { detail: trouble }, headers: cantStoreHeaders };
    }
    // The sender may use one request id for many requests: so the fault gets its own id.
    const errorId = this.#parts.context.ids.uuid();
    const stack = error instanceof Error ? error.stack : undefined;
    this.#parts.context.log.error(
      { requestId, errorId, stack, error: toMessage(error) },
      "request failed",
    );
    return {
      status: 500,
      body: {
        detail: `Something went wrong on our side (request ${requestId}, error ${errorId}).`,
      },
    };
  }
}

interface ParsedBody {
  readonly body: unknown;
  readonly hash: string;
}

async function readBody(request: Request, name: EndpointName): Promise<ParsedBody> {
  const { body: shape } = endpointTable[name];
  if (shape === undefined) return { body: undefined, hash: "" };
  const { value, bytes } = await readJson(request, {
    maxBytes: bodyCaps[name] ?? ownLimits.maxBodyBytes,
    array: shape instanceof z.ZodArray,
  });
  return { body: parseOrRefuse(shape, value), hash: hashRequest(name, bytes) };
}

function toResponse(reply: Reply, headers: Readonly<Record<string, string>>): Response {
  const all = { ...headers, ...reply.headers, "cache-control": "no-store" };
  if (reply.body === undefined) {
    const { file = null, status } = reply;
    const response = new Response(file as string | Uint8Array<ArrayBuffer> | null, {
      status,
      headers: { ...all, ...toLength(file) },
    });
    return file === null ? response : withWholeBody(response, file);
  }
  const text = JSON.stringify(reply.body);
  const response = new Response(text, {
    status: reply.status,
    headers: { "content-type": "application/json", ...all, ...toLength(text) },
  });
  return withWholeBody(response, text);
}
