/** What an account may have at most: set by the operator, unlimited by default (design.md section 5). */
import type { Caller } from "./accounts/accounts.ts";
import { refuse } from "./reply.ts";
import type { Db } from "./store/tables.ts";

/** Left out = unlimited. */
export interface Plan {
  /** Dynamic codes of an account, PDF and GS1 codes among them; short links do not count. */
  readonly dynamicCodes?: number | undefined;
}

/**
 * Refuses one more dynamic code than the plan has (400). To be called where the code is inserted, so
 * that of two at once one gets the last place. Counts no further than the limit.
 */
export async function requireRoom(
  tx: Db,
  { dynamicCodes: limit }: Plan,
  caller: Caller,
): Promise<void> {
  if (limit === undefined) return;
  const rows = await tx
    .selectFrom("codes")
    .innerJoin("workspaces", "workspaces.id", "codes.workspace_id")
    .select("codes.id")
    .where("workspaces.account_id", "=", caller.accountId)
    .where("codes.kind", "=", "code")
    .where("codes.dynamic", "=", 1)
    .limit(limit)
    .execute();
  if (rows.length < limit) return;
  throw refuse.whole(`The plan's limit of ${limit} dynamic codes (dynamic_codes) is reached.`);
}
