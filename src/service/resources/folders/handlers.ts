/** Folders: api-v2.md 2.4 and 4.3. */
import { sql } from "kysely";

import { UNFILED } from "../../../api/code.ts";
import { ownLimits } from "../../../api/limits.ts";
import { toMessage } from "../../../base/errors.ts";

import { requireWorkspace, type Caller } from "../../auth/accounts.ts";
import type { Call, Context, Handlers } from "../../context.ts";
import { countFiled, countHeld } from "../codes/rows/counts.ts";
import { sweepFolders, sweepSteps, unfile } from "./rows/folder-leftovers.ts";
import {
  readFolderPaths,
  readHeight,
  readSubtreeIds,
  readFolderTree,
  requireFolderId,
  type FolderTree,
} from "./rows/folder-tree.ts";
import { toPage, toSlice } from "../../http/paging.ts";
import { noContent, ok, refuse } from "../../http/reply.ts";
import type { Db, FolderRow } from "../../store/tables.ts";
import { findFreeSlug, foldText, toSlugBase } from "../../store/text.ts";

type FolderHandlers = Pick<
  Handlers,
  "listFolders" | "createFolder" | "updateFolder" | "deleteFolder"
>;

interface Named {
  readonly workspaceId: string;
  readonly parentId: string | null;
  readonly name: string;
}

/** A slug that no other folder of the workspace has; never the word for "in no folder". */
function toFolderSlug({ ids }: Context, tx: Db, { workspaceId, name }: Named, self = "") {
  const isTaken = async (slug: string): Promise<boolean> => {
    const other = tx
      .selectFrom("folders")
      .select("id")
      .where("workspace_id", "=", workspaceId)
      .where("slug", "=", slug)
      .where("id", "<>", self);
    return slug === UNFILED || (await other.executeTakeFirst()) !== undefined;
  };
  return findFreeSlug(toSlugBase(name, "folder"), isTaken, ids);
}

/** The oldest folder of that name there: a deleted parent may have left several side by side. */
function findNamed(tx: Db, { workspaceId, parentId, name }: Named): Promise<FolderRow | undefined> {
  return tx
    .selectFrom("folders")
    .selectAll()
    .where("workspace_id", "=", workspaceId)
    .where("name_key", "=", foldText(name))
    .where("name", "=", name)
    .where("gone", "=", 0)
    .where("parent_id", parentId === null ? "is" : "=", parentId)
    .orderBy("created")
    .orderBy("id")
    .executeTakeFirst();
}

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

async function requireFolder(db: Db, caller: Caller, id: string): Promise<FolderRow> {
  const row = await db
    .selectFrom("folders")
    .innerJoin("workspaces", "workspaces.id", "folders.workspace_id")
    .selectAll("folders")
    .where("folders.id", "=", id)
    .where("folders.gone", "=", 0)
    .where("workspaces.account_id", "=", caller.accountId)
    .executeTakeFirst();
  if (row === undefined) throw refuse.notFound();
  return row;
}

/** Refuses to close a circle, and a name that a sibling has. */
async function checkMove(tx: Db, folder: FolderRow, to: Named): Promise<void> {
  if (to.parentId !== null && (await readSubtreeIds(tx, folder.id)).includes(to.parentId)) {
    throw refuse.whole("A folder can't be moved into itself or one of its subfolders.");
  }
  const other = await findNamed(tx, to);
  if (other === undefined || other.id === folder.id) return;
  throw refuse.field("name", "Must be unused under the same parent: another folder has this name.");
}

/** `levels` = those of what comes below the parent. */
async function checkDepth(tx: Db, parentId: string | null, levels: number): Promise<void> {
  const above = await readFolderPaths(tx, [parentId]);
  if (above.rows.length + levels <= ownLimits.maxFolderDepth) return;
  throw refuse.field("parent", `Must leave at most ${ownLimits.maxFolderDepth} levels of folders.`);
}

/** undefined keeps the parent, null means top level. */
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
  await tx.insertInto("folders").values(row).execute();
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
  await tx
    .updateTable("folders")
    .set({ name, name_key: foldText(name), slug, parent_id: to.parentId })
    .where("id", "=", folder.id)
    .execute();
  return ok(await answerOne(tx, folder));
}

/** Codes become unfiled, subfolders move up. */
async function deleteFolder(tx: Db, { params, caller }: Call<"deleteFolder">) {
  const folder = await requireFolder(tx, caller, params.folder_id);
  const { id, workspace_id: workspaceId, parent_id: parentId } = folder;
  const subtree = await readSubtreeIds(tx, id);
  await tx
    .updateTable("folders")
    .set({ parent_id: parentId })
    .where("parent_id", "=", id)
    .execute();
  if ((await countHeld(tx, workspaceId, subtree)) > sweepSteps.few) {
    await leaveBehind(tx, folder, subtree);
  } else {
    await unfile(tx, subtree);
    await tx.deleteFrom("folder_leftovers").where("folder_id", "in", subtree).execute();
    await tx.deleteFrom("folders").where("id", "=", id).execute();
  }
  return noContent;
}

/** So many codes that they are unfiled later, row by row; for everybody who asks, they are now. */
async function leaveBehind(
  tx: Db,
  { id, workspace_id }: FolderRow,
  subtree: readonly string[],
): Promise<void> {
  const left = subtree.map((folder_id) => ({ folder_id, workspace_id }));
  await tx
    .insertInto("folder_leftovers")
    .values(left)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  // Nothing finds it any more, and its slug is free.
  await tx
    .updateTable("folders")
    .set({ gone: 1, parent_id: null, slug: id })
    .where("id", "=", id)
    .execute();
  await tx
    .insertInto("counts")
    .values({ workspace_id, what: "edits", n: 1 })
    .onConflict((conflict) =>
      conflict.columns(["workspace_id", "what"]).doUpdateSet({ n: sql`n + 1` }),
    )
    .execute();
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
export function makeFolderHandlers(context: Context): FolderHandlers {
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
  };
}
