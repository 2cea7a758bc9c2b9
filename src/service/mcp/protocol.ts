/**
 * Model Context Protocol over Streamable HTTP: one JSON answer per request, no sessions. It knows
 * nothing about the tools that it offers, so the service and the desk share it.
 */
import {
  createMcpHandler,
  isLegacyRequest,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type CallToolResult,
  type Prompt,
  type Tool as ListedTool,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";

import { isRecord } from "../../base/is-record.ts";
import { toMessage } from "../../base/errors.ts";
import { ownPackage } from "../../base/files/package-files.ts";

/** The program's version: that of the API stands in its description. */
const SERVER = { name: "makeready", title: "makeready", version: ownPackage.version };

type Json = Record<string, unknown>;

/** A tool as `tools/list` shows it. */
export interface OfferedTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: Json & { readonly type: "object" };
  readonly outputSchema: Json & { readonly type: "object" };
  readonly annotations: Readonly<Record<string, boolean>>;
}

/** What an assistant is offered, and how its calls are answered. */
export interface Offer {
  /** Sent to the assistant before it uses any tool. */
  readonly instructions: string;
  readonly tools: readonly OfferedTool[];
  readonly prompts?: {
    readonly listed: readonly Prompt[];
    /** The prompt in words; a sentence with the reason when it can't be written. */
    write(
      name: string,
      given: Readonly<Record<string, string>>,
    ): { readonly description: string; readonly text: string } | string;
  };
  /** Only called with names of `tools`. */
  call(name: string, args: Json): Promise<CallToolResult>;
  /** Logs a fault of ours; answers what the assistant may know of it. */
  onFault(error: unknown): string;
}

/** A new server for each message: nothing of a sender stays behind. */
function makeServer(offer: Offer): Server {
  const { instructions, tools, prompts } = offer;
  const capabilities = { tools: {}, ...(prompts !== undefined && { prompts: {} }) };
  const server = new Server(SERVER, { capabilities, instructions });
  if (prompts !== undefined) {
    server.setRequestHandler("prompts/list", () => ({ prompts: [...prompts.listed] }));
    server.setRequestHandler("prompts/get", ({ params }) => {
      const written = prompts.write(params.name, params.arguments ?? {});
      if (typeof written === "string")
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, written);
      const { description, text } = written;
      return { description, messages: [{ role: "user", content: { type: "text", text } }] };
    });
  }
  server.setRequestHandler("tools/list", () => ({ tools: tools as unknown as ListedTool[] }));
  server.setRequestHandler("tools/call", ({ params }) => {
    if (!tools.some(({ name }) => name === params.name)) {
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${params.name}`);
    }
    return offer.call(params.name, params.arguments ?? {}).catch((error: unknown) => {
      // The protocol would send our error's message to the assistant.
      throw new ProtocolError(ProtocolErrorCode.InternalError, offer.onFault(error));
    });
  });
  return server;
}

/** JSON-RPC's own refusal of a message whose id isn't known yet. */
export function refuseMessage(
  status: number,
  message: string,
  code = ProtocolErrorCode.InvalidRequest,
): Response {
  return Response.json({ jsonrpc: "2.0", id: null, error: { code, message } }, { status });
}

/** One message; only one old revision allowed an array of them (2025-03-26). */
export function parseMessage(text: string): Response | { readonly message: object } {
  let message: unknown;
  try {
    message = JSON.parse(text);
  } catch (error) {
    const { ParseError } = ProtocolErrorCode;
    return refuseMessage(400, `The body must be JSON: ${toMessage(error)}`, ParseError);
  }
  return isRecord(message)
    ? { message }
    : refuseMessage(400, "The body must be one JSON-RPC message, not a batch.");
}

/**
 * The request as the protocol wants it, with its body read. The protocol asks clients to accept
 * streams as well; here a client that accepts only JSON is served too.
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

/**
 * The revision of the protocol in a message decides which transport serves it; both have the same
 * tools.
 */
export async function serveMessage(
  offer: Offer,
  { request: sent, message }: { readonly request: Request; readonly message: object },
): Promise<Response> {
  const request = withBothTypes(sent);
  const options = { parsedBody: message };
  if (!(await isLegacyRequest(request, message))) {
    // Tools don't change while the program runs: there is nothing to subscribe to.
    const handlerOptions = { legacy: "reject", maxSubscriptions: 0 } as const;
    return createMcpHandler(() => makeServer(offer), handlerOptions).fetch(request, options);
  }
  const server = makeServer(offer);
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  try {
    await server.connect(transport);
    return await transport.handleRequest(request, options);
  } finally {
    await server.close();
  }
}
