/**
 * The API's endpoints as tools of an assistant: names and descriptions here, arguments out of the
 * same shapes that the API reads and its OpenAPI file shows.
 */
import { z } from "zod";

import { endpointTable, type Endpoint, type EndpointName } from "../../api/endpoints.ts";
import { limits, ownLimits } from "../../api/limits.ts";

type Json = Record<string, unknown>;

/** Endpoint -> its tool, verb_noun; the type sees to it that none is left out. */
const toolNames: Readonly<Record<EndpointName, string>> = {
  createCode: "create_qr_code",
  listCodes: "list_qr_codes",
  listTemplates: "list_templates",
  getCode: "get_qr_code",
  listActivity: "get_qr_code_activity",
  getAnalytics: "get_qr_code_analytics",
  getWorkspaceAnalytics: "get_workspace_analytics",
  downloadCode: "download_qr_code",
  updateCode: "update_qr_code",
  updateDesign: "update_qr_code_design",
  deleteCode: "delete_qr_code",
  listTags: "list_tags",
  addTags: "add_tags",
  removeTag: "remove_tag",
  listFolders: "list_folders",
  createFolder: "create_folder",
  updateFolder: "update_folder",
  deleteFolder: "delete_folder",
  createPdf: "create_pdf_qr_code",
  createLink: "create_short_link",
  listLinks: "list_short_links",
  getLink: "get_short_link",
  updateLink: "update_short_link",
  deleteLink: "delete_short_link",
  getLinkQr: "get_short_link_qr_code",
  listLinkActivity: "get_short_link_activity",
  createPage: "create_landing_page",
  getPage: "get_landing_page",
  listPages: "list_landing_pages",
  createForm: "create_form",
  saveForm: "save_form_fields",
  setFormLogo: "set_form_logo",
  publishForm: "publish_form",
  closeForm: "close_form",
  reopenForm: "reopen_form",
  listForms: "list_forms",
  listFormResponses: "list_form_responses",
  createProduct: "create_gs1_product",
  listProducts: "list_gs1_products",
  getProduct: "get_gs1_product",
  updateProduct: "update_gs1_product",
  deleteProduct: "delete_gs1_product",
  addProductLink: "add_gs1_product_link",
  updateProductLink: "update_gs1_product_link",
  deleteProductLink: "delete_gs1_product_link",
  getLinkset: "get_gs1_product_linkset",
};

/** What an assistant must know beside the summary, to choose well and to warn its user. */
const notes: Partial<Record<EndpointName, string>> = {
  createCode:
    "A dynamic code leads through a short link whose destination can be changed later; a static " +
    "one (the default) holds qr_data itself for good. vCard codes take vcard, GS1 codes gs1_product.",
  updateCode:
    "Printed dynamic codes lead to the new qr_data from then on; a static code keeps its data.",
  deleteCode: "Printed copies of a dynamic code stop working; this can't be undone.",
  deleteLink: "The address and its code stop working; this can't be undone.",
  deleteProduct: "Its printed Digital Links lead nowhere from then on; this can't be undone.",
  saveForm:
    "New fields have an id that begins with temp-; fields that are not sent are removed from the " +
    "draft; publish_form makes them live.",
  createProduct: "identifier_value is a GTIN unless identifier_type says otherwise.",
  createPdf: "Give either pdf_url or pdf_base64.",
};

/** Writes that only add; every other write may take away what was there. */
const additive: ReadonlySet<EndpointName> = new Set<EndpointName>([
  "createCode",
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
  /** The one argument that is the whole body, for bodies that are arrays. */
  readonly wholeBody: string | undefined;
  readonly takesWorkspace: boolean;
  readonly description: ToolDescription;
}

/** As tools/list shows it. */
export interface ToolDescription {
  readonly name: string;
  /** For people. */
  readonly title: string;
  readonly description: string;
  readonly inputSchema: Json & { readonly type: "object"; readonly properties: Json };
  readonly annotations: {
    readonly readOnlyHint: boolean;
    readonly destructiveHint: boolean;
    readonly idempotentHint: boolean;
  };
}

export const WORKSPACE = "workspace";
export const KEY_ARGUMENT = "idempotency_key";

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
  });
  return schema;
}

function toObjectSchema(schema: Json): ObjectSchema {
  const { properties = {}, required = [] } = schema as Partial<ObjectSchema>;
  return { properties, required };
}

/** An array has no names for its parts: it becomes an argument called after the last word of its path. */
function toBodySchema({ body, path }: Endpoint): ObjectSchema & { whole: string | undefined } {
  const schema = readSchema(body);
  if (schema["type"] !== "array") return { ...toObjectSchema(schema), whole: undefined };
  const whole = path.split("/").at(-3) ?? "items";
  return { properties: { [whole]: schema }, required: [whole], whole };
}

const written: Readonly<Record<string, string>> = { qr: "QR", gs1: "GS1", pdf: "PDF" };

/** `Create PDF QR code` for `create_pdf_qr_code`. */
function toTitle(name: string): string {
  const title = name.split("_").map((word) => written[word] ?? word);
  return title.join(" ").replace(/^./u, (first) => first.toUpperCase());
}

/** `Id of the QR code` for `qr_code_id`. */
function toParamSchema(name: string): Json {
  const words = name.replace(/_id$/u, "").split("_");
  const thing = words.map((word) => written[word] ?? word).join(" ");
  const what = name.endsWith("_id") ? "Id" : "Id or slug";
  return { type: "string", description: `${what} of the ${thing}` };
}

const toArgument = (param: string): string => (param === "workspace_id" ? WORKSPACE : param);

function toInputSchema(
  endpoint: Endpoint,
  { params, query, body }: { params: readonly string[]; query: ObjectSchema; body: ObjectSchema },
): ToolDescription["inputSchema"] {
  const properties: Json = {
    ...Object.fromEntries(params.map((name) => [name, toParamSchema(name)])),
    ...query.properties,
    ...body.properties,
    ...(endpoint.creates ? { [KEY_ARGUMENT]: keySchema } : {}),
  };
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
  const inputSchema = toInputSchema(endpoint, { params: [...params.keys()], query, body });
  const note = notes[name];
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

/** What a model is told before it uses any tool. */
export const instructions =
  "Makes and manages QR codes, short links, hosted PDFs, landing pages, forms and GS1 Digital " +
  "Links, and tells their scans. `workspace` may be left out. Lists come in pages: ask for the " +
  "next one with `page` while `next` is not null. Times are ISO 8601, UTC. Things are named by " +
  "the `id` that creates and lists answer. " +
  `Limits per minute: ${limits.readsPerWindow} reads and ${limits.writesPerWindow} writes unless ` +
  "the operator set others; a refusal says how long to wait.";
