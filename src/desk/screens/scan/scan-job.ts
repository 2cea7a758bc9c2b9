/** Which jobs have printed sheets to be checked, and the commands that do what the screen does. */
import { existsSync } from "node:fs";
import path from "node:path";

import { toCommandLine } from "../../../base/text/shell-words.ts";
import { isRowJob, type Job } from "../../../kinds/any-job.ts";
import { outputDirOf } from "../../job-files.ts";

export const canScan = (job: Job): boolean =>
  isRowJob(job) && existsSync(path.join(outputDirOf(job), "sheet-map.json"));

/** More files are named by their folder. */
const NAMED = 12;

export function toScanCommand(manifest: string, files: readonly string[]): string {
  const [first] = files;
  if (first === undefined) return toCommandLine(["makeready", "scan", manifest, "page-1.png"]);
  if (files.length <= NAMED) return toCommandLine(["makeready", "scan", manifest, ...files]);
  return `${toCommandLine(["makeready", "scan", manifest, path.posix.dirname(first)])}/*`;
}

/** The job's policy for spoiled labels. */
export const toNextCommand = (manifest: string, policy: "same" | "new" | "forbidden"): string =>
  toCommandLine(["makeready", policy === "forbidden" ? "void" : "replace", manifest, "--spoiled"]);
