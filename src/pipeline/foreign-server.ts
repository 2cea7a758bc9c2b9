/**
 * The codes of a job lie at one server, or in one data folder. What works on them elsewhere is
 * refused before it opens anything, so that no second data folder comes to be.
 */
import { AppError, type Problem } from "../base/errors.ts";
import { stateDirOf, type Job, type RowJob } from "../kinds/any-job.ts";
import type { Source } from "../read/source.ts";
import { readState } from "../state/find-state.ts";
import type { State } from "../state/state.ts";
import type { Ports } from "./ports.ts";
import { readPin, type ServerChoice } from "./server.ts";
import { openRows, type RowsPlace } from "./source.ts";

interface Order {
  readonly job: Job;
  readonly server: ServerChoice;
}

type Asker = Pick<Ports, "access" | "server">;

/** Throws `state-foreign` where the codes of the state lie elsewhere. Asks no server, makes nothing. */
export async function refuseForeign(
  { job, server }: Order,
  state: Pick<State, "refuseForeign">,
  ports: Asker,
): Promise<void> {
  state.refuseForeign(await readPin(job, server, ports));
}

/** The same as data; undefined where they lie where the job says. */
export async function findForeign(
  order: Order,
  state: Pick<State, "refuseForeign">,
  ports: Asker,
): Promise<Problem | undefined> {
  try {
    await refuseForeign(order, state, ports);
    return undefined;
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "state-foreign") throw error;
    const { message, hint } = error;
    return { message, hint };
  }
}

/** `refuseForeign` where the state is not open, or was never made. */
async function refuseUnopened(
  order: Order,
  ports: Asker & Pick<Ports, "clock" | "writer">,
): Promise<void> {
  const { writer, clock } = ports;
  const options = { writer, salt: "", nowMs: clock.nowMs() };
  const state = await readState(stateDirOf(order.job), options);
  try {
    if (state !== undefined) await refuseForeign(order, state, ports);
  } finally {
    state?.close();
  }
}

/** `openRows` of a job that may have run: a ledger of serials is made only where its codes lie. */
export async function openJobRows(
  order: Order & { readonly job: RowJob },
  ports: Ports,
  how: Pick<RowsPlace, "keeps"> = {},
): Promise<Source> {
  const { job, server } = order;
  if (job.source.from === "serials") await refuseUnopened(order, ports);
  return openRows(job, ports, { dataDir: server.dataDir, ...how });
}
