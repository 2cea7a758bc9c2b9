import { isOpenableUrl } from "../../api/fields.ts";
import { ownLimits } from "../../api/limits.ts";
import type { Advice, FindFixed, Render, Thing } from "../../plan/thing.ts";
import type { WantedPage } from "../../state/row.ts";
import { checkColors, checkSlug, findFaint, got, orNull, tooLong } from "../wish-parts.ts";
import type { PagesJob } from "./job.ts";

const NO_BUTTON: Advice = {
  message: "a page should have a button, got none: it leads nowhere",
  hint: "fill a cell that page.links names",
};

export function toPageThing(job: PagesJob, render: Render): Thing {
  const { page } = job;
  const field = (template: string | undefined): string | null =>
    orNull(render(template ?? "").trim());
  const wanted: WantedPage = {
    title: render(page.title).trim(),
    description: field(page.description),
    links: page.links
      .map((link) => ({
        url: render(link.url).trim(),
        title: render(link.title ?? "").trim(),
        type: render(link.type ?? "").trim() || "Website",
      }))
      .filter(({ url }) => url !== ""),
    bg_color: field(page.bg_color),
    text_color: field(page.text_color),
    slug: field(page.slug),
  };
  const { links, title, slug, bg_color, text_color } = wanted;
  const problems = [
    ...(title === "" ? ["title of a page must not be empty"] : []),
    ...tooLong("title of a page", title, ownLimits.maxTitle),
    ...links
      .filter(({ url }) => !isOpenableUrl(url))
      .map(({ url }) => `url of a button must be a URL, ${got(url)}`),
    ...checkSlug(slug, job),
    ...checkColors({ bg_color, text_color }),
  ];
  const warnings = [
    ...findFaint({ bg_color, text_color }),
    ...(links.length === 0 ? [NO_BUTTON] : []),
  ];
  return { fields: { page: wanted }, problems, warnings };
}

export const findFixedPage: FindFixed = ({ page: made }, { page }) =>
  JSON.stringify(page) === JSON.stringify(made)
    ? undefined
    : "a landing page can't be changed through this API once it is made";
