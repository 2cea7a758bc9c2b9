import { z } from "zod";

import { named, ofAnyServer } from "./announce.ts";
import { filledText, idOf, reference } from "./fields.ts";
import { ownLimits } from "./limits.ts";

/** docs/spec/api.md section 2.5. */
export const TagSent = named(
  "Tag",
  z.object({
    id: idOf("tag"),
    title: z.string().meta({ description: "What people call it.", examples: ["Spring menu"] }),
    slug: z.string().meta({ description: "The title for addresses.", examples: ["spring-menu"] }),
  }),
);
export const Tag = ofAnyServer(TagSent, { needed: ["id", "title"], other: {} });
export type Tag = z.infer<typeof Tag>;

const TagAddItem = named(
  "TagAddItem",
  z
    .object(
      {
        title: filledText(ownLimits.maxTagTitle)
          .nullish()
          .describe("Title of the tag, which is made when it is missing."),
        id: reference.nullish().describe("Id of a tag that exists; wins over the title."),
      },
      { error: "Must be an object with title or id" },
    )
    .refine((item) => (item.title ?? item.id ?? null) !== null, {
      error: "One of title and id must be given",
    }),
);

/**
 * At least one item: `{title}` makes the tag if it is missing, `{id}` takes an existing one; with
 * both, as in a tag that is sent back, the id counts.
 */
export const TagAdd = named(
  "TagAdd",
  z
    .array(TagAddItem, { error: "Must be an array of {title} or {id}" })
    .min(1, { error: "Must have at least 1 item" })
    .max(ownLimits.maxTagsPerRequest, {
      error: `Must have at most ${ownLimits.maxTagsPerRequest} items`,
    }),
);
export type TagAdd = z.input<typeof TagAdd>;
