/**
 * Who is signed in to the console: after one sign-in with a token, a cookie with a random secret
 * replaces it. The store knows the secret's hash only; a session ends with its token.
 */
import { randomBytes } from "node:crypto";

import type { Clock } from "../../base/time/clock.ts";
import { hmacSha256, sha256, toBase32 } from "../../base/ids/ids.ts";
import type { Store } from "../store/store.ts";
import type { Db } from "../store/tables.ts";
import type { Caller } from "./accounts.ts";
import type { Callers } from "./callers.ts";

export interface Session {
  readonly caller: Caller;
  readonly workspaceId: string;
  /** In every form: other sites' pages can't know it. */
  readonly formKey: string;
}

const SECRET_BYTES = 32;
const SECRET = /^[a-z2-7]{52}$/u;
const HOUR_MS = 3_600_000;
/** A session unused for this long ends. */
const IDLE_MS = 12 * HOUR_MS;
/** A session ends after this time in any case. */
const LONGEST_MS = 7 * 24 * HOUR_MS;
const NOTED_EVERY_MS = 60_000;

interface Parts {
  readonly store: Store;
  readonly clock: Clock;
  readonly callers: Callers;
  /** Makes the keys of forms; kept with the store. */
  readonly key: string;
}

export class Sessions {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Opens a session; answers its secret. The secret is always a new one. */
  async open({ tokenId, accountId }: Caller): Promise<string> {
    const { store, clock } = this.#parts;
    const secret = toBase32(randomBytes(SECRET_BYTES));
    const nowMs = clock.nowMs();
    await store.write(async (tx) => {
      await this.#sweep(tx, nowMs);
      const workspaces = tx
        .selectFrom("workspaces")
        .select("id")
        .where("account_id", "=", accountId);
      const { id } = await workspaces.orderBy("created").orderBy("id").executeTakeFirstOrThrow();
      const row = { hash: sha256(secret), token_id: tokenId, workspace_id: id };
      await tx
        .insertInto("console_sessions")
        .values({ ...row, created: nowMs, used: nowMs })
        .execute();
    });
    return secret;
  }

  /** Undefined for an unknown one, one that has ended, or whose token has. */
  async find(secret: string): Promise<Session | undefined> {
    if (!SECRET.test(secret)) return undefined;
    const { store, clock, callers, key } = this.#parts;
    const hash = sha256(secret);
    const rows = store.db.selectFrom("console_sessions").selectAll().where("hash", "=", hash);
    const row = await rows.executeTakeFirst();
    const nowMs = clock.nowMs();
    if (row === undefined || row.used <= nowMs - IDLE_MS || row.created <= nowMs - LONGEST_MS) {
      return undefined;
    }
    const caller = await callers.ofTokenId(row.token_id);
    if (caller === undefined) return undefined;
    if (nowMs - row.used >= NOTED_EVERY_MS) this.#noteUse(hash, nowMs);
    const formKey = toBase32(hmacSha256(key, secret));
    return { caller, workspaceId: row.workspace_id, formKey };
  }

  async choose(secret: string, workspaceId: string): Promise<void> {
    await this.#parts.store.write((tx) =>
      tx
        .updateTable("console_sessions")
        .set({ workspace_id: workspaceId })
        .where("hash", "=", sha256(secret))
        .execute(),
    );
  }

  async end(secret: string): Promise<void> {
    await this.#parts.store.write((tx) =>
      tx.deleteFrom("console_sessions").where("hash", "=", sha256(secret)).execute(),
    );
  }

  /** Ends the sessions of all tokens of the account. */
  async endAll({ accountId }: Caller): Promise<void> {
    await this.#parts.store.write((tx) =>
      tx
        .deleteFrom("console_sessions")
        .where(
          "token_id",
          "in",
          tx.selectFrom("tokens").select("id").where("account_id", "=", accountId),
        )
        .execute(),
    );
  }

  async countOf({ accountId }: Caller): Promise<number> {
    const nowMs = this.#parts.clock.nowMs();
    const rows = await this.#parts.store.db
      .selectFrom("console_sessions")
      .innerJoin("tokens", "tokens.id", "console_sessions.token_id")
      .select("console_sessions.hash")
      .where("tokens.account_id", "=", accountId)
      .where("console_sessions.used", ">", nowMs - IDLE_MS)
      .where("console_sessions.created", ">", nowMs - LONGEST_MS)
      .execute();
    return rows.length;
  }

  async #sweep(tx: Db, nowMs: number): Promise<void> {
    await tx
      .deleteFrom("console_sessions")
      .where((eb) =>
        eb.or([eb("used", "<=", nowMs - IDLE_MS), eb("created", "<=", nowMs - LONGEST_MS)]),
      )
      .execute();
  }

  /** Not awaited, and its failure is ignored. */
  #noteUse(hash: string, nowMs: number): void {
    const note = (tx: Db) =>
      tx.updateTable("console_sessions").set({ used: nowMs }).where("hash", "=", hash).execute();
    this.#parts.store.write(note, "normal").catch(() => {});
  }
}
