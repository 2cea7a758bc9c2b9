import { z } from "zod";

import { CodeShape } from "../../job/shapes/code-shape.ts";
import { commonFields } from "../../job/shapes/common-shapes.ts";
import { SourceShape } from "../../job/shapes/source-shape.ts";
import { files, kindField } from "../shape-parts.ts";

export const codesShape = z.strictObject({
  ...commonFields,
  kind: kindField("codes"),
  source: SourceShape,
  code: CodeShape.describe("The code of each row."),
  ...files,
});
export type CodesManifest = z.output<typeof codesShape>;
