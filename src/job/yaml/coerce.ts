import type { z } from "zod";

import { stepInto, type ScalarNode, type TreeNode } from "./tree.ts";

type Schema = z.core.$ZodType;

/** The shapes that a value may have, without wrappers such as optional and default. */
export function alternatives(schema: Schema): z.core.$ZodTypes[] {
  const concrete = schema as z.core.$ZodTypes;
  const { def } = concrete._zod;
  if (def.type === "union") return def.options.flatMap(alternatives);
  const isWrapper = def.type === "optional" || def.type === "default" || def.type === "prefault";
  return isWrapper ? alternatives(def.innerType) : [concrete];
}

const takesText = (schema: z.core.$ZodTypes): boolean =>
  schema._zod.def.type === "string" || schema._zod.def.type === "enum";

function takes(schema: z.core.$ZodTypes, value: unknown): boolean {
  const { def } = schema._zod;
  if (def.type === "literal") return def.values.some((one) => one === value);
  return def.type === typeof value;
}

/**
 * YAML turns `1.50`, `yes` and `2026-11-20` into other types; where only text fits, the text of the
 * file is taken.
 */
function toValue(node: ScalarNode, schemas: readonly z.core.$ZodTypes[]): unknown {
  if (typeof node.value === "string" || node.value === null) return node.value;
  const fits = schemas.some((schema) => takes(schema, node.value));
  return !fits && schemas.some(takesText) ? node.text : node.value;
}

function childSchema(schemas: readonly z.core.$ZodTypes[], key: PropertyKey): Schema | undefined {
  for (const schema of schemas) {
    const { def } = schema._zod;
    if (def.type === "object" && Object.hasOwn(def.shape, key)) return def.shape[String(key)];
    if (def.type === "record") return def.valueType;
    if (def.type === "array" && typeof key === "number") return def.element;
  }
  return undefined;
}

/** Tree -> plain value, with texts where the schema wants texts. */
export function coerce(node: TreeNode, schema: Schema | undefined): unknown {
  const schemas = schema === undefined ? [] : alternatives(schema);
  const below = (child: TreeNode, key: PropertyKey): unknown =>
    coerce(child, childSchema(schemas, key));
  switch (node.kind) {
    case "scalar":
      return toValue(node, schemas);
    case "list":
      return node.items.map((item, at) => below(item, at));
    case "map":
      return Object.fromEntries(node.entries.map(({ key, node }) => [key, below(node, key)]));
  }
}

/** Schema of the value at `path`, with its wrappers. */
export function schemaAt(schema: Schema, path: readonly PropertyKey[]): Schema | undefined {
  let found: Schema | undefined = schema;
  for (const key of path) {
    found = found === undefined ? undefined : childSchema(alternatives(found), key);
  }
  return found;
}

/** The shapes that a value at `path` may have. */
export function schemasAt(schema: Schema, path: readonly PropertyKey[]): z.core.$ZodTypes[] {
  const found = schemaAt(schema, path);
  return found === undefined ? [] : alternatives(found);
}

const ZEROS_FIRST = /^[-+]?0\d+$/u;

/** Unquoted numbers that YAML strips of their zeros, where text is wanted: node and path. */
export function findLostZeros(
  root: TreeNode,
  schema: Schema,
): { node: ScalarNode; path: PropertyKey[] }[] {
  const found: { node: ScalarNode; path: PropertyKey[] }[] = [];
  const walk = (node: TreeNode | undefined, path: PropertyKey[]): void => {
    if (node?.kind === "scalar") {
      if (!node.quoted && ZEROS_FIRST.test(node.text)) found.push({ node, path });
    } else if (node !== undefined) {
      const keys = node.kind === "map" ? node.entries.map(({ key }) => key) : node.items.keys();
      for (const key of keys) walk(stepInto(node, key), [...path, key]);
    }
  };
  walk(root, []);
  return found.filter(({ path }) => schemasAt(schema, path).some(takesText));
}
