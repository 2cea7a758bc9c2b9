/** The endpoint table as an OpenAPI document. */
import type { z } from "zod";

import { sentShapeOf } from "../announce.ts";
import { groups } from "../endpoint.ts";
import { endpointTable, type Endpoint, type EndpointName, type Method } from "../endpoints.ts";
import { exampleIds } from "../fields.ts";
import { exampleBodies } from "./examples.ts";
import * as parts from "./parts.ts";
import { Schemas, type Edition, type Json } from "./schemas.ts";
import { deliveryHeaders, webhookEvents } from "./webhooks.ts";

export type { Edition, Json };

const VERSION = "2.0.0";
const editions: Readonly<Record<Edition, string>> = { "3.1": "3.1.0", "3.0": "3.0.3" };

const pathParameters: Readonly<Record<string, string>> = {
  workspace_id: "Id of the workspace.",
  qr_code_id: "Id of the QR code.",
  tag: "Id or slug of the tag.",
  folder_id: "Id of the folder.",
  link_id: "Id of the short link; below a product, of its link.",
  page_id: "Id of the landing page.",
  form_id: "Id of the form.",
  product_id: "Id of the product.",
};

const toPathParameters = (path: string): Json[] =>
  [...path.matchAll(/\{(\w+)\}/gu)].map(([, name = ""]) => ({
    name,
    in: "path",
    required: true,
    description: pathParameters[name],
    schema: { type: "string" },
    example: name === "workspace_id" ? exampleIds.workspace : exampleIds.thing,
  }));

function toQueryParameters(query: Json): Json[] {
  const { properties = {}, required = [] } = query as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: "query",
    required: required.includes(name),
    description,
    schema,
  }));
}

const describe = ({ summary, note }: { summary: string; note?: string }): Json => ({
  summary,
  ...(note !== undefined && { description: `${summary} ${note}` }),
});

/** Writes the operations of a document, and notes which shapes they use. */
class Writer {
  readonly #names = Object.keys(endpointTable) as EndpointName[];
  readonly #queried = this.#names.filter((name) => endpointTable[name].query !== undefined);
  readonly #schemas: Schemas;

  constructor(edition: Edition) {
    const queries = this.#queried.map((name) => endpointTable[name].query as z.ZodType);
    this.#schemas = new Schemas(edition, queries);
  }

  paths(): Record<string, Json> {
    const paths: Record<string, Json> = {};
    for (const name of this.#names) {
      const { path, methods } = endpointTable[name];
      const operations = methods.map((method) => [
        method.toLowerCase(),
        this.#operation(name, method),
      ]);
      paths[path] = { ...paths[path], ...(Object.fromEntries(operations) as Json) };
    }
    return paths;
  }

  webhooks(): Json {
    const names = Object.keys(webhookEvents) as (keyof typeof webhookEvents)[];
    return Object.fromEntries(names.map((name) => [name, { post: this.#event(name) }]));
  }

  /** The schemas used by everything written before. */
  schemas(): Record<string, Json> {
    return { ...parts.refusalSchemas, ...this.#schemas.list() };
  }

  #operation(name: EndpointName, method: Method): Json {
    const endpoint = endpointTable[name];
    const isFirst = method === endpoint.methods[0];
    const at = this.#queried.indexOf(name);
    return {
      operationId: isFirst ? name : `${name}By${method}`,
      tags: [groups[endpoint.group].title],
      ...describe(endpoint),
      parameters: [
        ...toPathParameters(endpoint.path),
        ...(at < 0 ? [] : toQueryParameters(this.#schemas.query(at))),
        ...(endpoint.creates ? [parts.keyParameter] : []),
      ],
      ...(endpoint.body !== undefined && { requestBody: this.#body(name, endpoint.body) }),
      responses: {
        ...this.#successes(endpoint),
        ...parts.refuseWith([
          "BadRequest",
          "Unauthorized",
          "NotFound",
          "TooManyRequests",
          "Unavailable",
          ...(method === "GET" ? [] : (["Forbidden"] as const)),
          ...(endpoint.body === undefined ? [] : (["NotJson"] as const)),
          ...(endpoint.creates ? (["InFlight", "OtherBody"] as const) : []),
        ]),
      },
    };
  }

  #body(name: EndpointName, shape: z.ZodType): Json {
    const example = exampleBodies[name];
    const content = {
      schema: this.#schemas.request(shape),
      ...(example !== undefined && { example }),
    };
    // Nothing at all is taken like `{}`.
    const required = !shape.safeParse({}).success;
    return { required, content: { "application/json": content } };
  }

  #successes(endpoint: Endpoint): Json {
    const { status, creates } = endpoint;
    const headers = { ...parts.limitHeaders, ...(creates ? parts.keyHeader : {}) };
    const location = { description: "Where it is.", schema: { type: "string", format: "uri" } };
    return Object.fromEntries(
      status.map((code) => [
        String(code),
        code >= 300
          ? { description: "It is elsewhere.", headers: { ...headers, Location: location } }
          : { description: "Done.", headers, ...this.#content(endpoint) },
      ]),
    );
  }

  /** The body of a success: JSON, or a file of the endpoint's type. */
  #content({ response, type }: Endpoint): Json {
    if (response !== undefined) {
      const schema = this.#schemas.answer(sentShapeOf(response));
      return { content: { [type ?? "application/json"]: { schema } } };
    }
    return type === undefined ? {} : { content: { [type]: { schema: { type: "string" } } } };
  }

  #event(name: keyof typeof webhookEvents): Json {
    const event = webhookEvents[name];
    return {
      operationId: event.id,
      tags: [WEBHOOKS],
      ...describe(event),
      parameters: [...deliveryHeaders],
      requestBody: {
        required: true,
        content: { "application/json": { schema: this.#schemas.answer(event.body) } },
      },
      responses: { "2XX": { description: "Received." } },
      security: [],
    };
  }
}

const WEBHOOKS = "Webhooks";

const tags = [
  ...Object.values(groups).map(({ title, says }) => ({ name: title, description: says })),
  { name: WEBHOOKS, description: "What the service sends to your receivers." },
];

/** The whole document; `baseUrl` is the API's root as callers reach it. */
export function makeOpenApi(baseUrl: string, edition: Edition = "3.1"): Json {
  const writer = new Writer(edition);
  const paths = writer.paths();
  const webhooks = writer.webhooks();
  return {
    openapi: editions[edition],
    info: { title: "QR code service", version: VERSION, description: parts.introduction },
    servers: [{ url: baseUrl }],
    security: [{ token: [] }],
    tags,
    paths,
    // 3.0 has no webhooks; some tools read them under this name.
    [edition === "3.1" ? "webhooks" : "x-webhooks"]: webhooks,
    components: {
      securitySchemes: parts.securitySchemes,
      headers: parts.headers,
      responses: parts.responses,
      schemas: writer.schemas(),
    },
  };
}
