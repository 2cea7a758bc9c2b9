/** The jobs of the folder as tools of an assistant, at `/mcp` of the desk (docs/desk.md). */
import type { Context, Hono } from "hono";
import { bodyLimit } from "hono/body-limit";

import { toMessage } from "../../base/errors.ts";
import { showCommands } from "../../base/text/program-words.ts";
import { MCP_PATH } from "../../service/addresses.ts";
import { readBearer } from "../../service/mcp/bearer.ts";
import type { DeskContext } from "../context.ts";
import type { Refused } from "../security.ts";
import { en } from "../words/en.ts";
import { callTool } from "./call.ts";
import { instructions, tools } from "./tools.ts";

/** Arguments are names of files and words. */
const MOST_BYTES = 64 * 1024;

const TOKEN_MISSING =
  "A token must be sent as `Authorization: Bearer <token>`: `makeready desk --mcp` prints one.";
const TOKEN_WRONG =
  "The token must be that of the desk that runs now, got another. `makeready desk --mcp` prints a new one at each start: give your assistant that one.";

/** A request without a valid token learns how to get one, others why they are refused. */
export function refuseAssistant(c: Context, why: Refused, program: string): Response {
  if (why !== "no-session") {
    return c.json({ detail: showCommands(en.refused[why], program) }, 403);
  }
  const hasToken = readBearer(c.req.header("authorization") ?? null) !== undefined;
  const detail = showCommands(hasToken ? TOKEN_WRONG : TOKEN_MISSING, program);
  const challenge = hasToken ? 'Bearer error="invalid_token"' : "Bearer";
  return c.json({ detail }, 401, { "www-authenticate": challenge });
}

export function routeMcp(app: Hono, desk: DeskContext): void {
  const limit = bodyLimit({
    maxSize: MOST_BYTES,
    onError: (c) => c.json({ detail: `The body must have at most ${MOST_BYTES} bytes.` }, 413),
  });
  app.post(MCP_PATH, limit, async (c) => {
    const { parseMessage, serveMessage } = await import("../../service/mcp/protocol.ts");
    const read = parseMessage(await c.req.text());
    if (read instanceof Response) return read;
    const offer = {
      instructions,
      tools,
      call: (name: string, args: Readonly<Record<string, unknown>>) =>
        callTool(desk, { name, args, signal: c.req.raw.signal }),
      onFault: (error: unknown) => `Something went wrong in the desk: ${toMessage(error)}`,
    };
    return serveMessage(offer, { request: c.req.raw, message: read.message });
  });
  app.all(MCP_PATH, (c) =>
    c.json({ detail: `Method ${c.req.method} is not allowed.` }, 405, { allow: "POST" }),
  );
}
