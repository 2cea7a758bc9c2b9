/** Moments that put a list into a total order, newest first. */
import type { Db } from "./tables.ts";

const owners = {
  codes: "workspace_id",
  pages: "workspace_id",
  forms: "workspace_id",
  form_responses: "form_id",
} as const;

/**
 * The moment of a new row: now, but later than that of every other row of the same owner, also when
 * the clock stands still or goes back.
 */
export async function toNewestMoment(
  tx: Db,
  table: keyof typeof owners,
  { ownerId, nowMs }: { readonly ownerId: string; readonly nowMs: number },
): Promise<number> {
  const newest = await tx
    .selectFrom(table)
    .select("created")
    .where(owners[table], "=", ownerId)
    .orderBy("created", "desc")
    .limit(1)
    .executeTakeFirst();
  return Math.max(nowMs, (newest?.created ?? 0) + 1);
}
