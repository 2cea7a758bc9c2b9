/** The text that `columns` shows of a spreadsheet. */
import { linesOf } from "../../base/text/lines-of.ts";
import type { Problem } from "../../base/errors.ts";
import type { ColumnType } from "../../job/job.ts";
import { UNCALCULATED } from "../../read/cells/cell-types.ts";
import type { ColumnProfile } from "../../read/rows/profile.ts";
import type { Detected } from "../../read/source.ts";
import { formatProblem, toPlainText } from "../../base/text/format-problem.ts";
import { formatCount, formatMany } from "../../base/text/words.ts";
import { sayUnfit } from "../../pipeline/draft/draft-job.ts";
import type { Keys } from "../../pipeline/draft/guess.ts";
import { withMore } from "./lists.ts";

export interface ColumnsView {
  readonly file: string;
  readonly detected: Detected;
  readonly rows: number;
  readonly blankRows: number;
  readonly profile: readonly ColumnProfile[];
  /** Of the job that `init` offers. */
  readonly keys: Keys;
  /** Warnings of the file, then the first 1,000 problems of its rows. */
  readonly problems: readonly Problem[];
  /** How many there are in all. */
  readonly problemCount: number;
}

const PROBLEMS_SHOWN = 20;
const MAX_NAME = 32;
const MAX_EXAMPLE = 60;
const MAX_KEY = 80;

/** type -> as people call it. */
const TYPE_WORDS: Readonly<Record<ColumnType, string>> = {
  text: "text",
  integer: "whole number",
  number: "number",
  url: "URL",
  email: "e-mail",
  date: "date",
  gtin: "GTIN",
  boolean: "yes/no",
};

/** On one line, and no longer than the terminal takes. */
function shorten(text: string, most: number): string {
  const line = toPlainText(text.replace(/\s+/gu, " ").trim());
  const letters = Array.from(line);
  return letters.length > most ? `${letters.slice(0, most - 1).join("")}…` : line;
}

/** The mark of a formula without a result is for lists that are fed back. */
const showCell = (text: string, show: (text: string) => string): string =>
  text === UNCALCULATED ? "a formula without a result" : show(shorten(text, MAX_EXAMPLE));

function describeFile({ detected, rows, blankRows }: ColumnsView): string {
  const { format, encoding, delimiter, headerLine, sheet, otherSheets = [] } = detected;
  const others = otherSheets.map((name) => JSON.stringify(name)).join(", ");
  const what =
    format === "xlsx"
      ? `workbook (XLSX), sheet "${sheet}"${others === "" ? "" : ` (a manifest names it as source.sheet; --sheet shows another: ${others})`}`
      : `text (CSV), ${encoding}, ${delimiter === "" ? "one column" : `delimiter ${JSON.stringify(delimiter)}`}`;
  const blank = blankRows === 0 ? "" : `, ${formatMany(blankRows, "blank row")} skipped`;
  return `${what}; header on line ${headerLine}, ${formatMany(rows, "row")}${blank}`;
}

function toTable(profile: readonly ColumnProfile[], rows: number): string[] {
  const names = profile.map(({ column }) => shorten(column, MAX_NAME));
  const width = Math.max(6, ...names.map((name) => name.length));
  const line = (name: string, type: string, filled: string, example: string): string =>
    `  ${name.padEnd(width)}  ${type.padEnd(12)}  ${filled.padStart(9)}  ${example}`.trimEnd();
  return [
    line("column", "looks like", "filled", "for example"),
    ...profile.flatMap(({ type, filled, examples, odd, oddCount, isLinked }, at) => [
      line(
        names[at] ?? "",
        filled === 0 ? "(empty)" : isLinked === true ? "URL (link)" : TYPE_WORDS[type],
        filled === rows ? "all" : formatCount(filled),
        showCell(examples[0] ?? "", (text) => text),
      ),
      ...odd.map(
        (one) => `      line ${one.line}: ${one.rule}, got ${showCell(one.text, JSON.stringify)}`,
      ),
      ...(oddCount > odd.length ? [`      … and ${formatCount(oddCount - odd.length)} more`] : []),
    ]),
  ];
}

/** A key may have a few twins, which the plan reports. */
function sayKey(key: readonly string[], profile: readonly ColumnProfile[]): string {
  const named = key.map((column) => shorten(column, MAX_KEY)).join(" with ");
  const [one, ...others] = profile.filter(({ column }) => key.includes(column));
  if (one === undefined || others.length > 0 || one.misses === 0) return named;
  return `${named} (empty or there twice in ${formatMany(one.misses, "row")})`;
}

const sayKeys = ({ keys: { fit, unfit }, profile }: ColumnsView): string[] =>
  linesOf(
    fit.length > 0 && `fit as key: ${fit.map((key) => sayKey(key, profile)).join(", ")}`,
    fit.length === 0 && unfit.length > 0 && `no cell twice, but no key: ${sayUnfit(unfit)}`,
  );

export function listColumns(view: ColumnsView, cwd: string): string[] {
  const { profile, problems, problemCount, rows } = view;
  const keys = sayKeys(view);
  const shown = problems
    .slice(0, PROBLEMS_SHOWN)
    .map((problem) => `    ${formatProblem(problem, cwd)}`);
  return [
    view.file,
    `  ${describeFile(view)}`,
    "",
    ...toTable(profile, rows),
    ...(keys.length === 0 ? [] : ["", ...keys.map((line) => `  ${line}`)]),
    ...(shown.length === 0 ? [] : ["", "  to look at:"]),
    ...withMore(shown, problemCount, (left) => `    … and ${left} more`),
  ];
}
