/**
 * Codes of deleted folders and of their subfolders (docs/spec/api.md section 4.3). They count as
 * unfiled at once, but a hundred thousand rows can't be written at once. Until its rows are
 * changed, such a folder is listed among the leftovers, and its codes are unfiled in small steps.
 */
import type { Rows, Store } from "../../../store/store.ts";
import type { Db } from "../../../store/tables.ts";

/**
 * Up to `few` codes are unfiled in the request itself; more, `slice` of them at a time. Tests lower
 * both; with 0 nothing is unfiled.
 */
export const sweepSteps = { few: 1000, slice: 256 };

/** Folders that count as empty, though rows of codes still name them; usually there are none. */
export async function readLeftovers(db: Db): Promise<ReadonlySet<string>> {
  const rows = await db.selectFrom("folder_leftovers").select("folder_id").execute();
  return new Set(rows.map(({ folder_id: id }) => id));
}

/** The folders that rows must name to be in one of `folderIds` (null = in no folder). */
export async function toHolders(
  db: Db,
  folderIds: readonly (string | null)[],
): Promise<readonly (string | null)[]> {
  const left = await readLeftovers(db);
  const holders = folderIds.filter((id) => id === null || !left.has(id));
  return folderIds.includes(null) ? [...holders, ...left] : holders;
}

/** Rarely true, and then not for long. */
export const hasLeftovers = async ({ rows }: Store): Promise<boolean> =>
  (await rows.get("SELECT 1 FROM folder_leftovers LIMIT 1")) !== undefined;

const HOLDS = "SELECT 1 FROM folder_leftovers WHERE folder_id = ?";

/**
 * To be called before the transaction that puts a code into the folder: unfiles its leftovers in
 * small steps. Only the caller waits for it.
 */
export async function sweepFolder(store: Store, folderId: string): Promise<void> {
  const { slice } = sweepSteps;
  if (slice === 0 || (await store.rows.get(HOLDS, folderId)) === undefined) return;
  await store.repeat((rows) => sweepSome(rows, folderId, slice));
}

/**
 * Called right before a code is put into the folder: unfiles the few leftovers that `sweepFolder`
 * missed. Those of a deleted folder stay: they are many.
 */
export async function clearLeftovers(tx: Db, folderId: string): Promise<void> {
  const { numDeletedRows: found } = await tx
    .deleteFrom("folder_leftovers")
    .where("folder_id", "=", folderId)
    .where("folder_id", "not in", tx.selectFrom("folders").select("id").where("gone", "=", 1))
    .executeTakeFirstOrThrow();
  if (found > 0n) await unfile(tx, [folderId]);
}

export async function unfile(tx: Db, folderIds: readonly string[]): Promise<void> {
  await tx
    .updateTable("codes")
    .set({ folder_id: null })
    .where("folder_id", "in", folderIds)
    .execute();
}

const FIND = `
  SELECT folders.id, folders.gone FROM folder_leftovers
  JOIN folders ON folders.id = folder_leftovers.folder_id
  ORDER BY folders.gone LIMIT 1`;

/** Unfiles some codes; false when none are left. */
async function sweepStep(rows: Rows): Promise<boolean> {
  const { slice } = sweepSteps;
  const left = slice === 0 ? undefined : await rows.get<{ id: string; gone: number }>(FIND);
  if (left === undefined) return false;
  await sweepSome(rows, left.id, slice);
  return true;
}

/** Unfiles some codes of one folder; false when none are left in it. */
async function sweepSome(rows: Rows, folderId: string, slice: number): Promise<boolean> {
  // Another sweep may have finished meanwhile, and the folder may hold codes again.
  if ((await rows.get(HOLDS, folderId)) === undefined) return false;
  const changed = await rows.run(
    "UPDATE codes SET folder_id = NULL WHERE id IN (SELECT id FROM codes WHERE folder_id = ? LIMIT ?)",
    folderId,
    slice,
  );
  if (changed === slice) return true;
  await rows.run("DELETE FROM folder_leftovers WHERE folder_id = ?", folderId);
  await rows.run("DELETE FROM folders WHERE id = ? AND gone = 1", folderId);
  return false;
}

/**
 * Resolves when nothing is left, or when the store closes: the rest then waits for the next start.
 */
export const sweepFolders = (store: Store): Promise<void> => store.repeat(sweepStep);
