import { z } from "zod";

import { identifierTypes } from "../../gs1/identifiers.ts";
import { linkTypes } from "../../gs1/link-types.ts";
import { ProductCodeShape } from "../../job/shapes/code-shape.ts";
import { commonFields } from "../../job/shapes/common-shapes.ts";
import { template } from "../../job/shapes/fields.ts";
import { SourceShape } from "../../job/shapes/source-shape.ts";
import { files, kindField } from "../shape-parts.ts";

const some = template.min(1, "must not be empty");

const ProductLinkShape = z.strictObject({
  link_type: z.enum(linkTypes).describe("What the destination is, in GS1's words."),
  title: some.describe("Title of the link. Template."),
  destination_url: some.describe(
    "Where it leads; a row in which it is empty goes without. Template.",
  ),
  is_default: z.boolean().default(false).describe("Where a plain scan leads; default: the first."),
  language: template.optional().describe("Language of the page, like de or de-AT. Template."),
  media_type: template.optional().describe("Media type; default: text/html. Template."),
});

/** A GS1 product with its link types (docs/spec/api.md sections 2.12 and 4.9). */
const ProductShape = z.strictObject({
  identifier_type: z.enum(identifierTypes).default("01").describe("Application Identifier."),
  identifier_value: some.describe("GTIN or other key; its check digit is verified. Template."),
  batch_lot: template.optional().describe("Batch or lot. Template."),
  serial_number: template.optional().describe("Serial number. Template."),
  expiry_date: template.optional().describe("Expiry date as YYMMDD. Template."),
  links: z
    .array(ProductLinkShape)
    .min(1, "must have at least one link")
    .describe(
      "One destination per link type; 1 more write for each but a default one without language or media type.",
    ),
});
export type ProductShape = z.output<typeof ProductShape>;

export const productsShape = z.strictObject({
  ...commonFields,
  kind: kindField("products"),
  source: SourceShape,
  product: ProductShape.describe("The GS1 product of each row."),
  code: ProductCodeShape.optional().describe("Its GS1 code; left out: products only."),
  ...files,
});
export type ProductsManifest = z.output<typeof productsShape>;
