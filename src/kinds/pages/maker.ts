/**
 * Landing pages with their codes (docs/spec/api.md section 4.6). The API changes no page once it is
 * made.
 */
import type { ToldCode } from "../../api/code.ts";
import { limits } from "../../api/limits.ts";
import type { LandingPage, LandingPageCreate } from "../../api/page.ts";
import { AppError } from "../../base/errors.ts";
import { eachPage } from "../../client/pages.ts";
import { wasThere } from "../../client/thing-methods.ts";
import { toWishHashes } from "../../plan/hash.ts";
import type { MadeFirst } from "../../state/row-journal.ts";
import type { RowParts, StateRow, Wanted } from "../../state/row.ts";
import { toSentWish } from "../../run/body.ts";
import type { RunEnvironment } from "../../run/context.ts";
import { changeCode } from "../codes/change.ts";
import type { Ids } from "../../run/templates.ts";
import type { Answered, Maker } from "../../run/maker.ts";

function pageOf({ page }: Wanted) {
  if (page === undefined) throw new AppError("bug", "a page job must have pages");
  return page;
}

function toBody(env: RunEnvironment, row: StateRow): LandingPageCreate {
  const wish = toSentWish(row);
  const { title, description, links, bg_color, text_color, slug } = pageOf(wish);
  return {
    workspace: env.settings.workspace,
    title,
    links: links.map((link) => ({ ...link })),
    ...(description !== null && { description }),
    ...(bg_color !== null && { bg_color }),
    ...(text_color !== null && { text_color }),
    ...(slug !== null && { slug }),
    ...(wish.domain !== null && { domain: wish.domain }),
  };
}

/** The code of a new page has the page's name and lies in no folder. */
function toMadeFirst(row: StateRow): MadeFirst {
  const wish = toSentWish(row);
  const wanted = { ...wish, displayName: pageOf(wish).title, folder: null, design: {} };
  const { wantedHash, designHash } = toWishHashes(wanted);
  return { wanted, wantedHash, designHash };
}

const toItem = (page: LandingPage): ToldCode => ({
  ...page,
  id: page.id,
  display_name: page.title ?? null,
  qr_type: "Link",
  qr_data: null,
  dynamic: true,
  created: page.created ?? "",
  folder: null,
  shortlink_url: textOf(page["shortlink_url"]) ?? null,
});

const textOf = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value : undefined;

function toParts(answered: Answered): RowParts {
  const codeId = textOf(answered["qr_id"]);
  const url = textOf(answered["share_url"]);
  return { ...(codeId !== undefined && { codeId }), ...(url !== undefined && { url }) };
}

const toSlugOf = (page: LandingPage): string =>
  page.slug ?? page.share_url?.split("/").at(-1) ?? "";

const isSame = (page: LandingPage, wanted: Wanted): boolean => {
  const { title, links } = pageOf(wanted);
  const urls = (page.links ?? []).map(({ url }) => url);
  return (
    page.title === title && JSON.stringify(urls) === JSON.stringify(links.map(({ url }) => url))
  );
};

/** The page that holds the row's slug, if it is what the row wants: one whose code was deleted is not. */
async function findHolder(env: RunEnvironment, row: StateRow): Promise<ToldCode | undefined> {
  const wanted = toSentWish(row);
  const { slug } = pageOf(wanted);
  for await (const { results } of eachPage((page) => env.client.listPages(page))) {
    const holder = results.find((one) => toSlugOf(one) === slug);
    if (holder === undefined) continue;
    return holder["qr_id"] !== null && isSame(holder, wanted) ? toItem(holder) : undefined;
  }
  return undefined;
}

async function change(env: RunEnvironment, ids: Ids, row: StateRow): Promise<void> {
  const { wanted, made, parts } = row;
  if (JSON.stringify(made?.page) !== JSON.stringify(wanted.page)) {
    throw new AppError("request-refused", "a page can't be changed through this API", {
      hint: "put the row back as it was, or give it another key to make another page",
    });
  }
  if (parts.codeId === undefined) {
    throw new AppError(
      "answer-unusable",
      "the server must name the code of a page (qr_id), got none",
    );
  }
  await changeCode(env, ids, row, parts.codeId);
}

export function makePageMaker(env: RunEnvironment, ids: Ids): Maker {
  const { client } = env;
  return {
    pageSize: limits.maxPageSize,
    toBody: (row) => toBody(env, row),
    create: (body, options) => client.create("createPage", body as LandingPageCreate, options),
    toMadeFirst,
    toParts,
    isKeyed: (row) => pageOf(toSentWish(row)).slug !== null,
    findHolder: (row) => findHolder(env, row),
    async list(query) {
      const page = await client.listPages(query);
      return { ...page, results: page.results.map(toItem) };
    },
    isListed: (id) => wasThere(() => client.getPage(id)),
    change: (row) => change(env, ids, row),
  };
}
