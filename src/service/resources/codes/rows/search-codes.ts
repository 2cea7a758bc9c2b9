/**
 * Codes or short links that contain a text. Pages come from the text index, newest first; counts are
 * remembered.
 */
import { sql, type RawBuilder } from "kysely";

import { findDiskFault } from "../../../../base/files/disk-error.ts";

import { FORM_PATH, PAGE_PATH, type Addresses } from "../../../addresses.ts";
import type { Slice } from "../../../http/paging.ts";
import type { Store } from "../../../store/store.ts";
import type { CodeRow, Db } from "../../../store/tables.ts";
import { toIndexQuestion } from "../../../store/sqlite/text-index.ts";
import { foldText, toContains } from "../../../store/text.ts";

type Sql = RawBuilder<unknown>;

export interface Search {
  readonly workspaceId: string;
  readonly kind: CodeRow["kind"];
  readonly q: string;
  /** SQL over `codes` that keeps the codes in the requested folders; undefined = all. */
  readonly filed: Sql | undefined;
  /** A text for the same folders: part of the key of a remembered count. */
  readonly filedKey: string;
  /** How many codes there are to search. */
  readonly size: number;
  /** With it, whole short links and tags are searched, too. */
  readonly addresses?: Addresses | undefined;
}

interface Page {
  readonly count: number;
  /** Newest first. */
  readonly ids: readonly string[];
}

/** The other places where the text may match, besides name, destination, file name and slug. */
interface Facets {
  readonly text: string;
  /**
   * The rest of the text behind the end of the public address: for `ample/ab`, paths that begin with
   * `/ab`.
   */
  readonly tails: readonly string[];
  /** Those of the tails that begin the path of a hosted page or form. */
  readonly hosted: readonly string[];
  /** The beginning of a hosted file's name, which an address has behind `/media/`. */
  readonly file: string | undefined;
  /** The text is part of the public address: it matches every short link. */
  readonly isInPublicUrl: boolean;
  readonly tagIds: readonly string[];
}

async function toFacets(db: Db, search: Search): Promise<Facets> {
  const text = foldText(search.q);
  const { addresses } = search;
  if (addresses === undefined)
    return { text, tails: [], hosted: [], file: undefined, isInPublicUrl: false, tagIds: [] };
  const publicUrl = addresses.publicUrl.toLowerCase();
  const tails = toTails(publicUrl, text);
  return {
    text,
    tails,
    hosted: tails.filter((tail) =>
      [PAGE_PATH, FORM_PATH].some((path) => path.startsWith(tail) || tail.startsWith(path)),
    ),
    file: /(?:^|\/)media\/([^/]+)/u.exec(text)?.[1],
    isInPublicUrl: `${publicUrl}/`.includes(text),
    tagIds: await findTags(db, search),
  };
}

function toTails(publicUrl: string, text: string): string[] {
  const tails: string[] = [];
  for (let length = 1; length < text.length; length += 1) {
    const tail = text.slice(length);
    if (/^\/./u.test(tail) && publicUrl.endsWith(text.slice(0, length))) tails.push(tail);
  }
  return tails;
}

async function findTags(db: Db, { workspaceId, q }: Search): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from tags
    where workspace_id = ${workspaceId} and title_key like ${toContains(q)} escape '\\'`.execute(
    db,
  );
  return rows.map(({ id }) => id);
}

/** One way to find codes. */
interface Source {
  /** The SQL after `from`. */
  readonly from: Sql;
  /**
   * The same, read in the order of creation, for when only the newest are needed; undefined = like
   * `from`.
   */
  readonly inOrder?: Sql;
  /** There are so many that it is faster to read a page in the order of creation. */
  readonly isMany?: boolean;
  readonly id: Sql;
  /** The column with the place of a code in the order of creation. */
  readonly place: Sql;
}

/** The codes at one moment. */
interface State {
  /** The place of the newest code. */
  readonly upTo: number;
  /** How many changes other than new codes could have changed search results. */
  readonly edits: number;
}

interface Sources {
  readonly all: readonly Source[];
  /** Read before the index was updated: later commits count in the next search. */
  readonly state: State;
}

/**
 * Numbers of codes at which the method changes; tests lower them. Up to `few` codes are read one by
 * one, without an index; more than `many` are not collected and sorted for one page.
 */
export const searchSteps = { few: 500, many: 2000 };

/** SQLite tends to read all codes in order, even for a few matches: `cross join` prevents it. */
async function toSource(
  db: Db,
  { table, found }: { readonly table: Sql; readonly found: Sql },
  here: Sql,
): Promise<Source> {
  const { many } = searchSteps;
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from (select 1 from ${table} where ${found} limit ${many + 1})`.execute(
    db,
  );
  return {
    id: sql`code_index.code_id`,
    place: sql`code_index.n`,
    from: sql`${table} cross join code_index using (code_id) where ${found} and ${here}`,
    inOrder: sql`code_index cross join ${table} using (code_id) where ${found} and ${here}`,
    isMany: (rows[0]?.n ?? 0) > many,
  };
}

/** Codes whose column begins with `start`, found by its index. */
const startsLike = (column: "slug" | "digital_link", start: string) => {
  const folded = sql`lower(${sql.ref(column)})`;
  return {
    table: sql`(select id as code_id, ${sql.ref(column)} from codes) as named`,
    found: sql`${folded} >= ${start} and ${folded} < ${`${start}\u{10ffff}`}`,
  };
};

/** From the text index; undefined when there is none, or when reading the codes is as fast. */
async function toSources(
  store: Store,
  search: Search,
  facets: Facets,
): Promise<Sources | undefined> {
  const { text, tails, tagIds, isInPublicUrl } = facets;
  // PostgreSQL has its own index on the texts.
  if (store.kind === "postgres" || search.size <= searchSteps.few) return undefined;
  const state = await readState(store.db, search, sql`select max(n) from code_index`);
  const indexing = store.indexText();
  if (store.isIndexBehind) {
    // If it fails, a later search tries again and reports it.
    indexing.catch(() => {});
    return undefined;
  }
  try {
    await indexing;
  } catch (error) {
    // A search must work on a disk that can't be written.
    if (findDiskFault(error) === undefined) throw error;
    return undefined;
  }
  const filed =
    search.filed === undefined
      ? sql`true`
      : sql`exists (select 1 from codes where codes.id = code_index.code_id and ${search.filed})`;
  const here = sql`code_index.workspace_id = ${search.workspaceId}
    and code_index.kind = ${search.kind} and ${filed}`;
  const { table, match } = toIndexQuestion(text);
  const place = sql.ref(`${table}.rowid`);
  const all: Source[] = [
    {
      id: sql`code_index.code_id`,
      place,
      from: sql`${sql.table(table)} join code_index on code_index.n = ${place}
        where ${sql.table(table)} match ${match} and ${here}`,
    },
  ];
  const more = [
    ...tails.flatMap((tail) => [
      startsLike("slug", tail.slice(1)),
      startsLike("digital_link", tail),
    ]),
    ...toHosted(search, facets).map((ids) => ({
      table: sql`(${ids}) as hosted`,
      found: sql`code_id is not null`,
    })),
    ...(tagIds.length === 0
      ? []
      : [{ table: sql`code_tags`, found: sql`tag_id in (${sql.join(tagIds)})` }]),
  ];
  for (const one of more) all.push(await toSource(store.db, one, here));
  if (isInPublicUrl) {
    const from = sql`code_index where linked = 1 and ${here}`;
    all.push({ id: sql`code_index.code_id`, place: sql`code_index.n`, from });
  }
  return { all, state };
}

const like = (column: Sql, pattern: string): Sql => sql`${column} like ${pattern} escape '\\'`;
const startsWith = (text: string): string => toContains(text).slice(1);

/** SQL of the ids of codes that lead to a hosted page, form or file. Looks at all of the workspace. */
function toHosted({ workspaceId }: Search, { hosted, file }: Facets): Sql[] {
  const at = (table: "pages" | "forms", path: string, tail: string): Sql =>
    sql`select code_id from ${sql.table(table)} where workspace_id = ${workspaceId}
      and ${like(sql`${path} || lower(slug)`, startsWith(tail))}`;
  const files = (start: string): Sql =>
    sql`select id as code_id from codes where workspace_id = ${workspaceId}
      and pdf_file is not null and ${like(sql`pdf_file`, startsWith(start))}`;
  return [
    ...hosted.flatMap((tail) => [at("pages", PAGE_PATH, tail), at("forms", FORM_PATH, tail)]),
    ...(file === undefined ? [] : [files(file)]),
  ];
}

/** Without an index: reads the codes, newest first, until the page is full. */
async function toScan(
  { db, kind: store }: Store,
  search: Search,
  facets: Facets,
): Promise<Sources> {
  const { text, tails, tagIds, isInPublicUrl } = facets;
  const found = [
    like(sql`codes.search`, toContains(text)),
    ...tails.flatMap((tail) => [
      like(sql`'/' || lower(codes.slug)`, startsWith(tail)),
      like(sql`lower(codes.digital_link)`, startsWith(tail)),
    ]),
    ...toHosted(search, facets).map((ids) => sql`codes.id in (${ids})`),
    ...(isInPublicUrl ? [sql`(codes.slug is not null or codes.digital_link is not null)`] : []),
    ...(tagIds.length === 0
      ? []
      : [sql`codes.id in (select code_id from code_tags where tag_id in (${sql.join(tagIds)}))`]),
  ];
  const toSource = (condition: Sql): Source => ({
    id: sql`codes.id`,
    place: sql`codes.created`,
    from: sql`codes
      where codes.workspace_id = ${search.workspaceId} and codes.kind = ${search.kind}
        and ${search.filed ?? sql`true`} and (${condition})`,
  });
  const either = sql.join(found, sql` or `);
  const newest = sql`select max(created) from codes where workspace_id = ${search.workspaceId}`;
  return {
    // PostgreSQL has an index for each condition.
    all: store === "postgres" ? found.map(toSource) : [toSource(either)],
    state: await readState(db, search, newest),
  };
}

/** Each source is read only as far as the page needs. */
async function readPage(db: Db, { all }: Sources, { limit, offset }: Slice): Promise<string[]> {
  const most = limit + offset;
  const parts = all.map(
    ({ id, place, from, inOrder, isMany }) => sql`select * from (
      select ${place} as place, ${id} as id from ${isMany === true ? (inOrder ?? from) : from}
      order by ${place} desc limit ${most}) as part`,
  );
  const { rows } = await sql<{ id: string }>`
    select id from (${sql.join(parts, sql` union `)}) as found
    order by place desc limit ${limit} offset ${offset}`.execute(db);
  return rows.map(({ id }) => id);
}

/** Number of codes created after the place `after`, up to the place `upTo`. */
async function countFound(
  db: Db,
  { all }: Sources,
  { after, upTo }: { readonly after: number; readonly upTo: number },
): Promise<number> {
  const parts = all.map(
    ({ place, from, inOrder }) =>
      sql`select ${place} as place from ${after < 0 ? from : (inOrder ?? from)}
        and ${place} > ${after} and ${place} <= ${upTo}`,
  );
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from (${sql.join(parts, sql` union `)}) as found`.execute(db);
  return rows[0]?.count ?? 0;
}

interface Remembered extends State {
  readonly count: number;
}

const REMEMBERED = 500;
/** Smaller numbers are counted again: that is as fast as remembering them. */
const WORTH_IT = 200;

const counted = new WeakMap<Store, Map<string, Remembered>>();

function openMemory(store: Store): Map<string, Remembered> {
  const memory = counted.get(store) ?? new Map<string, Remembered>();
  counted.set(store, memory);
  return memory;
}

/** `newest` = SQL for the place of the newest code. */
async function readState(db: Db, { workspaceId }: Search, newest: Sql): Promise<State> {
  const { rows } = await sql<{ up_to: number; edits: number }>`
    select coalesce((${newest}), -1) as up_to, coalesce((
      select n from counts where workspace_id = ${workspaceId} and what = 'edits'), 0) as edits`.execute(
    db,
  );
  const [{ up_to: upTo, edits } = { up_to: -1, edits: 0 }] = rows;
  return { upTo, edits };
}

/**
 * A remembered count grows with new codes: only those made since are counted, unless codes were
 * changed or removed meanwhile.
 */
async function countAll(
  store: Store,
  search: Search & { readonly isIndexed: boolean },
  sources: Sources,
): Promise<number> {
  const { workspaceId, kind, q, filedKey, addresses, isIndexed } = search;
  // The text index numbers places in its own way: so the key says whether it was used.
  const key = JSON.stringify([workspaceId, kind, q, filedKey, addresses?.publicUrl, isIndexed]);
  const memory = openMemory(store);
  const { upTo, edits } = sources.state;
  const known = memory.get(key);
  const isGood = known !== undefined && known.edits === edits && known.upTo <= upTo;
  const count = isGood
    ? known.count + (await countFound(store.db, sources, { after: known.upTo, upTo }))
    : await countFound(store.db, sources, { after: -1, upTo });
  memory.delete(key);
  if (count >= WORTH_IT) {
    // Forgets the oldest.
    const [oldest] = memory.size >= REMEMBERED ? memory.keys() : [];
    if (oldest !== undefined) memory.delete(oldest);
    memory.set(key, { count, upTo, edits });
  }
  return count;
}

export async function searchCodes(store: Store, search: Search, slice: Slice): Promise<Page> {
  const facets = await toFacets(store.db, search);
  const indexed = await toSources(store, search, facets);
  const sources = indexed ?? (await toScan(store, search, facets));
  const count = await countAll(store, { ...search, isIndexed: indexed !== undefined }, sources);
  if (slice.offset >= count) return { count, ids: [] };
  return { count, ids: await readPage(store.db, sources, slice) };
}
