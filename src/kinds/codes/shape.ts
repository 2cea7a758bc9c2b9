import { z } from "zod";

import { CodeShape } from "../../job/code-shape.ts";
import { commonFields } from "../../job/common-shapes.ts";
import { SourceShape } from "../../job/source-shape.ts";
import { files, kindField } from "../shape-parts.ts";

export const codesShape = z.strictObject({
  ...commonFields,
  kind: kindField("codes"),
  source: SourceShape,
  code: CodeShape.describe("The code of each row."),
  ...files,
});
export type CodesManifest = z.output<typeof codesShape>;
