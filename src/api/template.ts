import { z } from "zod";

import { moreDesign, templateDesign } from "./design.ts";
import { address } from "./fields.ts";

/**
 * docs/spec/api.md section 2.3. Values of other servers pass even when their words are not ours.
 */
export const Template = z.looseObject({
  id: z.string().min(1),
  title: z.string(),
  ...templateDesign,
  ...moreDesign,
  preview: address.nullish(),
  is_default: z.boolean().nullish(),
});
export type Template = z.infer<typeof Template>;
