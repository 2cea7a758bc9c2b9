/** The lists of the report: findings, warnings, failed rows, files, stages. */
import { showKey } from "../base/shapes/row-key.ts";
import { sayLimit, toGradeLetter } from "../base/text/grade-words.ts";
import { toPlace, type Problem } from "../base/errors.ts";
import { sayPrinted } from "../base/shapes/press-warning.ts";
import { formatBytes } from "../base/text/words.ts";
import { html, toRelativeHref, type Html, type HtmlValue } from "./html.ts";
import type {
  ReportData,
  ReportFailedRow,
  ReportFile,
  ReportFinding,
  ReportGrade,
  ReportStage,
  ReportVanishedRow,
  ReportVerification,
} from "./report-data.ts";
import { toCountText, toDurationText } from "./report-text.ts";

/** Longer lists are named by their length and, where there is one, their file. */
const MAX_LISTED = 500;

interface Column<Row> {
  readonly title: string;
  /** Class of its cells. */
  readonly look?: "number" | "word" | "hash" | undefined;
  readonly cell: (row: Row) => HtmlValue;
}

interface Table<Row> {
  /** Those that are empty in every row are left out. */
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  /** Where all of them are, relative to the report. */
  readonly file?: string | undefined;
  /** What they are, where the heading counts something else. */
  readonly things?: string;
}

function makeMore(
  shown: number,
  total: number,
  { file, things }: Pick<Table<never>, "file" | "things">,
): HtmlValue {
  if (total <= shown) return undefined;
  const href = file === undefined ? undefined : toRelativeHref(file);
  const where = href === undefined ? undefined : html` All of them: <a href="${href}">${file}</a>`;
  return html`<p class="soft">
    The first ${toCountText(shown)} of
    ${toCountText(total)}${things === undefined ? "" : ` ${things}`}.${where}
  </p>`;
}

const isEmpty = (value: HtmlValue): boolean => value === undefined || value === "";

function makeTable<Row>({ columns, rows, ...more }: Table<Row>): Html {
  const shown = rows.slice(0, MAX_LISTED);
  const used = columns.filter(({ cell }) => shown.some((row) => !isEmpty(cell(row))));
  const heads = used.map(({ title, look }) => html`<th class="${look}" scope="col">${title}</th>`);
  const makeCell = ({ look, cell }: Column<Row>, row: Row): Html =>
    html`<td class="${look}">${cell(row)}</td>`;
  const lines = shown.map((row) => [
    html`<tr>
      ${used.map((column) => makeCell(column, row))}
    </tr>`,
    "\n",
  ]);
  return html`<div class="scroll" tabindex="0">
      <table>
        <thead>
          <tr>
            ${heads}
          </tr>
        </thead>
        <tbody>
          ${lines}
        </tbody>
      </table>
    </div>
    ${makeMore(shown.length, rows.length, more)}`;
}

/** Isolates the direction of foreign text. */
const isolate = (text: string | undefined): HtmlValue =>
  text === undefined || text === "" ? undefined : html`<bdi>${text}</bdi>`;

const makeCode = (text: string | undefined): HtmlValue =>
  text === undefined || text === "" ? undefined : html`<code><bdi>${text}</bdi></code>`;

const problemColumns: readonly Column<Problem>[] = [
  { title: "Place", cell: ({ where }) => makeCode(toPlace(where)) },
  { title: "What it is", cell: ({ message }) => isolate(message) },
  { title: "What to do", cell: ({ hint }) => hint },
];

const findingColumns: readonly Column<ReportFinding>[] = [
  { title: "Rule", look: "word", cell: ({ rule }) => rule },
  { title: "Severity", look: "word", cell: ({ severity }) => severity },
  ...problemColumns,
];

const failedColumns: readonly Column<ReportFailedRow>[] = [
  { title: "Line", look: "number", cell: ({ line }) => line },
  { title: "Row", cell: ({ place }) => isolate(place) },
  { title: "Column", cell: ({ column }) => isolate(column) },
  { title: "Value", cell: ({ value }) => makeCode(value) },
  { title: "What is wrong", cell: ({ reason }) => isolate(reason) },
  { title: "Fix", cell: ({ fix }) => isolate(fix) },
];

const vanishedColumns: readonly Column<ReportVanishedRow>[] = [
  { title: "Key", cell: ({ key }) => isolate(showKey(key)) },
  { title: "Line it had", look: "number", cell: ({ line }) => line },
  { title: "Row", cell: ({ place }) => isolate(place) },
  { title: "Name", cell: ({ name }) => isolate(name) },
  { title: "Code", cell: ({ code }) => makeCode(code) },
  {
    title: "Files",
    cell: ({ files, showsOldAddress }) =>
      html`${makeCode(files.join(", "))}${showsOldAddress ? " (shows the address before)" : ""}`,
  },
];

function makeFileLink({ name }: ReportFile): Html {
  const href = toRelativeHref(name);
  return href === undefined
    ? html`<bdi>${name}</bdi>`
    : html`<a href="${href}"><bdi>${name}</bdi></a>`;
}

const fileColumns: readonly Column<ReportFile>[] = [
  { title: "File", cell: makeFileLink },
  { title: "Holds", cell: ({ note }) => note },
  { title: "Size", look: "number", cell: ({ bytes }) => formatBytes(bytes) },
  { title: "SHA-256", look: "hash", cell: ({ sha256 }) => makeCode(sha256) },
];

const gradeColumns: readonly Column<ReportGrade>[] = [
  { title: "Grade", look: "word", cell: ({ grade }) => toGradeLetter(grade) },
  { title: "Of 4", look: "number", cell: ({ grade }) => grade.toFixed(1) },
  { title: "Codes", look: "number", cell: ({ count }) => toCountText(count) },
  { title: "By", cell: sayLimit },
  { title: "What helps", cell: ({ help }) => help },
];

/** How many codes are expected to get which grade. */
export function makeGrades(rows: readonly ReportGrade[] = []): HtmlValue {
  if (rows.length === 0) return undefined;
  return html`<h2>Predicted grades</h2>
    <p class="soft">
      What verifiers of ISO/IEC 15415 are expected to say: a prediction from the drawing, no
      measurement.
    </p>
    ${makeTable({ columns: gradeColumns, rows })}`;
}

function makeBar(share: number): Html {
  return html`<svg class="chart" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
    <rect class="track" width="100" height="10" />
    <rect width="${(share * 100).toFixed(2)}" height="10" />
  </svg>`;
}

const makeStageColumns = (longestMs: number): readonly Column<ReportStage>[] => [
  { title: "Stage", look: "word", cell: ({ name }) => html`<strong>${name}</strong>` },
  { title: "Made", cell: ({ note }) => note },
  { title: "Time", look: "number", cell: ({ durationMs }) => toDurationText(durationMs) },
  { title: "Against the longest", cell: ({ durationMs }) => makeBar(durationMs / longestMs) },
];

/** What was read, with symbols and copies by their names. */
function sayOwn({ symbols, printed }: ReportVerification): string {
  const beside = [
    symbols === undefined ? [] : `${toCountText(symbols)} of them symbols`,
    printed === undefined ? [] : `of ${sayPrinted(printed)}`,
  ].flat();
  return beside.length === 0 ? "codes" : `codes (${beside.join(", ")})`;
}

export function makeVerification(verification: ReportVerification | undefined): Html {
  if (verification === undefined) {
    return html`<h2>Verification</h2>
      <p>The finished files were not checked in this run.</p>`;
  }
  const { codesRead, codesExpected, pictures, rulesChecked, findings } = verification;
  const own = sayOwn(verification);
  const read = [{ kind: own, read: codesRead, expected: codesExpected }, ...pictures]
    .filter(({ expected }) => expected > 0)
    .map((one) => `${toCountText(one.read)} of ${toCountText(one.expected)} ${one.kind}`)
    .join(", ");
  const { codesCompared } = verification;
  const sampled =
    codesCompared === undefined
      ? undefined
      : ` The proof was sampled: ${toCountText(codesCompared)} codes were not read; each of their modules was compared with what another encoder makes of their rows.`;
  const before = pictures
    .flatMap(({ kind, before: count = 0 }) =>
      count === 0 ? [] : [`${toCountText(count)} ${kind}`],
    )
    .join(", ");
  const earlier =
    before === "" ? undefined : ` Earlier runs have proven others that are unchanged: ${before}.`;
  const faults = findings.length === 0 ? "no finding" : `findings: ${toCountText(findings.length)}`;
  return html`<h2>Verification</h2>
    <p>
      ${read === "" ? "Nothing new had to be read back" : `${read} were read back from the finished files and equal their rows`};
      ${toCountText(rulesChecked)} rules checked, ${faults}.${sampled}${earlier}
    </p>
    ${findings.length === 0 ? undefined : makeTable({ columns: findingColumns, rows: findings })}`;
}

export function makeFailedRows(data: ReportData): HtmlValue {
  const { failedRows: rows, failedRowsFile: file, counts } = data;
  if (rows.length === 0) return undefined;
  const { failed, withoutFiles = 0 } = counts;
  const title =
    withoutFiles === 0
      ? "Failed rows"
      : `${failed === 0 ? "Rows" : "Failed rows, and rows"} without files`;
  return html`<h2>${title} <small>${toCountText(failed + withoutFiles)}</small></h2>
    ${makeTable({ columns: failedColumns, rows, file, things: "faults" })}`;
}

export function makeVanishedRows(data: ReportData): HtmlValue {
  const { vanishedRows: rows, vanishedRowsFile: file } = data;
  if (rows.length === 0) return undefined;
  return html`<h2>Vanished rows <small>${toCountText(rows.length)}</small></h2>
    <p>The job has these rows no longer. Their codes live on.</p>
    ${makeTable({ columns: vanishedColumns, rows, file })}`;
}

export function makeWarnings(rows: readonly Problem[]): HtmlValue {
  if (rows.length === 0) return undefined;
  return html`<h2>Warnings <small>${toCountText(rows.length)}</small></h2>
    ${makeTable({ columns: problemColumns, rows })}`;
}

export function makeFiles({
  files: rows,
  removedFiles: removed = [],
}: Pick<ReportData, "files" | "removedFiles">): HtmlValue {
  if (rows.length + removed.length === 0) return undefined;
  const many = removed.length === 1 ? "it" : "them";
  return html`<h2>Files <small>${toCountText(rows.length)}</small></h2>
    ${makeTable({ columns: fileColumns, rows })}
    ${
      removed.length === 0
        ? undefined
        : html`<p>Removed: ${makeCode(removed.join(", "))}. No row is left for ${many}.</p>`
    }`;
}

export function makeStages(rows: readonly ReportStage[]): HtmlValue {
  if (rows.length === 0) return undefined;
  const longestMs = Math.max(1, ...rows.map(({ durationMs }) => durationMs));
  return html`<h2>Where the time went</h2>
    ${makeTable({ columns: makeStageColumns(longestMs), rows })}`;
}
