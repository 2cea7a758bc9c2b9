/** How many codes there are: read from kept counts, never counted. */
import type { CodeRow, Db } from "./store/tables.ts";

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

/** Codes in each folder itself; null = those in none. */
export async function countFiled(
  db: Db,
  workspaceId: string,
  folderIds: readonly (string | null)[],
): Promise<Map<string | null, number>> {
  const counts = await readCounts(
    db,
    workspaceId,
    folderIds.map((id) => `folder ${id ?? ""}`),
  );
  return new Map(folderIds.map((id) => [id, counts.get(`folder ${id ?? ""}`) ?? 0]));
}
