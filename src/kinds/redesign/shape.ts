import { z } from "zod";

import { lookFields } from "../../job/shapes/code-shape.ts";
import { commonFields, RedesignSafetyShape } from "../../job/shapes/common-shapes.ts";
import { filled, template } from "../../job/shapes/fields.ts";
import { datedFiles, kindField, select } from "../shape-parts.ts";

/** The design fields of a change in place (docs/spec/api.md section 4.1). */
const RedesignShape = z
  .strictObject({
    template: filled
      .optional()
      .describe("Name or id of a saved design template; the other fields override it."),
    ...lookFields,
    text_secondary: template.optional().describe("Second text in the frame. Template."),
    logo_file: filled
      .optional()
      .describe(
        "PNG, JPEG, GIF, WebP or SVG under 2 MB, relative to the manifest. An SVG goes to the server as a picture.",
      ),
    remove_logo: z.boolean().optional().describe("Takes the logo away."),
  })
  .describe("The new look; what isn't named stays as it is.");

export const redesignShape = z.strictObject({
  ...commonFields,
  kind: kindField("redesign"),
  select,
  design: RedesignShape,
  output: datedFiles,
  safety: RedesignSafetyShape.prefault({}).describe("What is refused, and what wants a yes."),
});
export type RedesignManifest = z.output<typeof redesignShape>;
