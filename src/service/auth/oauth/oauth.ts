/**
 * How assistants sign in to `/mcp` (docs/spec/api.md section 5.6): OAuth 2.1 with PKCE, as the
 * authorization part of the Model Context Protocol (2025-06-18) asks for.
 */
import { limits } from "../../../api/limits.ts";
import { MCP_PATH } from "../../addresses.ts";
import type { Context } from "../../context.ts";
import { openRateLimit } from "../../http/rate-limit.ts";
import { Refusal } from "../../http/reply.ts";
import { cantStoreHeaders } from "../../store/disk-watch.ts";
import { OAuthError, openToAll, replyJson, tooMany } from "./answers.ts";
import { replyRefused } from "./approval-page.ts";
import { Authorize, type AuthorizeVisit } from "./authorize.ts";
import { register } from "./clients.ts";
import { Grants } from "./grants.ts";
import { describeResource, describeServer, toIssuer } from "./metadata.ts";
import { answerRevoke, answerToken } from "./token-endpoint.ts";

export interface OAuthParts {
  readonly context: Pick<Context, "store" | "clock" | "ids" | "addresses" | "callers" | "disk">;
  /** Signs the tickets of the approval page; kept with the store. */
  readonly key: string;
  readonly isLimited: boolean;
}

export interface OAuthVisit {
  readonly request: Request;
  readonly ip: string;
}

type Answer = (visit: AuthorizeVisit) => Promise<Response>;
/** Method -> answer, of one path. */
type Methods = Readonly<Record<string, Answer>>;

const AUTHORIZE_PATH = "/oauth/authorize";
const RESOURCE_PATH = "/.well-known/oauth-protected-resource";
const SERVER_PATH = "/.well-known/oauth-authorization-server";

/** Answers what browsers ask before a page of another origin may send its request. */
const PREFLIGHT = {
  "access-control-allow-headers": "authorization, content-type, mcp-protocol-version",
  "access-control-max-age": "86400",
};

/**
 * One description at several paths: the plain one, and those of RFC 8414 section 3.1 and RFC 9728
 * section 3.1, with the issuer's or the endpoint's path behind it.
 */
function describe(path: string, make: (issuer: string) => object): [string, Methods][] {
  const GET: Answer = async ({ request, issuer }) => {
    const rest = new URL(request.url).pathname.slice(path.length).replace(/\/$/u, "");
    const own = new URL(issuer).pathname.replace(/\/$/u, "");
    const isKnown = ["", own, MCP_PATH, `${own}${MCP_PATH}`].includes(rest);
    return isKnown ? replyJson(make(issuer)) : replyJson({ error: "not_found" }, { status: 404 });
  };
  return [path, `${path}/*`].map((one) => [one, { GET }]);
}

export class OAuth {
  readonly #parts: OAuthParts;
  readonly #routes: ReadonlyMap<string, Methods>;

  constructor(parts: OAuthParts) {
    this.#parts = parts;
    const { context, key, isLimited } = parts;
    const grants = new Grants(context);
    const limit = isLimited ? openRateLimit(context, "oauth") : undefined;
    const authorize = new Authorize({ ...context, grants, key, limit });
    const countAs = async (key: string, most: number): Promise<void> => {
      const quota = await limit?.take(key, most);
      if (quota?.exceeded === true) throw tooMany(quota.resetS);
    };
    const count = (what: string, { ip }: OAuthVisit, most: number = limits.rejectedPerWindow) =>
      countAs(`${what} ${ip}`, most);
    const takeRegistration: Answer = async (visit) => {
      await count("register", visit);
      return register(context, visit.request);
    };
    const countClient = (id: string): Promise<void> =>
      countAs(`client ${id}`, 2 * limits.writesPerWindow);
    const tokenParts = { ...context, grants, countClient };
    const takeExchange: Answer = async (visit) => {
      // Valid requests are frequent too: many assistants may share one address.
      await count("token", visit, limits.writesPerWindow);
      return answerToken(tokenParts, visit.request, visit.issuers);
    };
    const takeRevocation: Answer = async (visit) => {
      await count("revoke", visit);
      return answerRevoke(tokenParts, visit.request);
    };
    this.#routes = new Map<string, Methods>([
      ...describe(RESOURCE_PATH, describeResource),
      ...describe(SERVER_PATH, describeServer),
      ["/oauth/register", { POST: takeRegistration }],
      [
        AUTHORIZE_PATH,
        { GET: (visit) => authorize.show(visit), POST: (visit) => authorize.decide(visit) },
      ],
      ["/oauth/token", { POST: takeExchange }],
      ["/oauth/revoke", { POST: takeRevocation }],
    ]);
  }

  get paths(): readonly string[] {
    return [...this.#routes.keys()];
  }

  /** Answers a request to one of `paths`; `path` is its pattern. */
  async answer(path: string, { request, ip }: OAuthVisit): Promise<Response> {
    const methods = this.#routes.get(path) ?? {};
    const isPage = path === AUTHORIZE_PATH;
    const answer = methods[request.method === "HEAD" ? "GET" : request.method];
    if (answer === undefined) return refuseMethod(request.method, { methods, isPage });
    const { context } = this.#parts;
    const { addresses } = context;
    const issuer = toIssuer(addresses, request.url);
    const issuers = [issuer, toIssuer(addresses, addresses.publicUrl)];
    try {
      return await answer({ request, ip, issuer, issuers });
    } catch (error) {
      const trouble = context.disk.takes(error);
      const refused =
        trouble === undefined
          ? toOAuthError(error)
          : new OAuthError("temporarily_unavailable", trouble, 503, cantStoreHeaders);
      const { message, status, headers } = refused;
      return isPage ? replyRefused(message, status, headers) : refused.toResponse();
    }
  }
}

/** A body that can't be read is an OAuth error, too. */
function toOAuthError(error: unknown): OAuthError {
  if (error instanceof OAuthError) return error;
  if (!(error instanceof Refusal)) throw error;
  const { fields, reply } = error;
  const text = Object.values(fields ?? reply.body ?? {})
    .flat()
    .join(" ");
  if (!error.isBrake) return new OAuthError("invalid_request", text);
  return new OAuthError("temporarily_unavailable", text, reply.status, reply.headers);
}

function refuseMethod(
  method: string,
  { methods, isPage }: { readonly methods: Methods; readonly isPage: boolean },
): Response {
  const names = Object.keys(methods);
  const allow = [...names, ...(names.includes("GET") ? ["HEAD"] : []), "OPTIONS"].join(", ");
  const open = isPage ? {} : { ...openToAll, ...PREFLIGHT, "access-control-allow-methods": allow };
  return method === "OPTIONS"
    ? new Response(null, { status: 204, headers: { allow, ...open } })
    : new Response("Method Not Allowed", { status: 405, headers: { allow, ...open } });
}
