/** Examples of answers, made from their schemas. */
import type { Json } from "./schemas.ts";

interface Schema {
  readonly $ref?: string;
  readonly anyOf?: readonly Schema[];
  readonly examples?: readonly unknown[];
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly minimum?: number;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

const formats: Readonly<Record<string, string>> = {
  uri: "https://example.com/",
  "date-time": "2026-11-20T08:30:00.000Z",
};

/** Type -> a value of it. */
const samples: Readonly<Record<string, (schema: Schema, schemas: Json) => unknown>> = {
  string: ({ format = "" }) => formats[format] ?? "text",
  integer: ({ minimum = 0 }) => Math.max(minimum, 12),
  number: ({ minimum = 0 }) => Math.max(minimum, 12),
  boolean: () => true,
  null: () => null,
  array: ({ items = {} }, schemas) => [makeExample(items, schemas)],
  object: ({ properties = {}, required = [] }, schemas) =>
    Object.fromEntries(
      Object.entries(properties)
        .filter(([name]) => required.includes(name))
        .map(([name, field]) => [name, makeExample(field, schemas)]),
    ),
};

/**
 * Its own examples first, else what it refers to; for an object, the fields that are always there.
 */
export function makeExample(schema: Schema, schemas: Json): unknown {
  const { $ref: ref, anyOf: either, examples, enum: words, type } = schema;
  if (examples !== undefined) return examples[0];
  if (schema.default !== undefined) return schema.default;
  if (ref !== undefined) {
    return makeExample(schemas[ref.slice(ref.lastIndexOf("/") + 1)] as Schema, schemas);
  }
  if (words !== undefined) return words[0];
  if (either?.[0] !== undefined) return makeExample(either[0], schemas);
  const [main = "object"] = [type ?? []].flat();
  return samples[main]?.(schema, schemas);
}
