/** One sheet of a workbook, opened: its rows, and what is odd but harmless. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

import { didYouMean } from "../../base/text/suggest.ts";

import { sayMerged } from "./merged-cells.ts";
import { pickFullest, ROWS_COUNTED, type SheetRows } from "../files/pick-fullest.ts";
import { isBlankRow, textOf, type RawCell, type RawRow } from "../raw.ts";
import { toLetters } from "./xlsx-address.ts";
import {
  openPackage,
  readFirstRows,
  readReferences,
  readRows,
  type PackageLimits,
  type SheetPart,
  type WorkbookPackage,
} from "./xlsx-package.ts";
import type { CellContext } from "./xlsx-cells.ts";
import type { SheetContent } from "./xlsx-sheet.ts";
import { ZipFault } from "./zip-file.ts";

export interface SheetRequest {
  readonly file: string;
  readonly sheet: string | number | null;
  readonly merged: "warn" | "fill";
  readonly skipHiddenRows: boolean;
  readonly limits: PackageLimits;
  /** Looks for the sheet that holds the most. */
  readonly findsFullest?: boolean;
}

export interface SheetWarning {
  readonly message: string;
  readonly hint?: string;
  readonly line?: number;
}

/** Everything about a sheet except its rows. */
export interface SheetFacts {
  readonly sha256: string;
  readonly sheet: string;
  readonly otherSheets: readonly string[];
  readonly warnings: readonly SheetWarning[];
  /** The visible sheet that holds the most, if it was looked for and there are several. */
  readonly fullest?: string;
}

function pickSheet(sheets: readonly SheetPart[], wanted: string | number | null): SheetPart {
  const names = sheets.map(({ name }) => name);
  const list = `sheets: ${names.map((name) => `"${name}"`).join(", ")}`;
  if (sheets.length === 0) {
    throw new ZipFault("workbook must hold a worksheet, got none", "save it as Excel Workbook");
  }
  if (wanted === null) {
    const visible = sheets.find(({ isHidden }) => !isHidden);
    if (visible !== undefined) return visible;
    throw new ZipFault("workbook must have a visible sheet, got hidden ones only", list);
  }
  const found =
    typeof wanted === "number"
      ? sheets[wanted - 1]
      : (sheets.find(({ name }) => name === wanted) ??
        sheets.find(({ name }) => name.toLowerCase() === wanted.toLowerCase()));
  if (found !== undefined) return found;
  const hint = typeof wanted === "string" ? didYouMean(wanted, names) : "";
  throw new ZipFault(
    `sheet must be one of the workbook's, got ${JSON.stringify(wanted)}`,
    hint.startsWith("did") ? `${hint} ${list}` : list,
  );
}

type OpenedContent = Awaited<ReturnType<typeof readRows>>;

const showsOtherText = (cell: RawCell): boolean =>
  typeof cell !== "string" && cell.kind === "link" && cell.link !== cell.text;

function warnOfLinks(rows: readonly RawRow[]): SheetWarning[] {
  const links = rows.filter(({ cells }) => cells.some(showsOtherText));
  const [first] = links;
  if (first === undefined) return [];
  const { cells, line } = first;
  const cell = `${toLetters(cells.findIndex(showsOtherText) + 1)}${line}`;
  const where = links.length === 1 ? "1 row" : `${links.length} rows`;
  const message = `in ${where} a cell shows another text than its link, first in ${cell}; columns of type url take the link`;
  return [{ message, line }];
}

function warnOfHidden(
  request: SheetRequest,
  { rows, hiddenColumns }: Pick<SheetContent, "rows" | "hiddenColumns">,
): SheetWarning[] {
  const warnings: SheetWarning[] = [];
  const hidden = rows.filter(({ isHidden }) => isHidden === true);
  if (hidden[0] !== undefined && !request.skipHiddenRows) {
    const message =
      hidden.length === 1
        ? "1 hidden row is read like the others"
        : `${hidden.length} hidden rows are read like the others`;
    const hint = "set source.skip_hidden_rows: true to leave them out";
    warnings.push({ message, line: hidden[0].line, hint });
  }
  const [first, second] = hiddenColumns;
  if (first !== undefined) {
    const message =
      second === undefined
        ? `column ${first} is hidden and is read like the others`
        : `columns ${hiddenColumns.join(", ")} are hidden and are read like the others`;
    warnings.push({ message });
  }
  return warnings;
}

const NAME_SHEET = "name the sheet that is meant in source.sheet";

/** Warns when no sheet was named and another one may be meant. */
function warnOfSheets(
  part: SheetPart,
  { sheets }: WorkbookPackage,
  twins: readonly string[],
): SheetWarning[] {
  const warnings: SheetWarning[] = [];
  const active = sheets.find(({ isActive, isHidden }) => isActive && !isHidden);
  if (active !== undefined && active !== part) {
    const message = `sheet "${part.name}" is read, as the first one, but the workbook opens with "${active.name}"`;
    warnings.push({ message, hint: NAME_SHEET });
  }
  if (twins.length > 0) {
    const names = twins.map((name) => `"${name}"`).join(", ");
    const message = `sheet "${part.name}" is read, but there are others with the same header: ${names}`;
    warnings.push({ message, hint: NAME_SHEET });
  }
  return warnings;
}

const MAX_SHOWN = 60;

/** Warns when the sheet shows something else than its cells contain. */
function warnOfView({ formulas, showsFormulas, ruled, totals }: OpenedContent): SheetWarning[] {
  const warnings: SheetWarning[] = [];
  if (showsFormulas && formulas !== undefined) {
    const message = "sheet shows its formulas; their results are used";
    warnings.push({ message, line: formulas.line });
  }
  if (ruled.length > 0) {
    const all = ruled.join(", ");
    const areas = all.length > MAX_SHOWN ? `${all.slice(0, MAX_SHOWN)}…` : all;
    const message = `cells ${areas} may show another text than their own, by conditional formatting`;
    const hint = "their own text is used; check what the cells show without the rule";
    warnings.push({ message, hint });
  }
  for (const line of totals) {
    const message = "row holds the totals of a table, and is read like the others";
    const hint = "turn the totals of the table off, or delete the row";
    warnings.push({ message, line, hint });
  }
  return warnings;
}

function listWarnings(
  request: SheetRequest,
  { part, book }: { readonly part: SheetPart; readonly book: WorkbookPackage },
  content: OpenedContent & { readonly twins: readonly string[] },
): SheetWarning[] {
  const warnings: SheetWarning[] = [];
  const { rows, merged, formulas } = content;
  if (part.isHidden) warnings.push({ message: `sheet "${part.name}" is hidden` });
  if (request.sheet === null) warnings.push(...warnOfSheets(part, book, content.twins));
  for (const { ref, top } of request.merged === "warn" ? merged : []) {
    const hint = "unmerge them, or set source.merged: fill";
    warnings.push({ message: sayMerged(ref), line: top, hint });
  }
  warnings.push(...warnOfHidden(request, content), ...warnOfView(content));
  warnings.push(...warnOfLinks(rows));
  if (formulas !== undefined && book.isUncalculated) {
    const message = `results of formulas (${formulas.count}) may be wrong: a program wrote them that doesn't calculate`;
    const hint = "open the file in Excel or LibreOffice, save it and run again";
    warnings.push({ message, line: formulas.line, hint });
  }
  return warnings;
}

/** Headers stand among the first rows of a sheet. */
const HEADER_ROWS = 10;
/** Number of other sheets whose header is compared. */
const MAX_TWINS = 10;

/** Rows that may be a header: at least two cells. */
function toHeaders(rows: readonly RawRow[]): string[] {
  return rows
    .slice(0, HEADER_ROWS)
    .map(({ cells }) => cells.map(textOf))
    .filter((cells) => cells.filter((text) => text.trim() !== "").length > 1)
    .map((cells) => JSON.stringify(cells));
}

/** Names of sheets with the same header as the one that is read. */
async function findTwins(
  book: WorkbookPackage,
  rows: readonly RawRow[],
  options: {
    readonly others: readonly SheetPart[];
    readonly limits: PackageLimits;
    readonly references: CellContext;
  },
): Promise<string[]> {
  const [header] = toHeaders(rows);
  const twins: string[] = [];
  for (const other of header === undefined ? [] : options.others.slice(0, MAX_TWINS)) {
    const first = await readFirstRows(book, other, { ...options, rows: HEADER_ROWS });
    if (toHeaders(first).some((one) => one === header)) twins.push(other.name);
  }
  return twins;
}

/**
 * Reads a sheet to its end.
 * @throws ZipFault when the file is no workbook, damaged or above a limit
 */
export async function openSheet(
  request: SheetRequest,
): Promise<{ readonly facts: SheetFacts; readonly rows: readonly RawRow[] }> {
  const { limits } = request;
  const bytes = readFileSync(request.file);
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  const book = await openPackage(bytes, limits);
  const part = pickSheet(book.sheets, request.sheet);
  const references = await readReferences(book, limits);
  const fillsMerged = request.merged === "fill";
  const read = await readRows(book, part, { limits, fillsMerged, references });
  const totals = new Set(read.totals);
  const filled = read.rows.filter((row) => !isBlankRow(row));
  const rows = filled.map((row) => (totals.has(row.line) ? { ...row, isTotals: true } : row));
  const others = book.sheets.filter((one) => one !== part && !one.isHidden);
  const twins =
    request.sheet === null ? await findTwins(book, rows, { others, limits, references }) : [];
  const warnings = listWarnings(request, { part, book }, { ...read, rows, twins });
  const otherSheets = others.map(({ name }) => name);
  const facts = { sha256, sheet: part.name, otherSheets, warnings };
  if (request.findsFullest !== true || others.length === 0) return { facts, rows };
  const all = [
    { name: part.name, rows },
    ...(await readStarts(book, others, { limits, references })),
  ];
  return { facts: { ...facts, fullest: pickFullest(all) }, rows };
}

/** Number of other sheets that are looked at. */
const MOST_OTHERS = 11;

/** The first rows of each sheet: enough to distinguish a table from a cover. */
async function readStarts(
  book: WorkbookPackage,
  sheets: readonly SheetPart[],
  options: { readonly limits: PackageLimits; readonly references: CellContext },
): Promise<SheetRows[]> {
  const found: SheetRows[] = [];
  for (const sheet of sheets.slice(0, MOST_OTHERS)) {
    const rows = await readFirstRows(book, sheet, { ...options, rows: ROWS_COUNTED });
    found.push({ name: sheet.name, rows });
  }
  return found;
}
