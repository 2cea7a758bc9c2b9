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
import {
  Linkset,
  LinksetQuery,
  Product,
  ProductCreate,
  ProductLink,
  ProductLinkCreate,
  ProductLinkPatch,
  ProductPatch,
} from "./product.ts";
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

/** name -> endpoint. Path parameters stand in braces. */
export const endpoints = {
  // 4.1 QR codes
  createCode: {
    ...change,
    methods: ["POST"],
    path: "/qrcode/create/",
    body: CodeCreate,
    response: Code,
    creates: true,
    summary: "Creates a QR code.",
  },
  listCodes: {
    ...list,
    path: "/workspace/{workspace_id}/qrcodes/",
    query: CodeListQuery,
    response: pageOf(CodeItem),
    summary: "Lists QR codes, newest first.",
  },
  listTemplates: {
    ...list,
    path: "/workspace/{workspace_id}/templates/",
    query: PageQuery,
    response: pageOf(Template),
    summary: "Lists templates, the workspace's own first, then the built-in ones.",
  },
  getCode: {
    ...item,
    path: "/qrcode/{qr_code_id}/",
    response: Code,
    summary: "Answers one QR code with lifetime scan counts, tags and folder.",
  },
  listActivity: {
    ...list,
    path: "/qrcode/{qr_code_id}/activity/",
    query: ActivityQuery,
    response: pageOf(Activity),
    summary: "Lists the scans of a code, newest first.",
  },
  getAnalytics: {
    ...item,
    path: "/qrcode/{qr_code_id}/analytics/",
    query: AnalyticsQuery,
    response: Analytics,
    summary: "Answers the scan analytics of a code; the last 30 days unless asked otherwise.",
  },
  getWorkspaceAnalytics: {
    ...item,
    path: "/workspace/{workspace_id}/analytics/",
    query: WorkspaceAnalyticsQuery,
    response: WorkspaceAnalytics,
    summary: "Answers the scan analytics of all codes together, with the most scanned ones.",
  },
  downloadCode: {
    ...item,
    path: "/qrcode/{qr_code_id}/download/",
    response: CodeFiles,
    summary: "Makes the high-resolution PNG and the SVG when needed and answers their URLs.",
  },
  updateCode: {
    ...change,
    methods: ["PATCH", "POST", "PUT"],
    path: "/qrcode/{qr_code_id}/update/",
    body: CodeUpdate,
    response: Code,
    summary: "Changes the name, destination, GPS tracking or folder of a code.",
  },
  updateDesign: {
    ...change,
    methods: ["PATCH"],
    path: "/qrcode/{qr_code_id}/design/",
    body: DesignPatch,
    response: Code,
    summary: "Restyles a code in place.",
  },
  deleteCode: {
    ...remove,
    path: "/qrcode/{qr_code_id}/delete/",
    summary: "Deletes a code for good.",
  },
  // 4.2 Tags
  listTags: {
    ...list,
    path: "/workspace/{workspace_id}/tags/",
    query: PageQuery,
    response: pageOf(Tag),
    summary: "Lists tags by title.",
  },
  addTags: {
    ...change,
    methods: ["POST"],
    path: "/qrcode/{qr_code_id}/tags/add/",
    body: TagAdd,
    response: Code,
    summary: "Puts tags on a code, making those that are missing.",
  },
  removeTag: {
    ...change,
    methods: ["DELETE"],
    path: "/qrcode/{qr_code_id}/tag/{tag}/remove/",
    response: Code,
    summary: "Takes a tag (id or slug) off a code; the tag is kept.",
  },
  // 4.3 Folders
  listFolders: {
    ...list,
    path: "/workspace/{workspace_id}/folders/",
    query: PageQuery,
    response: pageOf(Folder),
    summary: "Lists folders by name.",
  },
  createFolder: {
    ...change,
    methods: ["POST"],
    path: "/folder/create/",
    body: FolderCreate,
    response: Folder,
    status: [201, 200],
    summary: "Makes a folder, or answers the one of that name under the same parent with 200.",
  },
  updateFolder: {
    ...change,
    methods: ["PATCH"],
    path: "/folder/{folder_id}/update/",
    body: FolderPatch,
    response: Folder,
    summary: "Renames or moves a folder.",
  },
  deleteFolder: {
    ...remove,
    path: "/folder/{folder_id}/delete/",
    summary: "Deletes a folder: its codes become unfiled, its subfolders move up.",
  },
  // 4.4 PDF codes
  createPdf: {
    ...change,
    methods: ["POST"],
    path: "/pdf/create/",
    body: PdfCreate,
    response: Code,
    creates: true,
    summary: "Hosts a PDF and makes a dynamic code that leads to it.",
  },
  // 4.5 Short links
  createLink: {
    ...change,
    methods: ["POST"],
    path: "/link/create/",
    body: LinkCreate,
    response: Link,
    creates: true,
    summary: "Makes a short link with its code.",
  },
  listLinks: {
    ...list,
    path: "/workspace/{workspace_id}/links/",
    query: LinkListQuery,
    response: pageOf(LinkItem),
    summary: "Lists short links, newest first.",
  },
  getLink: {
    ...item,
    path: "/link/{link_id}/",
    response: Link,
    summary: "Answers one short link with its code as SVG.",
  },
  updateLink: {
    ...change,
    methods: ["PATCH"],
    path: "/link/{link_id}/update/",
    body: LinkUpdate,
    response: Link,
    summary: "Changes the destination, name or GPS tracking of a short link.",
  },
  deleteLink: {
    ...remove,
    path: "/link/{link_id}/delete/",
    summary: "Deletes a short link for good.",
  },
  getLinkQr: {
    ...item,
    path: "/link/{link_id}/qr/",
    query: LinkQrQuery,
    type: "image/svg+xml",
    status: [302, 200],
    summary: "Answers the code of a short link: the SVG itself, or the way to the PNG.",
  },
  listLinkActivity: {
    ...list,
    path: "/link/{link_id}/activity/",
    query: ActivityQuery,
    response: pageOf(Activity),
    summary: "Lists the clicks of a short link, newest first.",
  },
  ...pageEndpoints,
  // 4.9 GS1 products
  createProduct: {
    ...change,
    methods: ["POST"],
    path: "/gs1/products/",
    body: ProductCreate,
    response: Product,
    status: [201, 200],
    summary: "Registers a GS1 product, or brings the one of that identifier up to date with 200.",
  },
  listProducts: {
    ...list,
    path: "/workspace/{workspace_id}/gs1/products/",
    query: PageQuery,
    response: pageOf(Product),
    summary: "Lists GS1 products with their link types, newest first.",
  },
  getProduct: {
    ...item,
    path: "/gs1/products/{product_id}/",
    response: Product,
    summary: "Answers one GS1 product with its link types.",
  },
  updateProduct: {
    ...change,
    methods: ["PATCH"],
    path: "/gs1/products/{product_id}/",
    body: ProductPatch,
    response: Product,
    summary: "Changes identifier and qualifiers of a GS1 product.",
  },
  deleteProduct: {
    ...remove,
    path: "/gs1/products/{product_id}/",
    summary: "Deletes a GS1 product with its link types.",
  },
  addProductLink: {
    ...change,
    methods: ["POST"],
    path: "/gs1/products/{product_id}/links/",
    body: ProductLinkCreate,
    response: ProductLink,
    summary: "Adds a link type, or gives the one that is there its new destination.",
  },
  updateProductLink: {
    ...change,
    methods: ["PATCH"],
    path: "/gs1/products/{product_id}/links/{link_id}/",
    body: ProductLinkPatch,
    response: ProductLink,
    summary: "Changes a link type.",
  },
  deleteProductLink: {
    ...remove,
    path: "/gs1/products/{product_id}/links/{link_id}/",
    summary: "Deletes a link type; of the default one, another takes the place.",
  },
  getLinkset: {
    ...item,
    path: "/gs1/products/{product_id}/linkset/",
    query: LinksetQuery,
    response: Linkset,
    type: "application/linkset+json",
    summary: "Previews the linkset (RFC 9264) that the resolver serves.",
  },
} as const satisfies Record<string, Endpoint>;

export type Endpoints = typeof endpoints;
export type EndpointName = keyof Endpoints;
/** The table for those who walk over all of it. */
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
