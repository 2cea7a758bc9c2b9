/** `/oauth/token` and `/oauth/revoke` (OAuth 2.1 section 3.2, RFC 7009), for public clients. */
import { OAuthError, readForm, readOne, replyJson, requireOne, type Params } from "./answers.ts";
import { findClient, type ClientParts } from "./clients.ts";
import { ACCESS_MS, type Grants, type Tokens } from "./grants.ts";
import { checkScope, requireResource, SCOPE } from "./metadata.ts";

export interface TokenParts extends ClientParts {
  readonly grants: Grants;
  /** Throws when a registered client asks too often, whatever addresses it uses. */
  readonly countClient: (id: string) => Promise<void>;
}

/** Clients have no secret: one that sends a secret means another server. */
async function requireClient(
  { store, countClient }: TokenParts,
  request: Request,
  params: Params,
): Promise<string> {
  if (request.headers.has("authorization")) {
    throw new OAuthError(
      "invalid_client",
      "Clients are public: client_id belongs into the body, without a secret.",
      401,
      {
        "www-authenticate": "Basic",
      },
    );
  }
  const id = requireOne(params, "client_id");
  if ((await findClient(store.db, id)) === undefined) {
    throw new OAuthError("invalid_client", "The client is not registered (any more).", 401);
  }
  await countClient(id);
  return id;
}

type Exchange = (grants: Grants, params: Params, clientId: string) => Promise<Tokens | undefined>;

const exchanges: ReadonlyMap<string, Exchange> = new Map<string, Exchange>([
  [
    "authorization_code",
    (grants, params, clientId) =>
      grants.exchange({
        clientId,
        code: requireOne(params, "code"),
        verifier: requireOne(params, "code_verifier"),
        redirectUri: readOne(params, "redirect_uri"),
      }),
  ],
  [
    "refresh_token",
    (grants, params, clientId) => grants.refresh(requireOne(params, "refresh_token"), clientId),
  ],
]);

export async function answerToken(
  parts: TokenParts,
  request: Request,
  issuers: readonly string[],
): Promise<Response> {
  const params = await readForm(request);
  const type = requireOne(params, "grant_type");
  const exchange = exchanges.get(type);
  if (exchange === undefined) {
    throw new OAuthError(
      "unsupported_grant_type",
      `grant_type must be ${[...exchanges.keys()].join(" or ")}.`,
    );
  }
  const clientId = await requireClient(parts, request, params);
  requireResource(params, issuers);
  checkScope(readOne(params, "scope"));
  const tokens = await exchange(parts.grants, params, clientId);
  if (tokens === undefined) {
    throw new OAuthError(
      "invalid_grant",
      "It is expired, revoked, used before, or was given to another client.",
    );
  }
  return replyJson({
    access_token: tokens.access,
    token_type: "Bearer",
    expires_in: ACCESS_MS / 1000,
    refresh_token: tokens.refresh,
    scope: SCOPE,
  });
}

/** 200 whatever the token is (RFC 7009 section 2.2). */
export async function answerRevoke(
  { grants }: Pick<TokenParts, "grants">,
  request: Request,
): Promise<Response> {
  const params = await readForm(request);
  const [token] = params.get("token") ?? [];
  if (token !== undefined) await grants.revoke(token, params.get("client_id")?.[0]);
  return replyJson({});
}
