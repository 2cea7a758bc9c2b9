import { z } from "zod";

import { commonFields } from "../../job/shapes/common-shapes.ts";
import { filled, template } from "../../job/shapes/fields.ts";
import { SourceShape } from "../../job/shapes/source-shape.ts";
import { files, kindField } from "../shape-parts.ts";

/** A short link (docs/spec/api.md section 4.5). */
const LinkShape = z.strictObject({
  link: template.min(1, "must not be empty").describe("Where it leads. Template."),
  slug: template
    .optional()
    .describe("Its last part, of letters, digits and hyphens; default: automatic. Template."),
  display_name: template
    .optional()
    .describe("Name in lists; default: the key columns, joined by ` / `. Template."),
  domain: filled.optional().describe("Custom domain of the short link."),
  gps: z.boolean().default(false).describe("Asks visitors for their place."),
});

export const linksShape = z.strictObject({
  ...commonFields,
  kind: kindField("links"),
  source: SourceShape,
  link: LinkShape.describe("The short link of each row."),
  ...files,
});
export type LinksManifest = z.output<typeof linksShape>;
