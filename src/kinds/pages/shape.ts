import { z } from "zod";

import { LaterCodeShape } from "../../job/shapes/code-shape.ts";
import { commonFields } from "../../job/shapes/common-shapes.ts";
import { color, filled, template } from "../../job/shapes/fields.ts";
import { SourceShape } from "../../job/shapes/source-shape.ts";
import { files, kindField } from "../shape-parts.ts";

const some = template.min(1, "must not be empty");

const ButtonShape = z.strictObject({
  url: some.describe("Where it leads; a row in which it is empty goes without. Template."),
  title: template.optional().describe("What stands on it. Template."),
  type: template.optional().describe("Website (default), Instagram, YouTube and others. Template."),
});

/** A landing page (docs/spec/api.md section 4.6). */
const PageShape = z.strictObject({
  title: some.describe("Heading. Template."),
  description: template.optional().describe("Text under the heading. Template."),
  links: z.array(ButtonShape).default([]).describe("Buttons, in their order."),
  bg_color: color.optional().describe("Colour of the page. Template."),
  text_color: color.optional().describe("Colour of its text. Template."),
  slug: template.optional().describe("Last part of its address; default: automatic. Template."),
  domain: filled.optional().describe("Custom domain of the page."),
});
export type PageShape = z.output<typeof PageShape>;

export const pagesShape = z.strictObject({
  ...commonFields,
  kind: kindField("pages"),
  source: SourceShape,
  page: PageShape.describe("The landing page of each row."),
  code: LaterCodeShape.prefault({}).describe("The code that leads to it."),
  ...files,
});
export type PagesManifest = z.output<typeof pagesShape>;
