/** What each row becomes, for the kinds that make other things than plain codes. */
import { z } from "zod";

import { fieldTypes } from "../api/form.ts";
import { identifierTypes } from "../gs1/identifiers.ts";
import { linkTypes } from "../gs1/link-types.ts";

import { color, filled, template } from "./fields.ts";

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

/** A GS1 product with its link types (api-v2.md 2.12 and 4.9). */
export const ProductShape = z.strictObject({
  identifier_type: z.enum(identifierTypes).default("01").describe("Application Identifier."),
  identifier_value: some.describe("GTIN or other key; its check digit is verified. Template."),
  batch_lot: template.optional().describe("Batch or lot. Template."),
  serial_number: template.optional().describe("Serial number. Template."),
  expiry_date: template.optional().describe("Expiry date as YYMMDD. Template."),
  links: z
    .array(ProductLinkShape)
    .min(1, "must have at least one link")
    .describe("One destination per link type; one more write for each but the default."),
});
export type ProductShape = z.output<typeof ProductShape>;

/** A short link (api-v2.md 4.5). */
export const LinkShape = z.strictObject({
  link: some.describe("Where it leads. Template."),
  slug: template
    .optional()
    .describe("Its last part, of letters, digits and hyphens; default: automatic. Template."),
  display_name: template
    .optional()
    .describe("Name in lists; default: the key columns, joined by ` / `. Template."),
  domain: filled.optional().describe("Custom domain of the short link."),
  gps: z.boolean().default(false).describe("Asks visitors for their place."),
});
export type LinkShape = z.output<typeof LinkShape>;

/** A hosted PDF (api-v2.md 4.4): of each row either the file or the address. */
export const PdfShape = z.strictObject({
  file: template
    .optional()
    .describe("The PDF on this computer, relative to the manifest; at most 20 MB. Template."),
  pdf_url: template.optional().describe("Web address that the server fetches it from. Template."),
  filename: template
    .optional()
    .describe("Name under which it is hosted; default: that of the file. Template."),
  domain: filled.optional().describe("Custom domain of the short link."),
});
export type PdfShape = z.output<typeof PdfShape>;

const ButtonShape = z.strictObject({
  url: some.describe("Where it leads; a row in which it is empty goes without. Template."),
  title: template.optional().describe("What stands on it. Template."),
  type: template.optional().describe("Website (default), Instagram, YouTube and others. Template."),
});

/** A landing page (api-v2.md 4.6). */
export const PageShape = z.strictObject({
  title: some.describe("Heading. Template."),
  description: template.optional().describe("Text under the heading. Template."),
  links: z.array(ButtonShape).default([]).describe("Buttons, in their order."),
  bg_color: color.optional().describe("Colour of the page. Template."),
  text_color: color.optional().describe("Colour of its text. Template."),
  slug: template.optional().describe("Last part of its address; default: automatic. Template."),
  domain: filled.optional().describe("Custom domain of the page."),
});
export type PageShape = z.output<typeof PageShape>;

const OptionShape = z.strictObject({
  value: some.describe("What is stored. Template."),
  label: some.describe("What is shown. Template."),
});

const FormFieldShape = z.strictObject({
  field_type: z.enum(fieldTypes).describe("What it asks for."),
  label: some.describe("The question; one that is empty in a row is left out. Template."),
  required: z.boolean().default(false).describe("Whether it must be answered."),
  placeholder: template.optional().describe("Grey text in the empty field. Template."),
  options: z
    .array(z.union([some, OptionShape]))
    .optional()
    .describe("What may be chosen (select, radio, checkbox): texts, or maps of value and label."),
});

/** A form (api-v2.md 2.11 and 4.7): made, saved and published. */
export const FormShape = z.strictObject({
  title: some.describe("Heading. Template."),
  description: template.optional().describe("Text under the heading. Template."),
  fields: z
    .array(FormFieldShape)
    .min(1, "must have at least one field")
    .describe("Questions, in their order."),
  redirect_url: template.optional().describe("Where to after it was sent. Template."),
  thank_you_message: template.optional().describe("What is said after it was sent. Template."),
  bg_color: color.optional().describe("Colour of the page. Template."),
  text_color: color.optional().describe("Colour of its text. Template."),
  button_color: color.optional().describe("Colour of the button. Template."),
  button_text_color: color.optional().describe("Colour of the text on the button. Template."),
  logo_url: template
    .optional()
    .describe("Web address of a logo of at most 2 MB; one more write. Template."),
  slug: template.optional().describe("Last part of its short link; default: automatic. Template."),
  domain: filled.optional().describe("Custom domain of the form."),
});
export type FormShape = z.output<typeof FormShape>;
