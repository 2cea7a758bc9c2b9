/**
 * What assistants were allowed. A grant begins with a code, which is exchanged once for an access
 * and a refresh token; each refresh replaces both. It ends with its API token, when it is revoked,
 * or when its code or a refresh token is used twice (OAuth 2.1 sections 4.1.3 and 4.3.1). The store knows
 * hashes only.
 */
import { createHash, randomBytes } from "node:crypto";

import { sha256, toBase32 } from "../../../base/ids/ids.ts";
import type { Db, OAuthGrantRow } from "../../store/tables.ts";
import { touchClient, type ClientParts } from "./clients.ts";

const CODE_MS = 60_000;
export const ACCESS_MS = 60 * 60 * 1000;
const REFRESH_MS = 30 * 24 * 60 * 60 * 1000;

const SECRET_BYTES = 32;
const FAMILY_BYTES = 20;
const REFRESH = /^mrr_([a-z2-7]{32})[a-z2-7]{52}$/u;
const VERIFIER = /^[\w.~-]{43,128}$/u;

const makeSecret = (): string => toBase32(randomBytes(SECRET_BYTES));

export interface Tokens {
  readonly access: string;
  readonly refresh: string;
}

export interface Approval {
  readonly clientId: string;
  /** The API token that approved it. */
  readonly tokenId: string;
  readonly redirectUri: string;
  readonly challenge: string;
}

/** What an assistant was allowed, as its owner sees it. */
export interface GrantFacts {
  readonly id: string;
  /** The assistant's own name; may be empty. */
  readonly assistant: string;
  readonly leadsTo: string;
  /** Name of the token that allowed it; empty for one of a file. */
  readonly token: string;
  readonly isReadOnly: boolean;
  /** Null = allowed before this was recorded. */
  readonly sinceMs: number | null;
  /** To a minute; null = never. */
  readonly usedMs: number | null;
}

export interface CodeUse {
  readonly code: string;
  readonly clientId: string;
  /** Left out, it isn't compared: the verifier binds the code (OAuth 2.1 section 10.2). */
  readonly redirectUri: string | undefined;
  readonly verifier: string;
}

const toChallenge = (verifier: string): string =>
  createHash("sha256").update(verifier).digest("base64url");

const isFor = (row: OAuthGrantRow, use: CodeUse): boolean =>
  row.client_id === use.clientId &&
  (use.redirectUri === undefined || row.redirect_uri === use.redirectUri) &&
  VERIFIER.test(use.verifier) &&
  row.challenge === toChallenge(use.verifier);

export class Grants {
  readonly #parts: ClientParts;

  constructor(parts: ClientParts) {
    this.#parts = parts;
  }

  /** The code of a new grant. */
  async approve({ clientId, tokenId, redirectUri, challenge }: Approval): Promise<string> {
    const code = `mrc_${makeSecret()}`;
    const { store, ids } = this.#parts;
    const now = this.#parts.clock.nowMs();
    await store.write(async (tx) => {
      await tx.deleteFrom("oauth_grants").where("expires", "<=", now).execute();
      await touchClient(tx, clientId, now);
      await tx
        .insertInto("oauth_grants")
        .values({
          id: ids.uuid(),
          client_id: clientId,
          token_id: tokenId,
          redirect_uri: redirectUri,
          challenge,
          code_hash: sha256(code),
          access_hash: null,
          access_expires: null,
          family_hash: null,
          refresh_hash: null,
          expires: now + CODE_MS,
          created: now,
          used: null,
        })
        .execute();
    });
    return code;
  }

  /**
   * The tokens for a code, at its first correct use; any other use answers undefined and ends the
   * grant.
   */
  exchange(use: CodeUse): Promise<Tokens | undefined> {
    return this.#take("code_hash", sha256(use.code), (row) =>
      row.access_hash === null && isFor(row, use) ? toBase32(randomBytes(FAMILY_BYTES)) : undefined,
    );
  }

  /** New tokens for the newest refresh token; an older one answers undefined and ends the grant. */
  async refresh(token: string, clientId: string): Promise<Tokens | undefined> {
    const [, family] = REFRESH.exec(token) ?? [];
    if (family === undefined) return undefined;
    return this.#take("family_hash", sha256(family), (row) =>
      row.client_id === clientId && row.refresh_hash === sha256(token) ? family : undefined,
    );
  }

  /** Ends the grant of an access or refresh token (RFC 7009); unknown ones are no error. */
  async revoke(token: string, clientId: string | undefined): Promise<void> {
    const hash = sha256(token);
    await this.#parts.store.write((tx) =>
      tx
        .deleteFrom("oauth_grants")
        .where((eb) => eb.or([eb("access_hash", "=", hash), eb("refresh_hash", "=", hash)]))
        .$if(clientId !== undefined, (query) => query.where("client_id", "=", clientId ?? ""))
        .execute(),
    );
  }

  /** Grants of an account's tokens, the newest first. */
  async listOf(accountId: string): Promise<GrantFacts[]> {
    const rows = await this.#parts.store.db
      .selectFrom("oauth_grants")
      .innerJoin("tokens", "tokens.id", "oauth_grants.token_id")
      .innerJoin("oauth_clients", "oauth_clients.id", "oauth_grants.client_id")
      .selectAll("oauth_grants")
      .select(["oauth_clients.name", "tokens.name as token", "tokens.read_only"])
      .where("tokens.account_id", "=", accountId)
      .where("oauth_grants.expires", ">", this.#parts.clock.nowMs())
      // A code that was never exchanged is no grant yet.
      .where("oauth_grants.access_hash", "is not", null)
      .orderBy("oauth_grants.created", "desc")
      .orderBy("oauth_grants.id")
      .execute();
    return rows.map((row) => ({
      id: row.id,
      assistant: row.name,
      leadsTo: row.redirect_uri,
      token: row.token,
      isReadOnly: row.read_only === 1,
      sinceMs: row.created,
      usedMs: row.used,
    }));
  }

  /** Ends a grant of the account; false when it has none of that id. */
  async endOf(accountId: string, id: string): Promise<boolean> {
    const isThere = (await this.listOf(accountId)).some((grant) => grant.id === id);
    if (!isThere) return false;
    await this.#parts.store.write((tx) =>
      tx.deleteFrom("oauth_grants").where("id", "=", id).execute(),
    );
    return true;
  }

  /** Replaces the tokens of a live grant when `judge` names their family, else ends it. */
  #take(
    column: "code_hash" | "family_hash",
    hash: string,
    judge: (row: OAuthGrantRow) => string | undefined,
  ): Promise<Tokens | undefined> {
    const now = this.#parts.clock.nowMs();
    return this.#parts.store.write(async (tx) => {
      const rows = tx.selectFrom("oauth_grants").selectAll().where(column, "=", hash);
      const row = await rows.executeTakeFirst();
      if (row === undefined) return undefined;
      const isLive = row.expires > now && !(await hasEnded(tx, row.token_id, now));
      const family = isLive ? judge(row) : undefined;
      if (family === undefined) {
        await tx.deleteFrom("oauth_grants").where("id", "=", row.id).execute();
        return undefined;
      }
      return issueTokens(tx, row, { family, now });
    });
  }
}

/** When an API token ends, what it allowed ends too. */
async function hasEnded(tx: Db, tokenId: string, now: number): Promise<boolean> {
  const tokens = tx.selectFrom("tokens").select("expires").where("id", "=", tokenId);
  const { expires } = (await tokens.executeTakeFirst()) ?? { expires: 0 };
  return expires !== null && expires <= now;
}

async function issueTokens(
  tx: Db,
  { id, client_id: clientId }: OAuthGrantRow,
  { family, now }: { readonly family: string; readonly now: number },
): Promise<Tokens> {
  const tokens = { access: `mra_${makeSecret()}`, refresh: `mrr_${family}${makeSecret()}` };
  await tx
    .updateTable("oauth_grants")
    .set({
      access_hash: sha256(tokens.access),
      access_expires: now + ACCESS_MS,
      family_hash: sha256(family),
      refresh_hash: sha256(tokens.refresh),
      expires: now + REFRESH_MS,
    })
    .where("id", "=", id)
    .execute();
  await touchClient(tx, clientId, now);
  return tokens;
}
