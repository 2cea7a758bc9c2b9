import { z } from "zod";

import { commonFields, ReadingSafetyShape } from "../../job/shapes/common-shapes.ts";
import { anySelect, datedFiles, kindField } from "../shape-parts.ts";

export const exportShape = z.strictObject({
  ...commonFields,
  kind: kindField("export"),
  select: anySelect,
  output: datedFiles,
  safety: ReadingSafetyShape.prefault({}).describe("What is refused."),
});
export type ExportManifest = z.output<typeof exportShape>;
