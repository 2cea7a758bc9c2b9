/**
 * The assistant endpoint `/mcp` (docs/spec/api.md section 5.6): Model Context Protocol over
 * Streamable HTTP, one JSON answer per request, no sessions, so that any process of a service may
 * answer.
 */
import {
  createMcpHandler,
  isLegacyRequest,
  localhostAllowedOrigins,
  originValidationResponse,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type Tool as ListedTool,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";

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
import { instructions, tools } from "./tools.ts";

const SERVER = { name: "makeready", title: "makeready", version: "2.0.0" };
const SENDS = "POST, OPTIONS";

export interface McpParts extends CallParts {
  readonly context: Context;
}

/** A request as the router hands it over. */
export interface McpArrival {
  readonly request: Request;
  readonly ip: string;
  readonly requestId: string;
  readonly apiPath: string;
}

const listed = [...tools.values()].map(({ description }) => ({
  ...description,
  inputSchema: description.inputSchema as ListedTool["inputSchema"],
  outputSchema: description.outputSchema as ListedTool["outputSchema"],
}));

/** One message is served by one server: nothing of a sender outlives the answer. */
function makeServer(parts: McpParts, visit: Visit): Server {
  const capabilities = { tools: {}, prompts: {} };
  const server = new Server(SERVER, { capabilities, instructions });
  server.setRequestHandler("prompts/list", () => ({ prompts: listedPrompts }));
  server.setRequestHandler("prompts/get", ({ params }) => {
    const written = writePrompt(params.name, params.arguments ?? {});
    if (typeof written === "string")
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, written);
    const { description, text } = written;
    return { description, messages: [{ role: "user", content: { type: "text", text } }] };
  });
  server.setRequestHandler("tools/list", () => ({ tools: listed }));
  server.setRequestHandler("tools/call", ({ params }) => {
    const tool = tools.get(params.name);
    if (tool === undefined) {
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${params.name}`);
    }
    return callTool(parts, tool, { args: params.arguments ?? {}, visit }).catch(
      (error: unknown) => {
        // The protocol would send the sentence of our fault to the assistant.
        const { requestId } = visit;
        parts.context.log.error({ requestId, error: toMessage(error) }, "tool call failed");
        const text = `Something went wrong on our side (request ${requestId}).`;
        throw new ProtocolError(ProtocolErrorCode.InternalError, text);
      },
    );
  });
  return server;
}

/** JSON-RPC's own refusal, of a message that has no id yet. */
function refuseMessage(status: number, code: ProtocolErrorCode, message: string): Response {
  return Response.json({ jsonrpc: "2.0", id: null, error: { code, message } }, { status });
}

/**
 * The request as the protocol wants it, its body read: who takes JSON is served, though the protocol
 * has clients say that they would take a stream, too.
 */
function withBothTypes({ url, headers: sent, signal }: Request): Request {
  const headers = new Headers(sent);
  const accept = headers.get("accept") ?? "*/*";
  if (/(?:application\/json|application\/\*|\*\/\*)/iu.test(accept)) {
    headers.set("accept", "application/json, text/event-stream");
  }
  headers.delete("content-length");
  return new Request(url, { method: "POST", headers, signal });
}

/** Which revision of the protocol a message speaks decides who serves it; both have the same tools. */
async function serveMessage(
  parts: McpParts,
  { request, visit, message }: { request: Request; visit: Visit; message: unknown },
): Promise<Response> {
  const options = { parsedBody: message };
  if (!(await isLegacyRequest(request, message))) {
    // Tools never change while the service runs: there is nothing to subscribe to.
    const handlerOptions = { legacy: "reject", maxSubscriptions: 0 } as const;
    return createMcpHandler(() => makeServer(parts, visit), handlerOptions).fetch(request, options);
  }
  const server = makeServer(parts, visit);
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  try {
    await server.connect(transport);
    return await transport.handleRequest(request, options);
  } finally {
    await server.close();
  }
}

/** A PDF fits in as in the API; few messages are that long. */
const readText = async (request: Request, countLong: () => Promise<void>): Promise<string> => {
  const { maxBodyBytes, maxPdfBodyBytes } = ownLimits;
  const bytes = await readBytes(request, maxPdfBodyBytes, { bytes: maxBodyBytes, ask: countLong });
  return new TextDecoder().decode(bytes);
};

/** Reads one message; an array of them was part of one old revision only (2025-03-26). */
async function readMessage(
  request: Request,
  countLong: () => Promise<void>,
): Promise<Response | { readonly message: object }> {
  const { InvalidRequest, ParseError } = ProtocolErrorCode;
  let message: unknown;
  try {
    message = JSON.parse(await readText(request, countLong));
  } catch (error) {
    // One message too many.
    if (error instanceof Refusal && error.fields === undefined) throw error;
    if (error instanceof Refusal) {
      // Too long; of one that broke off nobody reads the answer.
      return refuseMessage(413, InvalidRequest, readErrorBody(error.fields).join(" "));
    }
    return refuseMessage(400, ParseError, `The body must be JSON: ${toMessage(error)}`);
  }
  return typeof message === "object" && message !== null && !Array.isArray(message)
    ? { message }
    : refuseMessage(400, InvalidRequest, "The body must be one JSON-RPC message, not a batch.");
}

/** Pages of the service's own host and of this computer may ask, others not: DNS rebinding. */
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
    const visit = { caller, ip, requestId, apiUrl };
    return serveMessage(parts, { request: withBothTypes(request), visit, message: read.message });
  });
}

/** Answers one request to `/mcp`. */
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
