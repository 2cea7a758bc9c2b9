/**
 * Holds answers of the API to its own description: status, fields that are always there, and none that
 * is not announced, in both editions. Every test that asks through `makeService` does this by the way.
 */
import { Ajv } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";

import { makeOpenApi } from "../../src/api/openapi/openapi.ts";

// oxlint-disable-next-line typescript/no-explicit-any -- the description is walked by path
type Json = any;

/** Answers may get more fields one day: today they have those that are announced. */
function close(schema: Json): Json {
  if (Array.isArray(schema)) return schema.map(close);
  if (typeof schema !== "object" || schema === null) return schema;
  const closed = Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [key, close(value)]),
  );
  const isOpen = schema.type === "object" && "properties" in schema;
  return isOpen ? { additionalProperties: false, ...closed } : closed;
}

function closed(edition: "3.1" | "3.0"): Json {
  const description: Json = makeOpenApi("/api/v2", edition);
  return { ...description, components: close(description.components) };
}
const document: Json = closed("3.1");
const options = {
  strict: false,
  allErrors: true,
  formats: {
    uri: /^[a-z][a-z\d+.-]*:(?:[\w.~:/?#[\]@!$&'()*+,;=-]|%[\da-f]{2})+$/iu,
    date: /^\d{4}-\d{2}-\d{2}$/u,
    "date-time": /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/u,
    uuid: true as const,
  },
};
const editions = {
  "3.1": new Ajv2020(options).addSchema(document, "api"),
  // Reads `nullable` as OpenAPI 3.0 means it.
  "3.0": new Ajv(options).addSchema(closed("3.0"), "api"),
};

const countParams = (path: string): number => path.split("{").length;
const paths = Object.keys(document.paths)
  .toSorted((a, b) => countParams(a) - countParams(b))
  .map((path) => ({
    path,
    pattern: new RegExp(`^${path.slice(0, -1).replaceAll(/\{\w+\}/gu, "[^/]+")}/?$`, "u"),
  }));

/** Refusals that any address may give, which the description doesn't list. */
const UNLISTED = [405, 408, 413, 500];

const toPointer = (...keys: readonly (string | number)[]): string =>
  keys.map((key) => `/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");

interface Answered {
  readonly method: string;
  /** Below the API's root, with its query. */
  readonly path: string;
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

/** Throws when an answer is not what the description says of it. */
export function conform({ method, path, status, headers, body }: Answered): void {
  const at = path.split("?", 1)[0] ?? "";
  const found = paths.find(({ pattern }) => pattern.test(at))?.path;
  const operation = found === undefined ? undefined : document.paths[found][method.toLowerCase()];
  if (found === undefined || operation === undefined) return;
  const where = `${method} ${found} ${status}`;
  const given = operation.responses[status];
  const response = given?.$ref === undefined ? given : follow(given.$ref);
  if (response === undefined) {
    if (!UNLISTED.includes(status)) throw new Error(`${where} is not announced`);
    return;
  }
  const type = headers.get("content-type")?.split(";", 1)[0];
  if (response.content === undefined || type === undefined) return;
  if (!(type in response.content)) throw new Error(`${where}: ${type} is not announced`);
  if (body === undefined) return;
  const base =
    given.$ref?.slice(1) ?? toPointer("paths", found, method.toLowerCase(), "responses", status);
  const pointer = `api#${base}${toPointer("content", type, "schema")}`;
  for (const [edition, ajv] of Object.entries(editions)) {
    const check = ajv.getSchema(pointer);
    if (check?.(body) === true) continue;
    const faults = check?.errors?.map(
      (one) => `${one.instancePath} ${one.message} ${JSON.stringify(one.params)}`,
    );
    throw new Error(`${where}, ${edition}: ${faults?.join("; ") ?? "no schema"}`);
  }
}

const follow = (ref: string): Json =>
  ref
    .split("/")
    .slice(1)
    .reduce((at: Json, key: string) => at[key], document);
