/** The rows that scans leave in the store, and how they are deleted with their code. */
import type { Db } from "../store/tables.ts";
import { Tally } from "./scan-packs.ts";

/** Rows of one statement. */
const CHUNK = 100;

/**
 * Removes the scans of a code: its rows, and its share of the workspace's counts. For the share,
 * the workspace gets a part with negative counts, numbered like the code, so that it is added only
 * once.
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
  for (const table of [
    "code_packs",
    "scans",
    "scanners",
    "scan_totals",
    "scan_positions",
  ] as const) {
    await tx.deleteFrom(table).where("code", "=", row.number).execute();
  }
  await tx.deleteFrom("scanned_codes").where("number", "=", row.number).execute();
}
