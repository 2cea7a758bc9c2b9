import { AppError } from "../../base/errors.ts";
import type { Log } from "../../base/log.ts";
import { openClient, type Client } from "../../client/client.ts";
import type { JobCommon } from "../../job/job.ts";
import type { CliContext } from "../context.ts";
import type { View } from "../view.ts";
import type { OpenServer } from "./server.ts";

export interface JobClientOptions {
  readonly context: CliContext;
  readonly view: Pick<View, "waiting">;
  readonly log: Log;
  readonly patienceMs: number | undefined;
}

/** The client of a job on its server. Close it before the server. */
export function openJobClient(
  job: Pick<JobCommon, "run">,
  server: OpenServer,
  { context, view, log, patienceMs }: JobClientOptions,
): Client {
  return openClient({
    baseUrl: server.baseUrl,
    token: server.token,
    workspace: server.workspace,
    limits: server.limits,
    concurrency: job.run.concurrency,
    share: job.run.share,
    clock: context.clock,
    transport: server.isEmbedded ? undefined : context.transport,
    log,
    onWaiting: ({ message }) => view.waiting(message),
    signal: context.signal,
    patienceMs,
  });
}

/** The error of a workspace that the token doesn't open; undefined for any other. */
export function toWorkspaceError(error: unknown, server: OpenServer): AppError | undefined {
  if (!(error instanceof AppError) || error.kind !== "missing") return undefined;
  return new AppError(
    "token-refused",
    `the workspace must be one that the token opens, got ${server.workspace}`,
    { hint: "check MAKEREADY_WORKSPACE and MAKEREADY_TOKEN", cause: error },
  );
}

/** What the server was asked. */
export interface Calls {
  readonly writes: number;
  readonly reads: number;
  readonly limited: number;
  readonly waitedMs: number;
}

export const NO_CALLS: Calls = { writes: 0, reads: 0, limited: 0, waitedMs: 0 };

export function countCalls(client: Client): Calls {
  const { write, read } = client.stats();
  return {
    writes: write.sent,
    reads: read.sent,
    limited: write.limited + read.limited,
    waitedMs: write.waitedMs + read.waitedMs,
  };
}
