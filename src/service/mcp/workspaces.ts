/** The workspaces of an account, in words for an assistant. */
import { andMore, formatCount } from "../../base/text/words.ts";
import type { Caller } from "../auth/accounts.ts";
import type { Context } from "../context.ts";

export interface OwnWorkspace {
  readonly id: string;
  readonly name: string;
}

const MAX_NAMED = 20;

/** From the oldest to the newest; the first is the default one. */
export const listWorkspaces = ({ store }: Context, caller: Caller): Promise<OwnWorkspace[]> =>
  store.db
    .selectFrom("workspaces")
    .select(["id", "name"])
    .where("account_id", "=", caller.accountId)
    .orderBy("created")
    .orderBy("id")
    .execute();

/** `this account has 2 workspaces: kitchen (ID), cellar (ID)`. */
export function sayWorkspaces(workspaces: readonly OwnWorkspace[]): string {
  if (workspaces.length === 0) return "This account has no workspace";
  const named = workspaces.slice(0, MAX_NAMED).map(({ id, name }) => `${name} (${id})`);
  const more = andMore(workspaces.length - named.length);
  return `This account has ${formatCount(workspaces.length)} workspaces: ${named.join(", ")}${more}`;
}
