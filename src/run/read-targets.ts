/** The codes and short links that a spreadsheet names, read one by one where that is less than the list. */
import type { Code, CodeListQuery } from "../api/code.ts";
import type { Link } from "../api/link.ts";
import { limits, ownLimits } from "../api/limits.ts";
import { AppError } from "../base/errors.ts";
import {
  fromCode,
  fromLink,
  readEverything,
  toLinkKey,
  type Catalog,
  type FoundCode,
} from "./catalog.ts";

type Client = Parameters<typeof readEverything>[0] & {
  getCode(id: string): Promise<Code>;
  getLink(id: string): Promise<Link>;
};

/** The fields of a code that a value may name, in the order in which they are tried. */
type Key = "id" | "shortlink_url" | "display_name";

interface At {
  readonly by: readonly Key[];
  readonly query: Omit<CodeListQuery, "q" | "page" | "page_size">;
  readonly catalog: Catalog;
  readonly signal: AbortSignal;
}

const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/iu;
/** A host and a slug, with or without scheme. */
const SHORT_LINK = /^(?:https?:\/\/)?[^\s/?#][^\s/?#.]*\.[^\s/?#]+\/[^\s?#]+$/iu;

const orNothing = async <T>(answer: Promise<T>): Promise<T | undefined> => {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof AppError && error.kind === "missing") return undefined;
    throw error;
  }
};

/**
 * The search text for a short link: the list of links knows slugs only (docs/spec/api.md section
 * 4.5).
 */
function toSearchText(shortLink: string, isLink: boolean): string {
  const key = toLinkKey(shortLink);
  return isLink ? key.slice(key.indexOf("/") + 1) : key;
}

/** The newest codes, or short links, of the workspace that hold a text. Others may exist. */
async function search(
  client: Client,
  { query }: At,
  { text, isLink }: { text: string; isLink: boolean },
): Promise<FoundCode[]> {
  const page = { q: text.slice(0, ownLimits.maxSearch), page: 1, page_size: limits.maxPageSize };
  if (isLink) return (await client.listLinks(page)).results.map(fromLink);
  return (await client.listCodes({ ...query, ...page })).results.map(fromCode);
}

/**
 * A code by its id, as the list of the workspace shows it. A code by itself doesn't name its
 * workspace, and a token may open several (docs/spec/api.md section 5).
 */
async function findById(client: Client, at: At, id: string): Promise<FoundCode[]> {
  const code = await orNothing(client.getCode(id));
  const link = code === undefined ? await orNothing(client.getLink(id)) : undefined;
  const seen = code === undefined ? link && fromLink(link) : fromCode(code);
  if (seen === undefined) return [];
  const { shortLink, name, destination, isLink } = seen;
  const text = shortLink === null ? name || destination : toSearchText(shortLink, isLink);
  if (text === null || text === "") return [];
  const shown = await search(client, at, { text, isLink });
  return shown.filter((item) => item.id === seen.id);
}

/** The thing with a short link: a code, or else a link, as in the whole list. */
async function findByShortLink(client: Client, at: At, value: string): Promise<FoundCode[]> {
  for (const isLink of [false, true]) {
    const shown = await search(client, at, { text: toSearchText(value, isLink), isLink });
    const found = shown.filter(({ shortLink }) => toLinkKey(shortLink ?? "") === toLinkKey(value));
    if (found.length > 0) return found;
  }
  return [];
}

type Find = typeof findById;

/** How a value can be found alone; undefined for what may be a name, which others may have as well. */
function toFind(by: readonly Key[], value: string): Find | undefined {
  const names = by.indexOf("display_name");
  const keys = names < 0 ? by : by.slice(0, names);
  if (keys.includes("id") && ID.test(value)) return findById;
  return keys.includes("shortlink_url") && SHORT_LINK.test(value) ? findByShortLink : undefined;
}

/** GETs that one value takes at most. */
const READS_EACH = 3;

/** True when single GETs are fewer than pages of the list; one page with one code tells how many there are. */
async function isLessThanList(client: Client, values: number): Promise<boolean> {
  const { count } = await client.listCodes({ page: 1, page_size: 1 });
  return values * READS_EACH < Math.ceil(count / limits.maxPageSize);
}

/**
 * False when one of `values` was not found by itself: it may exist all the same, so the list must
 * decide.
 */
async function readFew(client: Client, values: ReadonlySet<string>, at: At): Promise<boolean> {
  const finds = [...values].map((value) => [value, toFind(at.by, value)] as const);
  const areAlone = finds.length > 0 && finds.every(([, find]) => find !== undefined);
  if (!areAlone || !(await isLessThanList(client, finds.length))) return false;
  for (const [value, find] of finds) {
    at.signal.throwIfAborted();
    const found = (await find?.(client, at, value)) ?? [];
    if (found.length === 0) return false;
    at.catalog.add(found);
  }
  return true;
}

/**
 * Reads the codes that `values` name into `catalog`: one by one where they are few and all ids or
 * short links; else the whole list, which also shows what no code has.
 */
export async function readTargets(
  client: Client,
  values: ReadonlySet<string>,
  at: At,
): Promise<void> {
  if (await readFew(client, values, at)) return;
  at.catalog.clear();
  await readEverything(client, at.query, at.catalog, at.signal);
}
