/** Finished files that are gone, or not what was written: plan and status look for them alike. */
import path from "node:path";

import type { State } from "../../state/state.ts";
import { listFinished, type FinishedFile } from "./finished-files.ts";
import { hashReadable } from "./hash-files.ts";
import type { LostFiles } from "./remade.ts";
import { NO_FILE, toStamp } from "../../base/files/stamp.ts";
import type { WorkJob } from "../stages/work.ts";

/** Meta, as JSON: the finished files as the last run that made or proved them has left them. */
const SETTLED = "settled_files";

/** File, relative to the output folder -> its hash and its stamp. */
type Settled = Readonly<Record<string, readonly [sha256: string, stamp: string]>>;

const read = (text = "{}"): Settled => JSON.parse(text) as Settled;

/**
 * At the end of a run: until one of the files is written, nobody needs to read it to know what it
 * holds. One that was finished before and has been written since is read: it may be damaged.
 */
export async function settleFiles(
  job: Pick<WorkJob, "output">,
  { state, folder }: { readonly state: State; readonly folder: string },
): Promise<void> {
  const noted = state.meta(SETTLED);
  const before = read(noted);
  const now: [string, readonly [string, string]][] = [];
  for (const { file, sha256 } of listFinished(job, state)) {
    if (sha256 === undefined) continue;
    const full = path.join(folder, file);
    const stamp = await toStamp(full);
    const [hash, last = stamp] = before[file] ?? [];
    const isKnown = hash !== sha256 || last === stamp;
    const isSame = isKnown || (await hashReadable(full)) === sha256;
    now.push([file, [sha256, isSame ? stamp : last]]);
  }
  const text = JSON.stringify(Object.fromEntries(now));
  if (text !== noted) state.setMeta(SETTLED, text);
}

async function isAsWritten(
  full: string,
  { file, sha256 }: FinishedFile,
  { settled, stamp }: { readonly settled: Settled; readonly stamp: string },
): Promise<boolean> {
  if (sha256 === undefined) return true;
  const [hash, last] = settled[file] ?? [];
  return (hash === sha256 && last === stamp) || (await hashReadable(full)) === sha256;
}

/** Reads a file only where it has been written since the last run. */
export async function findLost(
  job: Pick<WorkJob, "output">,
  state: State,
  isWanted?: (group: string) => boolean,
): Promise<LostFiles> {
  const missing: string[] = [];
  const damaged: string[] = [];
  const settled = read(state.meta(SETTLED));
  for (const finished of listFinished(job, state, isWanted)) {
    const full = path.join(job.output.dir, finished.file);
    const stamp = await toStamp(full);
    if (stamp === NO_FILE) missing.push(finished.file);
    else if (!(await isAsWritten(full, finished, { settled, stamp }))) damaged.push(finished.file);
  }
  return { missing, damaged };
}
