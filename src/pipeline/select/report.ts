/** Jobs of kind `report`: what was scanned, as workbook, CSV and page. Nothing is written to the server. */
import path from "node:path";

import { badUsage, type AppError } from "../../base/errors.ts";
import { makeLog } from "../../base/log.ts";
import { makeFolder } from "../../base/files/make-folder.ts";
import type { ReportJob } from "../../kinds/report/job.ts";
import type { ScanReport } from "../../pack/scan-figures.ts";
import type { WrittenFile } from "../../pack/hashed-file.ts";
import { writeScanPage } from "../../pack/scan-page.ts";
import { writeScanCsv, writeScanXlsx } from "../../pack/scan-tables.ts";
import { isSameWindow, lastDays, toWindows } from "../../plan/scan-window.ts";
import { EMPTY_SUMMARY } from "../../plan/tally.ts";
import { readDetails, Scans, type ScanWindowsWanted } from "../../run/read-scans.ts";
import { describeSelect, toSelection } from "../../run/select.ts";
import { refuseTooMany } from "../checks/confirm.ts";
import { NOTHING_DONE } from "../standing/counts.ts";
import { countCalls, withClient } from "../address/job-client.ts";
import type { Ports } from "../ports.ts";
import { NO_CALLS, type Calls, type JobPlan, type Output, type RunResult } from "../results.ts";
import { checkServer, isNothingThere, noCodesYet, type ServerChoice } from "../address/server.ts";
import { chooseReportWords } from "../stages/report-words.ts";
import { makeStopwatch, type Stopwatch } from "../stages/stopwatch.ts";
import type { PlanRequest, RunOrder, Strategy } from "../strategy.ts";
import { toReportName } from "../../kinds/report/last-report.ts";
import { addDetails, toScanReport } from "../../kinds/report/scan-report.ts";

const CODES_PER_GET = 200;

function windowsOf(job: ReportJob, nowMs: number): ScanWindowsWanted {
  const now = { nowMs, timeZone: job.schedule?.timezone ?? "UTC" };
  const { zeroScansForDays: days } = job.flag;
  return { ...toWindows(job.window, now), flag: days === null ? null : lastDays(days, now) };
}

const serverName = (server: ServerChoice): string =>
  server.baseUrl ?? `embedded service, data in ${server.dataDir}`;

/**
 * How many codes the server's list has, filtered only as far as the API can, and how many GETs it
 * takes to resolve the selection.
 */
async function countSelected(
  { job, server }: PlanRequest<ReportJob>,
  ports: Ports,
): Promise<{ readonly rows: number; readonly readsBefore: number; readonly input: string }> {
  const needs = { ports, choice: server, log: makeLog() };
  const { result } = await withClient(job, needs, async ({ client }) => {
    const { query, says: input } = await toSelection(client, job.select);
    const readsBefore = countCalls(client).reads;
    const { count } = await client.listCodes({ ...query, page: 1, page_size: 1 });
    return { rows: count, readsBefore, input };
  });
  return result;
}

/** A report changes nothing, so there is no plan to save. */
const noPlanToSave = (): AppError =>
  badUsage(
    "a plan can be saved for jobs that change something, got a report",
    "leave --out PLAN.json and --plan out",
  );

function checkRequest(job: ReportJob, server: ServerChoice, ports: Ports): void {
  if (isNothingThere(server)) throw noCodesYet(server);
  checkServer(job, server, ports);
}

/**
 * Short links are no codes and lie in no folder, but a report of everything seems to count them.
 */
const mayMeanLinks = ({ select }: ReportJob): boolean =>
  select.folder === null && select.tags.length === 0;

/** What a run would read. */
async function plan(request: PlanRequest<ReportJob>, ports: Ports): Promise<JobPlan> {
  const { job, server } = request;
  if (request.isSaved) throw noPlanToSave();
  checkRequest(job, server, ports);
  const { rows, readsBefore, input } = await countSelected(request, ports);
  const { current, previous, flag } = windowsOf(job, ports.clock.nowMs());
  const hasFlagWindow = flag !== null && !isSameWindow(flag, current);
  const lists = 1 + Number(previous !== null) + Number(hasFlagWindow);
  const details = Math.min(rows, job.details?.top ?? 0);
  const reads = readsBefore + Math.max(1, Math.ceil(rows / CODES_PER_GET)) * lists + details;
  return {
    job: job.name,
    kind: job.kind,
    input,
    from: "codes",
    isSelection: true,
    baseUrl: server.baseUrl,
    dataDir: server.dataDir,
    isRehearsal: false,
    isLimited: server.baseUrl !== undefined || server.limits === "hosted",
    summary: {
      ...EMPTY_SUMMARY,
      rows,
      good: rows,
      unchanged: rows,
      reads,
      ...(details > 0 && { readsAtMost: true as const }),
    },
    sheetPages: 0,
    press: [],
    warnings: [],
    notes: [
      { code: "scans-of", window: current.says },
      ...(previous === null ? [] : [{ code: "compared-with", window: previous.says } as const]),
      ...(mayMeanLinks(job) ? [{ code: "without-links" } as const] : []),
    ],
    hasWork: false,
  };
}

async function writePage(file: string, report: ScanReport, ports: Ports): Promise<WrittenFile> {
  return writeScanPage(file, report, await chooseReportWords(file, ports.report));
}

async function writeFiles(job: ReportJob, report: ScanReport, ports: Ports): Promise<Output[]> {
  const { dir, formats } = job.output;
  await makeFolder(dir);
  const base = path.join(dir, toReportName(job));
  const files: Output[] = [];
  for (const format of formats) {
    const written =
      format === "csv"
        ? await writeScanCsv(dir, report)
        : format === "xlsx"
          ? [await writeScanXlsx(`${base}.xlsx`, report)]
          : [await writePage(`${base}.html`, report, ports)];
    files.push(
      ...written.map(({ file, bytes }) => ({ role: "scans", file, format, bytes }) as const),
    );
  }
  return files;
}

/** The server's figures. */
async function readReport(
  order: RunOrder<ReportJob>,
  ports: Ports,
  { scans, windows, nowMs, stopwatch }: Reading,
): Promise<{ result: ScanReport; calls: Calls }> {
  const { job, server, patienceMs } = order;
  const { signal } = ports;
  const needs = { ports, choice: server, log: makeLog(), patienceMs };
  return withClient(job, needs, async ({ client }) => {
    const withTags = job.columns.includes("tags");
    await stopwatch.time("figures", () => scans.read(client, job.select, { withTags, signal }));
    refuseTooMany(scans.count, job.safety.maxCodes);
    const bare = toScanReport({
      job,
      scans,
      window: windows.current.says,
      previousWindow: windows.previous?.says ?? null,
      selection: describeSelect(job.select) + (mayMeanLinks(job) ? ", without short links" : ""),
      server: serverName(server),
      program: ports.writer,
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
}

interface Reading {
  readonly scans: Scans;
  readonly windows: ScanWindowsWanted;
  readonly nowMs: number;
  readonly stopwatch: Stopwatch;
}

function toResult(
  job: ReportJob,
  stopwatch: Stopwatch,
  { report, files, calls }: { report: ScanReport | undefined; files: Output[]; calls: Calls },
): RunResult {
  const { codes = 0, scans = 0 } = report?.total ?? {};
  return {
    job: job.name,
    kind: job.kind,
    manifest: job.file,
    from: "codes",
    did: "run",
    outcome: report === undefined ? "interrupted" : "done",
    ...NOTHING_DONE,
    rows: codes,
    unchanged: codes,
    calls,
    seconds: stopwatch.seconds,
    stages: stopwatch.stages,
    files,
    ...(report !== undefined && {
      scans: { scans, codes, window: report.window, withoutLinks: mayMeanLinks(job) },
    }),
    next: report === undefined ? [{ code: "report-again" }] : [],
  };
}

/** Reads the figures and writes the files. */
async function run(order: RunOrder<ReportJob>, ports: Ports): Promise<RunResult> {
  const { job, server } = order;
  if (order.plan !== undefined) throw noPlanToSave();
  checkRequest(job, server, ports);
  const nowMs = ports.clock.nowMs();
  const windows = windowsOf(job, nowMs);
  const scans = new Scans(windows);
  const stopwatch = makeStopwatch(ports.clock);
  try {
    const reading = { scans, windows, nowMs, stopwatch };
    const { result: report, calls } = await readReport(order, ports, reading);
    const files = await stopwatch.time("files", () => writeFiles(job, report, ports));
    return toResult(job, stopwatch, { report, files, calls });
  } catch (error) {
    if (!ports.signal.aborted) throw error;
    return toResult(job, stopwatch, { report: undefined, files: [], calls: NO_CALLS });
  } finally {
    scans.close();
  }
}

export const report: Strategy<ReportJob> = { plan, run };
