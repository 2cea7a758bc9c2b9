/** Folders as stored: find by id or name, make, change, delete. */
import { sql } from "kysely";

import { UNFILED } from "../../../api/code.ts";
import { requireOwned, type Caller } from "../../auth/accounts.ts";
import type { Context } from "../../context.ts";
import { refuse } from "../../http/reply.ts";
import type { Db, FolderRow } from "../../store/tables.ts";
import { findFreeSlug, foldText, toSlugBase } from "../../store/text.ts";
import { countHeld } from "../codes/rows/counts.ts";
import { sweepSteps, unfile } from "./rows/folder-leftovers.ts";

/** A folder of the caller; one of another account is a 404 like an unknown one. */
export async function requireFolder(db: Db, caller: Caller, id: string): Promise<FolderRow> {
  const row = await requireOwned(db, "folders", caller, id);
  if (row.gone === 1) throw refuse.notFound();
  return row;
}

export interface Named {
  readonly workspaceId: string;
  readonly parentId: string | null;
  readonly name: string;
}

/** A slug that no other folder of the workspace has; never the word for "in no folder". */
export function toFolderSlug(
  { ids }: Pick<Context, "ids">,
  tx: Db,
  { workspaceId, name }: Named,
  self = "",
) {
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

/**
 * The oldest folder of that name there: after a parent was deleted, several may have the same name.
 */
export function findNamed(
  tx: Db,
  { workspaceId, parentId, name }: Named,
): Promise<FolderRow | undefined> {
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

export async function insertFolder(tx: Db, row: FolderRow): Promise<void> {
  await tx.insertInto("folders").values(row).execute();
}

export async function changeFolder(
  tx: Db,
  id: string,
  { name, parentId, slug }: Pick<Named, "name" | "parentId"> & { readonly slug: string },
): Promise<void> {
  await tx
    .updateTable("folders")
    .set({ name, name_key: foldText(name), slug, parent_id: parentId })
    .where("id", "=", id)
    .execute();
}

/** Codes become unfiled, subfolders move up. `subtree` = the ids of the folder and all below it. */
export async function dropFolder(
  tx: Db,
  folder: FolderRow,
  subtree: readonly string[],
): Promise<void> {
  const { id, workspace_id: workspaceId, parent_id: parentId } = folder;
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
}

/** For many codes: they count as unfiled at once, and their rows are changed later. */
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
  // The folder can't be found any more, and its slug is free.
  await tx
    .updateTable("folders")
    .set({ gone: 1, parent_id: null, slug: id })
    .where("id", "=", id)
    .execute();
  await tx
    .insertInto("counts")
    .values({ workspace_id, what: "edits", n: 1 })
    .onConflict((conflict) =>
      conflict.columns(["workspace_id", "what"]).doUpdateSet({ n: sql`counts.n + 1` }),
    )
    .execute();
}
