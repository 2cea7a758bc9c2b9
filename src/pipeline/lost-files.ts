/** Finished files that are gone, or not what was written: plan and status look for them alike. */
import { existsSync } from "node:fs";
import path from "node:path";

import { hashFile } from "../base/hash-file.ts";
import type { State } from "../state/state.ts";
import { listFinished } from "./finished-files.ts";
import type { LostFiles } from "./remade.ts";
import { areOutputsIntact } from "./rows/seal.ts";
import type { WorkJob } from "./work.ts";

/** Reads files only where one of them has been written since they were sealed. */
export async function findLost(
  job: Pick<WorkJob, "output">,
  state: State,
  isWanted?: (group: string) => boolean,
): Promise<LostFiles> {
  const missing: string[] = [];
  const damaged: string[] = [];
  const isSame = await areOutputsIntact(job, state);
  for (const { file, sha256 } of listFinished(job, state, isWanted)) {
    const full = path.join(job.output.dir, file);
    if (!existsSync(full)) missing.push(file);
    else if (!isSame && sha256 !== undefined && (await hashFile(full)) !== sha256)
      damaged.push(file);
  }
  return { missing, damaged };
}
