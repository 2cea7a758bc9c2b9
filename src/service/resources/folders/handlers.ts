/** Folders: docs/spec/api.md sections 2.4 and 4.3. */
import { ownLimits } from "../../../api/limits.ts";
import { toMessage } from "../../../base/errors.ts";

import { requireWorkspace } from "../../auth/accounts.ts";
import type { Call, Context, Handlers } from "../../context.ts";
import { toPage, toSlice } from "../../http/paging.ts";
import { noContent, ok, refuse } from "../../http/reply.ts";
import type { Db, FolderRow } from "../../store/tables.ts";
import { foldText } from "../../store/text.ts";
import { countFiled } from "../codes/rows/counts.ts";
import {
  changeFolder,
  dropFolder,
  findNamed,
  insertFolder,
  requireFolder,
  toFolderSlug,
  type Named,
} from "./rows.ts";
import { sweepFolders } from "./rows/folder-leftovers.ts";
import {
  readFolderPaths,
  readHeight,
  readSubtreeIds,
  readFolderTree,
  requireFolderId,
  type FolderTree,
} from "./rows/folder-tree.ts";

function toAnswer(tree: FolderTree, row: FolderRow, codeCount: number): Record<string, unknown> {
  return {
    id: row.id,
    name: row.name,
    slug: row.slug,
    path: tree.path(row),
    parent: row.parent_id,
    code_count: codeCount,
    created: new Date(row.created).toISOString(),
  };
}

async function answerOne(db: Db, row: FolderRow): Promise<Record<string, unknown>> {
  const tree = await readFolderPaths(db, [row.id]);
  const counts = await countFiled(db, row.workspace_id, [row.id]);
  return toAnswer(tree, tree.require(row.id), counts.get(row.id) ?? 0);
}

/** Refuses a move that would close a circle, and a name that a sibling has. */
async function checkMove(tx: Db, folder: FolderRow, to: Named): Promise<void> {
  if (to.parentId !== null && (await readSubtreeIds(tx, folder.id)).includes(to.parentId)) {
    throw refuse.whole("A folder can't be moved into itself or one of its subfolders.");
  }
  const other = await findNamed(tx, to);
  if (other === undefined || other.id === folder.id) return;
  throw refuse.field("name", "Must be unused under the same parent: another folder has this name.");
}

/** `levels` = the depth of what is put below the parent. */
async function checkDepth(tx: Db, parentId: string | null, levels: number): Promise<void> {
  const above = await readFolderPaths(tx, [parentId]);
  if (above.rows.length + levels <= ownLimits.maxFolderDepth) return;
  throw refuse.field("parent", `Must leave at most ${ownLimits.maxFolderDepth} levels of folders.`);
}

/** undefined keeps the parent; null means the top level. */
async function toParentId(
  tx: Db,
  folder: FolderRow,
  parent: string | null | undefined,
): Promise<string | null> {
  if (parent === undefined) return folder.parent_id;
  return parent === null ? null : requireFolderId(tx, folder.workspace_id, parent);
}

async function createFolder(context: Context, tx: Db, { body, caller }: Call<"createFolder">) {
  const workspaceId = await requireWorkspace(tx, caller, body.workspace);
  const parent = body.parent ?? null;
  const parentId = parent === null ? null : await requireFolderId(tx, workspaceId, parent);
  const named = { workspaceId, parentId, name: body.name.trim() };
  const existing = await findNamed(tx, named);
  if (existing !== undefined) return ok(await answerOne(tx, existing));
  await checkDepth(tx, parentId, 1);
  const row: FolderRow = {
    id: context.ids.uuid(),
    workspace_id: workspaceId,
    parent_id: parentId,
    name: named.name,
    name_key: foldText(named.name),
    slug: await toFolderSlug(context, tx, named),
    created: context.clock.nowMs(),
    gone: 0,
  };
  await insertFolder(tx, row);
  return { status: 201, body: await answerOne(tx, row) };
}

async function updateFolder(context: Context, tx: Db, call: Call<"updateFolder">) {
  const { params, body, caller } = call;
  const folder = await requireFolder(tx, caller, params.folder_id);
  const workspaceId = folder.workspace_id;
  const name = body.name?.trim() ?? folder.name;
  const to = { workspaceId, name, parentId: await toParentId(tx, folder, body.parent) };
  await checkMove(tx, folder, to);
  if (to.parentId !== folder.parent_id) {
    await checkDepth(tx, to.parentId, await readHeight(tx, folder.id));
  }
  const slug =
    body.name === undefined ? folder.slug : await toFolderSlug(context, tx, to, folder.id);
  await changeFolder(tx, folder.id, { name, slug, parentId: to.parentId });
  return ok(await answerOne(tx, folder));
}

async function deleteFolder(tx: Db, { params, caller }: Call<"deleteFolder">) {
  const folder = await requireFolder(tx, caller, params.folder_id);
  await dropFolder(tx, folder, await readSubtreeIds(tx, folder.id));
  return noContent;
}

async function listFolders({ store }: Context, call: Call<"listFolders">) {
  const { params, query, caller, url } = call;
  const workspaceId = await requireWorkspace(store.db, caller, params.workspace_id);
  const tree = await readFolderTree(store.db, workspaceId);
  const { offset, limit } = toSlice(query);
  const rows = tree.rows.slice(offset, offset + limit);
  const ids = rows.map(({ id }) => id);
  const counts = await countFiled(store.db, workspaceId, ids);
  return toPage(url, query, {
    count: tree.rows.length,
    results: rows.map((row) => toAnswer(tree, row, counts.get(row.id) ?? 0)),
    empty: "No folders found.",
  });
}

/** Look-up and change share one transaction: two equal creates at once make one folder. */
export function makeFolderHandlers(context: Context) {
  const { store } = context;
  return {
    listFolders: (call) => listFolders(context, call),
    createFolder: (call) => store.write((tx) => createFolder(context, tx, call)),
    updateFolder: (call) => store.write((tx) => updateFolder(context, tx, call)),
    async deleteFolder(call) {
      const reply = await store.write((tx) => deleteFolder(tx, call));
      sweepFolders(store).catch((error: unknown) =>
        context.log.warn({ error: toMessage(error) }, "codes of deleted folders wait"),
      );
      return reply;
    },
  } satisfies Partial<Handlers>;
}
