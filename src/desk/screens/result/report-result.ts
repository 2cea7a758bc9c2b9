/** The last report of a job: reports keep no state, so their files tell of those that a command made. */
import {
  findLastReport,
  listReportFiles,
  type LastReport,
} from "../../../kinds/report/last-report.ts";
import type { ReportJob } from "../../../kinds/report/job.ts";
import { NOTHING_DONE } from "../../../pipeline/standing/counts.ts";
import { NO_CALLS, type RunResult } from "../../../pipeline/results.ts";
import type { TaskLine } from "../../tasks/task.ts";

/** Only its files are known. */
async function toFilesOnly(job: ReportJob, { folder }: LastReport): Promise<RunResult> {
  const files = await listReportFiles(job, folder);
  return {
    job: job.name,
    kind: job.kind,
    manifest: job.file,
    from: "codes",
    did: "run",
    outcome: "done",
    ...NOTHING_DONE,
    rows: 0,
    unchanged: 0,
    calls: NO_CALLS,
    seconds: 0,
    stages: [],
    files: files.map((file) => ({ role: "scans", ...file })),
    next: [],
  };
}

/** What a desk's own run came to, unless a younger report is there; undefined before the first one. */
export async function readReportResult(
  job: ReportJob,
  last: TaskLine | undefined,
): Promise<RunResult | undefined> {
  const made = await findLastReport(job);
  const isOwn = last?.type === "result" && last.result.step === "run";
  if (isOwn && Math.floor(made?.madeMs ?? 0) <= last.atMs) return last.result.result;
  return made === undefined ? undefined : toFilesOnly(job, made);
}
