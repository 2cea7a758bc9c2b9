/** A retry makes codes anew that the server no longer has, once it is known whose job it is. */
import { forgetGone } from "../gone-codes.ts";
import type { Ports } from "../ports.ts";
import type { RowParts } from "./row-parts.ts";
import { refuseOtherSerials } from "./serial-origin.ts";
import { refuseOtherJob } from "./whose-state.ts";

type Retried = Pick<RowParts, "job" | "server" | "state" | "source"> & {
  readonly retryFailed?: boolean | undefined;
};

/** Nothing was forgotten. */
export const KEPT = (): void => undefined;

/** Answers what takes it back, where the run is refused. */
export async function forgetIfRetried(
  { job, server, state, source, retryFailed }: Retried,
  ports: Ports,
): Promise<() => void> {
  if (retryFailed !== true) return KEPT;
  refuseOtherJob(state, job);
  refuseOtherSerials(state, source);
  return forgetGone(server, { ports, state });
}
