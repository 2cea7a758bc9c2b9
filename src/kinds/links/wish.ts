import type { FindFixed, Render, Thing } from "../../plan/thing.ts";
import { checkSlug, orNull } from "../wish-parts.ts";
import type { LinksJob } from "./job.ts";

export function toLinkThing(job: LinksJob, render: Render): Thing {
  const slug = orNull(render(job.slug ?? "").trim());
  return { fields: { link: { slug } }, problems: checkSlug(slug, job) };
}

export const findFixedLink: FindFixed = ({ link: made }, { link }) => {
  const slug = link?.slug ?? null;
  return slug === null || slug === made?.slug
    ? undefined
    : `the slug of a short link can't be changed: it is in print as ${made?.slug ?? "an automatic one"}`;
};
