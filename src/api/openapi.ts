/** The endpoint table as an OpenAPI 3.1 document. */
import { z } from "zod";

import { endpointTable, type Endpoint, type EndpointName, type Method } from "./endpoints.ts";
import { ownLimits } from "./limits.ts";

type Json = Record<string, unknown>;

const VERSION = "2.0.0";

/** What callers send, or what they get; refinements and transforms have no JSON Schema form. */
function toSchema(shape: z.ZodType, io: "input" | "output"): Json {
  const { $schema: _$schema, ...schema } = z.toJSONSchema(shape, { io, unrepresentable: "any" });
  return schema;
}

const detail = (description: string): Json => ({
  description,
  content: { "application/json": { schema: { $ref: "#/components/schemas/Detail" } } },
});

/** Answers that every endpoint may give. */
const refusals: Json = {
  "400": {
    description: "A field is wrong: every message stands under its field.",
    content: { "application/json": { schema: { $ref: "#/components/schemas/FieldErrors" } } },
  },
  "401": detail("The token is missing or was rejected."),
  "404": detail("What was asked for doesn't exist, or belongs to somebody else."),
  "429": detail("The limit is used up; `Retry-After` tells for how long."),
};

const pathParams = (path: string): Json[] =>
  [...path.matchAll(/\{(\w+)\}/gu)].map(([, name]) => ({
    name,
    in: "path",
    required: true,
    schema: { type: "string" },
  }));

function queryParams(query: z.ZodType | undefined): Json[] {
  if (query === undefined) return [];
  const { properties = {}, required = [] } = toSchema(query, "input") as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: "query",
    required: required.includes(name),
    schema,
  }));
}

const KEY_PARAM: Json = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  description:
    "The same key with the same body gets the first answer again for 24 hours (409 while it is " +
    "being worked on, 422 for another body). Every answer echoes it.",
  schema: { type: "string", maxLength: ownLimits.maxIdempotencyKey },
};

/** The body of a success: JSON, or a file of the endpoint's type. */
function toContent({ response, type }: Endpoint): Json {
  if (response !== undefined) {
    return { content: { [type ?? "application/json"]: { schema: toSchema(response, "output") } } };
  }
  return type === undefined ? {} : { content: { [type]: { schema: { type: "string" } } } };
}

const elsewhere: Json = {
  headers: { Location: { required: true, schema: { type: "string", format: "uri" } } },
};

function toSuccess(endpoint: Endpoint): Json {
  const content = toContent(endpoint);
  return Object.fromEntries(
    endpoint.status.map((code) => [
      String(code),
      { description: "Success.", ...(code >= 300 ? elsewhere : content) },
    ]),
  );
}

function toOperation(name: EndpointName, method: Method): Json {
  const endpoint = endpointTable[name];
  const isFirst = method === endpoint.methods[0];
  const keyed = endpoint.creates
    ? {
        "409": detail("The key is in flight."),
        "422": detail("The key was used for another body."),
      }
    : {};
  return {
    operationId: isFirst ? name : `${name}By${method}`,
    summary: endpoint.summary,
    parameters: [
      ...pathParams(endpoint.path),
      ...queryParams(endpoint.query),
      ...(endpoint.creates ? [KEY_PARAM] : []),
    ],
    ...(endpoint.body !== undefined && {
      requestBody: {
        required: true,
        content: { "application/json": { schema: toSchema(endpoint.body, "input") } },
      },
    }),
    responses: {
      ...toSuccess(endpoint),
      ...refusals,
      ...(endpoint.body !== undefined && { "415": detail("The body is not JSON.") }),
      ...keyed,
    },
  };
}

/** The whole document; `baseUrl` is the API's root as callers reach it. */
export function makeOpenApi(baseUrl: string): Json {
  const paths: Record<string, Json> = {};
  for (const name of Object.keys(endpointTable) as EndpointName[]) {
    const { path, methods } = endpointTable[name];
    const operations = methods.map((method) => [method.toLowerCase(), toOperation(name, method)]);
    paths[path] = { ...paths[path], ...(Object.fromEntries(operations) as Json) };
  }
  return {
    openapi: "3.1.0",
    info: { title: "QR code service", version: VERSION },
    servers: [{ url: baseUrl }],
    security: [{ token: [] }],
    paths,
    components: {
      securitySchemes: {
        token: {
          type: "apiKey",
          in: "header",
          name: "Authorization",
          description: "`Token <API token>`",
        },
      },
      schemas: {
        Detail: {
          type: "object",
          properties: { detail: { type: "string" } },
          required: ["detail"],
        },
        FieldErrors: {
          type: "object",
          additionalProperties: {
            anyOf: [
              { type: "array", items: { type: "string" } },
              { $ref: "#/components/schemas/FieldErrors" },
            ],
          },
        },
      },
    },
  };
}
