/** Answers and refusals of handlers; bodies as in docs/spec/api.md section 7. */
import { NON_FIELD, type FieldErrors } from "../../api/errors.ts";

import type { Drawing } from "../designs/stored-design.ts";

export interface Reply {
  readonly status: number;
  /** Left out = no body. */
  readonly body?: Readonly<Record<string, unknown>>;
  /** A body that isn't JSON; `headers` have its type. */
  readonly file?: string | Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
  /** What the body's `svg` was drawn from: a stored answer keeps this and not the drawing. */
  readonly drawing?: Drawing;
}

export const ok = (body: Readonly<Record<string, unknown>>): Reply => ({ status: 200, body });
export const noContent: Reply = { status: 204 };

/** Added to answers that may be long: transfers.ts recognises long answers by it. */
export const toLength = (text: string | Uint8Array | null): Record<string, string> =>
  text === null ? {} : { "content-length": String(Buffer.byteLength(text)) };

const UNCACHED = { "cache-control": "no-store" };

/** A refused request: thrown anywhere below the dispatcher, sent as it is. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly reply: Reply;

  constructor(reply: Reply) {
    super(`${reply.status} ${JSON.stringify(reply.body)}`);
    this.reply = reply;
  }

  /** Faults by field, of a 400. */
  get fields(): FieldErrors | undefined {
    return this.reply.status === 400 ? (this.reply.body as FieldErrors) : undefined;
  }

  /** True when the request itself is fine: it came too slowly, or at a busy time. */
  get isBrake(): boolean {
    return [408, 429, 503].includes(this.reply.status);
  }

  /** For refusals outside of the dispatcher. */
  toResponse(): Response {
    const { status, body, headers = {} } = this.reply;
    return Response.json(body ?? null, { status, headers: { ...headers, ...UNCACHED } });
  }
}

const detail = (status: number, text: string, headers?: Record<string, string>): Refusal =>
  new Refusal({ status, body: { detail: text }, ...(headers === undefined ? {} : { headers }) });

const BUSY_RETRY_S = 10;

/** The answer to a sender without a valid token. */
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
  /** For a write with a read-only token. */
  readOnly: (): Refusal =>
    detail(403, "This token is read-only: changes need a token with full access."),
  /** The same answer for what doesn't exist and for what belongs to another account. */
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
  /** For a body that comes too slowly; the rest of it is not read. */
  tooSlow: (): Refusal =>
    detail(408, "The body came too slowly; send it again over a faster line.", {
      connection: "close",
    }),
  /** For requests beyond what fits into memory at once. */
  busy: (): Refusal =>
    detail(503, `Too much is under way right now; try again in ${BUSY_RETRY_S} s.`, {
      "retry-after": String(BUSY_RETRY_S),
    }),
  tooMany: (retryAfterS: number): Refusal =>
    detail(429, `Too many requests; try again in ${retryAfterS} s.`, {
      "retry-after": String(retryAfterS),
    }),
} as const;
