import { z } from "zod";

import { filledText, reference } from "./fields.ts";
import { ownLimits } from "./limits.ts";

/** docs/spec/api.md section 2.5. */
export const Tag = z.looseObject({
  id: z.string(),
  title: z.string(),
  slug: z.string().nullish(),
});
export type Tag = z.infer<typeof Tag>;

const TagAddItem = z
  .object({ title: filledText(ownLimits.maxTagTitle).nullish(), id: reference.nullish() })
  .refine((item) => (item.title ?? item.id ?? null) !== null, {
    error: "One of title and id must be given",
  });

/**
 * At least one item: `{title}` makes the tag when it is missing, `{id}` takes an existing one; with
 * both, as in a tag sent back whole, the id decides.
 */
export const TagAdd = z
  .array(TagAddItem, { error: "Must be an array of {title} or {id}" })
  .min(1, { error: "Must have at least 1 item" })
  .max(ownLimits.maxTagsPerRequest, {
    error: `Must have at most ${ownLimits.maxTagsPerRequest} items`,
  });
export type TagAdd = z.input<typeof TagAdd>;
