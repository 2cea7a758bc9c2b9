/** The checked-in OpenAPI file with every reference in requests replaced by what it leads to. */
import { readFileSync } from "node:fs";

// oxlint-disable-next-line typescript/no-explicit-any -- the description is walked by path
type Json = any;

const document: Json = JSON.parse(
  readFileSync(new URL("../../schema/openapi.v2.json", import.meta.url), "utf8"),
);

function inline(schema: Json): Json {
  if (Array.isArray(schema)) return schema.map(inline);
  if (typeof schema !== "object" || schema === null) return schema;
  const { $ref: ref, ...rest } = schema;
  const name = ref?.slice("#/components/schemas/".length);
  const whole = name === undefined ? {} : inline(document.components.schemas[name]);
  const own = Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, inline(value)]));
  return { ...whole, ...own };
}

/** Path -> method -> operation. */
export const wholePaths: Json = Object.fromEntries(
  Object.entries<object>(document.paths).map(([path, operations]) => [
    path,
    Object.fromEntries(
      Object.entries<Json>(operations).map(([method, operation]) => [
        method,
        { ...operation, requestBody: inline(operation.requestBody) },
      ]),
    ),
  ]),
);
