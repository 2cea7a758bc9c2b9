/**
 * The API's endpoints as tools of an assistant. Names and descriptions are here; the arguments come
 * from the same shapes that the API and its OpenAPI file use.
 */
import { z } from "zod";

import { endpointTable, type Endpoint, type EndpointName } from "../../api/endpoints.ts";
import { limits, ownLimits } from "../../api/limits.ts";
import { foldNull } from "../../api/openapi/schemas.ts";

import { isPictured, PICTURE, pictureSchema } from "./drawings.ts";
import { toOutputSchema, type OutputSchema } from "./output-schemas.ts";
import type { OfferedTool } from "./protocol.ts";
import { toTitle, toolNames, written } from "./tool-names.ts";
import { sayWorkspaces, type OwnWorkspace } from "./workspaces.ts";

type Json = Record<string, unknown>;

/**
 * Writes that only add; every other write may remove or replace something, also the create of a code:
 * that of a GS1 code gives a product which is there a new destination.
 */
const additive: ReadonlySet<EndpointName> = new Set<EndpointName>([
  "addTags",
  "createFolder",
  "createPdf",
  "createLink",
  "createPage",
  "createForm",
  "reopenForm",
]);

/** How the arguments of a tool become a request. */
export interface Tool {
  readonly endpoint: EndpointName;
  /** Argument -> parameter of the path. */
  readonly params: ReadonlyMap<string, string>;
  readonly query: ReadonlySet<string>;
  /** The argument that is the whole body, where the body is an array. */
  readonly wholeBody: string | undefined;
  readonly takesWorkspace: boolean;
  readonly description: ToolDescription;
}

/** As tools/list shows it. */
export interface ToolDescription extends OfferedTool {
  readonly inputSchema: Json & { readonly type: "object"; readonly properties: Json };
  readonly outputSchema: OutputSchema;
}

export const WORKSPACE = "workspace";
export const KEY_ARGUMENT = "idempotency_key";
export const PAGE_SIZE = "page_size";
/** Default length of a page: enough to choose from, short enough to read. */
export const PAGE = 10;

const workspaceSchema: Json = {
  type: "string",
  description: "Id of the workspace; left out = the account's only one",
};
const keySchema: Json = {
  type: "string",
  maxLength: ownLimits.maxIdempotencyKey,
  description: "Sent again with the same key and arguments, nothing is made twice (24 hours)",
};

interface ObjectSchema {
  readonly properties: Json;
  readonly required: readonly string[];
}

function readSchema(shape: z.ZodType | undefined): Json {
  if (shape === undefined) return {};
  const { $schema: _$schema, ...schema } = z.toJSONSchema(shape, {
    io: "input",
    unrepresentable: "any",
    override({ jsonSchema }) {
      foldNull(jsonSchema);
      delete jsonSchema["examples"];
    },
  });
  return schema;
}

function toObjectSchema(schema: Json): ObjectSchema {
  const { properties = {}, required = [] } = schema as Partial<ObjectSchema>;
  return { properties, required };
}

/** An array has no field names: it becomes one argument, named after the last word of its path. */
function toBodySchema({ body, path }: Endpoint): ObjectSchema & { whole: string | undefined } {
  const schema = readSchema(body);
  if (schema["type"] !== "array") return { ...toObjectSchema(schema), whole: undefined };
  const whole = path.split("/").at(-3) ?? "items";
  return { properties: { [whole]: schema }, required: [whole], whole };
}

/** `Id of the QR code` for `qr_code_id`. */
function toParamSchema(name: string): Json {
  const words = name.replace(/_id$/u, "").split("_");
  const thing = words.map((word) => written[word] ?? word).join(" ");
  const what = name.endsWith("_id") ? "Id" : "Id or slug";
  return { type: "string", description: `${what} of the ${thing}` };
}

const toPageSize = (properties: Json): Json => properties[PAGE_SIZE] as Json;

const toArgument = (param: string): string => (param === "workspace_id" ? WORKSPACE : param);

function toInputSchema(
  endpoint: Endpoint,
  {
    params,
    query,
    body,
    hasPicture,
  }: {
    readonly params: readonly string[];
    readonly query: ObjectSchema;
    readonly body: ObjectSchema;
    readonly hasPicture: boolean;
  },
): ToolDescription["inputSchema"] {
  const properties: Json = {
    ...Object.fromEntries(params.map((name) => [name, toParamSchema(name)])),
    ...query.properties,
    ...body.properties,
    ...(endpoint.creates ? { [KEY_ARGUMENT]: keySchema } : {}),
    ...(hasPicture ? { [PICTURE]: pictureSchema } : {}),
  };
  if (endpoint.list) properties[PAGE_SIZE] = { ...toPageSize(properties), default: PAGE };
  if (WORKSPACE in properties) properties[WORKSPACE] = workspaceSchema;
  const required = [...params, ...query.required, ...body.required];
  return {
    type: "object",
    properties,
    required: required.filter((name) => name !== WORKSPACE),
    additionalProperties: false,
  };
}

function toTool(name: EndpointName): Tool {
  const endpoint = endpointTable[name];
  const params = new Map(
    [...endpoint.path.matchAll(/\{(\w+)\}/gu)].map(([, param = ""]) => [toArgument(param), param]),
  );
  const query = toObjectSchema(readSchema(endpoint.query));
  const body = toBodySchema(endpoint);
  const hasPicture = isPictured(name);
  const inputSchema = toInputSchema(endpoint, {
    params: [...params.keys()],
    query,
    body,
    hasPicture,
  });
  const { note } = endpoint;
  const reads = endpoint.class === "read";
  return {
    endpoint: name,
    params,
    query: new Set(Object.keys(query.properties)),
    wholeBody: body.whole,
    takesWorkspace: WORKSPACE in inputSchema.properties,
    description: {
      name: toolNames[name],
      title: toTitle(toolNames[name]),
      description: note === undefined ? endpoint.summary : `${endpoint.summary} ${note}`,
      inputSchema,
      outputSchema: toOutputSchema(endpoint, hasPicture),
      annotations: {
        readOnlyHint: reads,
        destructiveHint: !reads && !additive.has(name),
        idempotentHint: !endpoint.creates,
      },
    },
  };
}

/** Name -> tool: one for every endpoint of the API, in the table's order. */
export const tools: ReadonlyMap<string, Tool> = new Map(
  (Object.keys(endpointTable) as EndpointName[]).map((name) => [toolNames[name], toTool(name)]),
);

const sayWorkspaceArgument = (workspaces: readonly OwnWorkspace[]): string =>
  workspaces.length === 1
    ? "`workspace` may be left out."
    : `${sayWorkspaces(workspaces)}; give the id of one as \`workspace\`.`;

/** What a model reads before it uses any tool. */
export const toInstructions = (workspaces: readonly OwnWorkspace[]): string =>
  "Makes and manages QR codes, short links, hosted PDFs, landing pages, forms and GS1 Digital " +
  `Links, and counts their scans. ${sayWorkspaceArgument(workspaces)} Lists come in pages of ` +
  `${PAGE} entries: ask for the next one with \`page\` while \`next\` is not null, or for larger ones ` +
  "with `page_size`. Answers have no pictures; `picture` asks for one. Times are ISO 8601, UTC. Things are named by " +
  "the `id` that creates and lists answer. " +
  `Limits per minute: ${limits.readsPerWindow} reads and ${limits.writesPerWindow} writes unless ` +
  "the operator set others; a refusal says how long to wait.";
