/** Which codes of a job are void, for read-only use. */
import type { State } from "../../state/state.ts";
import { readVoidUnits } from "../../state/unit-ledger.ts";
import { lookAtState } from "../standing/look-at-state.ts";
import type { Ports } from "../ports.ts";
import type { UnitOrder } from "./unit-job.ts";
import { toUnitOwner } from "./unit-owner.ts";

/** Keys of the job that are void; none where nothing was noted yet. */
export function listVoid(
  { job, server: { dataDir } }: UnitOrder,
  state: Pick<State, "meta"> | undefined,
): ReadonlySet<string> {
  return new Set(readVoidUnits(dataDir, toUnitOwner({ job, dataDir, state })));
}

/** The same where its state is not open. */
export const readVoidOf = (
  order: UnitOrder,
  ports: Pick<Ports, "clock" | "writer">,
): Promise<ReadonlySet<string>> => lookAtState(order.job, ports, (state) => listVoid(order, state));

/** Those of them that answer so in print: another server than the own one knows nothing of it. */
export const listSilenced = (order: UnitOrder, state: Pick<State, "meta">): ReadonlySet<string> =>
  order.server.baseUrl === undefined ? listVoid(order, state) : new Set();
