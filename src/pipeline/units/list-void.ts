/** Which codes of a job are void, for read-only use. */
import { toJobIdentity } from "../../base/job-identity.ts";
import { readVoidUnits } from "../../state/unit-ledger.ts";
import type { UnitOrder } from "./unit-job.ts";

/** Keys of the job that are void; none where nothing was noted yet. */
export function listVoid({ job, server: { dataDir } }: UnitOrder): ReadonlySet<string> {
  const identity = toJobIdentity({ job: job.name, dir: job.output.dir, dataDir });
  return new Set(readVoidUnits(dataDir, identity));
}

/** Those of them that answer so in print: another server than the own one knows nothing of it. */
export const listSilenced = (order: UnitOrder): ReadonlySet<string> =>
  order.server.baseUrl === undefined ? listVoid(order) : new Set();
