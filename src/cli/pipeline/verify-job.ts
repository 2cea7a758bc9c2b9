/** Opens again what a run made and proves all of it anew. */
import { existsSync } from "node:fs";
import path from "node:path";

import type { Problem } from "../../base/errors.ts";
import { hashFile } from "../../base/hash-file.ts";
import type { RowJob } from "../../job/row-jobs.ts";
import type { CliContext } from "../context.ts";
import type { View } from "../view.ts";
import { lookAtFinishedJob, toFinishedJob, type FinishedJob } from "./finished-job.ts";
import { proveJob, type Proof } from "./prove-stage.ts";
import { readSheetGroups } from "./sheet-stage.ts";
import type { Work } from "./work.ts";
import type { ZipFile } from "./zip-stage.ts";

export interface JobProof {
  readonly proof: Proof | undefined;
  /** Files that are missing or are not what was written. */
  readonly problems: readonly Problem[];
  readonly isRehearsal: boolean;
}

async function findChanged(folder: string, file: string, hash: string): Promise<Problem[]> {
  const full = path.join(folder, file);
  const where = { file: full };
  const hint = "run the job again: what is missing or changed is made anew";
  if (!existsSync(full)) return [{ message: "file must be there, got none", where, hint }];
  if ((await hashFile(full)) === hash) return [];
  return [{ message: "file must be as it was written, got other bytes", where, hint }];
}

async function checkFiles(work: Work): Promise<Problem[]> {
  const { state, folder } = work;
  const problems: Problem[] = [];
  for (const { name } of state.groups("zip")) {
    const zip = state.packaged(`zip ${name}`)?.result as ZipFile | undefined;
    if (zip !== undefined) problems.push(...(await findChanged(folder, zip.file, zip.sha256)));
  }
  for (const { result } of state.allPackaged("file")) {
    const { file, sha256 } = result as { file: string; sha256: string };
    problems.push(...(await findChanged(folder, file, sha256)));
  }
  for (const row of state.rows("artwork IS NOT NULL")) {
    for (const { name, sha256 } of row.artwork?.files ?? []) {
      problems.push(...(await findChanged(folder, name, sha256)));
    }
  }
  return problems;
}

/** Proves a finished job. Throws `bad-usage` when it was never run. */
export function verifyJob(context: CliContext, view: View, job: RowJob): Promise<JobProof> {
  return verifyFinished(context, view, toFinishedJob(job));
}

/** The same for a job of any kind that leaves files. */
export async function verifyFinished(
  context: CliContext,
  view: View,
  job: FinishedJob,
): Promise<JobProof> {
  return lookAtFinishedJob(context, view, job, async (work) => {
    const problems = await checkFiles(work);
    const proof = await proveJob(work, readSheetGroups(work), true);
    view.stageEnd();
    return { proof, problems, isRehearsal: work.isRehearsal };
  });
}
