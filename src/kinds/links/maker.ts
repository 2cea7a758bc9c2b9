/** Short links (docs/spec/api.md section 4.5). */
import type { ToldCode } from "../../api/code.ts";
import { limits } from "../../api/limits.ts";
import type { LinkCreate, LinkItem, LinkUpdate } from "../../api/link.ts";
import type { Page } from "../../api/paging.ts";
import { eachPage } from "../../client/pages.ts";
import { wasThere } from "../../client/thing-methods.ts";
import type { StateRow } from "../../state/row.ts";
import { toSentName, toSentWish } from "../../run/body.ts";
import type { RunEnvironment } from "../../run/context.ts";
import { toItemMatchKey, toRowMatchKey } from "../../run/match.ts";
import { toNamedWish } from "../codes/maker.ts";
import type { Maker } from "../../run/maker.ts";

/**
 * A short link in the fields of a code. Without times it may be of any age; missing fields stay
 * missing.
 */
export function toItem(link: LinkItem): ToldCode {
  return {
    id: link.id,
    display_name: link.display_name,
    qr_type: "Link",
    qr_data: link.link,
    dynamic: true,
    created: link.created ?? "",
    folder: null,
    shortlink_url: link.shortlink_url ?? null,
  };
}

/** The last part of a short link; its case counts (docs/spec/api.md section 4.5). */
export const toLinkSlug = ({ slug, shortlink_url: url }: LinkItem): string =>
  slug ?? url?.split("/").at(-1) ?? "";

function toBody(env: RunEnvironment, row: StateRow): LinkCreate {
  const { qrData, displayName, domain, gpsTracking, link } = toNamedWish(env, row);
  const slug = link?.slug ?? null;
  return {
    workspace: env.settings.workspace,
    link: qrData ?? "",
    ...(slug !== null && { slug }),
    ...(domain !== null && { domain }),
    ...(displayName !== "" && { display_name: displayName }),
    ...(gpsTracking && { gps: true }),
  };
}

/**
 * The short link that holds the row's slug, if it is what the row wants. Looked for by a search for
 * the slug, then in the whole list, since no document promises what a search finds.
 */
async function findHolder(env: RunEnvironment, row: StateRow): Promise<ToldCode | undefined> {
  const wanted = toSentWish(row);
  const slug = wanted.link?.slug ?? "";
  const isHolder = (link: LinkItem): boolean => toLinkSlug(link) === slug;
  const page_size = limits.maxPageSize;
  const { results } = await env.client.listLinks({ q: slug, page: 1, page_size });
  let holder = results.find(isHolder);
  for await (const page of eachPage((query) => env.client.listLinks(query))) {
    holder ??= page.results.find(isHolder);
    if (holder !== undefined) break;
  }
  if (holder === undefined) return undefined;
  const item = toItem(holder);
  const name = toSentName({ ...row, state: "doubt" }, env.settings.marker);
  return toRowMatchKey(wanted, name, null) === toItemMatchKey(item) ? item : undefined;
}

async function change(env: RunEnvironment, row: StateRow, id: string): Promise<void> {
  const { wanted, made } = row;
  const patch: LinkUpdate = {
    ...(made?.qrData !== wanted.qrData && { link: wanted.qrData ?? "" }),
    ...(made?.displayName !== wanted.displayName && {
      display_name: toSentName(row, env.settings.marker),
    }),
    ...(made?.gpsTracking !== wanted.gpsTracking && { gps: wanted.gpsTracking }),
  };
  if (Object.keys(patch).length > 0) await env.client.updateLink(id, patch);
  env.state.journal.updated(row.key, wanted, row.wantedHash);
}

export function makeLinkMaker(env: RunEnvironment): Maker {
  const { client } = env;
  return {
    pageSize: limits.maxPageSize,
    toBody: (row) => toBody(env, row),
    create: (body, options) => client.create("createLink", body as LinkCreate, options),
    isKeyed: (row) => (toSentWish(row).link?.slug ?? null) !== null,
    findHolder: (row) => findHolder(env, row),
    async list(query): Promise<Page<ToldCode>> {
      const page = await client.listLinks(query);
      return { ...page, results: page.results.map(toItem) };
    },
    look: async (id) => toItem(await client.getLink(id)),
    isListed: (id) => wasThere(() => client.getLink(id)),
    remove: (id) => client.deleteLink(id),
    change: (row, id) => change(env, row, id),
  };
}
