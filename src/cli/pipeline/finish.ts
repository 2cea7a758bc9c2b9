/** Everything after the server: sheets, archives, index, proof, report, last words. */
import path from "node:path";

import type { Problem } from "../../base/errors.ts";
import { exitCodes, EXIT_INTERRUPTED, EXIT_ROWS_FAILED } from "../exit-codes.ts";
import { toShortPath } from "../format-problem.ts";
import type { SummaryView, View } from "../view.ts";
import { formatCount, formatMany, toThings } from "../words.ts";
import { countStanding, NOTHING_LEFT, type Standing } from "./left.ts";
import {
  listFailed,
  writeFailed,
  writeIndexes,
  writeMap,
  type FailedEntry,
} from "./index-stage.ts";
import type { PlannedJob } from "./plan-stage.ts";
import { proveJob, recallProof, type Proof } from "./prove-stage.ts";
import { writeJobReport } from "./report-stage.ts";
import type { RunParts } from "./run-job.ts";
import type { Seal } from "./seal.ts";
import type { ServerResult } from "./send-to-server.ts";
import type { ServerChoice } from "./server.ts";
import { sweepArtwork } from "./sweep.ts";
import { makeSheets, toSheetGroup, type SheetGroup } from "./sheet-stage.ts";
import type { Work } from "./work.ts";
import { makeZips, type ZipFile } from "./zip-stage.ts";
import { describeFiles } from "./describe-files.ts";

const WARNINGS_SHOWN = 10;

/** What finishing needs of the opened parts of a run. */
export type FinishParts = Pick<RunParts, "context" | "view" | "stopwatch"> & {
  readonly options: { readonly server: ServerChoice };
};

export interface FinishInput {
  readonly work: Work;
  readonly parts: FinishParts;
  readonly planned: Pick<PlannedJob, "summary" | "warnings">;
  readonly counts: ServerResult;
}

/** All that a job made. */
export interface Made {
  readonly sheets: readonly SheetGroup[];
  readonly zips: readonly ZipFile[];
  readonly indexes: readonly string[];
  readonly map: string | null;
  readonly failedFile: string | null;
  readonly failed: readonly FailedEntry[];
  readonly proof: Proof | undefined;
  /** Pictures under names that rows had before, taken away. */
  readonly removed: number;
}

/** Packs, proves and reports; answers the exit code. */
export async function finishJob(input: FinishInput): Promise<number> {
  const { work, parts } = input;
  if (work.signal.aborted) return interrupted(input);
  const { stopwatch } = parts;
  const sheets = await stopwatch.time("sheets", () => makeSheets(work));
  warnOfSheets(parts.view, sheets);
  const zips = await stopwatch.time("zip", () => makeZips(work));
  const indexes = await stopwatch.time("index", () => writeIndexes(work));
  const map = await writeMap(work, sheets);
  if (work.signal.aborted) return interrupted(input);
  const proof = await stopwatch.time("proof", () => proveJob(work, sheets));
  parts.view.stageEnd();
  if (work.signal.aborted) return interrupted(input);
  const removed = await sweepArtwork(work);
  const failed = listFailed(work.state, work.job.source);
  const failedFile = await writeFailed(work, failed);
  const made: Made = { sheets, zips, indexes, map, failedFile, failed, proof, removed };
  const exitCode = failed.length > 0 || proof?.isProven === false ? EXIT_ROWS_FAILED : 0;
  const report = await writeJobReport(input, made);
  const standing = countStanding(work.state, work.job.kind);
  parts.view.summary(toSummary(input, { made, report, exitCode, standing }));
  work.log.info({ exitCode, seconds: stopwatch.seconds }, exitCodes[exitCode]);
  return exitCode;
}

/** The last words of a run that found everything as the last whole one left it. */
export function finishSealed(input: FinishInput, seal: Seal): number {
  const { work, parts } = input;
  const { state, folder, job } = work;
  // Those of a job that wants no sheets any more are left alone.
  const kept = job.output.sheets === null ? [] : state.allPackaged("sheets");
  const sheets = kept.map(({ result }) => toSheetGroup(result));
  warnOfSheets(parts.view, sheets);
  const failed = [...state.badRows()];
  const inFolder = (name: string): string => path.join(folder, name);
  const made: Made = {
    sheets,
    zips: state.allPackaged("zip").map(({ result }) => result as ZipFile),
    indexes: job.output.index.map((format) => inFolder(`index.${format}`)),
    map: job.output.sheets === null ? null : inFolder("sheet-map.json"),
    failedFile: failed.length === 0 ? null : inFolder("failed-rows.csv"),
    failed,
    proof: recallProof(work, sheets),
    removed: 0,
  };
  const exitCode = failed.length > 0 ? EXIT_ROWS_FAILED : 0;
  const { pictures, summary } = seal;
  const standing: Standing = { ...NOTHING_LEFT, asWanted: summary.good, pictures };
  const report = inFolder("report.html");
  parts.view.summary(toSummary(input, { made, report, exitCode, standing }));
  work.log.info({ exitCode, seconds: parts.stopwatch.seconds }, exitCodes[exitCode]);
  return exitCode;
}

function interrupted(input: FinishInput): number {
  const { work, parts } = input;
  const made: Made = {
    sheets: [],
    zips: [],
    indexes: [],
    map: null,
    failedFile: null,
    failed: [],
    proof: undefined,
    removed: 0,
  };
  const exitCode = EXIT_INTERRUPTED;
  const standing = countStanding(work.state, work.job.kind);
  parts.view.summary(toSummary(input, { made, report: null, exitCode, standing }));
  work.log.info({ exitCode: EXIT_INTERRUPTED }, exitCodes[EXIT_INTERRUPTED]);
  return EXIT_INTERRUPTED;
}

/** What a person should know of the paper before it is printed, such as captions that can't be drawn. */
function warnOfSheets(view: View, sheets: readonly SheetGroup[]): void {
  const messages = [...new Set(sheets.flatMap(({ warnings }) => warnings))];
  for (const message of messages.slice(0, WARNINGS_SHOWN)) view.warning({ message });
  const hidden = messages.length - WARNINGS_SHOWN;
  if (hidden > 0) view.warning({ message: `… and ${formatCount(hidden)} more in report.html` });
}

/** Failures with their place in the spreadsheet, in its order. */
export function toProblems(failed: readonly FailedEntry[]): Problem[] {
  return failed.flatMap(({ problems }) => problems);
}

interface Outcome {
  readonly made: Made;
  readonly report: string | null;
  readonly exitCode: number;
  readonly standing: Standing;
}

/** What to do about rows that failed. */
function toMending(
  { work, parts, planned }: FinishInput,
  failedFile: string,
  { refused, halfway, lostFiles: files }: Standing,
): string[] {
  const { job } = work;
  const { cwd } = parts.context;
  const file = path.basename(failedFile);
  const fetching =
    files === 0
      ? []
      : [
          `the files of ${formatMany(files, "code")} are missing, the codes are made: run the same command again, and they are fetched`,
        ];
  if (planned.summary.bad + refused + halfway === 0) return fetching;
  if (job.source === null) {
    const says = `${file} lists the codes with the reason`;
    return [`${says}; run the same command again: the others are skipped`, ...fetching];
  }
  const where = toShortPath(job.source.file, cwd);
  return [
    `mend the rows listed in ${file} where they stand, in ${where}, then run the same command again: finished rows are skipped`,
    ...(refused === 0
      ? []
      : [
          `rows that the server refused though they are right: makeready retry ${toShortPath(job.file, cwd)}`,
        ]),
    ...fetching,
  ];
}

function toNextSteps(input: FinishInput, { made, exitCode, standing }: Outcome): string[] {
  const { work, parts } = input;
  const again = `makeready run ${toShortPath(work.job.file, parts.context.cwd)}`;
  if (exitCode === EXIT_INTERRUPTED) return [`go on with: ${again}`];
  const steps = made.failedFile === null ? [] : toMending(input, made.failedFile, standing);
  const left = standing.unfinished + standing.open;
  if (left > 0) steps.push(`for the ${formatCount(left)} left to do: ${again}`);
  if (work.isRehearsal) {
    steps.push(
      parts.options.server.baseUrl === undefined
        ? "for codes that lead to the world: set MAKEREADY_PUBLIC_URL to the address where `makeready serve` will be reached, then run again"
        : "for codes that lead to the world: start the server with --public-url, the address where it will be reached, and make the codes anew",
    );
  }
  return steps;
}

function toSummary(input: FinishInput, outcome: Outcome): SummaryView {
  const { work, parts, planned, counts } = input;
  const { asWanted, unfinished, open, failed, pictures } = outcome.standing;
  const { created, adopted, changed } = counts.counts;
  return {
    job: work.job.name,
    things: toThings(work.job.kind),
    rows: planned.summary.rows,
    created,
    adopted,
    changed,
    unchanged: Math.max(0, asWanted - created - adopted - changed),
    left: unfinished + open,
    failed,
    bad: planned.summary.bad,
    writes: counts.calls.writes,
    reads: counts.calls.reads,
    seconds: parts.stopwatch.seconds,
    stages: parts.stopwatch.stages,
    files: describeFiles(work, { ...outcome, pictures }),
    proof: outcome.made.proof?.says,
    isRehearsal: work.isRehearsal,
    problems: toProblems(outcome.made.failed),
    next: toNextSteps(input, outcome),
    exitCode: outcome.exitCode,
    interrupted: outcome.exitCode === EXIT_INTERRUPTED,
  };
}
