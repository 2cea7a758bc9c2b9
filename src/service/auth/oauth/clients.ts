/** Assistants that registered (RFC 7591): public clients, each with its redirect URIs. */
import type { Clock } from "../../../base/time/clock.ts";
import type { Ids } from "../../../base/ids/ids.ts";
import { readJson } from "../../http/body.ts";
import type { Store } from "../../store/store.ts";
import type { Db } from "../../store/tables.ts";
import { OAuthError, replyJson } from "./answers.ts";
import { SCOPE } from "./metadata.ts";
import { findUriFault } from "./redirect-uris.ts";

export interface Client {
  readonly id: string;
  /** Empty when it gave none. */
  readonly name: string;
  readonly redirectUris: readonly string[];
}

export interface ClientParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly ids: Ids;
}

const MAX_BYTES = 16 * 1024;
const MAX_NAME = 200;
const MAX_URIS = 20;
/** Characters of all URIs of a client: strangers can fill at most 10 MB of the store. */
const MAX_URIS_LENGTH = 4000;
/**
 * Beyond this many, clients without a grant are deleted: those never allowed anything first, then the
 * oldest.
 */
const MAX_CLIENTS = 2000;
const DAY_MS = 24 * 60 * 60 * 1000;
/** A client unused for this long is deleted; one that was never allowed anything, sooner. */
const KEPT_MS = 90 * DAY_MS;
const NEVER_ALLOWED_KEPT_MS = 7 * DAY_MS;
/**
 * Control characters and those that change the direction of writing: a name must not look like
 * another.
 */
const UNSEEN = /[\p{Cc}\p{Zl}\p{Zp}\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/u;

const metadataFault = (text: string): OAuthError => new OAuthError("invalid_client_metadata", text);

function readName(value: unknown): string {
  if (value === undefined || value === null) return "";
  if (typeof value !== "string" || value.length > MAX_NAME || UNSEEN.test(value)) {
    throw metadataFault(`client_name must be visible text of at most ${MAX_NAME} characters.`);
  }
  return value.trim();
}

const uriFault = (text: string): OAuthError => new OAuthError("invalid_redirect_uri", text);

function readUris(value: unknown): string[] {
  if (!Array.isArray(value) || value.length === 0 || value.length > MAX_URIS) {
    throw uriFault(`redirect_uris must be a list of 1 to ${MAX_URIS} URIs.`);
  }
  for (const [index, uri] of value.entries()) {
    const fault = findUriFault(uri);
    if (fault !== undefined) throw uriFault(`redirect_uris[${index}] ${fault}.`);
  }
  const uris = [...new Set(value as string[])];
  if (uris.join("").length > MAX_URIS_LENGTH) {
    throw uriFault(`redirect_uris must have at most ${MAX_URIS_LENGTH} characters in all.`);
  }
  return uris;
}

/** What is asked for must have what we can do; the answer says what there is (RFC 7591 section 2). */
function requireWord(fields: Record<string, unknown>, name: string, word: string): void {
  const value = fields[name];
  if (value === undefined || value === null) return;
  if (!Array.isArray(value) || !value.includes(word)) {
    throw metadataFault(`${name} must be a list with ${JSON.stringify(word)}.`);
  }
}

/** Answers `POST /oauth/register` (RFC 7591 section 3). */
export async function register(
  { store, clock, ids }: ClientParts,
  request: Request,
): Promise<Response> {
  const { value } = await readJson(request, { maxBytes: MAX_BYTES, array: false });
  const fields = value as Record<string, unknown>;
  const uris = readUris(fields["redirect_uris"]);
  const name = readName(fields["client_name"]);
  requireWord(fields, "grant_types", "authorization_code");
  requireWord(fields, "response_types", "code");
  const id = ids.uuid();
  const now = clock.nowMs();
  await store.write(async (tx) => {
    await forgetClients(tx, now);
    await tx
      .insertInto("oauth_clients")
      .values({ id, name, redirect_uris: JSON.stringify(uris), used: now, allowed: 0 })
      .execute();
  });
  const answer = {
    client_id: id,
    client_id_issued_at: Math.floor(now / 1000),
    ...(name === "" ? {} : { client_name: name }),
    redirect_uris: uris,
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    token_endpoint_auth_method: "none",
    scope: SCOPE,
  };
  return replyJson(answer, { status: 201 });
}

/** Makes room: strangers can't fill the store, and no client with a grant is deleted. */
async function forgetClients(tx: Db, now: number): Promise<void> {
  await tx.deleteFrom("oauth_grants").where("expires", "<=", now).execute();
  const granted = tx.selectFrom("oauth_grants").select("client_id");
  await tx
    .deleteFrom("oauth_clients")
    .where((eb) =>
      eb.or([
        eb("used", "<", now - KEPT_MS),
        eb.and([eb("allowed", "=", 0), eb("used", "<", now - NEVER_ALLOWED_KEPT_MS)]),
      ]),
    )
    .where("id", "not in", granted)
    .execute();
  const { n } = await tx
    .selectFrom("oauth_clients")
    .select((eb) => eb.fn.countAll<number>().as("n"))
    .executeTakeFirstOrThrow();
  if (n < MAX_CLIENTS) return;
  const oldest = tx
    .selectFrom("oauth_clients")
    .select("id")
    .where("id", "not in", granted)
    .orderBy("allowed")
    .orderBy("used")
    .limit(n - MAX_CLIENTS + 1);
  await tx.deleteFrom("oauth_clients").where("id", "in", oldest).execute();
}

export async function findClient(db: Db, id: string | undefined): Promise<Client | undefined> {
  if (id === undefined) return undefined;
  const rows = db.selectFrom("oauth_clients").selectAll().where("id", "=", id);
  const row = await rows.executeTakeFirst();
  if (row === undefined) return undefined;
  return { id, name: row.name, redirectUris: JSON.parse(row.redirect_uris) as string[] };
}

/** Notes that the client has a grant and uses it. */
export async function touchClient(tx: Db, id: string, now: number): Promise<void> {
  await tx
    .updateTable("oauth_clients")
    .set({ used: now, allowed: 1 })
    .where("id", "=", id)
    .execute();
}
