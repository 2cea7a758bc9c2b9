/**
 * The assistant endpoint `/mcp` (docs/spec/api.md section 5.6): Model Context Protocol over
 * Streamable HTTP. One JSON answer per request and no sessions, so that any process of a service
 * can answer.
 */
import { localhostAllowedOrigins, originValidationResponse } from "@modelcontextprotocol/server";

import { readErrorBody } from "../../api/errors.ts";
import { ownLimits } from "../../api/limits.ts";
import { toMessage } from "../../base/errors.ts";

import { toIssuer, toResourceMetadataUrl } from "../auth/oauth/metadata.ts";
import type { Context } from "../context.ts";
import { readBytes } from "../http/body.ts";
import { Refusal } from "../http/reply.ts";
import { findBearer, readBearer } from "./bearer.ts";
import { callTool, type CallParts, type Visit } from "./call.ts";
import { listedPrompts, writePrompt } from "./prompts.ts";
import { parseMessage, refuseMessage, serveMessage, type Offer } from "./protocol.ts";
import { toInstructions, tools } from "./tools.ts";
import { listWorkspaces } from "./workspaces.ts";

const SENDS = "POST, OPTIONS";

export interface McpParts extends CallParts {
  readonly context: Context;
}

/** A request as the router passes it on. */
export interface McpArrival {
  readonly request: Request;
  readonly ip: string;
  readonly requestId: string;
  readonly apiPath: string;
}

const listed = [...tools.values()].map(({ description }) => description);

/** The endpoints as tools, for one sender. */
function makeOffer(parts: McpParts, visit: Visit): Offer {
  return {
    instructions: toInstructions(visit.workspaces),
    tools: listed,
    prompts: { listed: listedPrompts, write: writePrompt },
    call(name, args) {
      const tool = tools.get(name);
      if (tool === undefined) throw new Error(`no tool ${name}`);
      return callTool(parts, tool, { args, visit });
    },
    onFault(error) {
      const { requestId } = visit;
      parts.context.log.error({ requestId, error: toMessage(error) }, "tool call failed");
      return `Something went wrong on our side (request ${requestId}).`;
    },
  };
}

/** A message may be as long as a PDF upload of the API; few are. */
const readText = async (request: Request, countLong: () => Promise<void>): Promise<string> => {
  const { maxBodyBytes, maxPdfBodyBytes } = ownLimits;
  const bytes = await readBytes(request, maxPdfBodyBytes, { bytes: maxBodyBytes, ask: countLong });
  return new TextDecoder().decode(bytes);
};

async function readMessage(
  request: Request,
  countLong: () => Promise<void>,
): Promise<Response | { readonly message: object }> {
  let text: string;
  try {
    text = await readText(request, countLong);
  } catch (error) {
    // A refusal by a limit goes on.
    if (!(error instanceof Refusal) || error.fields === undefined) throw error;
    // Too long. (A body that broke off gets the same answer, but nobody reads it.)
    return refuseMessage(413, readErrorBody(error.fields).join(" "));
  }
  return parseMessage(text);
}

/** Only pages of the service's own host and of this computer may ask: against DNS rebinding. */
function toCorsHeaders(origin: string | null): Record<string, string> {
  if (origin === null) return {};
  return {
    "access-control-allow-origin": origin,
    "access-control-expose-headers": "www-authenticate, retry-after, mcp-protocol-version",
    vary: "origin",
  };
}

const preflight = (): Response =>
  new Response(null, {
    status: 204,
    headers: {
      allow: SENDS,
      "access-control-allow-methods": SENDS,
      "access-control-allow-headers":
        "authorization, content-type, accept, mcp-protocol-version, mcp-session-id, mcp-method, mcp-name",
      "access-control-max-age": "86400",
    },
  });

async function answerSender(parts: McpParts, arrival: McpArrival): Promise<Response> {
  const { request, ip, requestId, apiPath } = arrival;
  if (request.method === "OPTIONS") return preflight();
  if (request.method !== "POST") {
    return Response.json(
      { detail: `Method ${request.method} is not allowed.` },
      { status: 405, headers: { allow: SENDS } },
    );
  }
  const { addresses } = parts.context;
  const token = readBearer(request.headers.get("authorization"));
  const caller = token === undefined ? undefined : await findBearer(parts.context, token);
  if (caller === undefined) {
    const document = toResourceMetadataUrl(toIssuer(addresses, request.url));
    const error = token === undefined ? "" : ', error="invalid_token"';
    return parts.dispatcher.refuseStranger(arrival, {
      detail: "A valid token must be sent as `Authorization: Bearer <token>`.",
      scheme: `Bearer resource_metadata="${document}"${error}`,
    });
  }
  return parts.dispatcher.answerMessage({ caller, requestId }, async (countLong) => {
    const read = await readMessage(request, countLong);
    if (read instanceof Response) return read;
    const apiUrl = addresses.seenByClients(new URL(apiPath, request.url)).href;
    const workspaces = await listWorkspaces(parts.context, caller);
    const visit = { caller, workspaces, ip, requestId, apiUrl };
    return serveMessage(makeOffer(parts, visit), { request, message: read.message });
  });
}

export async function answerMcp(parts: McpParts, arrival: McpArrival): Promise<Response> {
  const { request } = arrival;
  const own = new URL(parts.context.addresses.publicUrl).hostname;
  const foreign = originValidationResponse(request, [...localhostAllowedOrigins(), own]);
  const response = foreign ?? (await answerSender(parts, arrival));
  const cors = foreign === undefined ? toCorsHeaders(request.headers.get("origin")) : {};
  const headers = new Headers(response.headers);
  for (const [name, value] of Object.entries(cors)) headers.set(name, value);
  headers.set("cache-control", "no-store");
  return new Response(response.body, { status: response.status, headers });
}
