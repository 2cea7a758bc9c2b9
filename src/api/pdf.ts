import { z } from "zod";

import { named } from "./announce.ts";
import { reference, stringUpTo, text, webUrl, workspaceId } from "./fields.ts";
import { ownLimits } from "./limits.ts";

/** Body of the PDF code's create (docs/spec/api.md section 4.4): exactly one of the two sources. */
export const PdfCreate = named(
  "PdfCreate",
  z
    .object({
      workspace: workspaceId,
      pdf_url: webUrl.nullish().meta({
        description: "Address from which the service fetches the PDF. Either this or pdf_base64.",
        examples: ["https://example.com/menu.pdf"],
      }),
      pdf_base64: stringUpTo(ownLimits.maxPdfBodyBytes, {
        type: "Must be base64",
        long: "Must be a PDF of at most 20 MB",
      })
        .nullish()
        .describe("The PDF itself, at most 20 MB: base64, or a data: URL."),
      filename: text(ownLimits.maxFileName)
        .nullish()
        .meta({ description: "What the file is called when it is saved.", examples: ["menu.pdf"] }),
      display_name: text(ownLimits.maxDisplayName)
        .nullish()
        .describe("Name of the code in lists; people who scan the code don't see it."),
      domain: reference.nullish().describe("Domain of its short link; left out, the usual one."),
    })
    .refine(
      ({ pdf_url: url, pdf_base64: base64 }) => (url ?? null) === null || (base64 ?? null) === null,
      {
        error: "Only one of pdf_url and pdf_base64 may be given",
      },
    )
    .refine(({ pdf_url: url, pdf_base64: base64 }) => (url ?? base64 ?? null) !== null, {
      error: "One of pdf_url and pdf_base64 must be given",
    }),
);
export type PdfCreate = z.input<typeof PdfCreate>;
