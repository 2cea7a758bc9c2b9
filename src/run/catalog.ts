/**
 * The codes of a workspace as one reading of its list showed them, in a file without name: a
 * million of them need no memory. The list is newest first and moves while it is read.
 */
import { toCarried } from "../api/carried.ts";
import type { CodeItem, CodeListQuery } from "../api/code.ts";
import type { LinkItem, LinkListQuery } from "../api/link.ts";
import { closing } from "../base/flow/closing.ts";
import { PAGE_MISSING } from "../client/dialect.ts";
import { eachPage } from "../client/pages.ts";
import type { Page } from "../api/paging.ts";
import { AppError } from "../base/errors.ts";
import { openSqlite, type Sqlite } from "../base/sqlite/sqlite.ts";
import { withoutEndSlash } from "../base/text/url.ts";
import type { SelectedCode } from "../plan/selected.ts";

/** A code or short link that exists. */
export interface FoundCode extends SelectedCode {
  readonly isLink: boolean;
  readonly folder: { readonly id: string; readonly path: string } | null;
  /** Null for codes that can't be tracked, and where scans were not asked for. */
  readonly scans: number | null;
  readonly uniqueScans: number | null;
  /** Address of its PNG, once there is one. */
  readonly png: string | null;
}

/** Servers also say "none" by an empty text. */
const orNull = (text: string | null | undefined): string | null =>
  text === undefined || text === "" ? null : text;

export function fromCode(item: CodeItem): FoundCode {
  const { folder } = item;
  return {
    id: item.id,
    isLink: false,
    name: item.display_name ?? "",
    shortLink: orNull(item.shortlink_url),
    destination: item.qr_data ?? null,
    type: item.qr_type,
    isDynamic: item.dynamic,
    folder: folder ? { id: folder.id, path: toPath(folder.path ?? folder.name) } : null,
    tags: (item.tags ?? []).map(({ title }) => title),
    created: item.created,
    scans: item.total_scans ?? null,
    uniqueScans: item.unique_scans ?? null,
    png: orNull(item.png),
  };
}

export function fromLink(item: LinkItem): FoundCode {
  return {
    id: item.id,
    isLink: true,
    name: item.display_name ?? "",
    shortLink: orNull(item.shortlink_url),
    destination: item.link ?? null,
    type: "Link",
    isDynamic: true,
    folder: null,
    tags: [],
    created: item.created ?? "",
    scans: null,
    uniqueScans: null,
    png: null,
  };
}

/** What a code holds that leads elsewhere: its short link, or its Digital Link. */
export const toFoundLink = ({ type, destination, shortLink }: FoundCode): string | null =>
  toCarried({ qr_type: type, qr_data: destination, shortlink_url: shortLink });

/** A breadcrumb as manifests write paths: `A/B`, without spaces round the slashes. */
export function toPath(breadcrumb: string): string {
  return breadcrumb
    .split("/")
    .map((name) => name.trim())
    .filter((name) => name !== "")
    .join("/");
}

/** Short links are one whether typed with `https://`, a slash at the end, or capitals in the host. */
export function toLinkKey(link: string): string {
  const text = withoutEndSlash(link.trim().replace(/^https?:\/\//iu, ""));
  const slash = text.indexOf("/");
  return slash < 0 ? text.toLowerCase() : text.slice(0, slash).toLowerCase() + text.slice(slash);
}

const toNameKey = (name: string): string => name.normalize("NFC").trim();

const DIGITS = /\d+/gu;

/** Sorts as people count: by folder, then name, `table 2` before `table 10`. */
const toSortKey = ({ folder, name, created }: FoundCode): string =>
  [folder?.path ?? "", name, created]
    .map((text) => text.toLowerCase().replaceAll(DIGITS, (digits) => digits.padStart(15, "0")))
    .join("\n");

/** How many candidates are shown of a name that means several codes. */
const CANDIDATES = 6;

export class Catalog {
  readonly #db: Sqlite;

  constructor() {
    this.#db = openSqlite("");
    this.#db.exec(
      `CREATE TABLE codes (id TEXT PRIMARY KEY, sort TEXT NOT NULL, name TEXT NOT NULL, link TEXT, data TEXT NOT NULL);
       CREATE INDEX codes_by_sort ON codes (sort, id); CREATE INDEX codes_by_name ON codes (name);
       CREATE INDEX codes_by_link ON codes (link)`,
    );
  }

  /** Adds codes; one that is there already is not added twice. */
  add(codes: readonly FoundCode[]): void {
    this.#db.transaction(() => {
      for (const code of codes) {
        this.#db.run(
          "INSERT OR IGNORE INTO codes VALUES (?, ?, ?, ?, ?)",
          code.id,
          toSortKey(code),
          toNameKey(code.name),
          code.shortLink === null ? null : toLinkKey(code.shortLink),
          JSON.stringify(code),
        );
      }
    });
  }

  clear(): void {
    this.#db.exec("DELETE FROM codes");
  }

  get count(): number {
    return this.#db.get<{ n: number }>("SELECT count(*) AS n FROM codes")?.n ?? 0;
  }

  /** By folder and name. */
  *codes(): Iterable<FoundCode> {
    const sql = "SELECT data FROM codes ORDER BY sort, id";
    for (const { data } of this.#db.iterate<{ data: string }>(sql)) {
      yield JSON.parse(data) as FoundCode;
    }
  }

  byId(id: string): FoundCode | undefined {
    return this.#find("id = ?", id.trim())[0];
  }

  byShortLink(link: string): readonly FoundCode[] {
    return this.#find("link = ?", toLinkKey(link));
  }

  byName(name: string): readonly FoundCode[] {
    return this.#find("name = ?", toNameKey(name));
  }

  #find(where: string, value: string): FoundCode[] {
    return this.#db
      .all(`SELECT data FROM codes WHERE ${where} ORDER BY sort, id LIMIT ${CANDIDATES}`, value)
      .map(({ data }) => JSON.parse(String(data)) as FoundCode);
  }

  close(): void {
    this.#db.close();
  }
}

const MAX_READINGS = 8;

/**
 * Reads a whole list into `keep`. Codes that are made meanwhile push others to the next page, which
 * shows them twice; deleted ones pull them to the page before, which hides them, and then the list
 * has become shorter: it is read again from the start. Throws `server-unavailable` when it never
 * stands still.
 */
export async function readWholeList<Item>(
  list: (page: { page: number; page_size: number }) => Promise<Page<Item>>,
  keep: {
    readonly add: (items: readonly Item[]) => void;
    readonly restart: () => void;
  },
  signal: AbortSignal,
): Promise<void> {
  for (let reading = 0; reading < MAX_READINGS; reading += 1) {
    if (await readOnce(list, keep.add, signal)) return;
    keep.restart();
  }
  throw new AppError(
    "server-unavailable",
    `the list must stand still while it is read, got ${MAX_READINGS} readings in which codes vanished`,
    { hint: "run the same command again when nobody deletes codes in this workspace" },
  );
}

async function readOnce<Item>(
  list: (page: { page: number; page_size: number }) => Promise<Page<Item>>,
  add: (items: readonly Item[]) => void,
  signal: AbortSignal,
): Promise<boolean> {
  let counted = 0;
  let seen = 0;
  const listOn: typeof list = (page) => {
    signal.throwIfAborted();
    return list(page);
  };
  for await (const { count, results, message } of eachPage(listOn)) {
    // The list has no count.
    if (count > 0 && count < counted) return false;
    counted = Math.max(count, counted);
    seen += results.length;
    if (message === PAGE_MISSING && seen < counted) return false;
    add(results);
  }
  return true;
}

/** Which codes of a list are taken; applies the conditions that the API can't. */
export interface Selection {
  readonly query: Omit<CodeListQuery, "page" | "page_size">;
  readonly takes: (code: FoundCode) => boolean;
  /** In words: a folder that the manifest names by its id is named by its path. */
  readonly says: string;
}

/** The part of the client that reading needs. */
export interface CodeLists {
  listCodes(query: CodeListQuery): Promise<Page<CodeItem>>;
}

/** Reads the codes of a selection, 200 with each GET. */
export async function readSelection(
  client: CodeLists,
  { query, takes }: Pick<Selection, "query" | "takes">,
  catalog: Catalog,
  signal: AbortSignal,
): Promise<void> {
  await readWholeList(
    (page) => client.listCodes({ ...query, ...page }),
    {
      add: (items) => catalog.add(items.map(fromCode).filter(takes)),
      restart: () => catalog.clear(),
    },
    signal,
  );
}

/** Reads every code of the workspace and every short link, 200 with each GET. */
export async function readEverything(
  client: CodeLists & { listLinks(query: LinkListQuery): Promise<Page<LinkItem>> },
  query: Selection["query"],
  catalog: Catalog,
  signal: AbortSignal,
): Promise<void> {
  await readSelection(client, { query, takes: () => true }, catalog, signal);
  await closing(new Catalog(), async (links) => {
    await readWholeList(
      (page) => client.listLinks(page),
      { add: (items) => links.add(items.map(fromLink)), restart: () => links.clear() },
      signal,
    );
    for (const link of links.codes()) {
      // The code of a short link may stand in both lists: it is one thing.
      const isKnown = link.shortLink !== null && catalog.byShortLink(link.shortLink).length > 0;
      if (!isKnown) catalog.add([link]);
    }
  });
}
