/**
 * `/oauth/authorize` (OAuth 2.1 section 4.1): checks what an assistant asks for and shows it to the
 * visitor. Once they approve it with their API token, it leads them back with a code.
 */
import { limits } from "../../../api/limits.ts";
import type { Clock } from "../../../base/time/clock.ts";
import { sha256 } from "../../../base/ids/ids.ts";
import type { Addresses } from "../../addresses.ts";
import { isForeign } from "../../http/foreign.ts";
import type { RateLimit } from "../../http/rate-limit.ts";
import type { Callers } from "../callers.ts";
import { Tickets } from "../ticket.ts";
import { OAuthError, readForm, readOne, requireOne, toParams, type Params } from "./answers.ts";
import {
  DECISION_NAME,
  replyApproval,
  replyFaulty,
  replyRefused,
  TICKET_NAME,
  TOKEN_NAME,
  type ApprovalState,
} from "./approval-page.ts";
import { findClient, type Client } from "./clients.ts";
import { checkScope, requireResource } from "./metadata.ts";
import { isRegistered, isThisComputer, withAnswer } from "./redirect-uris.ts";
import type { TokenParts } from "./token-endpoint.ts";

/** A page may stay open this long. */
const TICKET_MS = 10 * 60 * 1000;
const CHALLENGE = /^[\w-]{43}$/u;
const MAX_STATE = 4096;

export interface AuthorizeParts extends Omit<TokenParts, "countClient"> {
  readonly addresses: Addresses;
  readonly callers: Callers;
  /** Signs the tickets of the page. */
  readonly key: string;
  readonly clock: Clock;
  /** undefined = nothing is limited. */
  readonly limit: RateLimit | undefined;
}

/** One request, and the addresses that it may know this service by. */
export interface AuthorizeVisit {
  readonly request: Request;
  readonly ip: string;
  readonly issuer: string;
  readonly issuers: readonly string[];
}

/** Where answers may be sent. It is checked first: without it, nothing can be answered. */
interface Way {
  readonly client: Client;
  readonly redirectUri: string;
  readonly state: string | undefined;
}

interface Asked extends Way {
  readonly challenge: string;
  /** What a ticket of the page is bound to: this client, redirect URI and challenge. */
  readonly subject: string;
}

export class Authorize {
  readonly #parts: AuthorizeParts;
  readonly #tickets: Tickets;

  constructor(parts: AuthorizeParts) {
    this.#parts = parts;
    this.#tickets = new Tickets(parts.key, parts.clock, TICKET_MS);
  }

  async show(visit: AuthorizeVisit): Promise<Response> {
    return this.#answer(visit, async (asked) => this.#page(asked, visit));
  }

  async decide(visit: AuthorizeVisit): Promise<Response> {
    if (isForeign(visit.request, this.#parts.addresses.publicUrl)) {
      return replyRefused(
        "The decision came from a page of another site. Please start again in the assistant.",
        403,
      );
    }
    return this.#answer(visit, async (asked) =>
      this.#take(asked, visit, await readForm(visit.request)),
    );
  }

  /**
   * Checks the redirect URI, then the request. Faults of the request go to the assistant, but
   * visitors are never led to a stranger automatically.
   */
  async #answer(
    visit: AuthorizeVisit,
    work: (asked: Asked) => Promise<Response>,
  ): Promise<Response> {
    const params = toParams(new URL(visit.request.url).searchParams);
    const way = await this.#findWay(params);
    if (typeof way === "string") return replyRefused(way);
    try {
      return await work(readAsked(params, way, visit));
    } catch (error) {
      if (!(error instanceof OAuthError)) throw error;
      const answer = { error: error.error, error_description: error.message };
      return isThisComputer(way.redirectUri)
        ? leadBack(way, visit, answer)
        : replyFaulty(error.message, way.redirectUri, toBackUri(way, visit, answer));
    }
  }

  async #findWay(params: Params): Promise<Way | string> {
    const [clientIds = [], uris = []] = ["client_id", "redirect_uri"].map((name) =>
      params.get(name),
    );
    const client =
      clientIds.length === 1 ? await findClient(this.#parts.store.db, clientIds[0]) : undefined;
    if (client === undefined) {
      return "The assistant is not known here (client_id). Please remove the connection in the assistant and add it again.";
    }
    // If it is left out, the registered URI counts, if there is just one (RFC 6749 section 3.1.2.3).
    const given = uris.length === 0 ? client.redirectUris : uris;
    const [redirectUri = ""] = given;
    if (given.length !== 1 || !isRegistered(client.redirectUris, redirectUri)) {
      return "The assistant did not register the address to lead you back to (redirect_uri). Nobody was allowed anything.";
    }
    return { client, redirectUri, state: params.get("state")?.[0] };
  }

  #page(asked: Asked, { issuer }: AuthorizeVisit, state?: ApprovalState): Response {
    const { client, redirectUri, subject } = asked;
    const ticket = this.#tickets.issue(subject);
    return replyApproval({ clientName: client.name, redirectUri, ticket, issuer }, state);
  }

  async #take(asked: Asked, visit: AuthorizeVisit, form: Params): Promise<Response> {
    const again = (problem: string, status = 400, headers = {}): Response =>
      this.#page(asked, visit, { problem, status, headers });
    if (this.#tickets.read(asked.subject, readOne(form, TICKET_NAME) ?? "") === undefined) {
      return again("This page was open for too long. Please enter the token once more.");
    }
    const decision = readOne(form, DECISION_NAME);
    if (decision === "deny") {
      const answer = { error: "access_denied", error_description: "The request was denied." };
      return leadBack(asked, visit, answer);
    }
    if (decision !== "approve") return again("Please approve or deny.");
    const quota = await this.#parts.limit?.take(`approve ${visit.ip}`, limits.rejectedPerWindow);
    if (quota?.exceeded === true) {
      const wait = String(quota.resetS);
      return again(
        `Too many tries came from your network. Please try again in ${wait} seconds.`,
        429,
        {
          "retry-after": wait,
        },
      );
    }
    const token = (readOne(form, TOKEN_NAME) ?? "").trim();
    const caller = await this.#parts.callers.ofToken(token);
    if (caller === undefined) return again("No account has this token. Please check it.", 403);
    const code = await this.#parts.grants.approve({
      clientId: asked.client.id,
      tokenId: caller.tokenId,
      redirectUri: asked.redirectUri,
      challenge: asked.challenge,
    });
    return leadBack(asked, visit, { code });
  }
}

/** Throws an `OAuthError` for the assistant. */
function readAsked(params: Params, way: Way, { issuers }: AuthorizeVisit): Asked {
  if ((readOne(params, "state") ?? "").length > MAX_STATE) {
    throw new OAuthError("invalid_request", `state must have at most ${MAX_STATE} characters.`);
  }
  if (requireOne(params, "response_type") !== "code") {
    throw new OAuthError("unsupported_response_type", "response_type must be code.");
  }
  const challenge = requireOne(params, "code_challenge");
  if (readOne(params, "code_challenge_method") !== "S256") {
    throw new OAuthError("invalid_request", "code_challenge_method must be S256.");
  }
  if (!CHALLENGE.test(challenge)) {
    throw new OAuthError(
      "invalid_request",
      "code_challenge must be a SHA-256 in base64url: 43 characters.",
    );
  }
  const mode = readOne(params, "response_mode");
  if (mode !== undefined && mode !== "query") {
    throw new OAuthError("invalid_request", "response_mode must be query.");
  }
  requireResource(params, issuers);
  checkScope(readOne(params, "scope"));
  const { client, redirectUri, state } = way;
  const subject = sha256(JSON.stringify([client.id, redirectUri, state ?? null, challenge]));
  return { ...way, challenge, subject };
}

type Answer = Readonly<Record<string, string>>;

/**
 * The assistant's URI with the answer, `state` as it came, and the issuer (RFC 9207: against mix-up).
 */
const toBackUri = ({ redirectUri, state }: Way, { issuer }: AuthorizeVisit, answer: Answer) =>
  withAnswer(redirectUri, { ...answer, state, iss: issuer });

function leadBack(way: Way, visit: AuthorizeVisit, answer: Answer): Response {
  return new Response(null, {
    // 303: after a form the browser asks with GET.
    status: visit.request.method === "POST" ? 303 : 302,
    headers: {
      location: toBackUri(way, visit, answer),
      "cache-control": "no-store",
      "referrer-policy": "no-referrer",
    },
  });
}
