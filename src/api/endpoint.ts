/** An entry of the endpoint table, and the bases that entries share. */
import type { z } from "zod";

import type { RequestClass } from "./limits.ts";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** Subjects of endpoints: their tags in the description, in its order. */
export const groups = {
  codes: { title: "QR codes", says: "Make, list, change, restyle, download and delete codes." },
  scans: { title: "Scans", says: "Who scanned what, where and when: one by one, and counted." },
  templates: { title: "Templates", says: "Designs that codes are made with by name." },
  tags: { title: "Tags", says: "Words that codes are found by." },
  folders: { title: "Folders", says: "Codes lie in folders, and folders in folders." },
  pdfs: { title: "PDF codes", says: "Codes that lead to a PDF which is hosted here." },
  links: { title: "Short links", says: "Short addresses that lead elsewhere, each with its code." },
  pages: { title: "Landing pages", says: "Hosted pages with buttons, each with its code." },
  forms: { title: "Forms", says: "Hosted forms and what people answered." },
  products: {
    title: "GS1 products",
    says: "GS1 Digital Links: one identifier, one destination for each link type.",
  },
} as const satisfies Record<string, { readonly title: string; readonly says: string }>;

export type Group = keyof typeof groups;

export interface Endpoint {
  readonly group: Group;
  /** All accepted methods; clients send the first. */
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
  readonly list: boolean;
  /** Makes a new thing each time: takes an `Idempotency-Key`, must not be repeated blindly. */
  readonly creates: boolean;
  /** `token` = `Authorization: Token ...`. */
  readonly auth: "token";
  readonly summary: string;
  /** A hint for choosing it well, and for warning others. */
  readonly note?: string;
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
