/** The client of a job on its server. */
import { closing } from "../../base/flow/closing.ts";
import { AppError } from "../../base/errors.ts";
import type { Log } from "../../base/log.ts";
import { openClient, type Client } from "../../client/client.ts";
import type { JobCommon } from "../../job/job.ts";
import type { Ports } from "../ports.ts";
import type { Calls } from "../results.ts";
import { openServer, type OpenServer, type ServerChoice } from "./server.ts";
import { nameSetting } from "./setting-names.ts";

interface ClientNeeds {
  readonly ports: Ports;
  readonly choice: ServerChoice;
  readonly log: Log;
  readonly patienceMs?: number | undefined;
}

export interface ClientJob extends Pick<JobCommon, "api"> {
  readonly run: Pick<JobCommon["run"], "concurrency" | "share">;
}

/**
 * Requests in flight at a time where the job sets none. The embedded service takes more than a
 * shared server: requests that come together share its commits.
 */
const EMBEDDED_CONCURRENCY = 32;

function openJobClient(
  job: ClientJob,
  server: OpenServer,
  { ports, log, patienceMs }: ClientNeeds,
): Client {
  return openClient({
    baseUrl: server.baseUrl,
    token: server.token,
    workspace: server.workspace,
    limits: server.limits,
    concurrency: job.run.concurrency ?? (server.isEmbedded ? EMBEDDED_CONCURRENCY : undefined),
    share: job.run.share,
    clock: ports.clock,
    transport: server.isEmbedded ? undefined : ports.transport,
    log,
    onWaiting: ({ message }) => ports.on({ type: "waiting", message }),
    signal: ports.signal,
    patienceMs,
  });
}

/** How the address of an API ends. */
const API_ROOT = /\/api\/v2\/?$/u;

/**
 * The error of a workspace that the token doesn't open; undefined for any other. If the address is
 * not that of an API, no workspace is found either.
 */
export function toWorkspaceError(
  error: unknown,
  { baseUrl, workspace, ...access }: Pick<OpenServer, "baseUrl" | "workspace" | "nameOf">,
): AppError | undefined {
  if (!(error instanceof AppError) || error.kind !== "missing") return undefined;
  const [message, hint] = API_ROOT.test(baseUrl)
    ? [
        `the workspace must be one that the token opens, got ${workspace}`,
        `check ${nameSetting(access, "workspace")} and ${nameSetting(access, "token")}`,
      ]
    : [
        `the base URL must end in /api/v2, got ${baseUrl}`,
        `check ${nameSetting(access, "baseUrl")}`,
      ];
  return new AppError("token-refused", message, { hint, cause: error });
}

/** The error of a token that the server doesn't know, with the place where it stands; any other as it is. */
function nameToken(error: unknown, { tokenFrom, baseUrl }: OpenServer): unknown {
  const isRefused = error instanceof AppError && error.code === "token-refused";
  if (!isRefused || error.status !== 401 || tokenFrom === undefined) return error;
  const message = `the server at ${new URL(baseUrl).host} does not know the token of ${tokenFrom} (401)`;
  const hint =
    "it was revoked, has expired or belongs to another server: put a new one there, then run the same command again; what is finished stays finished";
  return new AppError(error.code, message, { hint, status: 401, cause: error });
}

export function countCalls(client: Client): Calls {
  const { write, read } = client.stats();
  return {
    writes: write.sent,
    reads: read.sent,
    limited: write.limited + read.limited,
    waitedMs: write.waitedMs + read.waitedMs,
  };
}

export interface OpenClient {
  readonly client: Client;
  readonly server: OpenServer;
}

interface Asked<T> {
  readonly result: T;
  readonly calls: Calls;
}

/** Opens server and client of a job for `work`, and counts what was asked. */
export async function withServer<T>(
  job: ClientJob,
  needs: ClientNeeds,
  work: (open: OpenClient) => Promise<T>,
): Promise<Asked<T>> {
  return closing(await openServer(job, needs.choice, needs.ports), async (server) => {
    const client = openJobClient(job, server, needs);
    try {
      const result = await work({ client, server });
      return { result, calls: countCalls(client) };
    } catch (error) {
      throw nameToken(error, server);
    } finally {
      await client.close();
    }
  });
}

/** The same; throws its own error for a workspace that the token doesn't open. */
export function withClient<T>(
  job: ClientJob,
  needs: ClientNeeds,
  work: (open: OpenClient) => Promise<T>,
): Promise<Asked<T>> {
  return withServer(job, needs, async (open) => {
    try {
      return await work(open);
    } catch (error) {
      throw toWorkspaceError(error, open.server) ?? error;
    }
  });
}
