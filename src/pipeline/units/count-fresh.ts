/** Serials that take the place of void ones, and that no run has made yet. */
import { AppError, type Problem } from "../../base/errors.ts";
import { toJobIdentity } from "../../base/shapes/job-identity.ts";
import { isRowJob, type Job } from "../../kinds/any-job.ts";
import { readReplacements } from "../../read/rows/serial-ledger.ts";
import type { State } from "../../state/state.ts";
import type { ServerChoice } from "../address/server.ts";

export interface FreshSerials {
  readonly fresh: number;
  /** Why they could not be counted. */
  readonly uncounted?: Problem;
}

/** Looks only. */
export function countFresh(
  state: Pick<State, "rows">,
  { job, server: { dataDir } }: { readonly job: Job; readonly server: ServerChoice },
): FreshSerials {
  if (!isRowJob(job) || job.source.serial === undefined) return { fresh: 0 };
  const last = job.source.numbers?.last ?? 0;
  const identity = toJobIdentity({ job: job.name, dir: job.output.dir, dataDir });
  try {
    const replacements = readReplacements(dataDir, identity);
    const fresh = new Set(
      replacements.filter(({ number }) => number <= last).map(({ serial }) => serial),
    );
    if (fresh.size > 0) for (const { cells } of state.rows()) fresh.delete(cells["serial"] ?? "");
    return { fresh: fresh.size };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const { message, hint } = error;
    return { fresh: 0, uncounted: { message, hint } };
  }
}
