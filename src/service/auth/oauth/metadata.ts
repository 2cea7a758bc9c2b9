/** What assistants read first: RFC 9728 of the endpoint, RFC 8414 of the server that signs in. */
import { withoutEndSlash } from "../../../base/text/url.ts";
import { MCP_PATH, type Addresses } from "../../addresses.ts";
import { OAuthError, type Params } from "./answers.ts";

/** After signing in, an assistant may do all that the account's API token may. */
export const SCOPE = "mcp";

/** The issuer: the address by which the asker reaches this service, without a slash at its end. */
export function toIssuer(addresses: Addresses, url: string): string {
  return withoutEndSlash(addresses.seenByClients(new URL("/", url)).href);
}

/** Where the endpoint's description is (RFC 9728 section 3.1). */
export const toResourceMetadataUrl = (issuer: string): string =>
  `${issuer}/.well-known/oauth-protected-resource${MCP_PATH}`;

/** RFC 9728 section 2. */
export const describeResource = (issuer: string): object => ({
  resource: `${issuer}${MCP_PATH}`,
  resource_name: "makeready",
  authorization_servers: [issuer],
  bearer_methods_supported: ["header"],
  scopes_supported: [SCOPE],
});

/** RFC 8414 section 2. */
export const describeServer = (issuer: string): object => ({
  issuer,
  authorization_endpoint: `${issuer}/oauth/authorize`,
  token_endpoint: `${issuer}/oauth/token`,
  registration_endpoint: `${issuer}/oauth/register`,
  revocation_endpoint: `${issuer}/oauth/revoke`,
  scopes_supported: [SCOPE],
  response_types_supported: ["code"],
  response_modes_supported: ["query"],
  grant_types_supported: ["authorization_code", "refresh_token"],
  token_endpoint_auth_methods_supported: ["none"],
  revocation_endpoint_auth_methods_supported: ["none"],
  code_challenge_methods_supported: ["S256"],
  authorization_response_iss_parameter_supported: true,
});

const canonical = (url: string): string => {
  const { origin, pathname, search } = new URL(url);
  return `${origin}${withoutEndSlash(pathname)}${search}`;
};

/** Every `resource` that is given must be the endpoint (RFC 8707 section 2). */
export function requireResource(params: Params, issuers: readonly string[]): void {
  const own = issuers.map((issuer) => canonical(`${issuer}${MCP_PATH}`));
  for (const given of params.get("resource") ?? []) {
    if (!URL_WITHOUT_FRAGMENT.test(given) || !own.includes(canonical(given))) {
      throw new OAuthError("invalid_target", `resource must be ${own[0] ?? ""}.`);
    }
  }
}

const URL_WITHOUT_FRAGMENT = /^https?:\/\/[\w.:[\]-]+(?:[/?][^#\s]*)?$/iu;
/** RFC 6749 section 3.3. */
const SCOPES = /^[\u0021\u0023-\u005b\u005d-\u007e]+(?: [\u0021\u0023-\u005b\u005d-\u007e]+)*$/u;

/**
 * There is one scope. Others are ignored, as RFC 6749 section 3.3 allows; the answer names the
 * granted one.
 */
export function checkScope(scope: string | undefined): void {
  if (scope !== undefined && !SCOPES.test(scope)) {
    throw new OAuthError("invalid_scope", "scope must be words with one space between them.");
  }
}
