/** Finds the last report of a job; reports keep no state. */
import { readdir, stat } from "node:fs/promises";
import path from "node:path";

import { toSlug } from "../../base/text/slug.ts";
import type { ReportJob } from "./job.ts";

/** Names of a report's files. */
export const toReportName = (job: ReportJob): string => toSlug(job.name) || "scans";

export interface LastReport {
  /** Absolute. */
  readonly folder: string;
  readonly madeMs: number;
}

/** The newest report in the job's folder of today or in one beside it: folders may carry the date. */
export async function findLastReport(job: ReportJob): Promise<LastReport | undefined> {
  const { dir, formats } = job.output;
  const parent = path.dirname(dir);
  const entries = await readdir(parent, { withFileTypes: true }).catch(() => []);
  const name = toReportName(job);
  const names = formats.map((format) => (format === "csv" ? "codes.csv" : `${name}.${format}`));
  let last: LastReport | undefined;
  for (const entry of entries.filter((one) => one.isDirectory())) {
    const folder = path.join(parent, entry.name);
    const found = await Promise.all(
      names.map((file) => stat(path.join(folder, file)).catch(() => undefined)),
    );
    // Other jobs have folders there, too: only one with all of them is ours.
    if (found.includes(undefined)) continue;
    const madeMs = Math.max(...found.map((one) => one?.mtimeMs ?? 0));
    if (last === undefined || madeMs > last.madeMs) last = { folder, madeMs };
  }
  return last;
}

export interface ReportFile {
  /** Absolute. */
  readonly file: string;
  readonly format: ReportJob["output"]["formats"][number];
  readonly bytes: number;
}

/** In the order in which they are written. */
const tablesOf = ({ groupBy }: ReportJob): string[] => [
  ...(groupBy === "code" ? [] : [`${groupBy}s`]),
  "codes",
  "flagged",
  "details",
];

/** The files of a report in their order; a table that an older report has left there is none of them. */
export async function listReportFiles(job: ReportJob, folder: string): Promise<ReportFile[]> {
  const found: ReportFile[] = [];
  let begunMs = 0;
  for (const format of job.output.formats) {
    const names = format === "csv" ? tablesOf(job) : [toReportName(job)];
    for (const name of names) {
      const file = path.join(folder, `${name}.${format}`);
      const there = await stat(file).catch(() => undefined);
      if (there === undefined || there.mtimeMs < begunMs) continue;
      begunMs ||= there.mtimeMs;
      found.push({ file, format, bytes: there.size });
    }
  }
  return found;
}
