/** The lists of the report: findings, warnings, failed rows, files, stages. */
import { showKey } from "../base/shapes/row-key.ts";
import { toGradeLetter } from "../base/text/grade-words.ts";
import { toPlace, type Problem } from "../base/errors.ts";
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
import { toDurationText } from "./report-text.ts";
import type { ReportWords } from "./report-words.ts";

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
  readonly words: ReportWords;
}

function makeMore(
  shown: number,
  total: number,
  { file, things, words }: Pick<Table<never>, "file" | "things" | "words">,
): HtmlValue {
  if (total <= shown) return undefined;
  const { lists, count } = words;
  const href = file === undefined ? undefined : toRelativeHref(file);
  const where = href === undefined ? undefined : html` ${lists.all} <a href="${href}">${file}</a>`;
  return html`<p class="soft">
    ${lists.firstOf(count(shown), count(total))}${things === undefined ? "" : ` ${things}`}.${where}
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

/** A sentence of the engine in the reader's language, or marked as English. */
export function makeReason(text: string | undefined, words: ReportWords): HtmlValue {
  const said = text === undefined ? undefined : words.reason(text);
  return said === undefined && text !== undefined ? html`<span lang="en">${text}</span>` : said;
}

const isolateReason = (text: string | undefined, words: ReportWords): HtmlValue =>
  text === undefined || text === "" ? undefined : html`<bdi>${makeReason(text, words)}</bdi>`;

const toProblemColumns = (words: ReportWords): readonly Column<Problem>[] => [
  { title: words.lists.place, cell: ({ where }) => makeCode(toPlace(where)) },
  { title: words.lists.problem, cell: ({ message }) => isolateReason(message, words) },
  { title: words.lists.toDo, cell: ({ hint }) => makeReason(hint, words) },
];

const toFindingColumns = (words: ReportWords): readonly Column<ReportFinding>[] => [
  { title: words.lists.rule, look: "word", cell: ({ rule }) => rule },
  {
    title: words.lists.severity,
    look: "word",
    cell: ({ severity }) => words.lists.severities[severity],
  },
  ...toProblemColumns(words),
];

const toFailedColumns = (words: ReportWords): readonly Column<ReportFailedRow>[] => [
  { title: words.lists.line, look: "number", cell: ({ line }) => line },
  { title: words.lists.row, cell: ({ place }) => isolate(place) },
  { title: words.lists.column, cell: ({ column }) => isolate(column) },
  { title: words.lists.value, cell: ({ value }) => makeCode(value) },
  { title: words.lists.wrong, cell: ({ reason }) => isolateReason(reason, words) },
  { title: words.lists.fix, cell: ({ fix }) => isolateReason(fix, words) },
];

const toVanishedColumns = ({ lists }: ReportWords): readonly Column<ReportVanishedRow>[] => [
  { title: lists.key, cell: ({ key }) => isolate(showKey(key)) },
  { title: lists.lineBefore, look: "number", cell: ({ line }) => line },
  { title: lists.row, cell: ({ place }) => isolate(place) },
  { title: lists.name, cell: ({ name }) => isolate(name) },
  { title: lists.code, cell: ({ code }) => makeCode(code) },
  {
    title: lists.files,
    cell: ({ files, showsOldAddress }) =>
      html`${makeCode(files.join(", "))}${showsOldAddress ? ` ${lists.addressBefore}` : ""}`,
  },
];

function makeFileLink({ name }: ReportFile): Html {
  const href = toRelativeHref(name);
  return href === undefined
    ? html`<bdi>${name}</bdi>`
    : html`<a href="${href}"><bdi>${name}</bdi></a>`;
}

const toFileColumns = ({ lists, bytes: sayBytes }: ReportWords): readonly Column<ReportFile>[] => [
  { title: lists.file, cell: makeFileLink },
  { title: lists.holds, cell: ({ note }) => note },
  { title: lists.size, look: "number", cell: ({ bytes }) => sayBytes(bytes) },
  { title: "SHA-256", look: "hash", cell: ({ sha256 }) => makeCode(sha256) },
];

const toGradeColumns = (words: ReportWords): readonly Column<ReportGrade>[] => [
  { title: words.grades.grade, look: "word", cell: ({ grade }) => toGradeLetter(grade) },
  { title: words.grades.ofFour, look: "number", cell: ({ grade }) => words.decimal(grade) },
  { title: words.grades.codes, look: "number", cell: ({ count }) => words.count(count) },
  { title: words.grades.by, cell: words.grades.limit },
  {
    title: words.grades.helps,
    cell: ({ help }) => (help === "" ? undefined : makeReason(help, words)),
  },
];

/** How many codes are expected to get which grade. */
export function makeGrades({ grades: rows = [] }: ReportData, words: ReportWords): HtmlValue {
  if (rows.length === 0) return undefined;
  return html`<h2>${words.grades.title}</h2>
    <p class="soft">${words.grades.what}</p>
    ${makeTable({ columns: toGradeColumns(words), rows, words })}`;
}

function makeBar(share: number): Html {
  return html`<svg class="chart" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
    <rect class="track" width="100" height="10" />
    <rect width="${(share * 100).toFixed(2)}" height="10" />
  </svg>`;
}

const toStageColumns = (
  longestMs: number,
  { lists, stage, decimal }: ReportWords,
): readonly Column<ReportStage>[] => [
  { title: lists.stage, look: "word", cell: ({ name }) => html`<strong>${stage(name)}</strong>` },
  { title: lists.made, cell: ({ note }) => note },
  {
    title: lists.time,
    look: "number",
    cell: ({ durationMs }) => toDurationText(durationMs, decimal),
  },
  { title: lists.againstLongest, cell: ({ durationMs }) => makeBar(durationMs / longestMs) },
];

/** What was read back in this run, and what earlier ones have proven. */
function sayRead(verification: ReportVerification, { verification: says, count }: ReportWords) {
  const { codesRead, codesExpected, pictures } = verification;
  const codes = { kind: says.codes(verification), read: codesRead, expected: codesExpected };
  const read = [codes, ...pictures]
    .filter(({ expected }) => expected > 0)
    .map((one) => says.ofAll(count(one.read), count(one.expected), one.kind))
    .join(", ");
  const before = pictures
    .flatMap(({ kind, before: proven = 0 }) => (proven === 0 ? [] : [`${count(proven)} ${kind}`]))
    .join(", ");
  return { read, before };
}

export function makeVerification({ verification }: ReportData, words: ReportWords): Html {
  const says = words.verification;
  if (verification === undefined) {
    return html`<h2>${says.title}</h2>
      <p>${says.none}</p>`;
  }
  const { rulesChecked, findings, codesCompared } = verification;
  const { read, before } = sayRead(verification, words);
  const sampled = codesCompared === undefined ? undefined : ` ${says.sampled(codesCompared)}`;
  const earlier = before === "" ? undefined : ` ${says.earlier(before)}`;
  const columns = toFindingColumns(words);
  return html`<h2>${says.title}</h2>
    <p>
      ${read === "" ? says.nothingNew : says.readBack(read)};
      ${says.rules(rulesChecked, findings.length)}${sampled}${earlier}
    </p>
    ${findings.length === 0 ? undefined : makeTable({ columns, rows: findings, words })}`;
}

export function makeFailedRows(data: ReportData, words: ReportWords): HtmlValue {
  const { failedRows: rows, failedRowsFile: file, counts } = data;
  if (rows.length === 0) return undefined;
  const { failed, withoutFiles = 0 } = counts;
  const { titles, lists, count } = words;
  const columns = toFailedColumns(words);
  const title = titles.failed(failed, withoutFiles);
  return html`<h2>${title} <small>${count(failed + withoutFiles)}</small></h2>
    ${makeTable({ columns, rows, file, things: lists.faults, words })}`;
}

export function makeVanishedRows(data: ReportData, words: ReportWords): HtmlValue {
  const { vanishedRows: rows, vanishedRowsFile: file } = data;
  if (rows.length === 0) return undefined;
  const { titles, count } = words;
  return html`<h2>${titles.vanished} <small>${count(rows.length)}</small></h2>
    <p>${titles.vanishedAre}</p>
    ${makeTable({ columns: toVanishedColumns(words), rows, file, words })}`;
}

export function makeWarnings({ warnings: rows }: ReportData, words: ReportWords): HtmlValue {
  if (rows.length === 0) return undefined;
  return html`<h2>${words.titles.warnings} <small>${words.count(rows.length)}</small></h2>
    ${makeTable({ columns: toProblemColumns(words), rows, words })}`;
}

export function makeFiles(
  { files: rows, removedFiles: removed = [] }: ReportData,
  words: ReportWords,
): HtmlValue {
  if (rows.length + removed.length === 0) return undefined;
  const { titles, lists, count } = words;
  const noRowLeft = lists.noRowLeft(removed.length);
  return html`<h2>${titles.files} <small>${count(rows.length)}</small></h2>
    ${makeTable({ columns: toFileColumns(words), rows, words })}
    ${
      removed.length === 0
        ? undefined
        : html`<p>${lists.removed} ${makeCode(removed.join(", "))}. ${noRowLeft}</p>`
    }`;
}

export function makeStages({ stages: rows }: ReportData, words: ReportWords): HtmlValue {
  if (rows.length === 0) return undefined;
  const longestMs = Math.max(1, ...rows.map(({ durationMs }) => durationMs));
  return html`<h2>${words.titles.stages}</h2>
    ${makeTable({ columns: toStageColumns(longestMs, words), rows, words })}`;
}
