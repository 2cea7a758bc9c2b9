import { z } from "zod";

import { anything, named, ofAnyServer } from "./announce.ts";
import {
  address,
  colorAnswer,
  created,
  filledText,
  hexColor,
  idOf,
  openableUrl,
  orDefault,
  reference,
  slug,
  text,
  workspaceId,
} from "./fields.ts";
import { ownLimits } from "./limits.ts";

/** The default type of a link button (docs/spec/api.md section 2.10). */
const DEFAULT_LINK_TYPE = "Website";

const buttonFields = {
  url: z.string().meta({ description: "Where it leads.", examples: ["https://example.com/shop"] }),
  title: z.string().meta({ description: "Text of the button.", examples: ["Shop"] }),
  type: z.string().meta({
    description: "What it leads to, which decides its icon, such as Website, Instagram, YouTube.",
    examples: [DEFAULT_LINK_TYPE],
  }),
};
const ButtonSent = named(
  "LandingPageLink",
  z.object(buttonFields).describe("A button of a landing page."),
);
const Button = ofAnyServer(ButtonSent, { needed: ["url"], other: {} });

/** One landing page as every call answers it (docs/spec/api.md section 2.10). */
const LandingPageSent = named(
  "LandingPage",
  z
    .object({
      id: idOf("landing page"),
      workspace: z.string().describe("Id of its workspace."),
      title: z.string().meta({ description: "Its heading.", examples: ["Café Nord"] }),
      description: z
        .string()
        .meta({ description: "Text below the heading.", examples: ["Since 1987"] }),
      status: z.string().meta({ description: "Always Published.", examples: ["Published"] }),
      share_url: address.meta({
        description: "Address of the live page.",
        examples: ["https://go.example.com/page/cafe-nord"],
      }),
      slug: z
        .string()
        .meta({ description: "The last part of its address.", examples: ["cafe-nord"] }),
      domain: z
        .string()
        .meta({ description: "The host of its address.", examples: ["go.example.com"] }),
      qr_id: z.string().nullable().describe("Id of its dynamic code; null when that was deleted."),
      shortlink_url: address.nullable().meta({
        description: "The short link that its code holds.",
        examples: ["https://go.example.com/cafe-nord"],
      }),
      svg: z.string().nullable().describe("Its code as an SVG drawing."),
      links: z.array(ButtonSent).describe("Its buttons, in order."),
      bg_color: colorAnswer.nullable().describe("Colour of the page."),
      text_color: colorAnswer.nullable().describe("Colour of the text."),
      created,
    })
    .describe("A hosted page with buttons, and its code."),
);
export const LandingPage = ofAnyServer(LandingPageSent, {
  needed: ["id"],
  other: {
    workspace: anything,
    domain: anything,
    shortlink_url: anything,
    bg_color: anything,
    text_color: anything,
    links: z.array(Button).nullish(),
  },
});
export type LandingPage = z.infer<typeof LandingPage>;

/** A button; any type is allowed, unknown ones look like a website. */
const PageLink = named(
  "LandingPageLinkCreate",
  z.object(
    {
      url: openableUrl.meta({
        description: "Where it leads.",
        examples: ["https://example.com/shop"],
      }),
      title: orDefault(text(ownLimits.maxTitle), "").meta({
        description: "Text of the button; empty unless given.",
        examples: ["Shop"],
      }),
      type: orDefault(filledText(ownLimits.maxLinkType), DEFAULT_LINK_TYPE).describe(
        "What it leads to, which decides its icon, such as Website, Instagram, YouTube; Website unless given.",
      ),
    },
    { error: "Must be an object with url" },
  ),
);
export type PageLink = z.output<typeof PageLink>;

/** What a button says: without a title its kind, else its destination. */
export function toButtonText(button: {
  readonly title?: string | null | undefined;
  readonly type?: string | null | undefined;
  readonly url: string;
}): string {
  const title = button.title ?? "";
  const type = button.type ?? DEFAULT_LINK_TYPE;
  if (title.trim() !== "") return title;
  if (type !== DEFAULT_LINK_TYPE) return type;
  const { url } = button;
  const { host, pathname } = new URL(url);
  return host === "" ? pathname : host;
}

/** Body of the create (docs/spec/api.md section 4.6). */
export const LandingPageCreate = named(
  "LandingPageCreate",
  z.object({
    workspace: workspaceId,
    title: filledText(ownLimits.maxTitle).meta({
      description: "Its heading.",
      examples: ["Café Nord"],
    }),
    links: z
      .array(PageLink, { error: "Must be an array of links" })
      .max(ownLimits.maxPageLinks, { error: `Must have at most ${ownLimits.maxPageLinks} links` })
      .nullish()
      .describe("Its buttons, in order."),
    description: text(ownLimits.maxDescription)
      .nullish()
      .meta({
        description: "Text below the heading.",
        examples: ["Since 1987"],
      }),
    bg_color: hexColor.nullish().describe("Colour of the page."),
    text_color: hexColor.nullish().describe("Colour of the text."),
    domain: reference.nullish().describe("Host of its address; left out, the usual one."),
    slug: slug.nullish().meta({
      description: "The last part of its address; left out, it is made.",
      examples: ["cafe-nord"],
    }),
  }),
);
export type LandingPageCreate = z.input<typeof LandingPageCreate>;
