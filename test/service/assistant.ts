/** An assistant that speaks to a service in memory. */
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";

import type { TestService, Wire } from "./make-service.ts";

export const MCP_URL = "http://service.test/mcp";

export interface Session {
  readonly client: Client;
  readonly call: (name: string, args?: Record<string, unknown>) => Promise<Wire>;
}

export interface Connecting {
  readonly at: TestService;
  readonly token?: string;
  /** Of today (2025-11-25), or of the revision after it. */
  readonly mode?: "legacy" | "auto";
}

export async function connectTo({
  at,
  token = at.account.token,
  mode = "legacy",
}: Connecting): Promise<Session> {
  const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode } });
  const transport = new StreamableHTTPClientTransport(new URL(MCP_URL), {
    fetch: (url, init) => at.fetch(new Request(url, init)),
    requestInit: { headers: { authorization: `Bearer ${token}` } },
  });
  await client.connect(transport);
  return {
    client,
    call: (name, args = {}) => client.callTool({ name, arguments: args }),
  };
}
