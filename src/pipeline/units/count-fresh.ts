/** Serials that take the place of void ones, and that no run has made yet. */
import { existsSync } from "node:fs";
import path from "node:path";

import { AppError } from "../../base/errors.ts";
import { toJobIdentity } from "../../base/job-identity.ts";
import { isRowJob, type Job } from "../../kinds/any-job.ts";
import { LEDGER_FILE, openLedger, type Replacement } from "../../read/serial-ledger.ts";
import type { State } from "../../state/state.ts";
import type { ServerChoice } from "../server.ts";

/** A ledger that can't be opened counts as empty here; the next run reports why. */
async function readReplacements(dataDir: string, identity: string): Promise<Replacement[]> {
  if (!existsSync(path.join(dataDir, LEDGER_FILE))) return [];
  try {
    const ledger = await openLedger(dataDir);
    try {
      return ledger.replacements({ identity });
    } finally {
      ledger.close();
    }
  } catch (error) {
    if (error instanceof AppError) return [];
    throw error;
  }
}

export async function countFresh(
  state: Pick<State, "rows">,
  { job, server: { dataDir } }: { readonly job: Job; readonly server: ServerChoice },
): Promise<number> {
  if (!isRowJob(job) || job.source.serial === undefined) return 0;
  const last = job.source.numbers?.last ?? 0;
  const identity = toJobIdentity({ job: job.name, dir: job.output.dir, dataDir });
  const replacements = await readReplacements(dataDir, identity);
  const fresh = new Set(
    replacements.filter(({ number }) => number <= last).map(({ serial }) => serial),
  );
  if (fresh.size === 0) return 0;
  for (const { cells } of state.rows()) fresh.delete(cells["serial"] ?? "");
  return fresh.size;
}
