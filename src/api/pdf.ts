import { z } from "zod";

import { reference, stringUpTo, text, webUrl, workspaceId } from "./fields.ts";
import { ownLimits } from "./limits.ts";

/** Body of the PDF code's create (docs/spec/api.md section 4.4): exactly one of the two sources. */
export const PdfCreate = z
  .object({
    workspace: workspaceId,
    pdf_url: webUrl.nullish(),
    pdf_base64: stringUpTo(ownLimits.maxPdfBodyBytes, {
      type: "Must be base64",
      long: "Must be a PDF of at most 20 MB",
    }).nullish(),
    filename: text(ownLimits.maxFileName).nullish(),
    display_name: text(ownLimits.maxDisplayName).nullish(),
    domain: reference.nullish(),
  })
  .refine(
    ({ pdf_url: url, pdf_base64: base64 }) => (url ?? null) === null || (base64 ?? null) === null,
    {
      error: "Only one of pdf_url and pdf_base64 may be given",
    },
  )
  .refine(({ pdf_url: url, pdf_base64: base64 }) => (url ?? base64 ?? null) !== null, {
    error: "One of pdf_url and pdf_base64 must be given",
  });
export type PdfCreate = z.input<typeof PdfCreate>;
