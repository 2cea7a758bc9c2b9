/** What handlers answer and refuse with; bodies as in docs/spec/api.md section 7. */
import { NON_FIELD, type FieldErrors } from "../../api/errors.ts";

import type { Drawing } from "../designs/stored-design.ts";

export interface Reply {
  readonly status: number;
  /** Left out = no body. */
  readonly body?: Readonly<Record<string, unknown>>;
  /** A body that isn't JSON; `headers` have its type. */
  readonly file?: string | Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
  /** What the body's `svg` was drawn from: a stored answer keeps this instead of the drawing. */
  readonly drawing?: Drawing;
}

export const ok = (body: Readonly<Record<string, unknown>>): Reply => ({ status: 200, body });
export const noContent: Reply = { status: 204 };

/** Told of what may be long: by it, long answers are known (transfers.ts). */
export const toLength = (text: string | Uint8Array | null): Record<string, string> =>
  text === null ? {} : { "content-length": String(Buffer.byteLength(text)) };

const UNCACHED = { "cache-control": "no-store" };

/** A request that is turned down: thrown anywhere below the dispatcher, sent as it stands. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly reply: Reply;

  constructor(reply: Reply) {
    super(`${reply.status} ${JSON.stringify(reply.body)}`);
    this.reply = reply;
  }

  /** Of a 400. */
  get fields(): FieldErrors | undefined {
    return this.reply.status === 400 ? (this.reply.body as FieldErrors) : undefined;
  }

  /** Nothing is wrong with what was sent: it came too slowly, or while too much else did. */
  get isBrake(): boolean {
    return [408, 429, 503].includes(this.reply.status);
  }

  /** For what has no other words for it. */
  toResponse(): Response {
    const { status, body, headers = {} } = this.reply;
    return Response.json(body ?? null, { status, headers: { ...headers, ...UNCACHED } });
  }
}

const detail = (status: number, text: string, headers?: Record<string, string>): Refusal =>
  new Refusal({ status, body: { detail: text }, ...(headers === undefined ? {} : { headers }) });

const BUSY_RETRY_S = 10;

/** What a sender without a good token is told. */
export interface Challenge {
  readonly detail: string;
  /** Value of `WWW-Authenticate`. */
  readonly scheme: string;
}

const API_CHALLENGE: Challenge = {
  detail: "A valid API token must be sent as `Authorization: Token <token>`.",
  scheme: "Token",
};

export const refuse = {
  fields: (errors: FieldErrors): Refusal => new Refusal({ status: 400, body: errors }),
  field: (name: string, message: string): Refusal => refuse.fields({ [name]: [message] }),
  whole: (message: string): Refusal => refuse.field(NON_FIELD, message),
  unauthorized: ({ detail: text, scheme }: Challenge = API_CHALLENGE): Refusal =>
    detail(401, text, { "www-authenticate": scheme }),
  /** A token that may read and no more. */
  readOnly: (): Refusal =>
    detail(403, "This token is read-only: changes need a token with full access."),
  /** The same for what does not exist and for what belongs to somebody else. */
  notFound: (): Refusal => detail(404, "Not found."),
  /** `allowed` = the value of the header `Allow`. */
  method: (method: string, allowed: string): Refusal =>
    detail(405, `Method ${method} is not allowed.`, { allow: allowed }),
  inFlight: (): Refusal =>
    detail(409, "A request with this Idempotency-Key is still being worked on; ask again."),
  mediaType: (got: string): Refusal =>
    detail(415, `The body must be application/json, got ${JSON.stringify(got)}.`),
  coding: (got: string): Refusal =>
    detail(415, `The body must not be compressed, got ${JSON.stringify(got)}.`),
  otherBody: (): Refusal =>
    detail(422, "This Idempotency-Key was used for another request; take a new one."),
  /** A body that comes byte by byte; the rest of it is not waited for. */
  tooSlow: (): Refusal =>
    detail(408, "The body came too slowly; send it again over a faster line.", {
      connection: "close",
    }),
  /** More is being sent or fetched than there is room for. */
  busy: (): Refusal =>
    detail(503, `Too much is under way right now; try again in ${BUSY_RETRY_S} s.`, {
      "retry-after": String(BUSY_RETRY_S),
    }),
  tooMany: (retryAfterS: number): Refusal =>
    detail(429, `Too many requests; try again in ${retryAfterS} s.`, {
      "retry-after": String(retryAfterS),
    }),
} as const;
