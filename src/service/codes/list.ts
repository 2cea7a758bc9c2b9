/** The list of codes: api-v2.md 4.1. */
import type { SelectQueryBuilder } from "kysely";
import { sql } from "kysely";

import { UNFILED } from "../../api/code.ts";
import type { ParsedQueryOf } from "../../api/endpoints.ts";

import { requireWorkspace } from "../accounts/accounts.ts";
import { readTags, toCodeItem, toCountFields, type Counts } from "../code-rows.ts";
import type { Context, Handler } from "../context.ts";
import { readFolderPaths, readSubtreeIds, requireFolderId } from "../folder-tree.ts";
import { toPage, toSlice } from "../paging.ts";
import { countScans } from "../scan-counts.ts";
import type { CodeRow, Db, Tables } from "../store/tables.ts";
import { toContains } from "../text.ts";
import { toSpan } from "../window.ts";

type Query = ParsedQueryOf<"listCodes">;
type CodeQuery = SelectQueryBuilder<Tables, "codes", object>;

/** Searches names, data and slugs, the short link as people see it, and tags. */
function searchFor(query: CodeQuery, q: string, publicUrl: string): CodeQuery {
  const pattern = toContains(q);
  const like = (column: ReturnType<typeof sql>) =>
    sql<boolean>`${column} like ${pattern} escape '\\'`;
  return query.where((where) =>
    where.or([
      like(sql.ref("codes.search")),
      where.and([
        where("codes.slug", "is not", null),
        like(sql`${`${publicUrl.toLowerCase()}/`} || codes.slug`),
      ]),
      where.and([
        where("codes.digital_link", "is not", null),
        like(sql`${publicUrl.toLowerCase()} || lower(codes.digital_link)`),
      ]),
      where.exists(
        where
          .selectFrom("code_tags")
          .innerJoin("tags", "tags.id", "code_tags.tag_id")
          .select("tags.id")
          .whereRef("code_tags.code_id", "=", "codes.id")
          .where(like(sql.ref("tags.title_key"))),
      ),
    ]),
  );
}

/** What the list is taken from: codes of the workspace, in the folder that was asked for. */
async function selectCodes(db: Db, workspaceId: string, wanted: Query): Promise<CodeQuery> {
  const all = db
    .selectFrom("codes")
    .where("codes.workspace_id", "=", workspaceId)
    .where("codes.kind", "=", "code");
  if (wanted.folder === undefined) return all;
  if (wanted.folder === UNFILED) return all.where("codes.folder_id", "is", null);
  const id = await requireFolderId(db, workspaceId, wanted.folder);
  const ids = wanted.subfolders === true ? await readSubtreeIds(db, id) : [id];
  return all.where("codes.folder_id", "in", ids);
}

/** Counts of the page's codes: lifetime ones, or those of the window asked for. */
async function readCounts(
  context: Context,
  rows: readonly CodeRow[],
  query: Query,
): Promise<(row: CodeRow) => Counts> {
  const span = toSpan(query, context.clock.nowMs());
  if (span === undefined) {
    return (row) => ({ total: row.total_scans, unique: row.unique_scans });
  }
  const found = await countScans(
    context.store.db,
    rows.map(({ id }) => id),
    span,
  );
  return (row) => found.get(row.id) ?? { total: 0, unique: 0 };
}

async function toItems(
  context: Context,
  rows: readonly CodeRow[],
  query: Query,
): Promise<Record<string, unknown>[]> {
  const tree = await readFolderPaths(
    context.store.db,
    rows.map((row) => row.folder_id),
  );
  const include = query.include ?? [];
  const counts = include.includes("scans") ? await readCounts(context, rows, query) : undefined;
  const ids = rows.map(({ id }) => id);
  const tags = include.includes("tags") ? await readTags(context.store.db, ids) : undefined;
  return rows.map((row) => ({
    ...toCodeItem(context, row, tree),
    ...(counts === undefined ? {} : toCountFields(row, counts(row))),
    ...(tags === undefined ? {} : { tags: tags.get(row.id) ?? [] }),
  }));
}

async function readRows(
  db: Db,
  found: CodeQuery,
  { workspaceId, query }: { readonly workspaceId: string; readonly query: Query },
): Promise<{ count: number; rows: CodeRow[] }> {
  const { count } = await found
    .select((select) => select.fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  const { limit, offset } = toSlice(query);
  // Moments are unique in a workspace: late pages skip over an index, not over whole codes.
  const page = found
    .select("codes.created")
    .orderBy("codes.created", "desc")
    .limit(limit)
    .offset(offset);
  const rows = await db
    .selectFrom("codes")
    .selectAll()
    .where("workspace_id", "=", workspaceId)
    .where("created", "in", page)
    .orderBy("created", "desc")
    .execute();
  return { count, rows };
}

export function makeListHandler(context: Context): Handler<"listCodes"> {
  const { db } = context.store;
  return async ({ params, query, caller, url }) => {
    const workspaceId = await requireWorkspace(db, caller, params.workspace_id);
    const filed = await selectCodes(db, workspaceId, query);
    const found =
      query.q === undefined || query.q.trim() === ""
        ? filed
        : searchFor(filed, query.q.trim(), context.addresses.publicUrl);
    const { count, rows } = await readRows(db, found, { workspaceId, query });
    return toPage(url, query, {
      count,
      results: await toItems(context, rows, query),
      empty: "No QR codes found.",
    });
  };
}
