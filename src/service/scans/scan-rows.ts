/** The rows that scans leave in the store, and how they are deleted with their code. */
import type { Db } from "../store/tables.ts";
import { Tally } from "./scan-packs.ts";

/** Rows of one statement. */
const CHUNK = 100;

/**
 * Removes the scans of a code from all that is shown: the code's number, and its share of the
 * workspace's counts. For the share, the workspace gets a part with negative counts, numbered like
 * the code, so that it is added only once. The rows of the scans, which may be millions, are listed
 * as leftovers; the roll-up removes them in small steps.
 */
export async function deleteScans(tx: Db, codeId: string): Promise<void> {
  const row = await tx
    .selectFrom("scanned_codes")
    .select(["number", "workspace_id"])
    .where("code_id", "=", codeId)
    .executeTakeFirst();
  if (row === undefined) return;
  const packs = await tx
    .selectFrom("code_packs")
    .select(["day", "pack"])
    .where("code", "=", row.number)
    .execute();
  const days = new Map<number, Tally>();
  for (const { day, pack } of packs) {
    const tally = days.get(day) ?? new Tally();
    tally.addPack(pack, -1);
    days.set(day, tally);
  }
  const parts = [...days].map(([day, tally]) => ({
    workspace_id: row.workspace_id,
    kind: "profile" as const,
    day,
    part: -row.number,
    pack: tally.toPack(),
  }));
  for (let at = 0; at < parts.length; at += CHUNK) {
    await tx
      .insertInto("workspace_packs")
      .values(parts.slice(at, at + CHUNK))
      .execute();
  }
  await tx.deleteFrom("code_packs").where("code", "=", row.number).execute();
  await tx
    .insertInto("scan_leftovers")
    .values({ code: row.number })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await tx.deleteFrom("scanned_codes").where("number", "=", row.number).execute();
}
