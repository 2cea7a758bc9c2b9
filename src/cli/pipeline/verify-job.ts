/** Opens again what a run made and proves all of it anew. */
import { existsSync } from "node:fs";
import path from "node:path";

import { AppError, type Problem } from "../../base/errors.ts";
import { hashFile } from "../../base/hash-file.ts";
import { makeLog } from "../../base/log.ts";
import type { RowJob } from "../../job/row-jobs.ts";
import { lockFolder } from "../../state/lock.ts";
import { findState, type State } from "../../state/state.ts";
import type { CliContext } from "../context.ts";
import type { View } from "../view.ts";
import { proveJob, type Proof } from "./prove-stage.ts";
import { readSheetGroups } from "./sheet-stage.ts";
import { isLoopbackUrl } from "./server.ts";
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

function isRehearsed(state: State): boolean {
  const [first] = state.page("short_link IS NOT NULL", { afterSeq: -1, limit: 1 });
  return isLoopbackUrl(first?.shortLink ?? "");
}

/** Proves a finished job. Throws `bad-usage` when it was never run. */
export async function verifyJob(context: CliContext, view: View, job: RowJob): Promise<JobProof> {
  const folder = job.output.dir;
  const options = { writer: context.writer, salt: "", nowMs: context.clock.nowMs() };
  if (findState(folder, options) === undefined) {
    throw new AppError("bad-usage", `${folder} must hold a finished job, got no state`, {
      hint: `makeready run ${job.file}`,
    });
  }
  const lock = await lockFolder(folder);
  const state = findState(folder, options);
  try {
    if (state === undefined) throw new AppError("bug", "the state must still be there");
    const work: Work = {
      job,
      state,
      folder,
      view,
      log: makeLog(),
      clock: context.clock,
      createdAt: state.createdAt,
      input: {
        name: path.basename(job.source.file),
        sha256: state.meta("input_sha256") ?? "",
        columns: [],
      },
      isRehearsal: isRehearsed(state),
      writer: context.writer,
      signal: context.signal,
    };
    const problems = await checkFiles(work);
    const proof = await proveJob(work, readSheetGroups(work), true);
    view.stageEnd();
    return { proof, problems, isRehearsal: work.isRehearsal };
  } finally {
    state?.close();
    lock.release();
  }
}
