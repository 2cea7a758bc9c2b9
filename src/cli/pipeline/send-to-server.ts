import type { Log } from "../../base/log.ts";
import { AppError, isStop } from "../../base/errors.ts";
import type { Client } from "../../client/client.ts";
import type { State } from "../../state/state.ts";
import { makeCounts, type RunCounts } from "./counts.ts";
import { countCalls, NO_CALLS, openJobClient, toWorkspaceError, type Calls } from "./job-client.ts";
import type { RunParts } from "./run-job.ts";
import { sendRows } from "./send-stage.ts";
import { openServer, type OpenServer, type ServerChoice } from "./server.ts";

export interface ServerStage {
  readonly parts: RunParts;
  readonly log: Log;
  /** So many rows may yet be refused. */
  readonly maxFailures: number;
  /** False when nothing is left to ask: then nobody is asked. */
  readonly isNeeded: boolean;
}

export interface ServerResult {
  readonly counts: RunCounts;
  readonly calls: Calls;
}

/** Opens the server of the job, sends what is left, closes it. */
export async function sendToServer(stage: ServerStage): Promise<ServerResult> {
  const { context, options, state } = stage.parts;
  const isMoved = noteMove(state, options.server);
  if (!stage.isNeeded && !isMoved) return { counts: makeCounts(), calls: NO_CALLS };
  const server = await openServer(options.job, options.server, context);
  try {
    state.pin({ baseUrl: server.pinUrl, workspace: server.workspace });
    return await sendWith(stage, server);
  } finally {
    await server.close();
  }
}

/** The embedded service may get another public address: then all short links change with it. */
function noteMove(state: State, server: ServerChoice): boolean {
  if (server.baseUrl !== undefined) return false;
  const before = state.meta("public_url");
  if (before === server.publicUrl) return false;
  const forgotten = before === undefined ? 0 : state.journal.forgetLinks();
  state.setMeta("public_url", server.publicUrl);
  return forgotten > 0;
}

/**
 * Asks for one code before anything is sent: a workspace that the token doesn't open would otherwise
 * fail row by row, and a server that is away would be waited for create by create.
 */
async function checkWorkspace(
  client: Client,
  server: OpenServer,
  signal: AbortSignal,
): Promise<void> {
  if (server.isEmbedded) return;
  try {
    await client.listCodes({ page: 1, page_size: 1 });
  } catch (error) {
    // The next stage sees that it has to stop.
    if (isStop(error, signal)) return;
    if (!(error instanceof AppError)) throw error;
    // A list that can't be read is no reason not to try.
    if (error.code === "answer-unusable") return;
    throw toWorkspaceError(error, server) ?? error;
  }
}

async function sendWith(stage: ServerStage, server: OpenServer): Promise<ServerResult> {
  const { context, options, state, view, stopwatch } = stage.parts;
  const { job, limit, patienceMs } = options;
  const { clock, signal } = context;
  const client = openJobClient(job, server, { context, view, log: stage.log, patienceMs });
  try {
    await checkWorkspace(client, server, signal);
    const counts = await stopwatch.time("codes and downloads", () =>
      sendRows({
        job,
        state,
        client,
        clock,
        view,
        signal,
        limit,
        patienceMs,
        log: stage.log,
        workspace: server.workspace,
        keysHonoured: server.isEmbedded,
        maxFailures: stage.maxFailures,
      }),
    );
    return { counts, calls: countCalls(client) };
  } finally {
    await client.close();
  }
}
