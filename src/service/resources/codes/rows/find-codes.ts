/**
 * A page of a workspace's codes or short links: all of them, those in folders, or those that contain
 * a text.
 */
import { sql, type RawBuilder } from "kysely";

import type { Addresses } from "../../../addresses.ts";
import type { Slice } from "../../../http/paging.ts";
import type { Store } from "../../../store/store.ts";
import type { CodeRow, Db } from "../../../store/tables.ts";
import { toHolders } from "../../folders/rows/folder-leftovers.ts";
import { countFiled, countKind } from "./counts.ts";
import { searchCodes } from "./search-codes.ts";

export interface CodesWanted {
  readonly workspaceId: string;
  readonly kind: CodeRow["kind"];
  /** Only those in these folders; null = in no folder. Left out: all. */
  readonly folderIds?: readonly (string | null)[] | undefined;
  /** Only those with this text in name, destination, file name or slug. */
  readonly q?: string | undefined;
  /** With it, `q` searches whole short links and tags, too. */
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
  const { folderIds } = wanted;
  const holders = folderIds === undefined ? undefined : await toHolders(store.db, folderIds);
  const filed = holders === undefined ? undefined : inFolders(holders);
  if (q === "") return listCodes(store.db, { ...wanted, filed }, slice);
  const search = {
    ...wanted,
    q,
    filed,
    filedKey: JSON.stringify(holders ?? "all"),
    size: await countCodes(store.db, wanted),
  };
  const { count, ids } = await searchCodes(store, search, slice);
  return { count, rows: await readCodes(store.db, ids) };
}

async function countCodes(db: Db, { workspaceId, kind, folderIds }: CodesWanted): Promise<number> {
  if (folderIds === undefined) return countKind(db, workspaceId, kind);
  const counts = await countFiled(db, workspaceId, folderIds);
  return [...counts.values()].reduce((sum, count) => sum + count, 0);
}

/**
 * A single folder has an index of its own; codes in several are filtered from the list, in its order.
 */
function inFolders(holders: readonly (string | null)[]): Condition {
  const [first, ...more] = holders;
  if (first === undefined) return sql`false`;
  if (more.length === 0) return first === null ? sql`folder_id is null` : sql`folder_id = ${first}`;
  const ids = sql.join(holders.filter((id) => id !== null));
  // For the plain column, SQLite would use the index of folders, one folder after the other.
  const folder = sql`coalesce(folder_id, null)`;
  return first === null
    ? sql`(${folder} is null or ${folder} in (${ids}))`
    : sql`${folder} in (${ids})`;
}

/** Moments are unique in a workspace: so a page can skip by index, without reading whole codes. */
async function listCodes(
  db: Db,
  wanted: CodesWanted & { readonly filed: Condition | undefined },
  { limit, offset }: Slice,
): Promise<CodesFound> {
  const { workspaceId, kind, filed = sql`true` } = wanted;
  const count = await countCodes(db, wanted);
  const size = Math.min(limit, count - offset);
  if (size <= 0) return { count, rows: [] };
  // A late page is read from the other end, which is nearer.
  const fromEnd = count - offset - size;
  const isLate = fromEnd < offset;
  const { rows } = await sql<CodeRow>`
    select * from codes where workspace_id = ${workspaceId} and created in (
      select created from codes
      where workspace_id = ${workspaceId} and kind = ${kind} and ${filed}
      order by created ${isLate ? sql`asc` : sql`desc`}
      limit ${size} offset ${isLate ? fromEnd : offset})
    order by created desc`.execute(db);
  return { count, rows };
}

async function readCodes(db: Db, ids: readonly string[]): Promise<CodeRow[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<CodeRow>`
    select * from codes where id in (${sql.join(ids)}) order by created desc`.execute(db);
  return rows;
}
