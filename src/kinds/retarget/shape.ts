import { z } from "zod";

import { commonFields, RetargetSafetyShape } from "../../job/shapes/common-shapes.ts";
import { template } from "../../job/shapes/fields.ts";
import { RetargetOutputShape } from "../../job/shapes/output-shape.ts";
import { matchKeys } from "../../job/shapes/select-shapes.ts";
import { SpreadsheetShape } from "../../job/shapes/source-shape.ts";
import { kindField } from "../shape-parts.ts";

/** How a row finds its code. */
const MatchShape = z.strictObject({
  by: z
    .array(z.enum(matchKeys))
    .min(1, "must name at least one field")
    .default([...matchKeys])
    .describe("Fields of the code that are compared, in this order; the first that fits decides."),
  value: template.min(1, "must not be empty").describe("What they must be. Template."),
});

/** What a row changes; a field that is left out, or empty in a row, stays as it is. */
const SetShape = z.strictObject({
  qr_data: template.optional().describe("New destination (dynamic codes). Template."),
  display_name: template.optional().describe("New name. Template."),
  folder: template.optional().describe("New path of folders. Template."),
  tags: z.array(template).optional().describe("Tags that are added. Templates."),
});

export const retargetShape = z.strictObject({
  ...commonFields,
  kind: kindField("retarget"),
  source: SpreadsheetShape,
  match: MatchShape.describe("How a row finds its code."),
  expect: template
    .optional()
    .describe("Where the code must lead today, or the row fails; empty: no check. Template."),
  set: SetShape.describe("What a row changes; what is left out or empty stays as it is."),
  output: RetargetOutputShape.prefault({}).describe("What is written, and where."),
  safety: RetargetSafetyShape.prefault({}).describe("What is refused, and what wants a yes."),
});
export type RetargetManifest = z.output<typeof retargetShape>;
