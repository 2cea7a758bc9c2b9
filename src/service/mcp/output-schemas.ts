/**
 * What tools answer, as self-contained JSON Schemas: only names and types of the fields. Assistants
 * read the schemas of all tools before they use one, so each is kept short.
 */
import { z } from "zod";

import { sentShapeOf } from "../../api/announce.ts";
import type { Endpoint } from "../../api/endpoints.ts";
import { foldNull } from "../../api/openapi/schemas.ts";

import { withoutDrawings } from "./drawings.ts";

type Json = Record<string, unknown>;

export interface OutputSchema extends Json {
  readonly type: "object";
  readonly properties: Json;
  readonly required: readonly string[];
}

interface Full {
  readonly type?: unknown;
  readonly anyOf?: readonly Full[];
  readonly items?: Full;
  readonly properties?: Readonly<Record<string, Full>>;
  readonly required?: readonly string[];
}

/** Only the type; if there are several, all of them. */
function toType({ type, anyOf: either }: Full): Json {
  const types = [type ?? either?.map((one) => one.type) ?? []].flat(2);
  return types.length === 0 ? {} : { type: types.length === 1 ? types[0] : types };
}

function toFields({ properties = {}, required = [] }: Full): OutputSchema {
  const fields = withoutDrawings(properties) as Record<string, Full>;
  return {
    type: "object",
    properties: Object.fromEntries(
      Object.entries(fields).map(([name, field]) => [name, toType(field)]),
    ),
    required: required.filter((name) => name in fields),
  };
}

/** The fields of an answer, and those of a list's entries. */
function toShort(full: Full): OutputSchema {
  const short = toFields(full);
  const entries = full.properties?.["results"]?.items;
  if (entries === undefined) return short;
  const results = { type: "array", items: toFields(entries) };
  return { ...short, properties: { ...short.properties, results } };
}

/** `hasPicture`: the answer may contain the drawing as `svg`. */
export function toOutputSchema(endpoint: Endpoint, hasPicture: boolean): OutputSchema {
  const svg: Json = hasPicture ? { svg: { type: "string" } } : {};
  const { response, type } = endpoint;
  if (response === undefined) {
    const file = { url: { type: "string" }, ...svg };
    const gone = { deleted: { type: "boolean" } };
    return type === undefined
      ? { type: "object", properties: gone, required: ["deleted"] }
      : { type: "object", properties: file, required: [] };
  }
  const full = z.toJSONSchema(sentShapeOf(response), {
    io: "output",
    unrepresentable: "any",
    override: ({ jsonSchema }) => foldNull(jsonSchema),
  });
  const short = toShort(full as Full);
  return { ...short, properties: { ...short.properties, ...svg } };
}
