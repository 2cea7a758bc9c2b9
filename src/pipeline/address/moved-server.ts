/**
 * A server may have another base URL than the one that made a job's codes: it was moved to another
 * machine, or its data is served now. With `--change-server` the job goes on there, once the server
 * has shown the codes.
 */
import { AppError } from "../../base/errors.ts";
import { showKey } from "../../base/shapes/row-key.ts";
import { makeLog } from "../../base/log.ts";
import { quoteText } from "../../base/text/words.ts";
import { readShown } from "../../download/download.ts";
import type { Pin } from "../../state/pin.ts";
import type { StateRow } from "../../state/row.ts";
import type { State } from "../../state/state.ts";
import { withClient, type ClientJob, type OpenClient } from "./job-client.ts";
import type { Ports } from "../ports.ts";
import { readPin, type ServerChoice } from "./server.ts";

/** Codes made last that a server is asked for: an older copy of its data doesn't have the last. */
const ASKED = 8;

interface At {
  readonly ports: Ports;
  readonly state: State;
}

async function find({ client }: OpenClient, row: StateRow, id: string): Promise<boolean> {
  const { form, product } = row.wanted;
  if (form !== undefined) return client.hasForm(id);
  if (product?.hasCode === false)
    return (await client.getProduct(row.parts.productId ?? id)) && true;
  return (await readShown({ client }, row, id)) !== undefined;
}

async function isShown(open: OpenClient, row: StateRow): Promise<boolean> {
  try {
    return row.remoteId !== null && (await find(open, row, row.remoteId));
  } catch (error) {
    if (error instanceof AppError && error.kind === "missing") return false;
    throw error;
  }
}

const quote = ({ key }: StateRow): string => quoteText(showKey(key));

/**
 * Throws `state-foreign` where the server lacks the code that was made last. Warns of others that
 * were made lately and are not there.
 */
async function seeCodes(open: OpenClient, { state, ports }: At): Promise<void> {
  const rows = state.made.last(ASKED);
  const missing: StateRow[] = [];
  for (const row of rows) if (!(await isShown(open, row))) missing.push(row);
  const [first] = missing;
  if (first === undefined) return;
  const { baseUrl } = open.server;
  if (first === rows[0]) {
    throw new AppError(
      "state-foreign",
      `the server at ${baseUrl} must have the codes of this job, but lacks the one that was made last: ${quote(first)}`,
      {
        hint: "check that its data is not an older copy; or name the server that the codes were made on",
      },
    );
  }
  const message = `the server at ${baseUrl} lacks ${missing.length} of the ${rows.length} codes of this job that were made last: ${missing.map(quote).join(", ")}`;
  const hint = "right only where somebody has deleted them: their labels lead nowhere";
  ports.on({ type: "warning", problem: { message, hint } });
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
  { isWritten, ...at }: At & { readonly isWritten: boolean },
): Promise<void> {
  const { ports, state } = at;
  const pin = await readPin(job, choice, ports);
  if (!mayFollow(state, choice, pin)) return state.refuseForeign(pin);
  await withClient(job, { ports, choice, log: makeLog() }, (open) => seeCodes(open, at));
  if (isWritten && pin.baseUrl !== undefined) state.follow(pin.baseUrl);
}

/** Binds a state to an open server, which it may follow. Throws `state-foreign`. */
export async function pinServer(open: OpenClient, choice: Server, at: At): Promise<void> {
  const { state } = at;
  const pin = { baseUrl: open.server.pinUrl, workspace: open.server.workspace };
  if (mayFollow(state, choice, pin)) {
    await seeCodes(open, at);
    state.follow(pin.baseUrl);
  }
  state.pin(pin);
}
