/** The workspaces of an account, in words for an assistant. */
import { formatCount } from "../../base/text/words.ts";
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
  const left = workspaces.length - named.length;
  const more = left === 0 ? "" : ` and ${formatCount(left)} more`;
  return `This account has ${formatCount(workspaces.length)} workspaces: ${named.join(", ")}${more}`;
}
