/** Identifies a job in the ledgers of a data folder: its serials and units. */
import path from "node:path";

export interface JobPlace {
  readonly job: string;
  /** Output folder of the job, absolute. */
  readonly dir: string;
  readonly dataDir: string;
}

/** Stays the same when folder and data folder move together. */
export function toJobIdentity({ job, dir, dataDir }: JobPlace): string {
  const below = path.relative(dataDir, dir).split(path.sep).join("/");
  return JSON.stringify([job, below]);
}
