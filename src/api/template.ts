import { z } from "zod";

import { named, ofAnyServer } from "./announce.ts";
import { designOfOthers, designSent } from "./design.ts";
import { address } from "./fields.ts";

/** docs/spec/api.md section 2.3. */
const TemplateSent = named(
  "Template",
  z.object({
    id: z
      .string()
      .min(1)
      .meta({ description: "Id of the template.", examples: ["classic"] }),
    title: z.string().meta({ description: "What people call it.", examples: ["Classic"] }),
    ...designSent,
    preview: address.describe("A picture of a code in this design, as SVG."),
    is_default: z.boolean().describe("True for built-in designs, false for the workspace's own."),
  }),
);

/** Accepts values of other servers, even when they are none of our words. */
export const Template = ofAnyServer(TemplateSent, {
  needed: ["id", "title"],
  other: designOfOthers,
});
export type Template = z.infer<typeof Template>;
