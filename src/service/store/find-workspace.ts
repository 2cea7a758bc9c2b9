import { badUsage } from "../../base/errors.ts";
import type { Sqlite } from "../../base/sqlite/sqlite.ts";

export interface FoundWorkspace {
  readonly id: string;
  readonly name: string;
  /** The first workspace of the default account. */
  readonly isDefault: boolean;
}

/**
 * A workspace of a data folder by its id; undefined = the first one of the default account. Throws
 * `bad-usage` when `of` has no such workspace.
 * @param schema under which its database is attached
 */
export function findWorkspace(
  db: Pick<Sqlite, "all">,
  wanted: string | undefined,
  { schema = "main", of }: { readonly schema?: string; readonly of: string },
): FoundWorkspace {
  const all = db.all<{ id: string; name: string; account: string }>(`
    SELECT w.id, w.name, a.name AS account FROM ${schema}.workspaces AS w
    JOIN ${schema}.accounts AS a ON a.id = w.account_id ORDER BY a.name <> 'default', w.created`);
  const found = wanted === undefined ? all[0] : all.find(({ id }) => id === wanted);
  if (found !== undefined) {
    const first = all.find(({ account }) => account === "default");
    return { id: found.id, name: found.name, isDefault: first?.id === found.id };
  }
  throw badUsage(
    `--workspace must be one of ${of}, got ${wanted ?? "none"}`,
    all.map(({ id, name, account }) => `${id} (${name}, account ${account})`).join("; "),
  );
}
