/** The API as a page, from its own description: no script, nothing loaded from elsewhere. */
import { endpointTable, type EndpointName } from "../../../api/endpoints.ts";
import { limits, ownLimits } from "../../../api/limits.ts";
import { makeExample } from "../../../api/openapi/example-of.ts";
import { makeOpenApi } from "../../../api/openapi/openapi.ts";
import type { Json } from "../../../api/openapi/schemas.ts";

import { toTitle, toolNames } from "../../mcp/tool-names.ts";
import { escapeHtml, replyPage } from "../html.ts";
import { DOCS_STYLE } from "./docs-style.ts";
import { describeType, linkToThing, listFields, toHtml, toListed, toThingName } from "./fields.ts";
import { showOperation, type Components, type Operation, type Shown } from "./operation.ts";

interface Tag {
  readonly name: string;
  readonly description: string;
}

interface Document {
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly tags: readonly Tag[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly webhooks: Readonly<Record<string, { readonly post: Operation }>>;
  readonly components: Components;
}

const toSectionId = (title: string): string => title.toLowerCase().replaceAll(/\W+/gu, "-");

/** An endpoint that takes several methods is shown once, by its first. */
function groupByTag({ tags, paths }: Document): readonly (readonly [Tag, readonly Shown[]])[] {
  const all = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations)
      .filter(([, { operationId }]) => operationId in endpointTable)
      .map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
  return tags
    .map((tag) => [tag, all.filter(({ operation }) => operation.tags.includes(tag.name))] as const)
    .filter(([, shown]) => shown.length > 0);
}

/** Lines that begin with a hyphen are a list, the others paragraphs. */
function showIntroduction(text: string): string {
  const [first = "", ...rest] = text.split("\n").filter((line) => line !== "");
  const points = rest.map((line) => `<li>${toHtml(line.replace(/^- /u, ""))}</li>`);
  return `<p>${toHtml(first)}</p><ul class="read">${points.join("")}</ul>`;
}

const bounds: readonly (readonly [what: string, most: string])[] = [
  ["Reads of a token", `${limits.readsPerWindow} a minute, unless the operator set another limit`],
  [
    "Writes of a token",
    `${limits.writesPerWindow} a minute, unless the operator set another limit`,
  ],
  ["Requests of an address without a good token", `${limits.rejectedPerWindow} a minute`],
  ["Entries of a page", `${limits.pageSize}, up to ${limits.maxPageSize} with page_size`],
  ["Entries of a page of forms or responses", `up to ${limits.maxFormPageSize}`],
  ["Days of analytics", `up to ${limits.maxAnalyticsDays}; ${limits.analyticsDays} unless asked`],
  ["A PDF", `${limits.maxPdfBytes / 1024 / 1024} MB`],
  ["A logo", `${limits.maxLogoBytes / 1024 / 1024} MB`],
  ["Any other body", `${ownLimits.maxBodyBytes / 1024 / 1024} MiB`],
  ["An address that a code leads to", `${ownLimits.maxUrl} characters`],
  ["An Idempotency-Key", `${ownLimits.maxIdempotencyKey} characters, known for 24 hours`],
];

const showLimits = (): string =>
  `<section id="limits"><h2>Limits</h2>
<p>Every answer carries <code>RateLimit-Limit</code>, <code>RateLimit-Remaining</code>, <code>RateLimit-Reset</code> (seconds) and <code>RateLimit-Policy</code>. Beyond the limit, the answer is 429 with <code>Retry-After</code>.</p>
<dl class="fields">${bounds.map(([what, most]) => `<div><dt>${escapeHtml(what)}</dt><dd>${escapeHtml(most)}</dd></div>`).join("")}</dl></section>`;

function showWebhook(name: string, post: Operation, { schemas }: Components): string {
  const schema = post.requestBody?.content["application/json"]?.schema ?? {};
  const thing = toThingName(schema.$ref ?? "");
  const headers = post.parameters.map(({ name: header, schema: type, description, required }) => ({
    name: header,
    schema: type,
    isRequired: required,
    place: "headers",
    description,
  }));
  return `<article id="webhook-${escapeHtml(name)}"><h3><span class="method POST">POST</span><span>${escapeHtml(name)}</span></h3>
<p>${toHtml(post.description ?? post.summary)}</p>
${listFields(headers, schemas)}
<h4>Body: ${linkToThing(thing)}</h4>
<pre tabindex="0">${escapeHtml(JSON.stringify(makeExample(schema, schemas), null, 2))}</pre></article>`;
}

function showWebhooks({ webhooks, components, tags }: Document): string {
  const says = tags.find(({ name }) => name === "Webhooks")?.description ?? "";
  const events = Object.entries(webhooks).map(([name, { post }]) =>
    showWebhook(name, post, components),
  );
  return `<section id="webhooks"><h2>Webhooks</h2><p>${toHtml(says)}</p>${events.join("")}</section>`;
}

function showThing(name: string, schema: Json, schemas: Components["schemas"]): string {
  const { description } = schema as { description?: string };
  const fields = toListed(schema);
  const says = description === undefined ? "" : `<p>${toHtml(description)}</p>`;
  const kind = fields.length === 0 ? `<p class="soft">${describeType(schema)}</p>` : "";
  return `<article id="thing-${escapeHtml(name)}"><h3>${escapeHtml(name)}</h3>${says}${kind}${listFields(fields, schemas)}</article>`;
}

const showThings = ({ components }: Document): string =>
  `<section id="things"><h2>Things</h2><p>What bodies and answers are made of.</p>
${Object.entries(components.schemas)
  .map(([name, schema]) => showThing(name, schema, components.schemas))
  .join("\n")}</section>`;

function showContents(groups: ReturnType<typeof groupByTag>): string {
  const lists = groups.map(([{ name }, shown]) => {
    const links = shown.map(
      ({ operation: { operationId: id } }) =>
        `<li><a href="#${escapeHtml(id)}">${escapeHtml(toTitle(toolNames[id as EndpointName]))}</a></li>`,
    );
    return `<h2><a href="#${toSectionId(name)}">${escapeHtml(name)}</a></h2><ul>${links.join("")}</ul>`;
  });
  const rest = ["Webhooks", "Limits", "Things"].map(
    (name) => `<h2><a href="#${toSectionId(name)}">${name}</a></h2>`,
  );
  return `<nav class="all" aria-label="Contents">${lists.join("")}${rest.join("")}</nav>`;
}

/** The page; `baseUrl` is the API's root as callers reach it. */
export function replyDocsPage(baseUrl: string): Response {
  const document = makeOpenApi(baseUrl) as unknown as Document;
  const { info, components } = document;
  const groups = groupByTag(document);
  const root = escapeHtml(baseUrl);
  const sections = groups.map(
    ([{ name, description }, shown]) =>
      `<section id="${toSectionId(name)}"><h2>${escapeHtml(name)}</h2><p>${toHtml(description)}</p>
${shown.map((one) => showOperation(one, components, baseUrl)).join("\n")}</section>`,
  );
  const body = `<a class="skip" href="#api">To the endpoints</a>
<div class="inks" aria-hidden="true"><i></i><i></i><i></i><i></i></div>
<main><header><div><p class="over">API ${escapeHtml(info.version)}</p><h1>${escapeHtml(info.title)}</h1></div></header>
${showIntroduction(info.description)}
<p>Root: <code>${root}</code>. For generators: <a href="${root}/openapi.json">openapi.json</a> (OpenAPI 3.1), <a href="${root}/openapi-3.0.json">openapi-3.0.json</a> (3.0).</p>
<div class="sheet">${showContents(groups)}<div id="api">
${sections.join("\n")}
${showWebhooks(document)}
${showLimits()}
${showThings(document)}
</div></div></main>`;
  return replyPage({ title: `${info.title}: API`, style: DOCS_STYLE, body });
}
