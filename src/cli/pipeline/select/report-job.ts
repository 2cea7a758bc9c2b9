/** Jobs of kind `report`: what was scanned, as workbook, CSV and page. Nothing is written to the server. */
import { mkdir } from "node:fs/promises";
import path from "node:path";

import { AppError } from "../../../base/errors.ts";
import { makeLog } from "../../../base/log.ts";
import type { ReportJob } from "../../../job/select-jobs.ts";
import type { ScanReport } from "../../../pack/scan-figures.ts";
import { writeScanPage } from "../../../pack/scan-page.ts";
import { writeScanCsv, writeScanXlsx } from "../../../pack/scan-tables.ts";
import { lastDays, toWindows } from "../../../plan/scan-window.ts";
import { readDetails, Scans, type ScanWindowsWanted } from "../../../run/read-scans.ts";
import { describeSelect, toSelection } from "../../../run/select.ts";
import type { CliContext } from "../../context.ts";
import { EXIT_INTERRUPTED } from "../../exit-codes.ts";
import { toShortPath } from "../../format-problem.ts";
import type { View } from "../../view.ts";
import { formatBytes, formatMany } from "../../words.ts";
import { refuseTooMany } from "../confirm.ts";
import { NO_CALLS, type Calls } from "../job-client.ts";
import { checkServer, type ServerChoice } from "../server.ts";
import type { PlanOutcome, PlanRequest, RunOptions } from "../steps.ts";
import { makeStopwatch, type Stopwatch } from "../stopwatch.ts";
import { toReportName } from "./last-report.ts";
import { isNothingThere, noCodesYet, withClient } from "./open-select.ts";
import { EMPTY_SUMMARY } from "./plan-selection.ts";
import { addDetails, toScanReport } from "./scan-report.ts";

/** Codes that one GET tells of. */
const CODES_PER_GET = 200;

function windowsOf(job: ReportJob, nowMs: number): ScanWindowsWanted {
  const now = { nowMs, timeZone: job.schedule?.timezone ?? "UTC" };
  const { zeroScansForDays: days } = job.flag;
  return { ...toWindows(job.window, now), flag: days === null ? null : lastDays(days, now) };
}

const serverName = (server: ServerChoice): string =>
  server.baseUrl ?? `embedded service, data in ${server.dataDir}`;

/** How many codes the server's list has; what it can't be asked for is not looked at. */
async function countSelected(
  context: CliContext,
  view: View,
  { job, server }: PlanRequest<ReportJob>,
): Promise<number> {
  const needs = { context, view, log: makeLog(), choice: server, patienceMs: undefined };
  const { result } = await withClient(job, needs, async ({ client }) => {
    const { query } = await toSelection(client, job.select);
    const { count } = await client.listCodes({ ...query, page: 1, page_size: 1 });
    return count;
  });
  return result;
}

/** A report changes nothing: there is nothing that could be agreed on beforehand. */
const noPlanToSave = (): AppError =>
  new AppError("bad-usage", "a plan can be saved for jobs that change something, got a report", {
    hint: "leave --out PLAN.json and --plan away",
  });

/** `plan`: says what a run would read. */
export async function planReportJob(
  context: CliContext,
  view: View,
  request: PlanRequest<ReportJob>,
): Promise<PlanOutcome> {
  const { job, server, saveTo } = request;
  if (saveTo !== undefined) throw noPlanToSave();
  if (isNothingThere(server)) throw noCodesYet(server);
  checkServer(job, server, context);
  const rows = await countSelected(context, view, request);
  const { current, previous, flag } = windowsOf(job, context.clock.nowMs());
  const hasFlagWindow = flag !== null && flag.start !== current.start;
  const lists = 1 + Number(previous !== null) + Number(hasFlagWindow);
  const details = Math.min(rows, job.details?.top ?? 0);
  const reads = Math.max(1, Math.ceil(rows / CODES_PER_GET)) * lists + details;
  view.plan({
    job: job.name,
    input: describeSelect(job.select),
    isSelection: true,
    server: serverName(server),
    isRehearsal: false,
    isLimited: server.baseUrl !== undefined || server.limits === "hosted",
    summary: { ...EMPTY_SUMMARY, rows, good: rows, unchanged: rows, reads },
    sheetPages: 0,
    warnings: [],
    notes: [
      `scans of ${current.says}`,
      ...(previous === null ? [] : [`compared with ${previous.says}`]),
    ],
  });
  return { hasWork: false };
}

interface Written {
  readonly path: string;
  readonly says: string;
}

async function writeFiles(job: ReportJob, report: ScanReport): Promise<Written[]> {
  const { dir, formats } = job.output;
  await mkdir(dir, { recursive: true });
  const name = toReportName(job);
  const files: Written[] = [];
  for (const format of formats) {
    if (format === "csv") {
      const written = await writeScanCsv(dir, report);
      files.push(...written.map(({ file, bytes }) => ({ path: file, says: formatBytes(bytes) })));
    } else if (format === "xlsx") {
      const file = path.join(dir, `${name}.xlsx`);
      const { bytes } = await writeScanXlsx(file, report);
      files.push({ path: file, says: `all tables, ${formatBytes(bytes)}` });
    } else {
      const { file } = await writeScanPage(path.join(dir, `${name}.html`), report);
      files.push({ path: file, says: "open this in a browser: figures and charts" });
    }
  }
  return files;
}

function tell(
  { context, view, stopwatch }: { context: CliContext; view: View; stopwatch: Stopwatch },
  job: ReportJob,
  { report, files, calls }: { report: ScanReport | undefined; files: Written[]; calls: Calls },
): number {
  const interrupted = report === undefined;
  const exitCode = interrupted ? EXIT_INTERRUPTED : 0;
  const codes = report?.total.codes ?? 0;
  view.summary({
    job: job.name,
    rows: codes,
    created: 0,
    adopted: 0,
    changed: 0,
    unchanged: codes,
    left: 0,
    failed: 0,
    bad: 0,
    writes: calls.writes,
    reads: calls.reads,
    seconds: stopwatch.seconds,
    stages: stopwatch.stages,
    files,
    proof:
      report === undefined
        ? undefined
        : `${formatMany(report.total.scans, "scan")} of ${formatMany(codes, "code")}, ${report.window}`,
    isRehearsal: false,
    problems: [],
    next: interrupted ? [`run again: makeready run ${toShortPath(job.file, context.cwd)}`] : [],
    exitCode,
    interrupted,
  });
  return exitCode;
}

/** `run`: reads the figures and writes the files; answers the exit code. */
export async function runReportJob(
  context: CliContext,
  view: View,
  { job, server, patienceMs, plan }: RunOptions<ReportJob>,
): Promise<number> {
  if (plan !== undefined) throw noPlanToSave();
  if (isNothingThere(server)) throw noCodesYet(server);
  checkServer(job, server, context);
  const { signal, clock } = context;
  const nowMs = clock.nowMs();
  const windows = windowsOf(job, nowMs);
  const scans = new Scans(windows);
  const stopwatch = makeStopwatch(clock);
  const parts = { context, view, stopwatch };
  try {
    const needs = { context, view, log: makeLog(), choice: server, patienceMs };
    const { result: report, calls } = await withClient(job, needs, async ({ client }) => {
      const withTags = job.columns.includes("tags");
      await stopwatch.time("figures", () => scans.read(client, job.select, { withTags, signal }));
      refuseTooMany(scans.count, job.safety.maxCodes);
      const bare = toScanReport({
        job,
        scans,
        window: windows.current.says,
        previousWindow: windows.previous?.says ?? null,
        selection: describeSelect(job.select),
        server: serverName(server),
        program: context.writer,
        nowMs,
      });
      if (job.details === null) return bare;
      const ids = bare.top
        .filter(({ scans: count }) => count !== null)
        .slice(0, job.details.top)
        .map(({ id }) => id);
      const found = await stopwatch.time("details", () =>
        readDetails(client, ids, { window: windows.current, signal }),
      );
      return addDetails(bare, job, found);
    });
    const files = await stopwatch.time("files", () => writeFiles(job, report));
    return tell(parts, job, { report, files, calls });
  } catch (error) {
    if (!signal.aborted) throw error;
    return tell(parts, job, { report: undefined, files: [], calls: NO_CALLS });
  } finally {
    scans.close();
  }
}
