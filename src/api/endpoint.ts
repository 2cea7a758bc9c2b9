/** What an entry of the endpoint table says, and the beginnings that entries share. */
import type { z } from "zod";

import type { RequestClass } from "./limits.ts";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

export interface Endpoint {
  /** All that the server takes; the first is the one that a client sends. */
  readonly methods: readonly [Method, ...Method[]];
  /** Relative to the base URL, with trailing slash; served without it too. */
  readonly path: `/${string}/`;
  /** Which budget a request counts against. */
  readonly class: RequestClass;
  /** JSON body; left out = the endpoint takes none. */
  readonly body?: z.ZodType;
  readonly query?: z.ZodType;
  /** JSON body of the success; left out = none, or a file. */
  readonly response?: z.ZodType;
  /** Content type of `response`, left out = `application/json`; or of the file that is answered. */
  readonly type?: string;
  /** Statuses of success, the usual one first. */
  readonly status: readonly [number, ...number[]];
  /** A paginated list. */
  readonly list: boolean;
  /** Makes a thing whenever it is sent: takes an `Idempotency-Key`, must not be sent twice blindly. */
  readonly creates: boolean;
  /** `token` = `Authorization: Token ...`. */
  readonly auth: "token";
  readonly summary: string;
}

const ok = [200] as const;
const gone = [204] as const;

const read = {
  methods: ["GET"],
  class: "read",
  status: ok,
  creates: false,
  auth: "token",
} as const;
export const item = { ...read, list: false } as const;
export const list = { ...read, list: true } as const;
export const change = {
  class: "write",
  status: ok,
  list: false,
  creates: false,
  auth: "token",
} as const;
export const remove = { ...change, methods: ["DELETE"], status: gone } as const;
