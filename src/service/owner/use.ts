/**
 * How much of its plan an account uses; for the operator's account, also the state of the data
 * folder.
 */
import { statfs } from "node:fs/promises";

import { readLastBackup } from "../backup/last-backup.ts";
import type { Context } from "../context.ts";

/** Of all accounts together. */
export interface DataUse {
  /** Bytes of `service.db`, or of the database of `--store`. */
  readonly databaseBytes: number;
  /** It is in the folder: `makeready backup` includes it. */
  readonly isInFolder: boolean;
  /** Undefined in memory. */
  readonly folder: string | undefined;
  /** Bytes that are free on its disk; undefined in memory. */
  readonly freeBytes: number | undefined;
  /** When `makeready backup` last ended; undefined = never. */
  readonly lastBackupMs: number | undefined;
}

export interface Use {
  readonly codes: number;
  readonly links: number;
  readonly dynamicCodes: number;
  /** undefined = unlimited. */
  readonly maxDynamicCodes: number | undefined;
  readonly pages: number;
  readonly maxPages: number | undefined;
  readonly forms: number;
  readonly products: number;
  readonly hasWebhooks: boolean;
  /** Undefined for accounts that are not the operator's. */
  readonly data: DataUse | undefined;
}

/** The operator's account: its token is in the data folder. */
const OPERATOR = "default";

async function readDataUse(
  { store }: Pick<Context, "store">,
  accountId: string,
  folder: string | undefined,
): Promise<DataUse | undefined> {
  const accounts = store.db.selectFrom("accounts").select("name").where("id", "=", accountId);
  if ((await accounts.executeTakeFirst())?.name !== OPERATOR) return undefined;
  const disk = folder === undefined ? undefined : await statfs(folder).catch(() => undefined);
  return {
    databaseBytes: await store.bytes(),
    isInFolder: store.kind === "sqlite",
    folder,
    freeBytes: disk === undefined ? undefined : disk.bavail * disk.bsize,
    lastBackupMs: (await readLastBackup(store))?.at,
  };
}

/** Of all workspaces of the account together, as plans count. */
export async function readUse(
  { store, plan }: Pick<Context, "store" | "plan">,
  { accountId, folder }: { readonly accountId: string; readonly folder: string | undefined },
): Promise<Use> {
  const { db } = store;
  const own = db.selectFrom("workspaces").select("id").where("account_id", "=", accountId);
  const kept = await db
    .selectFrom("counts")
    .select(["what", (eb) => eb.fn.sum<number>("n").as("n")])
    .where("workspace_id", "in", own)
    .where("what", "in", ["code", "link", "dynamic"])
    .groupBy("what")
    .execute();
  const countOf = (what: string): number => kept.find((one) => one.what === what)?.n ?? 0;
  const countRows = async (table: "pages" | "forms" | "products"): Promise<number> => {
    const rows = db.selectFrom(table).where("workspace_id", "in", own);
    const found = await rows.select((eb) => eb.fn.countAll<number>().as("n")).executeTakeFirst();
    return found?.n ?? 0;
  };
  return {
    codes: countOf("code"),
    links: countOf("link"),
    dynamicCodes: countOf("dynamic"),
    maxDynamicCodes: plan.dynamicCodes,
    pages: await countRows("pages"),
    maxPages: plan.pages,
    forms: await countRows("forms"),
    products: await countRows("products"),
    hasWebhooks: plan.webhooks !== false,
    data: await readDataUse({ store }, accountId, folder),
  };
}
