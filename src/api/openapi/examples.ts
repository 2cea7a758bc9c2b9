/** A valid body for each endpoint; only its ids are made up. */
import type { z } from "zod";

import type { endpoints, EndpointName } from "../endpoints.ts";
import { exampleIds } from "../fields.ts";

const { workspace, thing } = exampleIds;

type WithBody = {
  [Name in EndpointName]: (typeof endpoints)[Name] extends { body: z.ZodType } ? Name : never;
}[EndpointName];
type Bodies = {
  readonly [Name in WithBody]: z.input<(typeof endpoints)[Name]["body"]>;
};

const bodies: Bodies = {
  createCode: {
    workspace,
    qr_data: "https://example.com/menu",
    dynamic: true,
    display_name: "Table 12",
    primary_color: "#1a237e",
    pattern: "Circles",
    frame: "card",
    text: "Scan for the menu",
  },
  updateCode: { qr_data: "https://example.com/new-menu" },
  updateDesign: { primary_color: "#0b57d0", eye_style: "Rounded" },
  addTags: [{ title: "Spring menu" }],
  createFolder: { workspace, name: "North hall" },
  updateFolder: { name: "North hall, upper floor" },
  createPdf: { workspace, pdf_url: "https://example.com/menu.pdf", filename: "menu.pdf" },
  createLink: { workspace, link: "https://example.com/spring", slug: "spring" },
  updateLink: { link: "https://example.com/summer" },
  createPage: {
    workspace,
    title: "Café Nord",
    description: "Since 1987",
    links: [{ url: "https://example.com/shop", title: "Shop" }],
  },
  createForm: { workspace, title: "How was your visit?" },
  saveForm: {
    fields: [
      { id: "temp-1", field_type: "rating", label: "How was it?", required: true },
      {
        id: "temp-2",
        field_type: "select",
        label: "Where did you sit?",
        options: [
          { value: "in", label: "Inside" },
          { value: "out", label: "Outside" },
        ],
      },
    ],
    thank_you_message: "Thank you!",
  },
  setFormLogo: { logo_url: "https://example.com/logo.png" },
  publishForm: { slug: "visit" },
  createProduct: {
    workspace,
    identifier_value: "9506000134352",
    destination_url: "https://example.com/tea",
  },
  updateProduct: { batch_lot: "LOT1" },
  addProductLink: {
    link_type: "gs1:instructions",
    title: "How to brew it",
    destination_url: "https://example.com/tea/brew",
    language: "en",
  },
  updateProductLink: { destination_url: "https://example.com/tea/brewing" },
};

export const exampleBodies: Readonly<Partial<Record<EndpointName, unknown>>> = bodies;

/** Endpoint -> a query that shows its purpose. */
export const exampleQueries: Readonly<Partial<Record<EndpointName, string>>> = {
  listCodes: "include=scans,tags&page_size=20",
  listActivity: "start=2026-11-01",
  getAnalytics: "days=90",
  getWorkspaceAnalytics: "days=90&top=5",
  listLinks: "q=spring",
  getLinkQr: "format=svg",
  listForms: `workspace=${workspace}`,
};

/** The example for a path's parameter. */
export const toExampleId = (parameter: string): string =>
  parameter === "workspace_id" ? workspace : thing;
