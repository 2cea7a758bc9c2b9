/** A retry makes codes anew that the server no longer has, once it is known whose job it is. */
import { forgetGone, sayForgotten, type Forgotten } from "./gone-codes.ts";
import type { Ports } from "../ports.ts";
import type { RowParts } from "./row-parts.ts";
import { takeBackFound } from "./found-again.ts";
import { refuseOtherSerials } from "./serial-origin.ts";
import { refuseOtherJob } from "./whose-state.ts";

type Retried = Pick<RowParts, "job" | "server" | "state" | "source"> & {
  readonly retryFailed?: boolean | undefined;
};

const NOTHING: Forgotten = { keys: [], takeBack: () => undefined };

async function forgetIfRetried(
  { job, server, state, source, retryFailed }: Retried,
  ports: Ports,
): Promise<Forgotten> {
  if (retryFailed !== true) return NOTHING;
  refuseOtherJob(state, job);
  refuseOtherSerials(state, source);
  return forgetGone(server, { ports, state });
}

/** Says which codes are made anew and which are back; answers what takes the first back, for a run that is refused. */
export async function settleGone(retried: Retried, ports: Ports): Promise<() => void> {
  const { keys, takeBack } = await forgetIfRetried(retried, ports);
  try {
    const again = await takeBackFound(retried.server, retried.state, ports);
    const anew = keys.filter((key) => !again.keys.has(key));
    const said = anew.length === 0 ? [] : [sayForgotten(anew)];
    for (const problem of [...said, ...again.warnings]) ports.on({ type: "warning", problem });
  } catch (error) {
    takeBack();
    throw error;
  }
  return takeBack;
}
