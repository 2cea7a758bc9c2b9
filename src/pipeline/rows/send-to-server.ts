import { AppError, isStop } from "../../base/errors.ts";
import type { Log } from "../../base/log.ts";
import type { State } from "../../state/state.ts";
import type { SeenAddress } from "../address/address-words.ts";
import { makeCounts, type RunCounts } from "../standing/counts.ts";
import { toWorkspaceError, withServer, type OpenClient } from "../address/job-client.ts";
import { PUBLIC_URL, rememberEarlier, toMovedLink } from "../address/public-address.ts";
import { NO_CALLS, type Calls } from "../results.ts";
import type { ServerChoice } from "../address/server.ts";
import { TO_CREATE } from "../../state/which-rows.ts";
import type { RowParts } from "./row-parts.ts";
import { sendRows, type SendStage } from "./send-rows.ts";

interface ServerStage extends Pick<SendStage, "drawnAs"> {
  readonly parts: RowParts;
  readonly log: Log;
  /** How many more rows may be refused. */
  readonly maxFailures: number;
  /** False when there is nothing to send or ask: then the server is left alone. */
  readonly isNeeded: boolean;
}

export interface ServerResult {
  readonly counts: RunCounts;
  readonly calls: Calls;
}

/** Opens the server of the job, sends what is left, closes it. */
export async function sendToServer(stage: ServerStage): Promise<ServerResult> {
  const { parts, log } = stage;
  const { ports, job, server: choice, request } = parts;
  const { reads } = parts.far;
  const isMoved = noteMove(parts, choice);
  if (!stage.isNeeded && !isMoved) return { counts: makeCounts(), calls: { ...NO_CALLS, reads } };
  const needs = { ports, choice, log, patienceMs: request.patienceMs };
  const { result, calls } = await withServer(job, needs, (open) => sendWith(stage, open));
  return { counts: result, calls: { ...calls, reads: calls.reads + reads } };
}

/** A service may get another public address: then all short links change with it. */
function noteMove({ state, far }: RowParts, server: ServerChoice): boolean {
  if (server.baseUrl !== undefined) return far.moved !== undefined && move(state, far.moved);
  const before = state.meta(PUBLIC_URL);
  if (before === server.publicUrl) return false;
  const isMoved = before !== undefined && move(state, { from: before, to: server.publicUrl });
  state.setMeta(PUBLIC_URL, server.publicUrl);
  return isMoved;
}

/** The server says what the links of its rows are now; of rows that are gone it is not asked. */
function move(state: State, { from, to }: SeenAddress): boolean {
  rememberEarlier(state, from);
  const toMoved = (link: string): string | undefined => toMovedLink(link, from, to);
  return state.journal.moveAddress({ from, to, toMoved }) > 0;
}

/**
 * Asks for one code before anything is sent: a workspace that the token doesn't open would otherwise
 * fail row by row, and a server that is away would be waited for create by create.
 */
async function checkWorkspace({ client, server }: OpenClient, signal: AbortSignal): Promise<void> {
  if (server.isEmbedded) return;
  try {
    await client.listCodes({ page: 1, page_size: 1 });
  } catch (error) {
    // The next stage sees that it has to stop.
    if (isStop(error, signal)) return;
    if (!(error instanceof AppError)) throw error;
    // A list that can't be read must not stop the run.
    if (error.code === "answer-unusable") return;
    throw toWorkspaceError(error, server) ?? error;
  }
}

async function sendWith(stage: ServerStage, open: OpenClient): Promise<RunCounts> {
  const { job, state, ports, request, stopwatch } = stage.parts;
  const { client, server } = open;
  const { clock, signal, on } = ports;
  state.pin({ baseUrl: server.pinUrl, workspace: server.workspace });
  // It has shown a code of this workspace already; its answer here dates what is made.
  const { reads, untold } = stage.parts.far;
  const isAnswered = reads > 0 && untold === undefined;
  if (!isAnswered || state.count(TO_CREATE) > 0) await checkWorkspace(open, signal);
  return stopwatch.time("codes and downloads", () =>
    sendRows({
      job,
      state,
      client,
      clock,
      on,
      signal,
      limit: request.limit ?? null,
      patienceMs: request.patienceMs,
      log: stage.log,
      drawnAs: stage.drawnAs,
      workspace: server.workspace,
      keysHonoured: server.isEmbedded,
      maxFailures: stage.maxFailures,
    }),
  );
}
