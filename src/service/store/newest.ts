/** Moments that put a list into a total order, newest first. */
import { firstOf, prepare } from "./prepared.ts";
import type { Db } from "./tables.ts";

const owners = {
  codes: "workspace_id",
  pages: "workspace_id",
  forms: "workspace_id",
  form_responses: "form_id",
} as const;

const newestIn = (table: keyof typeof owners) =>
  prepare((tx, { ownerId }: { ownerId: string }) =>
    tx
      .selectFrom(table)
      .select("created")
      .where(owners[table], "=", ownerId)
      .orderBy("created", "desc")
      .limit(1),
  );

const newestOf: Readonly<Record<keyof typeof owners, ReturnType<typeof newestIn>>> = {
  codes: newestIn("codes"),
  pages: newestIn("pages"),
  forms: newestIn("forms"),
  form_responses: newestIn("form_responses"),
};

/**
 * The time of a new row: now, but later than every other row of the same owner, even when the clock
 * stands still or goes back.
 */
export async function toNewestMoment(
  tx: Db,
  table: keyof typeof owners,
  { ownerId, nowMs }: { readonly ownerId: string; readonly nowMs: number },
): Promise<number> {
  const newest = await firstOf(newestOf[table](tx, { ownerId }));
  return Math.max(nowMs, (newest?.created ?? 0) + 1);
}
