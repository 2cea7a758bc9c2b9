/** The list of codes: docs/spec/api.md section 4.1. */
import { UNFILED } from "../../../../api/code.ts";
import type { ParsedQueryOf } from "../../../../api/endpoints.ts";

import { requireWorkspace } from "../../../auth/accounts.ts";
import type { Context, Handler } from "../../../context.ts";
import { toPage, toSlice } from "../../../http/paging.ts";
import { countScans, noCounts, readTotals, type Counts } from "../../../scans/scan-counts.ts";
import { toSpan } from "../../../scans/window.ts";
import type { CodeRow, Db } from "../../../store/tables.ts";
import {
  readFolderPaths,
  readSubtreeIds,
  requireFolderId,
} from "../../folders/rows/folder-tree.ts";
import { readLeftovers } from "../../folders/rows/folder-leftovers.ts";
import { readTags } from "../../tags/rows.ts";
import { toCodeItem, toCountFields } from "../rows.ts";
import { findCodes } from "../rows/find-codes.ts";

type Query = ParsedQueryOf<"listCodes">;

/** The folders to list; undefined = all codes, null = codes in no folder. */
async function toFolderIds(
  db: Db,
  workspaceId: string,
  { folder, subfolders }: Query,
): Promise<readonly (string | null)[] | undefined> {
  if (folder === undefined) return undefined;
  if (folder === UNFILED) return [null];
  const id = await requireFolderId(db, workspaceId, folder);
  return subfolders === true ? readSubtreeIds(db, id) : [id];
}

/** Scan counts of the page's codes: of their lifetime, or of the requested window. */
async function readCounts(
  context: Context,
  rows: readonly CodeRow[],
  query: Query,
): Promise<(row: CodeRow) => Counts> {
  const span = toSpan(query, context.clock.nowMs());
  const ids = rows.map(({ id }) => id);
  const { store } = context;
  const found = await (span === undefined
    ? readTotals(store.db, ids)
    : countScans(store, ids, span));
  return (row) => found.get(row.id) ?? noCounts;
}

interface Page {
  readonly rows: readonly CodeRow[];
  readonly query: Query;
  readonly left: ReadonlySet<string>;
}

async function toItems(
  context: Context,
  { rows, query, left }: Page,
): Promise<Record<string, unknown>[]> {
  const tree = await readFolderPaths(
    context.store.db,
    rows.map((row) => row.folder_id),
    left,
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

export function makeListHandler(context: Context): Handler<"listCodes"> {
  const { store, addresses } = context;
  return async ({ params, query, caller, url }) => {
    const workspaceId = await requireWorkspace(store.db, caller, params.workspace_id);
    const folderIds = await toFolderIds(store.db, workspaceId, query);
    const wanted = { workspaceId, kind: "code", folderIds, q: query.q, addresses } as const;
    const left = await readLeftovers(store.db);
    const { count, rows } = await findCodes(store, wanted, toSlice(query));
    return toPage(url, query, {
      count,
      results: await toItems(context, { rows, query, left }),
      empty: "No QR codes found.",
    });
  };
}
