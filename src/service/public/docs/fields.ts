/** Fields and parameters of the API, as lists that people read. */
import type { Json } from "../../../api/openapi/schemas.ts";

import { escapeHtml } from "../html.ts";

interface Typed {
  readonly $ref?: string;
  readonly enum?: readonly string[];
  readonly anyOf?: readonly Json[];
  readonly type?: string | readonly string[];
  readonly items?: Json;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly default?: unknown;
  readonly description?: string;
}

type Schemas = Readonly<Record<string, Json>>;

export interface Listed {
  readonly name: string;
  readonly schema: Json;
  readonly isRequired: boolean;
  /** Kind of parameter, such as path. */
  readonly place?: string;
  /** Left out: the schema's description. */
  readonly description?: string | undefined;
}

export const toThingName = (ref: string): string => ref.slice(ref.lastIndexOf("/") + 1);

export const linkToThing = (name: string): string =>
  `<a href="#thing-${escapeHtml(name)}">${escapeHtml(name)}</a>`;

const plainly = (words: readonly string[]): string =>
  words.map((word) => `<code>${escapeHtml(word)}</code>`).join(", ");

function describeRange({ minimum, maximum, maxLength }: Typed): string {
  if (maxLength !== undefined) return `, at most ${maxLength} characters`;
  if (minimum === undefined) return maximum === undefined ? "" : `, at most ${maximum}`;
  return `, ${minimum} ${maximum === undefined ? "or more" : `to ${maximum}`}`;
}

/** `text`, `one of a, b`, `whole number, 40 to 5000, or null`, as HTML. */
export function describeType(schema: Json): string {
  const typed = schema as Typed;
  const { $ref: ref, enum: words, anyOf: either, type, items } = typed;
  if (ref !== undefined) return linkToThing(toThingName(ref));
  if (words !== undefined) return words.length === 1 ? plainly(words) : `one of ${plainly(words)}`;
  if (either !== undefined) return [...new Set(either.map(describeType))].join(" or ");
  const types = type === undefined ? ["any"] : [type].flat();
  const isNullable = types.length > 1 && types.includes("null");
  const [main = ""] = types;
  const what = main === "array" ? `array of ${describeType(items ?? {})}` : main;
  return `${what}${describeRange(typed)}${isNullable ? " or null" : ""}`;
}

/** Backticks become code. */
export const toHtml = (text: string): string =>
  escapeHtml(text).replaceAll(/`([^`]+)`/gu, "<code>$1</code>");

/** The description of a field, or of the type that it refers to. */
function findWords(schema: Json, schemas: Schemas): string | undefined {
  const { description, $ref: ref, anyOf: either } = schema as Typed;
  if (description !== undefined) return description;
  if (ref !== undefined) return findWords(schemas[toThingName(ref)] ?? {}, schemas);
  return either?.[0] === undefined ? undefined : findWords(either[0], schemas);
}

function toLine(listed: Listed, schemas: Schemas): string {
  const { name, schema, isRequired, place } = listed;
  const { default: usual } = schema as Typed;
  const says = listed.description ?? findWords(schema, schemas);
  const kind = [
    describeType(schema),
    ...(usual === undefined ? [] : [`default <code>${escapeHtml(JSON.stringify(usual))}</code>`]),
    ...(place === undefined ? [] : [`in the ${place}`]),
  ].join("; ");
  const must = isRequired ? ' <span class="must">required</span>' : "";
  return `<div><dt><code>${escapeHtml(name)}</code>${must}</dt><dd>${says === undefined ? "" : `${toHtml(says)} `}<span class="kind">${kind}</span></dd></div>`;
}

/** Empty without fields. */
export const listFields = (fields: readonly Listed[], schemas: Schemas): string =>
  fields.length === 0
    ? ""
    : `<dl class="fields">${fields.map((one) => toLine(one, schemas)).join("")}</dl>`;

/** The fields of an object's schema. */
export function toListed(schema: Json): Listed[] {
  const { properties = {}, required = [] } = schema as {
    properties?: Record<string, Json>;
    required?: readonly string[];
  };
  return Object.entries(properties).map(([name, field]) => ({
    name,
    schema: field,
    isRequired: required.includes(name),
  }));
}
