/** The API as a page, from its own description: no script, nothing loaded from elsewhere. */
import { makeOpenApi } from "../../api/openapi.ts";

import { escapeHtml, replyPage } from "./html.ts";

type Json = Record<string, unknown>;

interface Operation {
  readonly summary: string;
  readonly parameters: readonly { name: string; in: string; required: boolean; schema: Json }[];
  readonly requestBody?: { readonly content: Json };
  readonly responses: Readonly<Record<string, { description: string; content?: Json }>>;
}

const STYLE = `
:root { color-scheme: light dark; --line: #8884; --soft: #8881; }
* { box-sizing: border-box; }
body { margin: 0; font: 1rem/1.5 system-ui, sans-serif; }
main { max-width: 60rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; }
code, pre { font-family: ui-monospace, monospace; font-size: .875rem; }
pre { overflow-x: auto; padding: .75rem; background: var(--soft); border-radius: .4rem; }
details { border: 1px solid var(--line); border-radius: .5rem; margin: .5rem 0; }
summary { cursor: pointer; padding: .6rem .8rem; overflow-wrap: anywhere; }
.in { padding: 0 .8rem .8rem; }
.m { display: inline-block; min-width: 4.5rem; font-weight: 700; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .3rem .6rem .3rem 0; border-top: 1px solid var(--line); }
td:nth-child(2) { overflow-wrap: anywhere; min-width: 6rem; }
@media (max-width: 40rem) { main { padding: 1rem .5rem; } .in { padding: 0 .4rem .4rem; overflow-x: auto; } th, td { font-size: .875rem; } }
h1 { line-height: 1.2; } h3 { margin: 1rem 0 .3rem; font-size: 1rem; }
`;

const toText = (value: unknown): string => escapeHtml(JSON.stringify(value, null, 2));

interface Typed {
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Json[];
  readonly type?: string | readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly description?: string;
}

/** `string`, `one of a, b`, `integer (40 to 5000) or null`. */
function describeType(schema: Json): string {
  const { enum: values, anyOf, type, minimum, maximum, maxLength } = schema as Typed;
  if (values !== undefined) return `one of ${values.join(", ")}`;
  if (anyOf !== undefined) return [...new Set(anyOf.map(describeType))].join(" or ");
  const name = type === undefined ? "any" : [type].flat().join(" or ");
  if (maxLength !== undefined) return `${name} (at most ${maxLength} characters)`;
  if (minimum === undefined) return name;
  return `${name} (${minimum} ${maximum === undefined ? "or more" : `to ${maximum}`})`;
}

/** The same, and what there is to say of it. */
const describeField = (schema: Json): string =>
  [describeType(schema), (schema as Typed).description].filter(Boolean).join(". ");

const row = (cells: readonly string[]): string =>
  `<tr>${cells.map((cell) => `<td>${escapeHtml(cell)}</td>`).join("")}</tr>`;

const table = (head: readonly string[], rows: readonly string[]): string =>
  rows.length === 0
    ? ""
    : `<table><thead><tr>${head.map((cell) => `<th scope="col">${cell}</th>`).join("")}</tr></thead><tbody>${rows.join("")}</tbody></table>`;

function toFields(schema: Json): string {
  const { properties = {}, required = [] } = schema as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  return table(
    ["Field", "Type", "", "Default"],
    Object.entries(properties).map(([name, field]) =>
      row([
        name,
        describeField(field),
        required.includes(name) ? "required" : "",
        toDefault(field),
      ]),
    ),
  );
}

const toDefault = ({ default: value }: Json): string =>
  value === undefined ? "" : JSON.stringify(value);

const toSchema = (content: Json | undefined): Json | undefined =>
  (Object.values(content ?? {})[0] as { schema?: Json } | undefined)?.schema;

function toSection(path: string, method: string, operation: Operation): string {
  const { summary, parameters, requestBody, responses } = operation;
  const body = toSchema(requestBody?.content);
  const answers = Object.entries(responses).map(([status, { description, content }]) => {
    const schema = toSchema(content);
    const shape =
      schema === undefined || "$ref" in schema
        ? ""
        : `<details><summary>Shape</summary><pre>${toText(schema)}</pre></details>`;
    return `<tr><td><code>${status}</code></td><td>${escapeHtml(description)}${shape}</td></tr>`;
  });
  const given = parameters.map(({ name, in: place, required, schema }) =>
    row([name, describeField(schema), place, required ? "required" : "", toDefault(schema)]),
  );
  return `<details><summary><span class="m">${method.toUpperCase()}</span> <code>${escapeHtml(path)}</code><br>${escapeHtml(summary)}</summary>
<div class="in">${given.length === 0 ? "" : `<h3>Parameters</h3>${table(["Name", "Type", "In", "", "Default"], given)}`}
${body === undefined ? "" : `<h3>Body</h3>${toFields(body)}<details><summary>JSON Schema</summary><pre>${toText(body)}</pre></details>`}
<h3>Answers</h3>${table(["Status", ""], answers)}</div></details>`;
}

/** The page; `baseUrl` is the API's root as callers reach it. */
export function replyDocsPage(baseUrl: string): Response {
  const { info, paths } = makeOpenApi(baseUrl) as {
    info: { title: string; version: string };
    paths: Record<string, Record<string, Operation>>;
  };
  const sections = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => toSection(path, method, operation)),
  );
  const body = `<main><h1>${escapeHtml(info.title)} <small>${escapeHtml(info.version)}</small></h1>
<p>Base address: <code>${escapeHtml(baseUrl)}</code>. Every request carries <code>Authorization: Token &lt;API token&gt;</code>; bodies are JSON.
The description as a file: <a href="${escapeHtml(baseUrl)}/openapi.json"><code>openapi.json</code></a>.</p>
${sections.join("\n")}</main>`;
  return replyPage({ title: `${info.title}: API`, style: STYLE, body });
}
