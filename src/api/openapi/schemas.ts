/** The shapes of the API as JSON Schemas: one per thing, by name. */
import { z } from "zod";

import { nameOf, namedShapes } from "../announce.ts";

export type Json = Record<string, unknown>;

/** Editions of OpenAPI: 3.0 is for generators without support for current JSON Schema. */
export type Edition = "3.1" | "3.0";

const PREFIX = "#/components/schemas/";

export const toRef = (name: string): Json => ({ $ref: `${PREFIX}${name}` });

const isNull = (schema: Json): boolean =>
  Object.keys(schema).length === 1 && schema["type"] === "null";

/** `{type: ["string", "null"]}` for a value that is either text or null; null is no word of a list. */
export function foldNull(schema: Json): void {
  const either = schema["anyOf"] as readonly Json[] | undefined;
  const [main, none] = either ?? [];
  if (either?.length !== 2 || main === undefined || none === undefined || !isNull(none)) return;
  if (typeof main["type"] !== "string" || "enum" in main) return;
  const { type, ...rest } = main;
  delete schema["anyOf"];
  const folded = { ...rest, type: [type, "null"] };
  for (const [key, value] of Object.entries(folded)) schema[key] ??= value;
}

/** Merges a choice within a choice. */
function flattenChoice(schema: Json): void {
  const either = schema["anyOf"] as readonly Json[] | undefined;
  if (either?.some((one) => "anyOf" in one) !== true) return;
  schema["anyOf"] = either.flatMap((one) => (one["anyOf"] as readonly Json[] | undefined) ?? [one]);
  for (const { description } of either) {
    if (description !== undefined) schema["description"] ??= description;
  }
}

/** JavaScript's number limits are no rules of the API. */
function dropMachineBounds(schema: Json): void {
  if (schema["maximum"] === Number.MAX_SAFE_INTEGER) delete schema["maximum"];
  if (schema["minimum"] === Number.MIN_SAFE_INTEGER) delete schema["minimum"];
}

/** `\/` is a slash in JavaScript's expressions only: some generators escape it once more. */
function bareSlashes(schema: Json): void {
  const { pattern } = schema as { pattern?: string };
  if (pattern !== undefined) schema["pattern"] = pattern.replaceAll("\\/", "/");
}

/** 3.0 has only one example. */
function toOneExample(schema: Json): void {
  const { examples } = schema as { examples?: readonly unknown[] };
  if (examples === undefined) return;
  delete schema["examples"];
  schema["example"] = examples[0];
}

/** Answers may get new fields: unannounced fields are not forbidden. */
function leaveOpen(schema: Json): void {
  const { additionalProperties: more } = schema;
  const isOpen = typeof more === "object" && more !== null && Object.keys(more).length === 0;
  if (more === false || isOpen) delete schema["additionalProperties"];
}

/**
 * Null counts in 3.0 only where the type says so and, in a list of words, where it is one of them. Old
 * generators break at null in a list: the words are a pattern there, which null always fits.
 */
function allowNull(schema: Json): void {
  schema["nullable"] = true;
  const { enum: words, description } = schema as { enum?: readonly string[]; description?: string };
  if (words === undefined) return;
  delete schema["enum"];
  schema["pattern"] = `^(?:${words.map((word) => word.replaceAll(".", "[.]")).join("|")})$`;
  schema["description"] = [description, `One of ${words.join(", ")}.`].filter(Boolean).join(" ");
}

/** Writes what a schema refers to in its place: a reference allows null only if its target does. */
function inline(schema: Json, target: Json): void {
  for (const key of ["allOf", "$ref"]) delete schema[key];
  const { $schema: _$schema, $id: _$id, ...written } = structuredClone(target);
  for (const [key, value] of Object.entries(written)) schema[key] ??= value;
}

/**
 * 3.0 allows null only with `nullable` beside a `type`: schemas that refer to their type get it
 * written out, and in a choice the first one allows null.
 */
function placeNulls(schema: unknown, all: Readonly<Record<string, Json>>): void {
  if (typeof schema !== "object" || schema === null) return;
  const outer = schema as Json;
  if (outer["nullable"] === true) placeNull(outer, all);
  for (const inner of Object.values(schema)) placeNulls(inner, all);
}

function placeNull(outer: Json, all: Readonly<Record<string, Json>>): void {
  const [first] = (outer["allOf"] ?? outer["anyOf"] ?? []) as readonly Json[];
  const target = all[String(first?.["$ref"]).slice(PREFIX.length)];
  if (outer["type"] !== undefined || first === undefined) return allowNull(outer);
  const isChoice = outer["anyOf"] !== undefined;
  const place = isChoice ? first : outer;
  if (isChoice) delete outer["nullable"];
  if (target !== undefined) inline(place, target);
  allowNull(place);
}

/** Converts the shapes of these names as requests have them (`input`), or answers (`output`). */
function convert(
  shapes: Iterable<readonly [string, z.ZodType]>,
  io: "input" | "output",
  edition: Edition,
): Record<string, Json> {
  const registry = z.registry<{ id: string }>();
  for (const [id, shape] of shapes) registry.add(shape, { id });
  const { schemas } = z.toJSONSchema(registry, {
    io,
    // Refinements and transforms have no form in JSON Schema.
    unrepresentable: "any",
    uri: (id) => `${PREFIX}${id}`,
    target: edition === "3.1" ? "draft-2020-12" : "openapi-3.0",
    override: ({ jsonSchema }) => {
      leaveOpen(jsonSchema);
      flattenChoice(jsonSchema);
      dropMachineBounds(jsonSchema);
      bareSlashes(jsonSchema);
      if (edition === "3.1") foldNull(jsonSchema);
      else toOneExample(jsonSchema);
    },
  });
  const all = schemas as Record<string, Json>;
  if (edition === "3.0") placeNulls(all, all);
  return Object.fromEntries(
    Object.entries(all).map(([name, { $schema: _$schema, $id: _$id, ...schema }]) => [
      name,
      schema,
    ]),
  );
}

/** Names of the shapes that a schema refers to, except itself. */
function listRefs(schema: unknown): string[] {
  if (Array.isArray(schema)) return schema.flatMap(listRefs);
  if (typeof schema !== "object" || schema === null) return [];
  return Object.entries(schema).flatMap(([key, value]) =>
    key === "$ref" && typeof value === "string" ? [value.slice(PREFIX.length)] : listRefs(value),
  );
}

/** Copies a schema, and everything that it refers to, from `all`. */
function take(into: Map<string, Json>, all: Readonly<Record<string, Json>>, name: string): void {
  const schema = all[name];
  if (schema === undefined) throw new RangeError(`a shape must have a name, got ${name}`);
  const known = into.get(name);
  if (known !== undefined) {
    if (JSON.stringify(known) === JSON.stringify(schema)) return;
    throw new RangeError(`${name} must be the same in requests and answers`);
  }
  into.set(name, schema);
  for (const ref of listRefs(schema)) take(into, all, ref);
}

/** The schemas of requests and answers; every shape must have a name. */
export class Schemas {
  readonly #requests: Readonly<Record<string, Json>>;
  readonly #answers: Readonly<Record<string, Json>>;
  readonly #used = new Map<string, Json>();

  /** `queries`: shapes of query strings, which have no names. */
  constructor(edition: Edition, queries: readonly z.ZodType[] = []) {
    const asked = queries.map((shape, at) => [`query ${at}`, shape] as const);
    this.#requests = convert([...namedShapes, ...asked], "input", edition);
    this.#answers = convert(namedShapes, "output", edition);
  }

  /** Of a body that callers send. */
  request(shape: z.ZodType): Json {
    return this.#ref(shape, this.#requests);
  }

  /** Of a body that the service sends. */
  answer(shape: z.ZodType): Json {
    return this.#ref(shape, this.#answers);
  }

  /** The query at this position of the given list. */
  query(at: number): Json {
    const schema = this.#requests[`query ${at}`] ?? {};
    for (const ref of listRefs(schema)) take(this.#used, this.#requests, ref);
    return schema;
  }

  /** All requested schemas and those that they refer to, by name. */
  list(): Record<string, Json> {
    return Object.fromEntries([...this.#used].toSorted(([a], [b]) => (a < b ? -1 : 1)));
  }

  #ref(shape: z.ZodType, all: Readonly<Record<string, Json>>): Json {
    const name = nameOf(shape) ?? "";
    take(this.#used, all, name);
    return toRef(name);
  }
}
