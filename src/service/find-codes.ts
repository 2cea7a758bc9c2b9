/** A page of a workspace's codes or short links: all of them, those of folders, those that hold a text. */
import { sql, type RawBuilder } from "kysely";

import type { Addresses } from "./addresses.ts";
import { countFiled, countKind } from "./counts.ts";
import type { Slice } from "./paging.ts";
import type { Store } from "./store/store.ts";
import type { CodeRow, Db } from "./store/tables.ts";
import { canMatch, toMatch } from "./store/text-index.ts";
import { foldText, toContains } from "./text.ts";

export interface CodesWanted {
  readonly workspaceId: string;
  readonly kind: CodeRow["kind"];
  /** Only those in these folders; null = in none. Left out: wherever they are. */
  readonly folderIds?: readonly (string | null)[] | undefined;
  /** Only those with this text in name, destination, file name or slug. */
  readonly q?: string | undefined;
  /** `q` looks into whole short links and tags, too. */
  readonly addresses?: Addresses | undefined;
}

export interface CodesFound {
  readonly count: number;
  /** Newest first. */
  readonly rows: readonly CodeRow[];
}

type Condition = RawBuilder<boolean>;

export async function findCodes(
  store: Store,
  wanted: CodesWanted,
  slice: Slice,
): Promise<CodesFound> {
  const q = wanted.q?.trim() ?? "";
  if (q === "") return listCodes(store.db, wanted, slice);
  return searchCodes(store, { ...wanted, q }, slice);
}

async function countCodes(db: Db, { workspaceId, kind, folderIds }: CodesWanted): Promise<number> {
  if (folderIds === undefined) return countKind(db, workspaceId, kind);
  const counts = await countFiled(db, workspaceId, folderIds);
  return [...counts.values()].reduce((sum, count) => sum + count, 0);
}

/** One folder has an index of its own; several are picked out of the list in its order. */
function inFolders(folderIds: CodesWanted["folderIds"]): Condition {
  const [first, ...more] = folderIds ?? [undefined];
  if (first === undefined) return sql`true`;
  if (more.length === 0) return first === null ? sql`folder_id is null` : sql`folder_id = ${first}`;
  return sql`+folder_id in (${sql.join([first, ...more])})`;
}

/** Moments are unique in a workspace: pages skip over an index, not over whole codes. */
async function listCodes(
  db: Db,
  wanted: CodesWanted,
  { limit, offset }: Slice,
): Promise<CodesFound> {
  const { workspaceId, kind, folderIds } = wanted;
  const count = await countCodes(db, wanted);
  const size = Math.min(limit, count - offset);
  if (size <= 0) return { count, rows: [] };
  // Late pages are nearer to the other end.
  const fromEnd = count - offset - size;
  const isLate = fromEnd < offset;
  const { rows } = await sql<CodeRow>`
    select * from codes where workspace_id = ${workspaceId} and created in (
      select created from codes
      where workspace_id = ${workspaceId} and kind = ${kind} and ${inFolders(folderIds)}
      order by created ${isLate ? sql`asc` : sql`desc`}
      limit ${size} offset ${isLate ? fromEnd : offset})
    order by created desc`.execute(db);
  return { count, rows };
}

interface Search extends CodesWanted {
  readonly q: string;
}

/** What of `q` reaches beyond the public address: `ample/ab` means paths that begin with `/ab`. */
function toTails(publicUrl: string, text: string): string[] {
  const tails: string[] = [];
  for (let length = 1; length < text.length; length += 1) {
    const tail = text.slice(length);
    if (/^\/./u.test(tail) && publicUrl.endsWith(text.slice(0, length))) tails.push(tail);
  }
  return tails;
}

/** Where a search may end, as selects of `n`; undefined when the text index can't tell. */
async function toSources(store: Store, search: Search): Promise<Condition | undefined> {
  const { workspaceId, kind, addresses } = search;
  const text = foldText(search.q);
  if (!store.hasTextIndex || !canMatch(text)) return undefined;
  const publicUrl = addresses?.publicUrl.toLowerCase();
  const tails = publicUrl === undefined ? [] : toTails(publicUrl, text);
  await store.indexText();
  const tagIds = addresses === undefined ? [] : await findTags(store.db, search);
  const sources = [
    sql`select rowid from code_text where code_text match ${toMatch(text, tails)}`,
    ...(tagIds.length === 0
      ? []
      : [
          sql`select code_index.n from code_tags join code_index using (code_id) where tag_id in (${sql.join(tagIds)})`,
        ]),
    ...(publicUrl !== undefined && `${publicUrl}/`.includes(text)
      ? [
          sql`select n from code_index where workspace_id = ${workspaceId} and kind = ${kind} and linked = 1`,
        ]
      : []),
  ];
  return sql`n in (${sql.join(sources, sql` union `)})`;
}

async function findTags(db: Db, { workspaceId, q }: Search): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from tags
    where workspace_id = ${workspaceId} and title_key like ${toContains(q)} escape '\\'`.execute(
    db,
  );
  return rows.map(({ id }) => id);
}

/** For texts that the index can't find: reads every code of the workspace. */
function inText({ q, addresses }: Search): Condition {
  const pattern = toContains(q);
  const like = (column: RawBuilder<unknown>): Condition =>
    sql`${column} like ${pattern} escape '\\'`;
  if (addresses === undefined) return like(sql`codes.search`);
  const publicUrl = addresses.publicUrl.toLowerCase();
  return sql`(${sql.join(
    [
      like(sql`codes.search`),
      like(sql`${`${publicUrl}/`} || codes.slug`),
      like(sql`${publicUrl} || codes.digital_link`),
      sql`exists (select 1 from code_tags join tags on tags.id = code_tags.tag_id
        where code_tags.code_id = codes.id and ${like(sql`tags.title_key`)})`,
    ],
    sql` or `,
  )})`;
}

async function searchCodes(store: Store, search: Search, slice: Slice): Promise<CodesFound> {
  const sources = await toSources(store, search);
  const { count, ids } = await (sources === undefined
    ? scan(store.db, search, slice)
    : askIndex(store.db, { search, sources }, slice));
  if (ids.length === 0) return { count, rows: [] };
  const { rows } = await sql<CodeRow>`
    select * from codes where id in (${sql.join(ids)}) order by created desc`.execute(store.db);
  return { count, rows };
}

interface Page {
  readonly count: number;
  readonly ids: readonly string[];
}

/** `found` = everything behind the columns; `order` = newest first. */
async function readPage(
  db: Db,
  { id, found, order }: Readonly<Record<"id" | "found" | "order", RawBuilder<unknown>>>,
  { limit, offset }: Slice,
): Promise<Page> {
  const { rows: counted } = await sql<{ n: number }>`select count(*) as n ${found}`.execute(db);
  const count = counted[0]?.n ?? 0;
  if (offset >= count) return { count, ids: [] };
  const { rows } = await sql<{ id: string }>`
    select ${id} as id ${found} order by ${order} limit ${limit} offset ${offset}`.execute(db);
  return { count, ids: rows.map((row) => row.id) };
}

function askIndex(
  db: Db,
  { search, sources }: { readonly search: Search; readonly sources: Condition },
  slice: Slice,
): Promise<Page> {
  const { workspaceId, kind, folderIds } = search;
  const filed =
    folderIds === undefined
      ? sql`true`
      : sql`code_id in (select id from codes
          where workspace_id = ${workspaceId} and kind = ${kind} and ${inFolders(folderIds)})`;
  const found = sql`from code_index
    where workspace_id = ${workspaceId} and kind = ${kind} and ${sources} and ${filed}`;
  return readPage(db, { id: sql`code_id`, found, order: sql`n desc` }, slice);
}

function scan(db: Db, search: Search, slice: Slice): Promise<Page> {
  const { workspaceId, kind, folderIds } = search;
  const found = sql`from codes
    where workspace_id = ${workspaceId} and kind = ${kind}
      and ${inFolders(folderIds)} and ${inText(search)}`;
  return readPage(db, { id: sql`id`, found, order: sql`created desc` }, slice);
}
