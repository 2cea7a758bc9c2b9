/**
 * A server may have another base URL than the one that made a job's codes: it was moved to another
 * machine, or its data is served now. With `--change-server` the job goes on there, once the server
 * has shown the codes.
 */
import { AppError } from "../base/errors.ts";
import { makeLog } from "../base/log.ts";
import { readShown } from "../download/download.ts";
import type { Pin } from "../state/pin.ts";
import type { StateRow } from "../state/row.ts";
import type { State } from "../state/state.ts";
import { withClient, type ClientJob, type OpenClient } from "./job-client.ts";
import type { Ports } from "./ports.ts";
import { readPin, type ServerChoice } from "./server.ts";

/** Codes made last that a server is asked for: an older copy of its data doesn't have them. */
const ASKED = 8;

/** Some may have been deleted on purpose. */
const LEAST_SHOWN = 0.5;

async function isShown(client: OpenClient["client"], row: StateRow): Promise<boolean> {
  if (row.remoteId === null) return false;
  try {
    return (await readShown({ client }, row, row.remoteId)) !== undefined;
  } catch (error) {
    if (error instanceof AppError && error.kind === "missing") return false;
    throw error;
  }
}

/** Throws `state-foreign` unless the server has at least half of the codes that were made last. */
async function seeCodes({ client, server }: OpenClient, state: State): Promise<void> {
  const rows = state.made.last(ASKED);
  let shown = 0;
  for (const row of rows) {
    if (await isShown(client, row)) shown += 1;
  }
  if (shown >= rows.length * LEAST_SHOWN) return;
  throw new AppError(
    "state-foreign",
    `the server at ${server.baseUrl} must have the codes of this job, but shows ${shown} of the ${rows.length} that were made last`,
    {
      hint: "check that its data is not an older copy, then run again; or name the server that the codes were made on",
    },
  );
}

type Server = Pick<ServerChoice, "changesServer">;

/** True where the job may go on with its workspace at `baseUrl`, once it was seen there. */
function mayFollow(state: State, { changesServer }: Server, { baseUrl, workspace }: Partial<Pin>) {
  if (changesServer !== true || baseUrl === undefined || !state.isElsewhere(baseUrl)) return false;
  state.refuseForeign(workspace === undefined ? {} : { workspace });
  return true;
}

/**
 * Checks that a state belongs to the job's server, or may follow it. Only where it is written, it is
 * bound to it. Throws `state-foreign`.
 */
export async function refuseOtherServer(
  job: ClientJob,
  choice: ServerChoice,
  { ports, state, isWritten }: { ports: Ports; state: State; isWritten: boolean },
): Promise<void> {
  const pin = await readPin(job, choice, ports);
  if (!mayFollow(state, choice, pin)) return state.refuseForeign(pin);
  await withClient(job, { ports, choice, log: makeLog() }, (open) => seeCodes(open, state));
  if (isWritten && pin.baseUrl !== undefined) state.follow(pin.baseUrl);
}

/** Binds a state to an open server, which it may follow. Throws `state-foreign`. */
export async function pinServer(open: OpenClient, state: State, choice: Server): Promise<void> {
  const pin = { baseUrl: open.server.pinUrl, workspace: open.server.workspace };
  if (mayFollow(state, choice, pin)) {
    await seeCodes(open, state);
    state.follow(pin.baseUrl);
  }
  state.pin(pin);
}
