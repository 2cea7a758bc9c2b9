/** Numbers of codes: kept up to date, never counted when asked. */
import type { Caller } from "../../../auth/accounts.ts";
import { refuseMore, type Plan } from "../../../auth/plan.ts";
import type { CodeRow, Db } from "../../../store/tables.ts";
import { readLeftovers } from "../../folders/rows/folder-leftovers.ts";

async function readCounts(
  db: Db,
  workspaceId: string,
  whats: readonly string[],
): Promise<Map<string, number>> {
  if (whats.length === 0) return new Map();
  const rows = await db
    .selectFrom("counts")
    .select(["what", "n"])
    .where("workspace_id", "=", workspaceId)
    .where("what", "in", whats)
    .execute();
  return new Map(rows.map(({ what, n }) => [what, n]));
}

export async function countKind(
  db: Db,
  workspaceId: string,
  kind: CodeRow["kind"],
): Promise<number> {
  return (await readCounts(db, workspaceId, [kind])).get(kind) ?? 0;
}

const toWhat = (folderId: string | null): string => `folder ${folderId ?? ""}`;

/** Codes whose row names one of these folders. */
export async function countHeld(
  db: Db,
  workspaceId: string,
  folderIds: readonly string[],
): Promise<number> {
  const counts = await readCounts(db, workspaceId, folderIds.map(toWhat));
  return [...counts.values()].reduce((sum, count) => sum + count, 0);
}

/** Codes directly in each folder; null = in no folder. */
export async function countFiled(
  db: Db,
  workspaceId: string,
  folderIds: readonly (string | null)[],
): Promise<Map<string | null, number>> {
  const left = await readLeftovers(db);
  const holders = folderIds.includes(null) ? [...folderIds, ...left] : folderIds;
  const counts = await readCounts(db, workspaceId, holders.map(toWhat));
  const countIn = (id: string | null): number => counts.get(toWhat(id)) ?? 0;
  const countUnfiled = (): number =>
    [...left].reduce((sum, id) => sum + countIn(id), countIn(null));
  return new Map(
    folderIds.map((id) => {
      if (id === null) return [id, countUnfiled()];
      return [id, left.has(id) ? 0 : countIn(id)];
    }),
  );
}

/**
 * Refuses one dynamic code more than the plan allows (400). To be called where the code is inserted,
 * so that two at once can't both get the last place.
 */
export async function requireRoom(tx: Db, { dynamicCodes }: Plan, caller: Caller): Promise<void> {
  if (dynamicCodes === undefined) return;
  const { there } = await tx
    .selectFrom("counts")
    .innerJoin("workspaces", "workspaces.id", "counts.workspace_id")
    .select((select) => select.fn.sum<number | null>("counts.n").as("there"))
    .where("workspaces.account_id", "=", caller.accountId)
    .where("counts.what", "=", "dynamic")
    .executeTakeFirstOrThrow();
  if ((there ?? 0) >= dynamicCodes) throw refuseMore(dynamicCodes, "dynamic code", "dynamic_codes");
}
