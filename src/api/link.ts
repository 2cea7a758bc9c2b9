import { z } from "zod";

import { anything, named, ofAnyServer } from "./announce.ts";
import {
  address,
  created,
  flag,
  idOf,
  oneOf,
  openableUrl,
  orDefault,
  reference,
  slug,
  text,
  workspaceId,
} from "./fields.ts";
import { ownLimits } from "./limits.ts";
import { pageFields } from "./paging.ts";

const itemFields = {
  id: idOf("short link"),
  link: z
    .string()
    .meta({ description: "Where it leads.", examples: ["https://example.com/spring"] }),
  display_name: z.string().meta({ description: "Name in lists.", examples: ["Spring sale"] }),
  gps: z.boolean().describe("Whether visitors are asked where they are."),
  slug: z.string().meta({ description: "The last part of its address.", examples: ["spring"] }),
  link_type: z.string().meta({ description: "Always Link.", examples: ["Link"] }),
  domain: z
    .string()
    .meta({ description: "The host of its address.", examples: ["go.example.com"] }),
  shortlink_url: address.meta({
    description: "Its whole address, which its code holds.",
    examples: ["https://go.example.com/spring"],
  }),
  created,
  total_scans: z.int().nullable().describe("All visits."),
  unique_scans: z.int().nullable().describe("Visits by people who had not come before."),
};

const needed = ["id"] as const;
const ofOthers = {
  link_type: anything,
  domain: anything,
  total_scans: anything,
  unique_scans: anything,
};

/**
 * One short link in a list (docs/spec/api.md section 2.8; fields beyond those named there are
 * ours).
 */
const LinkItemSent = named("LinkItem", z.object(itemFields).describe("A short link in a list."));
export const LinkItem = ofAnyServer(LinkItemSent, { needed, other: ofOthers });
export type LinkItem = z.infer<typeof LinkItem>;

/** One short link as create, get and update answer it. */
const LinkSent = named(
  "Link",
  z
    .object({ ...itemFields, svg: z.string().describe("Its code as an SVG drawing.") })
    .describe("A short link with its code."),
);
export const Link = ofAnyServer(LinkSent, { needed, other: ofOthers });
export type Link = z.infer<typeof Link>;

const name = text(ownLimits.maxDisplayName).meta({
  description: "Name in lists.",
  examples: ["Spring sale"],
});
const link = openableUrl.meta({
  description: "Where it leads.",
  examples: ["https://example.com/spring"],
});
const gps = "Asks visitors where they are.";

export const LinkCreate = named(
  "LinkCreate",
  z.object({
    workspace: workspaceId,
    link,
    link_type: oneOf(["Link"]).nullish().describe("Always Link, also when left out."),
    slug: slug.nullish().meta({
      description:
        "The last part of its address: letters, digits and hyphens, neither taken nor reserved; case counts. Left out, it is made.",
      examples: ["spring"],
    }),
    domain: reference.nullish().describe("Host of its address; left out, the usual one."),
    display_name: name.nullish(),
    gps: orDefault(flag, false).describe("Asks visitors where they are; false unless given."),
  }),
);
export type LinkCreate = z.input<typeof LinkCreate>;

export const LinkUpdate = named(
  "LinkUpdate",
  z.object({
    link: link.optional().describe("Where it leads from now on."),
    display_name: name.nullable().optional(),
    gps: flag.nullish().describe(gps),
  }),
);
export type LinkUpdate = z.input<typeof LinkUpdate>;

export const LinkListQuery = z.object({
  q: text(ownLimits.maxSearch)
    .optional()
    .meta({
      description: "Only links with this text in destination, name or slug.",
      examples: ["spring"],
    }),
  ...pageFields,
});
export type LinkListQuery = z.input<typeof LinkListQuery>;

/** `png` is answered by a redirect to the file, `svg` by the drawing itself. */
export const LinkQrQuery = z.object({
  format: oneOf(["png", "svg"])
    .default("png")
    .describe("png: a redirect to the file. svg: the drawing itself."),
});
export type LinkQrQuery = z.input<typeof LinkQrQuery>;
