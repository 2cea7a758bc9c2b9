/** Which codes of a job are void, for read-only use. */
import { existsSync } from "node:fs";
import path from "node:path";

import { toJobIdentity } from "../../base/job-identity.ts";
import { openUnits, UNITS_FILE } from "../../state/unit-ledger.ts";
import type { UnitOrder } from "./unit-job.ts";

/** Keys of the job that are void; none where nothing was noted yet. */
export async function listVoid({ job, server }: UnitOrder): Promise<ReadonlySet<string>> {
  const { dataDir } = server;
  if (!existsSync(path.join(dataDir, UNITS_FILE))) return new Set();
  const units = await openUnits(dataDir);
  try {
    const identity = toJobIdentity({ job: job.name, dir: job.output.dir, dataDir });
    const events = units.list(identity);
    return new Set(events.filter(({ what }) => what === "void").map(({ unit }) => unit));
  } finally {
    units.close();
  }
}
