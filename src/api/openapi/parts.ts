/** Parts that operations share: refusals, headers, authentication, the introduction. */
import { endpointTable } from "../endpoints.ts";
import { limits, ownLimits } from "../limits.ts";
import { toRef, type Json } from "./schemas.ts";

const integer = (description: string, example: number): Json => ({
  description,
  schema: { type: "integer", example },
});

/** Named headers of answers. */
export const headers = {
  "RateLimit-Limit": integer(
    `Requests of this kind per window: ${limits.readsPerWindow} reads and ${limits.writesPerWindow} writes unless the operator set others.`,
    limits.readsPerWindow,
  ),
  "RateLimit-Remaining": integer(
    "Requests that are left in this window.",
    limits.readsPerWindow - 1,
  ),
  "RateLimit-Reset": integer("Seconds until the window ends.", 42),
  "RateLimit-Policy": {
    description: "Limit and length of the window in seconds.",
    schema: { type: "string", example: `${limits.readsPerWindow};w=${limits.windowMs / 1000}` },
  },
  "Retry-After": integer("Seconds to wait before the next try.", 42),
  "Idempotency-Key": {
    description: "The key of the request; absent when it had none.",
    schema: { type: "string" },
  },
} as const satisfies Record<string, Json>;

const refsTo = (names: readonly (keyof typeof headers)[]): Json =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

/** Headers that every answer has. */
export const limitHeaders = refsTo([
  "RateLimit-Limit",
  "RateLimit-Remaining",
  "RateLimit-Reset",
  "RateLimit-Policy",
]);
export const keyHeader = refsTo(["Idempotency-Key"]);

const body = (schema: string): Json => ({ "application/json": { schema: toRef(schema) } });

interface Refusal {
  readonly status: number;
  readonly description: string;
  readonly schema?: "FieldErrors";
  readonly waits?: boolean;
}

/** Name -> an answer that refuses. */
const refusals = {
  BadRequest: {
    status: 400,
    description: "A field is wrong. Every message stands under the name of its field.",
    schema: "FieldErrors",
  },
  Unauthorized: { status: 401, description: "The token is missing or was rejected." },
  Forbidden: {
    status: 403,
    description: "The token is read-only, and this would change something.",
  },
  NotFound: {
    status: 404,
    description: "What was asked for doesn't exist, or belongs to somebody else.",
  },
  InFlight: { status: 409, description: "A request with this Idempotency-Key is being worked on." },
  NotJson: { status: 415, description: "The body is not JSON, or it is compressed." },
  OtherBody: { status: 422, description: "The Idempotency-Key was used for another body." },
  TooManyRequests: {
    status: 429,
    description: "The limit is used up. `Retry-After` says for how long.",
    waits: true,
  },
  Unavailable: {
    status: 503,
    description:
      "Too much is under way, or nothing can be stored. `Retry-After` says how long to wait.",
    waits: true,
  },
} as const satisfies Record<string, Refusal>;

export type RefusalName = keyof typeof refusals;

export const responses: Json = Object.fromEntries(
  Object.entries<Refusal>(refusals).map(([name, { description, schema = "Detail", waits }]) => [
    name,
    {
      description,
      headers: { ...limitHeaders, ...(waits === true ? refsTo(["Retry-After"]) : {}) },
      content: body(schema),
    },
  ]),
);

/** `{ "404": ... }` for each of these names. */
export const refuseWith = (names: readonly RefusalName[]): Json =>
  Object.fromEntries(
    names
      .toSorted((a, b) => refusals[a].status - refusals[b].status)
      .map((name) => [String(refusals[name].status), { $ref: `#/components/responses/${name}` }]),
  );

export const refusalSchemas: Record<string, Json> = {
  Detail: {
    type: "object",
    description: "Why the request was refused.",
    properties: { detail: { type: "string", description: "One sentence." } },
    required: ["detail"],
  },
  FieldErrors: {
    type: "object",
    description:
      "Name of a field -> its messages; fields of fields nest. What belongs to no field stands under non_field_errors.",
    additionalProperties: {
      anyOf: [
        { type: "array", items: { type: "string" } },
        { $ref: "#/components/schemas/FieldErrors" },
      ],
    },
  },
};

export const securitySchemes: Json = {
  token: {
    type: "apiKey",
    in: "header",
    name: "Authorization",
    description: "`Token <API token>`. Keep it on servers: whoever has it can do all that you can.",
  },
};

export const keyParameter: Json = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  description:
    "Any text of yours. The same key with the same body gets the first answer again for 24 hours, so that nothing is made twice. Answers echo it, but for those that come before it is read, such as 401, 403 and 429.",
  schema: { type: "string", maxLength: ownLimits.maxIdempotencyKey },
};

const keyed = Object.values(endpointTable)
  .filter(({ creates }) => creates)
  .map(({ path }) => `\`${path}\``);

/** Read before the first request; Markdown. */
export const introduction = `A JSON API for QR codes, short links, hosted PDFs, landing pages, forms and GS1 Digital Links.

- Every request carries \`Authorization: Token <API token>\`. It is meant for servers, never for browsers.
- Bodies are JSON. Times are ISO 8601 in UTC. Fields that are not known are ignored; answers may get more fields.
- Lists come in pages: \`page\`, \`page_size\`; \`next\` is the address of the next page, or null.
- A token may read ${limits.readsPerWindow} and write ${limits.writesPerWindow} times a minute unless the operator set others. Every answer tells what is left; 429 and 503 say in \`Retry-After\` how long to wait.
- These creates take an \`Idempotency-Key\`: ${keyed.join(", ")}. Sent again with the same key, nothing is made twice. Folders and GS1 products need none: they are found by name or identifier.
- A wrong request is 400 with the messages of every wrong field: \`{"link": ["Must be a URL, got ..."]}\`. Other refusals are \`{"detail": "..."}\`.`;
