/**
 * Which columns of another link service's export hold what: by the service's names, or by those
 * that people give.
 */
import { badUsage } from "../../base/errors.ts";
import { didYouMean } from "../../base/text/suggest.ts";
import { withoutEndSlash } from "../../base/text/url.ts";

/** What is read of a link. */
export const linkRoles = ["slug", "short", "custom", "destination", "title", "created"] as const;
export type LinkRole = (typeof linkRoles)[number];

/** Role -> header as given. */
export type LinkColumns = Readonly<Partial<Record<LinkRole, string>>>;

/**
 * Names of columns without case, blanks and marks; the first that is there is taken. `short` is the
 * whole short link, whose path is the slug; `custom` has further ones that lead to the same place.
 */
const NAMES: Readonly<Record<LinkRole, readonly string[]>> = {
  slug: [
    "slug",
    "keyword",
    "shortcode",
    "path",
    "key",
    "alias",
    "backhalf",
    "custombackhalf",
    "customslug",
    "shortid",
  ],
  short: ["shortlink", "shorturl", "secureshorturl", "bitlink", "shortenedurl", "short", "link"],
  custom: ["custombitlinks", "custombitlink", "customlinks", "customlink"],
  destination: [
    "destination",
    "destinationurl",
    "longurl",
    "longlink",
    "originalurl",
    "original",
    "targeturl",
    "target",
    "redirecturl",
    "url",
  ],
  title: ["title", "name", "displayname", "label"],
  created: [
    "created",
    "createdat",
    "datecreated",
    "creationdate",
    "createddate",
    "timestamp",
    "date",
  ],
};

const toKey = (header: string): string => header.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");

/** `slug=Code`, as people name a column themselves. Throws "bad-usage". */
export function parseColumnChoice(text: string): readonly [LinkRole, string] {
  const [, name = "", header = ""] = /^([a-z]+)=(.+)$/su.exec(text) ?? [];
  const role = linkRoles.find((one) => one === name);
  if (role !== undefined) return [role, header];
  throw badUsage(
    `--column must be written ROLE=HEADER, got ${JSON.stringify(text)}`,
    `roles are ${linkRoles.join(", ")}, such as slug=Code`,
  );
}

function requireHeader(header: string, headers: readonly string[]): string {
  const found =
    headers.find((one) => one === header) ?? headers.find((one) => toKey(one) === toKey(header));
  if (found !== undefined) return found;
  throw badUsage(
    `--column must name a column of the file, got ${JSON.stringify(header)}`,
    didYouMean(header, headers),
  );
}

/** Throws "bad-usage" when the file has no slugs or no destinations. */
export function findLinkColumns(
  headers: readonly string[],
  chosen: readonly (readonly [LinkRole, string])[] = [],
): LinkColumns {
  const found: Partial<Record<LinkRole, string>> = {};
  for (const [role, header] of chosen) found[role] = requireHeader(header, headers);
  const taken = new Set(Object.values(found));
  for (const role of linkRoles) {
    if (found[role] !== undefined) continue;
    const names = NAMES[role];
    const known = headers.filter((one) => !taken.has(one) && names.includes(toKey(one)));
    const [best] = known.toSorted((a, b) => names.indexOf(toKey(a)) - names.indexOf(toKey(b)));
    if (best === undefined) continue;
    found[role] = best;
    taken.add(best);
  }
  return checkColumns(giveLink(found), headers);
}

/** Beside a slug and without a destination, a column `link` is where it leads. */
function giveLink(found: LinkColumns): LinkColumns {
  const { slug, short, destination } = found;
  if (slug === undefined || destination !== undefined || short === undefined) return found;
  if (toKey(short) !== "link") return found;
  const { short: _short, ...rest } = found;
  return { ...rest, destination: short };
}

function checkColumns(found: LinkColumns, headers: readonly string[]): LinkColumns {
  const hasSlug = [found.slug, found.short, found.custom].some((header) => header !== undefined);
  if (hasSlug && found.destination !== undefined) return found;
  const missing = hasSlug ? "where each link leads" : "the slug or the short link";
  throw badUsage(
    `the file must have a column with ${missing}, got ${headers.join(", ")}`,
    `name it with --column, such as ${hasSlug ? "destination=Target" : "slug=Code"}`,
  );
}

/** The links of a cell: `["https://brand.example/a", "brand.example/b"]`, or with blanks between. */
export const splitLinks = (cell: string): string[] =>
  cell.split(/[\s,;|"'[\]]+/u).filter((link) => link !== "");

/** True for `https://bit.ly/abc` and `bit.ly/abc`. */
export const isLinkText = (text: string): boolean =>
  /^(?:https?:\/\/)?[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+(?::\d+)?\/\S/iu.test(text);

/** The slug of a short link such as `https://bit.ly/abc` or `bit.ly/abc`; the text itself where it is none. */
export function toSlug(short: string): string {
  const [, rest] = /^(?:https?:\/\/)?[^/?#]+\/([^?#]*)/iu.exec(short.trim()) ?? [];
  return rest === undefined ? short.trim() : withoutEndSlash(rest);
}
