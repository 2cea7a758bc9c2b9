/**
 * Reads workbooks in a thread of its own, so that a huge or hostile file can be stopped. No row is
 * given before the whole sheet has been read and its checksum holds.
 */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { parentPort, workerData } from "node:worker_threads";

import { didYouMean } from "../base/suggest.ts";

import { isBlankRow, type RawRow } from "./raw.ts";
import {
  openPackage,
  readRows,
  type PackageLimits,
  type SheetPart,
  type WorkbookPackage,
} from "./xlsx-package.ts";
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

function listWarnings(
  input: WorkerInput,
  { part, book }: { readonly part: SheetPart; readonly book: WorkbookPackage },
  content: SheetContent,
): WorkerWarning[] {
  const warnings: WorkerWarning[] = [];
  const { rows, merged, formulas } = content;
  if (part.isHidden) warnings.push({ message: `sheet "${part.name}" is hidden` });
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
  const read = await readRows(book, part, { limits, fillsMerged: input.merged === "fill" });
  const rows = read.rows.filter((row) => !isBlankRow(row));
  const warnings = listWarnings(input, { part, book }, { ...read, rows });
  const others = book.sheets.filter((one) => one !== part && !one.isHidden);
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
