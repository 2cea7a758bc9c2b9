/**
 * The API as data (docs/spec/api.md section 4). The server makes its routes from this table, the
 * client its methods, the tests their cases.
 */
import type { z } from "zod";

import { Code, CodeCreate, CodeFiles, CodeItem, CodeListQuery, CodeUpdate } from "./code.ts";
import { DesignPatch } from "./design.ts";
import { change, item, list, remove, type Endpoint, type Method } from "./endpoint.ts";
import { Folder, FolderCreate, FolderPatch } from "./folder.ts";
import { Link, LinkCreate, LinkItem, LinkListQuery, LinkQrQuery, LinkUpdate } from "./link.ts";
import { pageEndpoints } from "./page-endpoints.ts";
import { pageOf, PageQuery } from "./paging.ts";
import { PdfCreate } from "./pdf.ts";
import { productEndpoints } from "./product-endpoints.ts";
import {
  Activity,
  ActivityQuery,
  Analytics,
  AnalyticsQuery,
  WorkspaceAnalytics,
  WorkspaceAnalyticsQuery,
} from "./scan.ts";
import { Tag, TagAdd } from "./tag.ts";
import { Template } from "./template.ts";

export type { Endpoint, Method };

/** name -> endpoint. Path parameters are in braces. */
export const endpoints = {
  // 4.1 QR codes
  createCode: {
    group: "codes",
    ...change,
    methods: ["POST"],
    path: "/qrcode/create/",
    body: CodeCreate,
    response: Code,
    creates: true,
    summary: "Creates a QR code.",
    note: "A dynamic code leads through a short link whose destination can be changed later; a static one (the default) holds qr_data itself for good. vCard codes take vcard, GS1 codes gs1_product.",
  },
  listCodes: {
    group: "codes",
    ...list,
    path: "/workspace/{workspace_id}/qrcodes/",
    query: CodeListQuery,
    response: pageOf(CodeItem),
    summary: "Lists QR codes, newest first.",
  },
  listTemplates: {
    group: "templates",
    ...list,
    path: "/workspace/{workspace_id}/templates/",
    query: PageQuery,
    response: pageOf(Template),
    summary: "Lists templates, the workspace's own first, then the built-in ones.",
  },
  getCode: {
    group: "codes",
    ...item,
    path: "/qrcode/{qr_code_id}/",
    response: Code,
    summary: "Answers one QR code with lifetime scan counts, tags and folder.",
  },
  listActivity: {
    group: "scans",
    ...list,
    path: "/qrcode/{qr_code_id}/activity/",
    query: ActivityQuery,
    response: pageOf(Activity),
    summary: "Lists the scans of a code, newest first.",
  },
  getAnalytics: {
    group: "scans",
    ...item,
    path: "/qrcode/{qr_code_id}/analytics/",
    query: AnalyticsQuery,
    response: Analytics,
    summary: "Answers the scan analytics of a code; the last 30 days unless asked otherwise.",
  },
  getWorkspaceAnalytics: {
    group: "scans",
    ...item,
    path: "/workspace/{workspace_id}/analytics/",
    query: WorkspaceAnalyticsQuery,
    response: WorkspaceAnalytics,
    summary: "Answers the scan analytics of all codes together, with the most scanned ones.",
  },
  downloadCode: {
    group: "codes",
    ...item,
    path: "/qrcode/{qr_code_id}/download/",
    response: CodeFiles,
    summary: "Makes the high-resolution PNG and the SVG when needed and answers their URLs.",
    note: "With `Accept: image/png` or `Accept: image/svg+xml` the answer is that file itself.",
  },
  updateCode: {
    group: "codes",
    ...change,
    methods: ["PATCH", "POST", "PUT"],
    path: "/qrcode/{qr_code_id}/update/",
    body: CodeUpdate,
    response: Code,
    summary: "Changes the name, destination, GPS tracking or folder of a code.",
    note: "Printed dynamic codes lead to the new qr_data from then on; a static code keeps its data.",
  },
  updateDesign: {
    group: "codes",
    ...change,
    methods: ["PATCH"],
    path: "/qrcode/{qr_code_id}/design/",
    body: DesignPatch,
    response: Code,
    summary: "Restyles a code in place.",
  },
  deleteCode: {
    group: "codes",
    ...remove,
    path: "/qrcode/{qr_code_id}/delete/",
    summary: "Deletes a code for good.",
    note: "Printed copies of a dynamic code stop working; this can't be undone.",
  },
  // 4.2 Tags
  listTags: {
    group: "tags",
    ...list,
    path: "/workspace/{workspace_id}/tags/",
    query: PageQuery,
    response: pageOf(Tag),
    summary: "Lists tags by title.",
  },
  addTags: {
    group: "tags",
    ...change,
    methods: ["POST"],
    path: "/qrcode/{qr_code_id}/tags/add/",
    body: TagAdd,
    response: Code,
    summary: "Puts tags on a code, making those that are missing.",
  },
  removeTag: {
    group: "tags",
    ...change,
    methods: ["DELETE"],
    path: "/qrcode/{qr_code_id}/tag/{tag}/remove/",
    response: Code,
    summary: "Takes a tag (id or slug) off a code; the tag is kept.",
  },
  // 4.3 Folders
  listFolders: {
    group: "folders",
    ...list,
    path: "/workspace/{workspace_id}/folders/",
    query: PageQuery,
    response: pageOf(Folder),
    summary: "Lists folders by name.",
  },
  createFolder: {
    group: "folders",
    ...change,
    methods: ["POST"],
    path: "/folder/create/",
    body: FolderCreate,
    response: Folder,
    status: [201, 200],
    summary: "Makes a folder, or answers the one of that name under the same parent with 200.",
  },
  updateFolder: {
    group: "folders",
    ...change,
    methods: ["PATCH"],
    path: "/folder/{folder_id}/update/",
    body: FolderPatch,
    response: Folder,
    summary: "Renames or moves a folder.",
  },
  deleteFolder: {
    group: "folders",
    ...remove,
    path: "/folder/{folder_id}/delete/",
    summary: "Deletes a folder: its codes become unfiled, its subfolders move up.",
  },
  // 4.4 PDF codes
  createPdf: {
    group: "pdfs",
    ...change,
    methods: ["POST"],
    path: "/pdf/create/",
    body: PdfCreate,
    response: Code,
    creates: true,
    summary: "Hosts a PDF and makes a dynamic code that leads to it.",
    note: "Give either pdf_url or pdf_base64.",
  },
  // 4.5 Short links
  createLink: {
    group: "links",
    ...change,
    methods: ["POST"],
    path: "/link/create/",
    body: LinkCreate,
    response: Link,
    creates: true,
    summary: "Makes a short link with its code.",
  },
  listLinks: {
    group: "links",
    ...list,
    path: "/workspace/{workspace_id}/links/",
    query: LinkListQuery,
    response: pageOf(LinkItem),
    summary: "Lists short links, newest first.",
  },
  getLink: {
    group: "links",
    ...item,
    path: "/link/{link_id}/",
    response: Link,
    summary: "Answers one short link with its code as SVG.",
  },
  updateLink: {
    group: "links",
    ...change,
    methods: ["PATCH"],
    path: "/link/{link_id}/update/",
    body: LinkUpdate,
    response: Link,
    summary: "Changes the destination, name or GPS tracking of a short link.",
  },
  deleteLink: {
    group: "links",
    ...remove,
    path: "/link/{link_id}/delete/",
    summary: "Deletes a short link for good.",
    note: "The address and its code stop working; this can't be undone.",
  },
  getLinkQr: {
    group: "links",
    ...item,
    path: "/link/{link_id}/qr/",
    query: LinkQrQuery,
    type: "image/svg+xml",
    status: [302, 200],
    summary: "Answers the code of a short link: the SVG itself, or the way to the PNG.",
  },
  listLinkActivity: {
    group: "scans",
    ...list,
    path: "/link/{link_id}/activity/",
    query: ActivityQuery,
    response: pageOf(Activity),
    summary: "Lists the clicks of a short link, newest first.",
  },
  ...pageEndpoints,
  ...productEndpoints,
} as const satisfies Record<string, Endpoint>;

export type Endpoints = typeof endpoints;
export type EndpointName = keyof Endpoints;
/** The table, for iterating over all of it. */
export const endpointTable: Readonly<Record<EndpointName, Endpoint>> = endpoints;

type ParamNames<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParamNames<Rest>
  : never;

/** `{ workspace_id: string }` for `/workspace/{workspace_id}/tags/`. */
export type PathParamsOf<Name extends EndpointName> = Record<
  ParamNames<Endpoints[Name]["path"]>,
  string
>;
/** What a caller may send. */
export type BodyOf<Name extends EndpointName> = Endpoints[Name] extends { body: infer Shape }
  ? z.input<Shape>
  : undefined;
/** What the server has after parsing. */
export type ParsedBodyOf<Name extends EndpointName> = Endpoints[Name] extends { body: infer Shape }
  ? z.output<Shape>
  : undefined;
export type QueryOf<Name extends EndpointName> = Endpoints[Name] extends { query: infer Shape }
  ? z.input<Shape>
  : undefined;
export type ParsedQueryOf<Name extends EndpointName> = Endpoints[Name] extends {
  query: infer Shape;
}
  ? z.output<Shape>
  : undefined;
/** What a caller gets. */
export type ResponseOf<Name extends EndpointName> = Endpoints[Name] extends {
  response: infer Shape;
}
  ? z.output<Shape>
  : undefined;

/** The path of an endpoint with its parameters filled in, percent-encoded. */
export function toPath<Name extends EndpointName>(name: Name, params: PathParamsOf<Name>): string {
  const values: Readonly<Record<string, string>> = params;
  return endpoints[name].path.replace(/\{(\w+)\}/gu, (_, key: string) =>
    encodeURIComponent(values[key] ?? ""),
  );
}
