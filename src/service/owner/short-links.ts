/** Short links of codes that are known by their ids: analytics rank codes without them. */
import type { Caller } from "../auth/accounts.ts";
import type { Context } from "../context.ts";
import { toShortLink } from "../resources/codes/rows.ts";

/** A code as the ranking shows it. */
export interface ShortLink {
  readonly address: string;
  /** It is the code of a short link, which has a page of its own. */
  readonly isLink: boolean;
}

export async function readShortLinks(
  { store, addresses }: Pick<Context, "store" | "addresses">,
  { accountId }: Caller,
  codeIds: readonly string[],
): Promise<ReadonlyMap<string, ShortLink>> {
  if (codeIds.length === 0) return new Map();
  const rows = await store.db
    .selectFrom("codes")
    .innerJoin("workspaces", "workspaces.id", "codes.workspace_id")
    .select(["codes.id", "codes.kind", "codes.slug", "codes.digital_link", "codes.capitals"])
    .where("codes.id", "in", codeIds)
    .where("workspaces.account_id", "=", accountId)
    .execute();
  return new Map(
    rows.flatMap((row) => {
      const address = toShortLink(addresses, row);
      const isLink = row.kind === "link";
      return address === null ? [] : [[row.id, { address, isLink }] as const];
    }),
  );
}
