import { z } from "zod";

import { LaterCodeShape } from "../../job/shapes/code-shape.ts";
import { commonFields } from "../../job/shapes/common-shapes.ts";
import { filled, template } from "../../job/shapes/fields.ts";
import { PdfSourceShape } from "../../job/shapes/source-shape.ts";
import { files, kindField } from "../shape-parts.ts";

/** A hosted PDF (docs/spec/api.md section 4.4): of each row either the file or the address. */
const PdfShape = z.strictObject({
  file: template
    .optional()
    .describe("The PDF on this computer, relative to the manifest; at most 20 MB. Template."),
  pdf_url: template.optional().describe("Web address that the server fetches it from. Template."),
  filename: template
    .optional()
    .describe("Name under which it is hosted; default: that of the file. Template."),
  domain: filled.optional().describe("Custom domain of the short link."),
});

export const pdfsShape = z.strictObject({
  ...commonFields,
  kind: kindField("pdfs"),
  source: PdfSourceShape,
  pdf: PdfShape.prefault({}).describe("The PDF of each row."),
  code: LaterCodeShape.prefault({}).describe("The code that leads to it."),
  ...files,
});
export type PdfsManifest = z.output<typeof pdfsShape>;
