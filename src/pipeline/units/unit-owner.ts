/** Whose entries of the ledger are a job's: void codes stay void wherever the output folder lies. */
import path from "node:path";

import { toJobIdentity } from "../../base/shapes/job-identity.ts";
import { keepOwner, type UnitOwner } from "../../state/unit-ledger.ts";
import type { State } from "../../state/state.ts";
import { LAST_RESULT } from "../standing/last-result.ts";
import type { RunResult } from "../results.ts";
import { JOB } from "../rows/whose-state.ts";
import type { WorkJob } from "../stages/work.ts";

export interface OwnerPlace {
  readonly job: Pick<WorkJob, "name" | "file" | "output">;
  readonly dataDir: string;
  readonly state: Pick<State, "meta"> | undefined;
}

/** The output folder of the last run, absolute: the nearest that holds its files. */
function findLastFolder({ job, state }: OwnerPlace): string | undefined {
  const text = state?.meta(LAST_RESULT) || "{}";
  const { files = [] } = JSON.parse(text) as Partial<Pick<RunResult, "files">>;
  const folders = files.map(({ file }) => path.dirname(path.resolve(path.dirname(job.file), file)));
  return folders.toSorted((a, b) => a.length - b.length)[0];
}

export function toUnitOwner(place: OwnerPlace): UnitOwner {
  const { job, dataDir, state } = place;
  const last = findLastFolder(place);
  const name = state?.meta(JOB) ?? job.name;
  return {
    identity: toJobIdentity({ job: job.name, dir: job.output.dir, dataDir }),
    salt: state?.meta("salt"),
    before: last === undefined ? undefined : toJobIdentity({ job: name, dir: last, dataDir }),
  };
}

/** Before a run changes what the state says of the last one: the ledger keeps whose entries they are. */
export const rememberOwner = (place: OwnerPlace): Promise<void> =>
  keepOwner(place.dataDir, toUnitOwner(place));
