/** Accounts as their operator keeps them: workspaces and tokens are made, listed and revoked. */
import { randomBytes } from "node:crypto";
import { readFile, rm } from "node:fs/promises";

import type { Clock } from "../../base/time/clock.ts";
import { AppError } from "../../base/errors.ts";
import { sha256, type Ids } from "../../base/ids/ids.ts";
import { quoteWord } from "../../base/text/shell-words.ts";
import { didYouMean } from "../../base/text/suggest.ts";

import { openExistingStore } from "../store/existing-store.ts";
import type { Store } from "../store/store.ts";
import type { Db, TokenRow } from "../store/tables.ts";
import { toTokenFile } from "./accounts.ts";

export interface WorkspaceFacts {
  readonly id: string;
  readonly name: string;
  readonly created: string;
}

export interface TokenFacts {
  readonly id: string;
  /** Null for a token of a file in the data folder. */
  readonly name: string | null;
  readonly access: "full" | "read-only";
  readonly created: string;
  /** To a minute; null = never. */
  readonly lastUsed: string | null;
  /** Null = it doesn't end. */
  readonly expires: string | null;
  readonly isExpired: boolean;
  /** It stands in the account's file in the data folder now: one without a name may stand there no more. */
  readonly isInFile: boolean;
}

export interface AccountFacts {
  readonly id: string;
  readonly name: string;
  readonly created: string;
  readonly workspaces: readonly WorkspaceFacts[];
  readonly tokens: readonly TokenFacts[];
}

export interface TokenWish {
  readonly name: string;
  /** Default "full". */
  readonly access?: TokenFacts["access"] | undefined;
  /** From then on it is refused. Default: never. */
  readonly expiresMs?: number | undefined;
}

/** A token in plain text: it is never shown again. */
export interface IssuedToken extends TokenFacts {
  readonly token: string;
}

export interface NewAccount {
  readonly account: string;
  readonly workspace: WorkspaceFacts;
  readonly token: IssuedToken;
}

interface BookParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly ids: Ids;
  /** Where the token files are; undefined = they are kept in memory only. */
  readonly folder: string | undefined;
}

const MAX_NAME = 100;
/** An id can be shortened to this many characters. */
const MIN_PREFIX = 4;
const CONTROL = /\p{C}/u;

const toIso = (ms: number): string => new Date(ms).toISOString();
const toIsoOrNull = (ms: number | null): string | null => (ms === null ? null : toIso(ms));

function refuse(message: string, hint?: string): never {
  throw new AppError("bad-usage", message, hint === undefined ? {} : { hint });
}

function checkName(what: string, name: string): string {
  const text = name.trim();
  if (text === "" || text.length > MAX_NAME || CONTROL.test(text)) {
    refuse(
      `the ${what}'s name must have 1 to ${MAX_NAME} visible characters, got ${JSON.stringify(name)}`,
    );
  }
  return text;
}

export class AccountBook {
  readonly #parts: BookParts;

  constructor(parts: BookParts) {
    this.#parts = parts;
  }

  /** All accounts, the oldest first. */
  async list(): Promise<AccountFacts[]> {
    const { db } = this.#parts.store;
    const accounts = await db.selectFrom("accounts").selectAll().orderBy("created").execute();
    const workspaces = await db.selectFrom("workspaces").selectAll().orderBy("created").execute();
    const tokens = await db.selectFrom("tokens").selectAll().orderBy("created").execute();
    const held = await Promise.all(accounts.map(({ name }) => this.#readHeld(name)));
    return accounts.map(({ id, name, created }) => ({
      id,
      name,
      created: toIso(created),
      workspaces: workspaces
        .filter((one) => one.account_id === id)
        .map((one) => ({ id: one.id, name: one.name, created: toIso(one.created) })),
      tokens: tokens.filter((one) => one.account_id === id).map((one) => this.#toFacts(one, held)),
    }));
  }

  /** A new account with a workspace and a token of its name; by default that may do everything. */
  async createAccount(name: string, wish: Omit<TokenWish, "name"> = {}): Promise<NewAccount> {
    const account = checkName("account", name);
    this.#checkEnd(wish);
    return this.#parts.store.write(async (tx) => {
      const known = await findAccounts(tx);
      if (known.some((one) => one.name === account)) {
        refuse(
          `the account must be a new one, got ${JSON.stringify(account)}, which is there`,
          `makeready accounts shows it; makeready accounts token NAME --account ${quoteWord(account)} makes it a token`,
        );
      }
      const id = this.#parts.ids.uuid();
      const created = this.#parts.clock.nowMs();
      await tx.insertInto("accounts").values({ id, name: account, created }).execute();
      const workspace = await this.#addWorkspace(tx, id, account);
      return {
        account,
        workspace,
        token: await this.#addToken(tx, id, { ...wish, name: account }),
      };
    });
  }

  createWorkspace(account: string, name: string): Promise<WorkspaceFacts> {
    const title = checkName("workspace", name);
    return this.#parts.store.write(async (tx) => {
      const id = await requireAccount(tx, account);
      const same = tx
        .selectFrom("workspaces")
        .select("id")
        .where("account_id", "=", id)
        .where("name", "=", title);
      if ((await same.executeTakeFirst()) !== undefined) {
        refuse(`the workspace must be a new one, got ${JSON.stringify(title)}, which is there`);
      }
      return this.#addWorkspace(tx, id, title);
    });
  }

  /** One more token of the account with this name. */
  createToken(account: string, wish: TokenWish): Promise<IssuedToken> {
    return this.#createToken((tx) => requireAccount(tx, account), wish);
  }

  /** The tokens of an account, the oldest first. */
  async listTokens(accountId: string): Promise<TokenFacts[]> {
    const query = selectTokens(this.#parts.store.db).where("account_id", "=", accountId);
    const rows = await query.orderBy("tokens.created").orderBy("tokens.id").execute();
    const [first] = rows;
    const held = first === undefined ? [] : [await this.#readHeld(first.account)];
    return rows.map((row) => this.#toFacts(row, held));
  }

  createTokenOf(accountId: string, wish: TokenWish): Promise<IssuedToken> {
    return this.#createToken(async () => accountId, wish);
  }

  #createToken(findAccount: (tx: Db) => Promise<string>, wish: TokenWish): Promise<IssuedToken> {
    const name = checkName("token", wish.name);
    this.#checkEnd(wish);
    return this.#parts.store.write(async (tx) => {
      const id = await findAccount(tx);
      const same = tx
        .selectFrom("tokens")
        .select("id")
        .where("account_id", "=", id)
        .where("name", "=", name);
      if ((await same.executeTakeFirst()) !== undefined) {
        refuse(
          `the token must have a name of its own, got ${JSON.stringify(name)}, which is taken`,
          "revoke the other one first, or choose another name",
        );
      }
      return this.#addToken(tx, id, { ...wish, name });
    });
  }

  /**
   * Refuses a token from now on, and everything that it allowed assistants to do. `which`: its
   * name, its id or the beginning of its id. If a file of the data folder holds the token, the file
   * is removed too: the next start would accept the token again.
   */
  async revokeToken(which: string): Promise<TokenFacts & { readonly account: string }> {
    return this.#revoke(await findNamedToken(this.#parts.store.db, which));
  }

  /** The same of a token of this account, by its id; undefined when it has none of that id. */
  async revokeTokenOf(accountId: string, id: string): Promise<TokenFacts | undefined> {
    const rows = selectTokens(this.#parts.store.db).where("tokens.id", "=", id);
    const row = await rows.where("account_id", "=", accountId).executeTakeFirst();
    return row === undefined ? undefined : this.#revoke(row);
  }

  async #revoke(row: NamedToken): Promise<TokenFacts & { readonly account: string }> {
    const { store } = this.#parts;
    const facts = this.#toFacts(row, [await this.#readHeld(row.account)]);
    const { folder } = this.#parts;
    if (facts.isInFile && folder !== undefined)
      await rm(toTokenFile(folder, row.account), { force: true });
    await store.write((tx) => tx.deleteFrom("tokens").where("id", "=", row.id).execute());
    return { ...facts, account: row.account };
  }

  /** Hash of the token in an account's file. */
  async #readHeld(account: string): Promise<string> {
    const { folder } = this.#parts;
    if (folder === undefined) return "";
    const text = await readFile(toTokenFile(folder, account), "utf8").catch(() => "");
    return sha256(text.trim());
  }

  #checkEnd({ expiresMs }: Omit<TokenWish, "name">): void {
    if (expiresMs !== undefined && expiresMs <= this.#parts.clock.nowMs())
      refuse(`the token's end must lie ahead, got ${toIso(expiresMs)}`);
  }

  async #addWorkspace(tx: Db, accountId: string, name: string): Promise<WorkspaceFacts> {
    const id = this.#parts.ids.uuid();
    const created = this.#parts.clock.nowMs();
    await tx
      .insertInto("workspaces")
      .values({ id, account_id: accountId, name, created, gs1_stem: null })
      .execute();
    return { id, name, created: toIso(created) };
  }

  async #addToken(tx: Db, accountId: string, wish: TokenWish): Promise<IssuedToken> {
    const { access = "full", expiresMs } = wish;
    const token = randomBytes(20).toString("hex");
    const row: TokenRow = {
      id: this.#parts.ids.uuid(),
      account_id: accountId,
      hash: sha256(token),
      created: this.#parts.clock.nowMs(),
      name: wish.name,
      read_only: Number(access === "read-only"),
      expires: expiresMs ?? null,
      used: null,
    };
    await tx.insertInto("tokens").values(row).execute();
    return { ...this.#toFacts(row), token };
  }

  #toFacts(row: TokenRow, held: readonly string[] = []): TokenFacts {
    return {
      id: row.id,
      name: row.name === "" ? null : row.name,
      access: row.read_only === 1 ? "read-only" : "full",
      created: toIso(row.created),
      lastUsed: toIsoOrNull(row.used),
      expires: toIsoOrNull(row.expires),
      isExpired: row.expires !== null && row.expires <= this.#parts.clock.nowMs(),
      isInFile: held.includes(row.hash),
    };
  }
}

const findAccounts = (db: Db) => db.selectFrom("accounts").select(["id", "name"]).execute();

async function requireAccount(db: Db, name: string): Promise<string> {
  const accounts = await findAccounts(db);
  const found = accounts.find((one) => one.name === name);
  if (found !== undefined) return found.id;
  const hint = didYouMean(
    name,
    accounts.map((one) => one.name),
  );
  return refuse(`the account must be one of this service, got ${JSON.stringify(name)}`, hint);
}

type NamedToken = TokenRow & { readonly account: string };

const selectTokens = (db: Db) =>
  db
    .selectFrom("tokens")
    .innerJoin("accounts", "accounts.id", "tokens.account_id")
    .selectAll("tokens")
    .select("accounts.name as account");

async function findNamedToken(db: Db, which: string): Promise<NamedToken> {
  const rows = await selectTokens(db).execute();
  const isMeant = (row: { readonly id: string; readonly name: string }): boolean =>
    row.id === which || (which.length >= MIN_PREFIX && row.id.startsWith(which));
  const byId = rows.filter(isMeant);
  const found = byId.length > 0 ? byId : rows.filter(({ name }) => name !== "" && name === which);
  const [row, second] = found;
  if (row === undefined) {
    const names = rows.map(({ name }) => name).filter((name) => name !== "");
    return refuse(
      `the token must be named as makeready accounts lists it, got ${JSON.stringify(which)}`,
      names.length === 0
        ? "the ids stand behind token in makeready accounts"
        : didYouMean(which, names),
    );
  }
  if (second !== undefined) {
    const ids = found.map(({ id, account }) => `${id} of the account ${account}`).join(", ");
    refuse(
      `the token must be named so that one is meant, got ${JSON.stringify(which)}`,
      `there are ${ids}`,
    );
  }
  return row;
}

/** Opens the accounts of a data folder, also while a service serves it. */
export async function openAccountBook(
  {
    folder,
    store: url,
    isReader,
  }: {
    readonly folder: string;
    readonly store: string | undefined;
    readonly isReader?: boolean;
  },
  { clock, ids }: { readonly clock: Clock; readonly ids: Ids },
): Promise<{ readonly book: AccountBook; readonly close: () => Promise<void> }> {
  const store = await openExistingStore(folder, url, isReader);
  return { book: new AccountBook({ store, clock, ids, folder }), close: () => store.close() };
}
