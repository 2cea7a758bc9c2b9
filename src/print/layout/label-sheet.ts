import { AppError, type Problem } from "../../base/errors.ts";
import { formatMany } from "../../base/text/words.ts";
import type { BoxMm } from "./box.ts";

/** A sheet as it goes into the press. */
export interface Paper {
  readonly name: string;
  readonly widthMm: number;
  readonly heightMm: number;
  /**
   * The block stands in the middle, so that a back turned over the short edge lies behind its
   * front.
   */
  readonly isCentred?: boolean | undefined;
}

/**
 * The geometry of a page of labels, in mm from the top left corner (docs/spec/print.md section 11).
 * Names in the files are those of this interface.
 */
export interface LabelSheet {
  /** Lower-case, the file name without `.json`. */
  readonly name: string;
  readonly title: string;
  /** `labels` = pre-cut, the page is the trimmed size; `plain` = to be cut along marks. */
  readonly stock: "labels" | "plain";
  readonly page: { readonly name: string; readonly widthMm: number; readonly heightMm: number };
  readonly label: {
    /** `round`: width and height are the diameter; `oval`: of an ellipse. */
    readonly shape: "rectangle" | "round" | "oval";
    readonly widthMm: number;
    readonly heightMm: number;
    readonly cornerRadiusMm: number;
  };
  readonly columns: number;
  readonly rows: number;
  readonly perSheet: number;
  /** To the left edge of the first label. */
  readonly leftMm: number;
  /** To the upper edge of the first label. */
  readonly topMm: number;
  /** From label to label. */
  readonly pitchXMm: number;
  readonly pitchYMm: number;
  /** Other names of the same geometry. */
  readonly sameAs: readonly string[];
  readonly origin: string;
  /** `conflicting`: two sources differ, and `note` says how. */
  readonly status: "verified" | "two-sources" | "one-source" | "conflicting";
  readonly note: string;
  /** The paper that `page` is cut out of: marks lie on it. Default: a page grows for its marks. */
  readonly paper?: Paper | undefined;
  /** True when an off-centre grid was measured on a real sheet. */
  readonly measured?: boolean;
}

/** Name of the page of a roll: each page is one repeat of it. */
export const ROLL_PAGE = "roll";

export const isRoll = ({ page }: Pick<LabelSheet, "page">): boolean => page.name === ROLL_PAGE;

/** The geometry of the label at `row` (from the top) and `column` (from the left), from 0. */
export function cellBox(sheet: LabelSheet, row: number, column: number): BoxMm {
  return {
    x: sheet.leftMm + column * sheet.pitchXMm,
    y: sheet.topMm + row * sheet.pitchYMm,
    width: sheet.label.widthMm,
    height: sheet.label.heightMm,
  };
}

/** Real stock is nearly always centred: a grid further off is a typing error until measured. */
const CENTRED_WITHIN_MM = 1;
const ROUNDING_MM = 1e-3;

type Fields = Record<string, unknown>;
type Rule = "positive" | "not negative" | "whole";

const numberRules: readonly (readonly [path: string, rule: Rule])[] = [
  ["page.widthMm", "positive"],
  ["page.heightMm", "positive"],
  ["label.widthMm", "positive"],
  ["label.heightMm", "positive"],
  ["label.cornerRadiusMm", "not negative"],
  ["columns", "whole"],
  ["rows", "whole"],
  ["perSheet", "whole"],
  ["leftMm", "not negative"],
  ["topMm", "not negative"],
  ["pitchXMm", "positive"],
  ["pitchYMm", "positive"],
];

const ruleHolds: Record<Rule, (n: number) => boolean> = {
  positive: (n) => n > 0,
  "not negative": (n) => n >= 0,
  whole: (n) => Number.isInteger(n) && n > 0,
};

const ruleSays: Record<Rule, string> = {
  positive: "a number greater than 0",
  "not negative": "a number of 0 or more",
  whole: "a whole number of 1 or more",
};

const choices: readonly (readonly [path: string, values: readonly string[]])[] = [
  ["stock", ["labels", "plain"]],
  ["label.shape", ["rectangle", "round", "oval"]],
  ["status", ["verified", "two-sources", "one-source", "conflicting"]],
];

const texts = ["name", "title", "page.name", "origin", "note"] as const;

function at(fields: Fields, path: string): unknown {
  let value: unknown = fields;
  for (const key of path.split(".")) value = (value as Fields | undefined)?.[key];
  return value;
}

function show(value: unknown): string {
  return value === undefined ? "nothing" : JSON.stringify(value);
}

function problem(field: string, message: string, hint?: string): Problem {
  return { message: `${field} must be ${message}`, where: { field }, hint };
}

function checkFields(fields: Fields): Problem[] {
  const problems: Problem[] = [];
  for (const [path, rule] of numberRules) {
    const value = at(fields, path);
    if (typeof value === "number" && Number.isFinite(value) && ruleHolds[rule](value)) continue;
    problems.push(problem(path, `${ruleSays[rule]}, got ${show(value)}`));
  }
  for (const [path, values] of choices) {
    const value = at(fields, path);
    if (typeof value === "string" && values.includes(value)) continue;
    problems.push(problem(path, `one of ${values.join(", ")}, got ${show(value)}`));
  }
  for (const path of texts) {
    const value = at(fields, path);
    if (typeof value !== "string") problems.push(problem(path, `a text, got ${show(value)}`));
  }
  const sameAs = at(fields, "sameAs");
  if (!Array.isArray(sameAs) || sameAs.some((name) => typeof name !== "string")) {
    problems.push(problem("sameAs", `a list of names, got ${show(sameAs)}`));
  }
  return problems;
}

interface Axis {
  readonly axis: "x" | "y";
  readonly pageMm: number;
  readonly firstMm: number;
  readonly sizeMm: number;
  readonly pitchMm: number;
  readonly count: number;
}

function axesOf(sheet: LabelSheet): readonly Axis[] {
  const { page, label } = sheet;
  return [
    {
      axis: "x",
      pageMm: page.widthMm,
      firstMm: sheet.leftMm,
      sizeMm: label.widthMm,
      pitchMm: sheet.pitchXMm,
      count: sheet.columns,
    },
    {
      axis: "y",
      pageMm: page.heightMm,
      firstMm: sheet.topMm,
      sizeMm: label.heightMm,
      pitchMm: sheet.pitchYMm,
      count: sheet.rows,
    },
  ];
}

function checkAxis(axis: Axis, measured: boolean): Problem[] {
  const upper = axis.axis.toUpperCase();
  const problems: Problem[] = [];
  if (axis.pitchMm < axis.sizeMm - ROUNDING_MM) {
    problems.push(
      problem(
        `pitch${upper}Mm`,
        `at least the label's ${axis.sizeMm} mm, got ${axis.pitchMm}`,
        "labels would overlap",
      ),
    );
  }
  const restMm = axis.pageMm - axis.firstMm - (axis.count - 1) * axis.pitchMm - axis.sizeMm;
  const firstName = axis.axis === "x" ? "leftMm" : "topMm";
  if (restMm < -ROUNDING_MM) {
    const over = (-restMm).toFixed(3);
    problems.push(
      problem(
        firstName,
        `such that the grid ends inside the page, got ${axis.firstMm}`,
        `the grid runs ${over} mm off the page in ${axis.axis}`,
      ),
    );
  } else if (!measured && Math.abs(restMm - axis.firstMm) > CENTRED_WITHIN_MM + ROUNDING_MM) {
    problems.push(
      problem(
        firstName,
        `such that the grid is centred within ${CENTRED_WITHIN_MM} mm, got ${axis.firstMm} against ${restMm.toFixed(3)} on the other side`,
        'measure a real sheet, then say "measured": true',
      ),
    );
  }
  return problems;
}

/** False also for a value that is no paper: files are not typed. */
const holds = (paper: Paper, page: LabelSheet["page"]): boolean =>
  typeof paper.name === "string" &&
  paper.widthMm >= page.widthMm &&
  paper.heightMm >= page.heightMm;

function checkGeometry(sheet: LabelSheet): Problem[] {
  const problems = axesOf(sheet).flatMap((axis) => checkAxis(axis, sheet.measured === true));
  const cells = sheet.columns * sheet.rows;
  if (sheet.perSheet !== cells) {
    problems.push(problem("perSheet", `columns x rows = ${cells}, got ${sheet.perSheet}`));
  }
  const { shape, widthMm, heightMm } = sheet.label;
  if (shape === "round" && widthMm !== heightMm) {
    problems.push(
      problem(
        "label.heightMm",
        `the width of a round label, ${widthMm}, got ${heightMm}`,
        "say oval",
      ),
    );
  }
  const { paper } = sheet;
  if (paper !== undefined && !holds(paper, sheet.page)) {
    problems.push(
      problem("paper", `a named sheet no smaller than the page, got ${JSON.stringify(paper)}`),
    );
  }
  const half = Math.min(sheet.label.widthMm, sheet.label.heightMm) / 2;
  if (sheet.label.cornerRadiusMm > half) {
    problems.push(
      problem(
        "label.cornerRadiusMm",
        `at most half the shorter side, ${half} mm, got ${sheet.label.cornerRadiusMm}`,
      ),
    );
  }
  return problems;
}

/**
 * All faults of a sheet, ours or a user's; empty = it may be printed (docs/spec/print.md section
 * 11).
 */
export function checkSheet(value: unknown): Problem[] {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return [{ message: `a label sheet must be a JSON object, got ${show(value)}` }];
  }
  const problems = checkFields(value as Fields);
  return problems.length > 0 ? problems : checkGeometry(value as LabelSheet);
}

function parseJson(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new AppError(
      "sheet-unknown",
      `label sheet must be JSON, got text that is not (${String(cause)})`,
      { where: { file }, cause },
    );
  }
}

function toSheet(value: unknown, file: string): LabelSheet {
  const problems = checkSheet(value).map((found) => ({
    ...found,
    where: { file, ...found.where },
  }));
  if (problems.length > 0) {
    throw new AppError(
      "sheet-unknown",
      `label sheet must be printable, got ${formatMany(problems.length, "problem")}`,
      { where: { file }, problems },
    );
  }
  return Object.freeze(value as LabelSheet);
}

/** The text of a sheet file -> the sheet. Throws `sheet-unknown` with every problem and the file. */
export const parseSheet = (text: string, file: string): LabelSheet =>
  toSheet(parseJson(text, file), file);

/** The text of a file with one sheet or a list of them. Throws as `parseSheet` does. */
export function parseSheets(text: string, file: string): LabelSheet[] {
  const value = parseJson(text, file);
  return (Array.isArray(value) ? value : [value]).map((one) => toSheet(one, file));
}
