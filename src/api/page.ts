import { z } from "zod";

import {
  filledText,
  hexColor,
  openableUrl,
  orDefault,
  reference,
  slug,
  text,
  workspaceId,
} from "./fields.ts";
import { ownLimits } from "./limits.ts";

/** What a link button is when nothing else is said (docs/spec/api.md section 2.10). */
const DEFAULT_LINK_TYPE = "Website";

/** One landing page as every call answers it (docs/spec/api.md section 2.10). */
export const LandingPage = z.looseObject({
  id: z.string().min(1),
  title: z.string().nullish(),
  description: z.string().nullish(),
  status: z.string().nullish(),
  /** The live page. */
  share_url: z.string().nullish(),
  slug: z.string().nullish(),
  /** Id of its dynamic code. */
  qr_id: z.string().nullish(),
  svg: z.string().nullish(),
  links: z
    .array(
      z.looseObject({
        url: z.string(),
        title: z.string().nullish(),
        type: z.string().nullish(),
      }),
    )
    .nullish(),
  created: z.string().nullish(),
});
export type LandingPage = z.infer<typeof LandingPage>;

/** A button; the list of types is open, those that are not known look like a website. */
const PageLink = z.object({
  url: openableUrl,
  title: orDefault(text(ownLimits.maxTitle), ""),
  type: orDefault(filledText(ownLimits.maxLinkType), DEFAULT_LINK_TYPE),
});
export type PageLink = z.output<typeof PageLink>;

/** Body of the create (docs/spec/api.md section 4.6). */
export const LandingPageCreate = z.object({
  workspace: workspaceId,
  title: filledText(ownLimits.maxTitle),
  links: z
    .array(PageLink, { error: "Must be an array of links" })
    .max(ownLimits.maxPageLinks, { error: `Must have at most ${ownLimits.maxPageLinks} links` })
    .nullish(),
  description: text(ownLimits.maxDescription).nullish(),
  bg_color: hexColor.nullish(),
  text_color: hexColor.nullish(),
  domain: reference.nullish(),
  slug: slug.nullish(),
});
export type LandingPageCreate = z.input<typeof LandingPageCreate>;
