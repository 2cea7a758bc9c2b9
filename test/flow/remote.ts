/** A remote server without a socket: the service behind a job's transport. */
import type { Transport, WireRequest } from "../../src/client/wire.ts";
import { openService, type ServiceOptions } from "../../src/service/service.ts";

export interface Remote {
  /** Of the environment. */
  readonly env: Readonly<Record<string, string>>;
  readonly transport: Transport;
  /** `METHOD /path` of every request, in order. */
  readonly asked: readonly string[];
  /** Forgets what was asked. */
  forget(): void;
  close(): Promise<void>;
}

/**
 * Opens the service of a data folder as a remote one that lives at `origin`.
 * @param answer a status for a request that the service shall not see; undefined: it answers
 * @param store a database of PostgreSQL; default SQLite in the folder
 */
export async function openRemote(
  dataDir: string,
  origin: string,
  answer: (request: WireRequest) => number | undefined = () => undefined,
  store?: string,
  plan?: ServiceOptions["plan"],
): Promise<Remote> {
  const service = await openService({
    dataDir,
    publicUrl: origin,
    assetUrl: origin,
    limits: "off",
    store,
    plan,
  });
  const asked: string[] = [];
  return {
    env: {
      MAKEREADY_BASE_URL: `${origin}/api/v2`,
      MAKEREADY_TOKEN: service.account.token,
      MAKEREADY_WORKSPACE: service.account.workspaceId,
    },
    asked,
    forget: () => void asked.splice(0),
    transport: {
      send: async (request) => {
        const { method, url, headers, body } = request;
        asked.push(`${method} ${new URL(url).pathname}`);
        const status = answer(request);
        const given =
          status === undefined
            ? await service.fetch(
                new Request(url, { method, headers, ...(body !== undefined && { body }) }),
              )
            : Response.json({ detail: "not today" }, { status });
        return {
          status: given.status,
          headers: given.headers,
          body: new Uint8Array(await given.arrayBuffer()),
          sentAtMs: 0,
          receivedAtMs: 0,
        };
      },
      close: () => Promise.resolve(),
    },
    close: () => service.close(),
  };
}
