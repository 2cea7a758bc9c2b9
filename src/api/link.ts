import { z } from "zod";

import {
  address,
  flag,
  oneOf,
  openableUrl,
  orDefault,
  ours,
  reference,
  slug,
  text,
  timestamp,
  workspaceId,
} from "./fields.ts";
import { ownLimits } from "./limits.ts";
import { pageFields } from "./paging.ts";

const item = {
  id: z.string().min(1),
  link: z.string().nullish(),
  display_name: z.string().nullish(),
  gps: z.boolean().nullish(),
  slug: z.string().nullish(),
  link_type: ours(z.string()),
  domain: ours(z.string()),
  shortlink_url: address.nullish(),
  created: timestamp.nullish(),
  total_scans: ours(z.int()),
  unique_scans: ours(z.int()),
};

/**
 * One short link in a list (docs/spec/api.md section 2.8; fields beyond those named there are
 * ours).
 */
export const LinkItem = z.looseObject(item);
export type LinkItem = z.infer<typeof LinkItem>;

/** One short link as create, get and update answer it. */
export const Link = z.looseObject({ ...item, svg: z.string().nullish() });
export type Link = z.infer<typeof Link>;

const name = text(ownLimits.maxDisplayName);

export const LinkCreate = z.object({
  workspace: workspaceId,
  link: openableUrl,
  link_type: oneOf(["Link"]).nullish().meta({ default: "Link" }),
  slug: slug.nullish(),
  domain: reference.nullish(),
  display_name: name.nullish(),
  gps: orDefault(flag, false),
});
export type LinkCreate = z.input<typeof LinkCreate>;

export const LinkUpdate = z.object({
  link: openableUrl.optional(),
  display_name: name.nullable().optional(),
  gps: flag.nullish(),
});
export type LinkUpdate = z.input<typeof LinkUpdate>;

export const LinkListQuery = z.object({ q: text(ownLimits.maxSearch).optional(), ...pageFields });
export type LinkListQuery = z.input<typeof LinkListQuery>;

/** `png` is answered by a redirect to the file, `svg` by the drawing itself. */
export const LinkQrQuery = z.object({ format: oneOf(["png", "svg"]).default("png") });
export type LinkQrQuery = z.input<typeof LinkQrQuery>;
