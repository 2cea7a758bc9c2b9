/** Who may use the service: accounts with their tokens and workspaces. */
import { randomBytes } from "node:crypto";
import { readFile, rm } from "node:fs/promises";
import path from "node:path";

import { writeFileAtomic, writeNewFileAtomic } from "../../base/files/atomic-file.ts";
import type { Clock } from "../../base/time/clock.ts";
import { sha256, type Ids } from "../../base/ids/ids.ts";

import { refuse } from "../http/reply.ts";
import { firstOf, prepare } from "../store/prepared.ts";
import type { Store } from "../store/store.ts";
import type { Db, Tables } from "../store/tables.ts";

/** What a caller needs to use an account. */
export interface Access {
  readonly token: string;
  readonly workspaceId: string;
}

/** Who sent a request. */
export interface Caller {
  readonly accountId: string;
  readonly tokenId: string;
  /** Writes are refused. */
  readonly isReadOnly: boolean;
  /** What its token is called; empty for a token of a file. */
  readonly tokenName: string;
  /** `console`, or `assistant NAME`; left out = the API itself. */
  readonly via?: string | undefined;
}

const ownWorkspace = prepare((db, { id, accountId }: { id: string; accountId: string }) =>
  db.selectFrom("workspaces").select("id").where("id", "=", id).where("account_id", "=", accountId),
);

/** Refuses (404) a workspace that isn't the caller's, whether it exists or not. */
export async function requireWorkspace(db: Db, caller: Caller, id: string): Promise<string> {
  const row = await firstOf(ownWorkspace(db, { id, accountId: caller.accountId }));
  if (row === undefined) throw refuse.notFound();
  return row.id;
}

type Owned = "codes" | "folders" | "forms" | "pages" | "products";

/** All these tables have an id and a workspace. For the types, one of them stands for all. */
const rowIn = (table: Owned) =>
  prepare((db, { id, accountId }: { id: string; accountId: string }) => {
    const name = table as "codes";
    return db
      .selectFrom(name)
      .innerJoin("workspaces", "workspaces.id", `${name}.workspace_id`)
      .selectAll(name)
      .where(`${name}.id`, "=", id)
      .where("workspaces.account_id", "=", accountId);
  });

const ownRow: Readonly<Record<Owned, ReturnType<typeof rowIn>>> = {
  codes: rowIn("codes"),
  folders: rowIn("folders"),
  forms: rowIn("forms"),
  pages: rowIn("pages"),
  products: rowIn("products"),
};

/** A row of the caller; one of another account is refused (404) like an unknown one. */
export async function requireOwned<T extends Owned>(
  db: Db,
  table: T,
  { accountId }: Caller,
  id: string,
): Promise<Tables[T]> {
  const row = await firstOf(ownRow[table](db, { id, accountId }));
  if (row === undefined) throw refuse.notFound();
  return row as Tables[T];
}

export interface AccountSetup {
  readonly store: Store;
  readonly ids: Ids;
  readonly clock: Clock;
  /** Folder of the token files; undefined keeps tokens in memory only. */
  readonly folder: string | undefined;
  /** Replaces the token: all older ones of the account are refused from now on. */
  readonly renewToken?: boolean | undefined;
}

/** The file with the token of an account that the service itself made. */
export const toTokenFile = (folder: string, account: string): string =>
  path.join(folder, account === "default" ? "token" : `token-${account}`);

/**
 * Makes an account with one workspace and one token on first use; later calls answer the same. The
 * plain token is in the file `token` (`token-<name>` for others) of the data folder, readable by
 * its owner only. If the file is lost, a new one with a new token is made; the old tokens stay
 * valid.
 */
export async function openAccount(setup: AccountSetup, name: string): Promise<Access> {
  const file = setup.folder === undefined ? undefined : toTokenFile(setup.folder, name);
  if (setup.renewToken === true) await forgetTokens(setup.store, name, file);
  // The file is written first: after a kill in between, the next start registers its token.
  const token = (await readToken(file)) ?? (await makeToken(file));
  const workspaceId = await setup.store.write(async (tx) => saveAccess(tx, setup, { name, token }));
  return { token, workspaceId };
}

async function forgetTokens(store: Store, name: string, file: string | undefined): Promise<void> {
  // After a kill in between, the file's token is registered again; the next try replaces it.
  await store.write((tx) =>
    tx
      .deleteFrom("tokens")
      .where("account_id", "in", tx.selectFrom("accounts").select("id").where("name", "=", name))
      .execute(),
  );
  if (file !== undefined) await rm(file, { force: true });
}

async function readToken(file: string | undefined): Promise<string | undefined> {
  if (file === undefined) return undefined;
  const text = await readFile(file, "utf8").catch(() => "");
  return text.trim() === "" ? undefined : text.trim();
}

/** When several processes start at once on one folder, all use the token of the first. */
async function makeToken(file: string | undefined): Promise<string> {
  const token = randomBytes(20).toString("hex");
  if (file === undefined) return token;
  const isPrivate = true;
  try {
    await writeNewFileAtomic(file, `${token}\n`, { isPrivate });
    return token;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  const other = await readToken(file);
  if (other !== undefined) return other;
  await writeFileAtomic(file, `${token}\n`, { isPrivate });
  return token;
}

async function saveAccess(
  tx: Db,
  { ids, clock }: AccountSetup,
  { name, token }: { readonly name: string; readonly token: string },
): Promise<string> {
  const created = clock.nowMs();
  await tx
    .insertInto("accounts")
    .values({ id: ids.uuid(), name, created })
    .onConflict((conflict) => conflict.column("name").doNothing())
    .execute();
  const account = await tx
    .selectFrom("accounts")
    .select("id")
    .where("name", "=", name)
    .executeTakeFirstOrThrow();
  await tx
    .insertInto("tokens")
    .values({ id: ids.uuid(), account_id: account.id, hash: sha256(token), created })
    .onConflict((conflict) => conflict.column("hash").doNothing())
    .execute();
  const workspace = await tx
    .selectFrom("workspaces")
    .select("id")
    .where("account_id", "=", account.id)
    .orderBy("created")
    .executeTakeFirst();
  if (workspace !== undefined) return workspace.id;
  const id = ids.uuid();
  await tx
    .insertInto("workspaces")
    .values({ id, account_id: account.id, name, created, gs1_stem: null })
    .execute();
  return id;
}
