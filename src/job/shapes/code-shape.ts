import { z } from "zod";

import { codeTypes } from "../../api/code.ts";
import { errorCorrections, eyeStyles, frames, patterns } from "../../api/design.ts";
import { ownLimits } from "../../api/limits.ts";

import { choice, color, filled, template, whole } from "./fields.ts";

/**
 * Design fields that a create and a later change both take (docs/spec/api.md section 2.2), each a
 * value or a template.
 */
export const lookFields = {
  primary_color: color.optional().describe("Colour of the modules; eyes and frame follow it."),
  eye_color: color.optional().describe("Colour of the eyes."),
  background_color: color.optional().describe("Colour behind the code; left out: transparent."),
  frame_color: color.optional().describe("Colour of the frame."),
  pattern: choice(patterns).optional().describe("Shape of the modules."),
  eye_style: choice(eyeStyles).optional().describe("Shape of the eyes."),
  frame: choice(frames).optional().describe("Frame around the code."),
  has_border: z.boolean().optional().describe("Border, for frames that have one."),
  text: template.optional().describe("Text in the frame. Template."),
  error_correction: choice(errorCorrections)
    .optional()
    .describe("Share of the code that may be lost: L, M, Q or H."),
  logo_url: template.optional().describe("Web address of a PNG or JPEG. Template."),
  logo_round: z.boolean().optional().describe("Cuts the logo to a circle."),
};

/** The API's design fields of a create. */
const Design = z.strictObject({
  template: filled
    .optional()
    .describe("Name or id of a saved design template; the other fields override it."),
  ...lookFields,
  size: whole(ownLimits.minCodeSizePx, ownLimits.maxCodeSizePx)
    .optional()
    .describe("Width in pixels of what the server draws."),
});

/** The API takes an image along with a change only. */
const CodeDesign = Design.extend({
  logo_file: filled
    .optional()
    .describe(
      "PNG, JPEG, GIF, WebP or SVG under 2 MB, relative to the manifest; one more write per code. Template.",
    ),
});

const line = template.optional();

const Vcard = z.strictObject({
  first_name: template.min(1, "must not be empty").describe("Template."),
  last_name: line.describe("Template."),
  company_name: line.describe("Template."),
  position: line.describe("Template."),
  email: line.describe("Template."),
  mobile_number: line.describe("Template."),
  phone_number: line.describe("Template."),
  website: line.describe("Template."),
  street: line.describe("Template."),
  city: line.describe("Template."),
  state: line.describe("Template."),
  country: line.describe("Template."),
  post_code: line.describe("Template."),
  description: line.describe("Template."),
});

const Gs1Product = z.strictObject({
  identifier_value: template.min(1, "must not be empty").describe("GTIN or other key. Template."),
  destination_url: template.min(1, "must not be empty").describe("Where it leads. Template."),
});

const nameField = {
  display_name: template
    .optional()
    .describe("Name in lists; default: the key columns, joined by ` / `. Template."),
};

const filingFields = {
  folder: template.optional().describe("Path of folders, made once each. Template."),
  tags: z.array(template).default([]).describe("Tags; one more write per code. Templates."),
};

export const CodeShape = z.strictObject({
  type: z.enum(codeTypes).default("Link").describe("What the code holds."),
  dynamic: z
    .boolean()
    .optional()
    .describe("Has a short link whose destination can be changed later; default false, GS1 true."),
  qr_data: template.optional().describe("Address (Link) or text (Text). Template."),
  ...nameField,
  ...filingFields,
  gps_tracking: z.boolean().default(false).describe("Asks scanners for their place (dynamic)."),
  domain: filled.optional().describe("Custom domain of the short link (dynamic)."),
  compact: z
    .boolean()
    .default(false)
    .describe("Makes new codes smaller: level M, links in capitals, lean contacts."),
  vcard: Vcard.optional().describe("The contact of a vCard code."),
  gs1_product: Gs1Product.optional().describe("The product of a GS1 code."),
  design: CodeDesign.default({}).describe("How codes look."),
});
export type CodeShape = z.output<typeof CodeShape>;

/** The GS1 code of a product: what it holds is the product itself. */
export const ProductCodeShape = z.strictObject({
  ...nameField,
  ...filingFields,
  gps_tracking: z.boolean().default(false).describe("Asks scanners for their place."),
  domain: filled.optional().describe("Custom domain of the Digital Link."),
  design: Design.default({}).describe("How codes look."),
});
export type ProductCodeShape = z.output<typeof ProductCodeShape>;

/**
 * The design of a code that exists already when it gets it: no template, no size
 * (docs/spec/api.md section 4.1).
 */
export const LaterDesign = z.strictObject(lookFields);

/**
 * The code that the server makes along with a PDF, page or form: the fields that can be set
 * afterwards.
 */
export const LaterCodeShape = z.strictObject({
  ...nameField,
  folder: template
    .optional()
    .describe("Path of folders, made once each; one more write per code. Template."),
  tags: filingFields.tags,
  design: LaterDesign.default({}).describe("How codes look; one more write per code."),
});
export type LaterCodeShape = z.output<typeof LaterCodeShape>;
