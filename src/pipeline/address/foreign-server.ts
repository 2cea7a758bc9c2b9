/**
 * The codes of a job lie at one server, or in one data folder. What works on them elsewhere is
 * refused before it opens anything, so that no second data folder comes to be.
 */
import { AppError, type Problem } from "../../base/errors.ts";
import { stateDirOf, type Job, type RowJob } from "../../kinds/any-job.ts";
import type { Source } from "../../read/source.ts";
import { readState } from "../../state/find-state.ts";
import { EMBEDDED } from "../../state/pin.ts";
import type { State } from "../../state/state.ts";
import type { Ports } from "../ports.ts";
import { readPin, toPinUrl, type ServerChoice } from "./server.ts";
import { openRows, type RowsPlace } from "../source/source.ts";
import { refuseOwnList } from "../checks/own-lists.ts";

/** A job, and the server that it has today. */
export interface ForeignOrder {
  readonly job: Job;
  readonly server: ServerChoice;
}

/** Why a run refuses the server or data folder that it finds, and what to do. */
export type ForeignProblem = Problem & { readonly hint: string };

type Asker = Pick<Ports, "access" | "server">;

type Pinned = Pick<State, "meta" | "refuseForeign">;

/** Throws `state-foreign` where the codes of the state lie elsewhere. Asks no server, makes nothing. */
export async function refuseForeign(
  { job, server }: ForeignOrder,
  state: Pick<State, "refuseForeign">,
  ports: Asker,
): Promise<void> {
  state.refuseForeign(await readPin(job, server, ports));
}

/** What `refuse` throws, as data. */
function findRefusal(refuse: () => void): ForeignProblem | undefined {
  try {
    refuse();
    return undefined;
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "state-foreign") throw error;
    const { message, hint = "" } = error;
    return { message, hint };
  }
}

/** The same as data; undefined where they lie where the job says. */
export async function findForeign(
  { job, server }: ForeignOrder,
  state: Pick<State, "refuseForeign">,
  ports: Asker,
): Promise<ForeignProblem | undefined> {
  const pin = await readPin(job, server, ports);
  return findRefusal(() => state.refuseForeign(pin));
}

/** The server that the job was last run on, where a run refuses the one that is named now. */
export function toServerOfCodes(server: ServerChoice, state: Pinned): ServerChoice {
  const baseUrl = toPinUrl(server);
  if (findRefusal(() => state.refuseForeign({ baseUrl })) === undefined) return server;
  const known = state.meta("baseUrl");
  return {
    ...server,
    baseUrl: known === EMBEDDED ? undefined : known,
    isPublicUrlGiven: false,
  };
}

async function whileOpen<T>(
  { job }: ForeignOrder,
  { writer, clock }: Pick<Ports, "clock" | "writer">,
  use: (state: State) => Promise<T>,
): Promise<T | undefined> {
  const options = { writer, salt: "", nowMs: clock.nowMs() };
  const state = await readState(stateDirOf(job), options);
  try {
    return state && (await use(state));
  } finally {
    state?.close();
  }
}

/** `findForeign` of a job that is closed; a report keeps no state. */
export const readForeign = (
  order: ForeignOrder,
  ports: Asker & Pick<Ports, "clock" | "writer">,
): Promise<ForeignProblem | undefined> =>
  whileOpen(order, ports, (state) => findForeign(order, state, ports));

interface RowsOptions extends Pick<RowsPlace, "keeps"> {
  /** What was made before doesn't count. */
  readonly fresh?: boolean | undefined;
}

/** `openRows` of a job that may have run: a ledger of serials is made only where its codes lie. */
export async function openJobRows(
  order: ForeignOrder & { readonly job: RowJob },
  ports: Ports,
  { fresh, ...how }: RowsOptions = {},
): Promise<Source> {
  const { job, server } = order;
  refuseOwnList(job);
  if (job.source.from === "serials" && fresh !== true)
    await whileOpen(order, ports, async (state) => {
      const { baseUrl, ...workspace } = await readPin(job, server, ports);
      const isAnywhere = server.changesServer === true || baseUrl === undefined;
      state.refuseForeign(isAnywhere ? workspace : { baseUrl, ...workspace });
    });
  return openRows(job, ports, { dataDir: server.dataDir, ...how });
}
