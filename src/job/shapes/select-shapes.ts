/** Which codes that exist a job is about. */
import { z } from "zod";

import { codeTypes } from "../../api/code.ts";

import { filled } from "./fields.ts";

/** Which codes (docs/spec/api.md section 4.1, list). */
export const SelectShape = z.strictObject({
  folder: filled.optional().describe("Path, id or slug of a folder; none for codes in no folder."),
  subfolders: z.boolean().default(false).describe("With folder: those below it, too."),
  tags: z.array(filled).default([]).describe("Codes that carry all of these tags."),
  q: filled.optional().describe("Codes whose name, destination, short link or tags contain this."),
  dynamic: z.boolean().optional().describe("Only dynamic codes, or only static ones."),
  type: z.enum(codeTypes).optional().describe("Only codes of this type."),
});
export type SelectShape = z.output<typeof SelectShape>;

export const matchKeys = ["id", "shortlink_url", "display_name"] as const;
