import { z } from "zod";

import { fieldTypes } from "../../api/form.ts";
import { commonFields } from "../../job/shapes/common-shapes.ts";
import { color, filled, template } from "../../job/shapes/fields.ts";
import { SourceShape } from "../../job/shapes/source-shape.ts";
import { files, kindField } from "../shape-parts.ts";

const some = template.min(1, "must not be empty");

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

/** A form (docs/spec/api.md sections 2.11 and 4.7): made, saved and published. */
const FormShape = z.strictObject({
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

export const formsShape = z.strictObject({
  ...commonFields,
  kind: kindField("forms"),
  source: SourceShape.optional(),
  form: FormShape.describe("The form of each row; without source there is one."),
  ...files,
});
export type FormsManifest = z.output<typeof formsShape>;
