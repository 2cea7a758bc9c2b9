/**
 * Reads workbooks in a thread of its own, so that a huge or hostile file can be stopped. No row is
 * given before the whole sheet has been read and its checksum holds.
 */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { parentPort, workerData } from "node:worker_threads";

import { didYouMean } from "../base/suggest.ts";

import { isBlankRow, textOf, type RawRow } from "./raw.ts";
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

export interface WorkerInput {
  readonly file: string;
  readonly sheet: string | number | null;
  readonly merged: "warn" | "fill";
  readonly skipHiddenRows: boolean;
  readonly limits: PackageLimits;
}

export interface WorkerWarning {
  readonly message: string;
  readonly hint?: string;
  readonly line?: number;
}

/** What the thread answers: first `opened` or `fault`, then `rows` per request. */
export type WorkerAnswer =
  | {
      readonly type: "opened";
      readonly sha256: string;
      readonly sheet: string;
      readonly otherSheets: readonly string[];
      readonly warnings: readonly WorkerWarning[];
    }
  | { readonly type: "fault"; readonly message: string; readonly hint?: string }
  /** Rows from the position asked for; `next` is the position behind, undefined at the end. */
  | { readonly type: "rows"; readonly rows: readonly RawRow[]; readonly next: number | undefined };

const BATCH_ROWS = 1000;

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

const showsOtherText = ({ cells }: RawRow): boolean =>
  cells.some((cell) => typeof cell !== "string" && cell.kind === "link" && cell.link !== cell.text);

function warnOfHidden(
  input: WorkerInput,
  { rows, hiddenColumns }: Pick<SheetContent, "rows" | "hiddenColumns">,
): WorkerWarning[] {
  const warnings: WorkerWarning[] = [];
  const hidden = rows.filter(({ isHidden }) => isHidden === true);
  if (hidden[0] !== undefined && !input.skipHiddenRows) {
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

/** Nobody has said which sheet is meant, and another one may be. */
function warnOfSheets(
  part: SheetPart,
  { sheets }: WorkbookPackage,
  twins: readonly string[],
): WorkerWarning[] {
  const warnings: WorkerWarning[] = [];
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

function listWarnings(
  input: WorkerInput,
  { part, book }: { readonly part: SheetPart; readonly book: WorkbookPackage },
  content: SheetContent & { readonly twins: readonly string[] },
): WorkerWarning[] {
  const warnings: WorkerWarning[] = [];
  const { rows, merged, formulas } = content;
  if (part.isHidden) warnings.push({ message: `sheet "${part.name}" is hidden` });
  if (input.sheet === null) warnings.push(...warnOfSheets(part, book, content.twins));
  for (const { ref, top } of input.merged === "warn" ? merged : []) {
    const message = `cells ${ref} are merged: only the first one has the text`;
    warnings.push({ message, line: top, hint: "unmerge them, or set source.merged: fill" });
  }
  warnings.push(...warnOfHidden(input, content));
  const links = rows.filter(showsOtherText);
  if (links[0] !== undefined) {
    const message = `in ${links.length === 1 ? "1 row" : `${links.length} rows`} a cell shows another text than its link; columns of type url take the link`;
    warnings.push({ message, line: links[0].line });
  }
  if (formulas !== undefined && book.isUncalculated) {
    const message = `results of formulas (${formulas.count}) may be wrong: a program wrote them that doesn't calculate`;
    const hint = "open the file in Excel or LibreOffice, save it and run again";
    warnings.push({ message, line: formulas.line, hint });
  }
  return warnings;
}

/** Headers stand among the first rows of a sheet. */
const HEADER_ROWS = 10;
/** Of so many other sheets the header is looked at. */
const MAX_TWINS = 10;

/** Rows that may be a header: two cells at least. */
function toHeaders(rows: readonly RawRow[]): string[] {
  return rows
    .slice(0, HEADER_ROWS)
    .map(({ cells }) => cells.map(textOf))
    .filter((cells) => cells.filter((text) => text.trim() !== "").length > 1)
    .map((cells) => JSON.stringify(cells));
}

/** Names of sheets that have the same header as the one that is read. */
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

interface Opened {
  readonly answer: WorkerAnswer;
  readonly rows: readonly RawRow[];
}

async function openSheet(input: WorkerInput): Promise<Opened> {
  const { limits } = input;
  const bytes = readFileSync(input.file);
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  const book = await openPackage(bytes, limits);
  const part = pickSheet(book.sheets, input.sheet);
  const references = await readReferences(book, limits);
  const fillsMerged = input.merged === "fill";
  const read = await readRows(book, part, { limits, fillsMerged, references });
  const rows = read.rows.filter((row) => !isBlankRow(row));
  const others = book.sheets.filter((one) => one !== part && !one.isHidden);
  const twins =
    input.sheet === null ? await findTwins(book, rows, { others, limits, references }) : [];
  const warnings = listWarnings(input, { part, book }, { ...read, rows, twins });
  const otherSheets = others.map(({ name }) => name);
  return { answer: { type: "opened", sha256, sheet: part.name, otherSheets, warnings }, rows };
}

async function serve(port: NonNullable<typeof parentPort>): Promise<void> {
  const answer = (message: WorkerAnswer): void => port.postMessage(message);
  try {
    const opened = await openSheet(workerData as WorkerInput);
    port.on("message", (from: number) => {
      const end = from + BATCH_ROWS;
      const next = end < opened.rows.length ? end : undefined;
      answer({ type: "rows", rows: opened.rows.slice(from, end), next });
    });
    answer(opened.answer);
  } catch (error) {
    if (!(error instanceof ZipFault)) throw error;
    answer({ type: "fault", message: error.message, hint: error.hint });
  }
}

if (parentPort !== null) await serve(parentPort);
