/** One endpoint on the API's page: what it does, what it takes and answers, and a command to try. */
import { endpointTable, type EndpointName } from "../../../api/endpoints.ts";
import { makeExample } from "../../../api/openapi/example-of.ts";
import { exampleBodies, exampleQueries, toExampleId } from "../../../api/openapi/examples.ts";
import type { Json } from "../../../api/openapi/schemas.ts";

import { escapeHtml } from "../html.ts";
import { describeType, linkToThing, listFields, toHtml, toListed, toThingName } from "./fields.ts";

interface Content {
  readonly schema: Json & { readonly $ref?: string };
}

export interface Answer {
  readonly $ref?: string;
  readonly description?: string;
  readonly content?: Readonly<Record<string, Content>>;
}

export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly description?: string;
  readonly schema: Json;
}

/** An operation of the OpenAPI document. */
export interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description?: string;
  readonly parameters: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Content>> };
  readonly responses: Readonly<Record<string, Answer>>;
}

/** Named parts of the document. */
export interface Components {
  readonly schemas: Readonly<Record<string, Json>>;
  readonly responses: Readonly<Record<string, Answer>>;
}

export interface Shown {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

const show = (value: unknown): string => escapeHtml(JSON.stringify(value, null, 2));

/** A word of a command line, quoted safely. */
const quote = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** A shell command; `$TOKEN` stands for the token. */
export function toCurl(name: EndpointName, method: string, root: string): string {
  const { path, type } = endpointTable[name];
  const [body, query] = [exampleBodies[name], exampleQueries[name]];
  const filled = path.replaceAll(/\{(\w+)\}/gu, (_, key: string) =>
    key === "tag" ? "spring-menu" : toExampleId(key),
  );
  const address = `${root}${filled}${query === undefined ? "" : `?${query}`}`;
  const isFile = type !== undefined && type !== "application/linkset+json";
  return [
    `curl ${method === "GET" ? "" : `-X ${method} `}${quote(address)}`,
    `  -H "Authorization: Token $TOKEN"`,
    ...(body === undefined ? [] : ["  -H 'Content-Type: application/json'"]),
    ...(body === undefined ? [] : [`  -d ${quote(JSON.stringify(body, null, 2))}`]),
    ...(isFile ? ["  -o code.svg"] : []),
  ].join(" \\\n");
}

function showParameters({ parameters }: Operation, { schemas }: Components): string {
  const listed = parameters.map(({ name, schema, required, description, in: place }) => ({
    name,
    schema,
    isRequired: required,
    place,
    description,
  }));
  return listed.length === 0 ? "" : `<h4>Parameters</h4>${listFields(listed, schemas)}`;
}

function showBody({ requestBody }: Operation, { schemas }: Components): string {
  const { $ref: ref = "" } = requestBody?.content["application/json"]?.schema ?? {};
  const schema = schemas[toThingName(ref)];
  if (schema === undefined) return "";
  const fields = toListed(schema);
  const says = fields.length === 0 ? `<p>${describeType(schema)}</p>` : listFields(fields, schemas);
  return `<h4>Body: ${linkToThing(toThingName(ref))}</h4>${says}`;
}

function showAnswers({ responses }: Operation, { schemas, responses: named }: Components): string {
  const lines = Object.entries(responses).map(([status, given]) => {
    const answer = given.$ref === undefined ? given : (named[toThingName(given.$ref)] ?? given);
    const [type, content] = Object.entries(answer.content ?? {})[0] ?? [];
    const { schema } = content ?? {};
    const what = schema?.$ref === undefined ? escapeHtml(type ?? "nothing") : describeType(schema);
    return `<div><dt><code>${status}</code></dt><dd>${toHtml(answer.description ?? "")} <span class="kind">${what}</span></dd></div>`;
  });
  const [success] = Object.values(responses);
  const schema = Object.values(success?.content ?? {})[0]?.schema;
  const example =
    schema?.$ref === undefined
      ? ""
      : `<details><summary>Example of an answer</summary><pre tabindex="0">${show(makeExample(schema, schemas))}</pre></details>`;
  return `<h4>Answers</h4><dl class="fields">${lines.join("")}</dl>${example}`;
}

/** `root`: the API's root as callers reach it. */
export function showOperation(shown: Shown, components: Components, root: string): string {
  const { method, path, operation } = shown;
  const { operationId, summary, description } = operation;
  const name = operationId as EndpointName;
  const others = endpointTable[name].methods.slice(1);
  const also = others.length === 0 ? "" : ` ${others.join(" and ")} do the same.`;
  return `<article id="${escapeHtml(name)}"><h3><span class="method ${method}">${method}</span><span>${escapeHtml(path)}</span></h3>
<p>${toHtml(`${description ?? summary}${also}`)}</p>
<pre tabindex="0">${escapeHtml(toCurl(name, method, root))}</pre>
${showParameters(operation, components)}
${showBody(operation, components)}
${showAnswers(operation, components)}</article>`;
}
