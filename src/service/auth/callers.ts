/** Who sends requests: the accounts behind API tokens. The store knows hashes only. */
import { timingSafeEqual } from "node:crypto";

import type { Clock } from "../../base/time/clock.ts";
import { sha256 } from "../../base/ids/ids.ts";

import { firstOf, prepare } from "../store/prepared.ts";
import type { Store } from "../store/store.ts";
import type { Db } from "../store/tables.ts";
import type { Caller } from "./accounts.ts";

/** The columns of a token's row that make a caller. */
interface Token {
  readonly id: string;
  readonly account_id: string;
  readonly read_only: number;
  readonly used: number | null;
  readonly name: string;
}

const SCHEME = /^Token[ ]+(\S+)\s*$/iu;
/** A use is stored at most once in this time, so that reads rarely write. */
const NOTED_EVERY_MS = 60_000;

const ofHash = prepare((db, { hash, nowMs }: { hash: string; nowMs: number }) =>
  db
    .selectFrom("tokens")
    .select(["id", "account_id", "hash", "name", "read_only", "used"])
    .where("hash", "=", hash)
    .where((eb) => eb.or([eb("expires", "is", null), eb("expires", ">", nowMs)])),
);

export class Callers {
  readonly #store: Store;
  readonly #clock: Clock;
  /** Token -> when its use was noted last, by this process. */
  readonly #noted = new Map<string, number>();

  constructor({ store, clock }: { readonly store: Store; readonly clock: Clock }) {
    this.#store = store;
    this.#clock = clock;
  }

  /** The account behind `Authorization: Token ...`, or undefined. */
  async ofHeader(header: string | null): Promise<Caller | undefined> {
    const token = SCHEME.exec(header ?? "")?.[1];
    return token === undefined ? undefined : this.ofToken(token);
  }

  /** The account of an API token, however it was sent; undefined for unknown and ended ones. */
  async ofToken(token: string): Promise<Caller | undefined> {
    const hash = sha256(token);
    const row = await firstOf(ofHash(this.#store.db, { hash, nowMs: this.#clock.nowMs() }));
    if (row === undefined || !timingSafeEqual(Buffer.from(row.hash), Buffer.from(hash))) {
      return undefined;
    }
    return this.#admit(row);
  }

  /** The account that allowed an assistant access, by its access token; undefined for ended ones. */
  async ofAccessToken(token: string): Promise<Caller | undefined> {
    const nowMs = this.#clock.nowMs();
    const row = await this.#store.db
      .selectFrom("oauth_grants")
      .innerJoin("tokens", "tokens.id", "oauth_grants.token_id")
      .innerJoin("oauth_clients", "oauth_clients.id", "oauth_grants.client_id")
      .select(["tokens.id", "tokens.account_id", "tokens.name", "tokens.read_only", "tokens.used"])
      .select(["oauth_clients.name as client", "oauth_grants.id as grant_id"])
      .select("oauth_grants.used as grant_used")
      .where("oauth_grants.access_hash", "=", sha256(token))
      .where("oauth_grants.access_expires", ">", nowMs)
      .where((eb) => eb.or([eb("tokens.expires", "is", null), eb("tokens.expires", ">", nowMs)]))
      .executeTakeFirst();
    if (row === undefined) return undefined;
    this.#noteUse("oauth_grants", { id: row.grant_id, used: row.grant_used });
    return { ...this.#admit(row), via: `assistant ${row.client}`.trim() };
  }

  /** Who is signed in to the console with this token; undefined once it has ended. */
  async ofTokenId(id: string): Promise<Caller | undefined> {
    const row = await this.#store.db
      .selectFrom("tokens")
      .select(["id", "account_id", "name", "read_only", "used"])
      .where("id", "=", id)
      .where((eb) => eb.or([eb("expires", "is", null), eb("expires", ">", this.#clock.nowMs())]))
      .executeTakeFirst();
    return row === undefined ? undefined : { ...this.#admit(row), via: "console" };
  }

  #admit(row: Token): Caller {
    this.#noteUse("tokens", row);
    return {
      accountId: row.account_id,
      tokenId: row.id,
      isReadOnly: row.read_only === 1,
      tokenName: row.name,
    };
  }

  /** Not awaited, and its failure is ignored: a full disk must not keep callers out. */
  #noteUse(
    table: "tokens" | "oauth_grants",
    { id, used }: { readonly id: string; readonly used: number | null },
  ): void {
    const nowMs = this.#clock.nowMs();
    const noted = Math.max(used ?? -Infinity, this.#noted.get(id) ?? -Infinity);
    if (nowMs - noted < NOTED_EVERY_MS) return;
    this.#noted.set(id, nowMs);
    const note = (tx: Db) =>
      tx.updateTable(table).set({ used: nowMs }).where("id", "=", id).execute();
    this.#store.write(note, "normal").catch(() => {});
  }
}
