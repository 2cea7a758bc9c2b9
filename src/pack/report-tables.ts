/** The lists of the report: findings, warnings, failed rows, files, stages. */
import { toPlace, type Problem } from "../base/errors.ts";
import { html, toRelativeHref, type Html, type HtmlValue } from "./html.ts";
import type {
  ReportData,
  ReportFailedRow,
  ReportFile,
  ReportFinding,
  ReportStage,
  ReportVerification,
} from "./report-data.ts";
import { toCountText, toDurationText, toSizeText } from "./report-text.ts";

/** Longer lists are named by their length and, where there is one, their file. */
export const MAX_LISTED = 500;

interface Table<Row> {
  /** Titles of the columns; a leading `#` marks a column of numbers. */
  readonly columns: readonly string[];
  readonly rows: readonly Row[];
  readonly makeRow: (row: Row) => Html;
  /** How many there are, where `rows` holds not all of them. */
  readonly total?: number;
  /** Where all of them are, relative to the report. */
  readonly file?: string | undefined;
}

function makeMore(shown: number, total: number, file: string | undefined): HtmlValue {
  if (total <= shown) return undefined;
  const href = file === undefined ? undefined : toRelativeHref(file);
  const where = href === undefined ? undefined : html` All of them: <a href="${href}">${file}</a>`;
  return html`<p class="soft">
    The first ${toCountText(shown)} of ${toCountText(total)}.${where}
  </p>`;
}

function makeTable<Row>({ columns, rows, makeRow, total, file }: Table<Row>): Html {
  const shown = rows.slice(0, MAX_LISTED);
  const heads = columns.map((title) =>
    title.startsWith("#")
      ? html`<th class="number" scope="col">${title.slice(1)}</th>`
      : html`<th scope="col">${title}</th>`,
  );
  return html`<div class="scroll" tabindex="0">
      <table>
        <thead>
          <tr>
            ${heads}
          </tr>
        </thead>
        <tbody>
          ${shown.map(makeRow)}
        </tbody>
      </table>
    </div>
    ${makeMore(shown.length, total ?? rows.length, file)}`;
}

const makeCode = (text: string | undefined): HtmlValue =>
  text === undefined || text === "" ? undefined : html`<code><bdi>${text}</bdi></code>`;

const makeProblem = ({ message, where, hint }: Problem): Html =>
  html`<td>${makeCode(toPlace(where))}</td>
    <td><bdi>${message}</bdi></td>
    <td>${hint}</td>`;

const makeWarning = (warning: Problem): Html =>
  html`<tr>
    ${makeProblem(warning)}
  </tr>`;

const makeFinding = (finding: ReportFinding): Html =>
  html`<tr>
    <td class="word">${finding.rule}</td>
    <td class="word">${finding.severity}</td>
    ${makeProblem(finding)}
  </tr>`;

const makeFailedRow = ({ line, column, value, reason, fix }: ReportFailedRow): Html =>
  html`<tr>
    <td class="number">${line}</td>
    <td><bdi>${column}</bdi></td>
    <td>${makeCode(value)}</td>
    <td><bdi>${reason}</bdi></td>
    <td>${fix}</td>
  </tr>`;

function makeFile({ name, bytes, sha256, note }: ReportFile): Html {
  const href = toRelativeHref(name);
  const label = html`<bdi>${name}</bdi>`;
  const link = href === undefined ? label : html`<a href="${href}">${label}</a>`;
  return html`<tr>
    <td>${link}</td>
    <td>${note}</td>
    <td class="number">${toSizeText(bytes)}</td>
    <td class="hash"><code>${sha256}</code></td>
  </tr>`;
}

const makeStage = ({ name, durationMs, note }: ReportStage, longestMs: number): Html =>
  html`<tr>
    <th scope="row">${name}</th>
    <td>${note}</td>
    <td class="number">${toDurationText(durationMs)}</td>
    <td>
      <svg class="chart" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
        <rect class="track" width="100" height="10" />
        <rect width="${((durationMs / longestMs) * 100).toFixed(2)}" height="10" />
      </svg>
    </td>
  </tr>`;

export function makeVerification(verification: ReportVerification | undefined): Html {
  if (verification === undefined) {
    return html`<h2>Verification</h2>
      <p>The finished files were not checked in this run.</p>`;
  }
  const { codesRead, codesExpected, rulesChecked, findings } = verification;
  const faults = findings.length === 0 ? "no finding" : `findings: ${toCountText(findings.length)}`;
  const columns = ["Rule", "Severity", "Place", "Finding", "What to do"];
  return html`<h2>Verification</h2>
    <p>
      ${toCountText(codesRead)} of ${toCountText(codesExpected)} codes were read back from the
      finished files and equal their rows; ${toCountText(rulesChecked)} rules checked, ${faults}.
    </p>
    ${findings.length === 0 ? undefined : makeTable({ columns, rows: findings, makeRow: makeFinding })}`;
}

export function makeFailedRows(data: ReportData): HtmlValue {
  const { failedRows: rows, failedRowsFile: file, counts } = data;
  if (rows.length === 0) return undefined;
  const columns = ["#Line", "Column", "Value", "What is wrong", "Fix"];
  return html`<h2>Failed rows <small>${toCountText(counts.failed)}</small></h2>
    ${makeTable({ columns, rows, makeRow: makeFailedRow, file })}`;
}

export function makeWarnings(warnings: readonly Problem[]): HtmlValue {
  if (warnings.length === 0) return undefined;
  return html`<h2>Warnings <small>${toCountText(warnings.length)}</small></h2>
    ${makeTable({ columns: ["Place", "Warning", "What to do"], rows: warnings, makeRow: makeWarning })}`;
}

export function makeFiles(files: readonly ReportFile[]): HtmlValue {
  if (files.length === 0) return undefined;
  const columns = ["File", "Holds", "#Size", "SHA-256"];
  return html`<h2>Files <small>${toCountText(files.length)}</small></h2>
    ${makeTable({ columns, rows: files, makeRow: makeFile })}`;
}

export function makeStages(stages: readonly ReportStage[]): HtmlValue {
  if (stages.length === 0) return undefined;
  const longestMs = Math.max(1, ...stages.map(({ durationMs }) => durationMs));
  const makeRow = (stage: ReportStage): Html => makeStage(stage, longestMs);
  const columns = ["Stage", "Made", "#Time", "Against the longest"];
  return html`<h2>Where the time went</h2>
    ${makeTable({ columns, rows: stages, makeRow })}`;
}
