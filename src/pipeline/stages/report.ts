/** `report.html`: figures, proof, failed rows and a contact sheet in one file. */
import { showKey } from "../../base/shapes/row-key.ts";
import { stat } from "node:fs/promises";
import path from "node:path";

import { hashFile } from "../../base/files/hash-file.ts";
import type { Problem } from "../../base/errors.ts";
import type {
  ReportData,
  ReportFailedRow,
  ReportFile,
  ReportGroup,
  ReportThumbnail,
  ReportVanishedRow,
} from "../../pack/report-data.ts";
import { writeReport } from "../../pack/report.ts";
import type { ReportWords } from "../../pack/report-words.ts";
import { toRowPlace } from "../../plan/row-place.ts";
import { countAfter, countRows, countStanding } from "../standing/left.ts";
import { originsOf } from "../address/link-origins.ts";
import { judgePress } from "../standing/press.ts";
import { isLoopbackUrl } from "../../base/text/url.ts";
import { type GradeCount, joinGrades } from "../paper/grades.ts";
import type { Work } from "./work.ts";
import { isMaker, listVanished } from "./vanished-rows.ts";
import type { FailedEntry, Finishing, Made, Stage } from "./stage.ts";
import type { SheetOptions } from "../../print/sheets.ts";
import { SHOWN_FIELDS, type ShownRow, type StateRow } from "../../state/row.ts";
import { chooseReportWords, REPORT } from "./report-words.ts";
import { makeSheetOptions } from "./sheet-options.ts";
import { openArtworkGrades, openPrintedCodes } from "./sheet-records.ts";
import { PRESENT_DONE, VANISHED_WITH_CODE, WITH_ARTWORK } from "../../state/which-rows.ts";

/** Makes paths relative to the folder of the manifest: a report is read on other computers, too. */
export function makeRelative(manifest: string): (problem: Problem) => Problem {
  const folder = path.dirname(manifest);
  const named = (file: string): string =>
    path.isAbsolute(file) ? path.relative(folder, file).replaceAll(path.sep, "/") : file;
  const above = path.dirname(folder);
  const bare = (text: string): string =>
    [
      [folder, ""],
      [above, "../"],
    ].reduce((now, [from = "", to = ""]) => {
      const start = from.endsWith(path.sep) ? from : `${from}${path.sep}`;
      return start === path.sep ? now : now.replaceAll(start, to);
    }, text);
  return ({ message, where, hint }) => ({
    message: bare(message),
    ...(where !== undefined && {
      where: { ...where, ...(where.file !== undefined && { file: named(where.file) }) },
    }),
    ...(hint !== undefined && { hint: bare(hint) }),
  });
}

function toFailedRow(line: number, { message, where, hint }: Problem): ReportFailedRow {
  const { column, row } = where ?? {};
  return {
    ...(row === undefined ? { line } : { place: row }),
    reason: message,
    ...(column !== undefined && { column: String(column) }),
    ...(hint !== undefined && { fix: hint }),
  };
}

const toFailedRows = (
  failed: readonly FailedEntry[],
  relative: (problem: Problem) => Problem,
): ReportFailedRow[] =>
  failed.flatMap(({ line, problems }) =>
    problems.map((problem) => toFailedRow(line, relative(problem))),
  );

/** The file that shows a row's artwork; undefined where the job keeps none. */
function toArtwork(work: Work, row: ShownRow): ReportThumbnail["artwork"] {
  const file = work.job.output.files.length === 0 ? undefined : row.artwork?.files[0];
  return file && { path: path.join(work.folder, file.name), name: file.name };
}

const toCaption = (row: ShownRow): string =>
  row.placing.caption.join(" · ") || (row.made ?? row.wanted).displayName || showKey(row.key);

/** Codes of a PDF: as it prints them, beside their artwork where that looks different. */
async function* toPrintedThumbnails(
  work: Work,
  options: SheetOptions,
  group: string,
): AsyncIterable<ReportThumbnail> {
  const codes = openPrintedCodes(work, options);
  for (const row of work.state.sheetRows(group, SHOWN_FIELDS)) {
    const artwork = toArtwork(work, row);
    const printed = await codes(row);
    const isAlike = printed.isAlike && artwork !== undefined;
    yield {
      caption: toCaption(row),
      ...(artwork !== undefined && { artwork }),
      ...(!isAlike && { printed: printed.svg }),
      grade: printed.grade,
      ...(row.shortLink !== null && { shortLink: row.shortLink }),
    };
  }
}

async function* toThumbnails(work: Work): AsyncIterable<ReportThumbnail> {
  const grades = await openArtworkGrades(work);
  for (const row of work.state.pick(SHOWN_FIELDS, WITH_ARTWORK)) {
    const artwork = toArtwork(work, row);
    if (artwork === undefined) continue;
    const { shortLink } = row;
    const link = shortLink !== null && { shortLink };
    yield { caption: toCaption(row), artwork, ...link, grade: await grades.add(row) };
  }
}

async function toGroups(work: Work): Promise<ReportGroup[]> {
  const { files, sheets } = work.job.output;
  // There is no picture to show.
  if (files.length === 0 && sheets === null) return [];
  const options = await makeSheetOptions(work.job, work);
  const groups = work.state.groups("sheets");
  if (groups.length > 0 && options !== undefined) {
    return groups.map(({ name, rows }) => ({
      name,
      total: rows,
      link: name,
      thumbnails: toPrintedThumbnails(work, options, name),
    }));
  }
  const total = work.state.count(PRESENT_DONE);
  return [{ name: work.job.name, total, thumbnails: toThumbnails(work) }];
}

/** Of the codes that are printed; without sheets, of those that were drawn. */
async function toGrades(work: Work, { sheets }: Made): Promise<GradeCount[]> {
  if (sheets.length > 0) return joinGrades(sheets.map(({ grades = [] }) => grades));
  const grades = await openArtworkGrades(work);
  for (const row of work.state.pick(SHOWN_FIELDS, WITH_ARTWORK)) await grades.add(row);
  return grades.list();
}

async function toFiles(work: Work, made: Made, { notes }: ReportWords): Promise<ReportFile[]> {
  const standard = work.job.output.sheets?.standard ?? "";
  const isTwoSided = (work.job.output.sheets?.back ?? null) !== null;
  const sheets = made.sheets.flatMap(({ volumes, isRoll = false }) =>
    volumes.map(({ file, bytes, sha256, pages }) => ({
      name: file,
      bytes,
      sha256,
      note: `${notes.pages(pages, { isTwoSided, isRoll })}, ${standard}`,
    })),
  );
  const zips = made.zips.map(({ file, bytes, sha256, ...archive }) => ({
    name: file,
    bytes,
    sha256,
    note: notes.archive(archive),
  }));
  const others: ReportFile[] = [];
  const vanished = made.vanished?.file ?? null;
  for (const file of [...made.indexes, made.map, ...made.failedFiles, vanished]) {
    if (file === null) continue;
    const { size } = await stat(file);
    others.push({
      name: path.relative(work.folder, file),
      bytes: size,
      sha256: await hashFile(file),
    });
  }
  if (made.certificate !== null) {
    const { size } = await stat(made.certificate);
    others.push({
      name: path.relative(work.folder, made.certificate),
      bytes: size,
      sha256: await hashFile(made.certificate),
      note: notes.certificate,
    });
  }
  for (const { file, madeMs } of made.kept) {
    const { size } = await stat(file);
    others.push({
      name: path.relative(work.folder, file),
      bytes: size,
      sha256: await hashFile(file),
      note: notes.kept(madeMs),
    });
  }
  return [...sheets, ...zips, ...others];
}

/** Of codes that rows made, all that are left over; of others, those that a run selects no longer. */
const countVanished = (work: Finishing): number =>
  isMaker(work) ? work.state.count(VANISHED_WITH_CODE) : work.run.planned.summary.vanished;

/** The counts of an undo or a retire. */
function toCountsAfter(work: Finishing, notDone: number): ReportData["counts"] {
  const { state, job, run } = work;
  const { bad } = run.planned.summary;
  const { changed } = run.counts;
  const standing = countStanding(state, job.kind);
  const { halfway, refused, open, lostFiles } = standing;
  return {
    ...countAfter(standing, { bad, changed, notDone }),
    created: 0,
    updated: changed,
    failed: refused + halfway + notDone + bad,
    left: open,
    ...(lostFiles > 0 && { withoutFiles: lostFiles }),
    vanished: countVanished(work),
  };
}

/** The same counts as the result of the run has. */
function toCounts(work: Finishing): ReportData["counts"] {
  const { state, job, run } = work;
  const { after, retired } = run;
  if (retired !== undefined) return { ...toCountsAfter(work, 0), retired };
  if (after !== undefined) return toCountsAfter(work, after.notDone ?? 0);
  const { rows, bad } = run.planned.summary;
  const { changed, failed, ...counts } = countRows(countStanding(state, job.kind), run.counts);
  const vanished = countVanished(work);
  return { ...counts, rows, updated: changed, failed: failed + bad, vanished };
}

function toFigures(work: Finishing) {
  const { calls } = work.run;
  return {
    counts: toCounts(work),
    calls: {
      writes: calls.writes,
      reads: calls.reads,
      retries: calls.limited,
      waitedMs: calls.waitedMs,
    },
  };
}

/** The line, or what names a row without one. */
function toPlace(
  source: NonNullable<Work["job"]["source"]>,
  at: StateRow,
): Pick<ReportVanishedRow, "line" | "place"> {
  const { line, row } = toRowPlace(source, at);
  return { line, place: row };
}

const toVanishedRow = (row: StateRow, { source }: Work["job"]): ReportVanishedRow => ({
  key: row.key,
  ...(source !== null && toPlace(source, row)),
  name: (row.made ?? row.wanted).displayName,
  code: row.shortLink ?? row.remoteId ?? "",
  files: row.artwork?.files.map(({ name }) => name) ?? [],
  showsOldAddress: row.artwork?.spoiled === "moved",
});

/** Rows that failed and rows that vanished, with the files that have all of them. */
function toRowLists(
  work: Finishing,
  { failed, failedFiles, vanished }: Made,
): Pick<ReportData, "failedRows" | "failedRowsFile" | "vanishedRows" | "vanishedRowsFile"> {
  const [failedFile] = failedFiles;
  return {
    failedRows: toFailedRows(failed, makeRelative(work.job.file)),
    ...(failedFile !== undefined && { failedRowsFile: path.basename(failedFile) }),
    vanishedRows: listVanished(work).map((row) => toVanishedRow(row, work.job)),
    ...(vanished !== null && { vanishedRowsFile: path.basename(vanished.file) }),
  };
}

/** Warnings of the plan and the sheets, each once. */
function toWarnings({ job, run }: Finishing, { sheets }: Made): Problem[] {
  const { warnings, told = warnings } = run.planned;
  const ofSheets = sheets.flatMap((made) => made.warnings.map((message): Problem => ({ message })));
  const all = [...told, ...ofSheets].map(makeRelative(job.file));
  return [...new Map(all.map((one) => [JSON.stringify([one.message, one.where]), one])).values()];
}

async function toReportData(work: Finishing, made: Made, words: ReportWords): Promise<ReportData> {
  const { state, job, run } = work;
  const { created } = run.counts;
  const { stages } = run.stopwatch;
  const sending = stages.find((stage) => stage.name === "codes and downloads");
  const here = work.isRehearsal ? originsOf(state).find(isLoopbackUrl) : undefined;
  const isFast = sending !== undefined && sending.seconds > 0 && created > 0;
  return {
    job: job.name,
    kind: job.kind,
    createdAt: new Date(work.clock.nowMs()),
    program: work.writer,
    source: work.input.name,
    server: run.baseUrl ?? words.embedded,
    ...(here !== undefined && { rehearsal: here }),
    ...toFigures(work),
    stages: stages.map(({ name, seconds }) => ({ name, durationMs: seconds * 1000 })),
    ...(isFast && { codesPerSecond: created / sending.seconds }),
    grades: await toGrades(work, made),
    ...(made.proof !== undefined && { verification: made.proof.verification }),
    press: judgePress(work, {
      ...made,
      labels: { designs: [], ...run.planned.labels },
      otherLooks: run.planned.otherLooks,
    }),
    warnings: toWarnings(work, made),
    ...toRowLists(work, made),
    files: await toFiles(work, made, words),
    removedFiles: made.swept.map((file) => path.relative(work.folder, file)),
    groups: await toGroups(work),
    nextCommand: run.command,
    ...(run.after !== undefined && { after: run.after }),
  };
}

export const reportStage: Stage = {
  name: "report",
  isTimed: false,
  async make(work, made) {
    const place = path.join(work.folder, REPORT);
    const words = await chooseReportWords(place, work.report);
    const data = await toReportData(work, made, words);
    const { file } = await writeReport(place, data, words);
    return { report: file };
  },
  recall: ({ folder }) => ({ report: path.join(folder, REPORT) }),
  describe: (_work, { report }) => (report === null ? [] : [{ role: "report", file: report }]),
  watched: () => [REPORT],
};
