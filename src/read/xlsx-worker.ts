/**
 * Reads workbooks in a thread of its own, so that a huge or hostile file can be stopped. The only
 * file that reads with exceljs; its streaming reader is never used, since it drops rows silently.
 */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { parentPort, workerData } from "node:worker_threads";

import exceljs from "exceljs";

import { toMessage } from "../base/errors.ts";
import { didYouMean } from "../base/suggest.ts";

import { isBlankRow, type RawCell, type RawRow } from "./raw.ts";
import { toRawCell } from "./xlsx-cells.ts";
import {
  makeSmallWorkbook,
  openPackage,
  readSheet,
  type MergedArea,
  type PackageLimits,
  type SheetContent,
  type SheetPart,
} from "./xlsx-package.ts";
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
      readonly warnings: readonly WorkerWarning[];
    }
  | { readonly type: "fault"; readonly message: string; readonly hint?: string }
  /** Rows from the position asked for; `next` is the position behind, undefined at the end. */
  | { readonly type: "rows"; readonly rows: readonly RawRow[]; readonly next: number | undefined };

const BATCH_ROWS = 1000;

/** Parts of a sheet that hold no cells, and that the library trips over. */
const IGNORED = [
  "dataValidations",
  "conditionalFormatting",
  "drawing",
  "legacyDrawing",
  "legacyDrawingHF",
  "picture",
  "hyperlinks",
  "tableParts",
  "extLst",
  "autoFilter",
  "headerFooter",
  "rowBreaks",
  "colBreaks",
  "sheetViews",
  "sheetProtection",
];

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

function readCell(cell: exceljs.Cell, content: SheetContent, fillsMerged: boolean): RawCell {
  const { master } = cell;
  const isCovered = cell.isMerged && master.address !== cell.address;
  if (isCovered && !fillsMerged) return "";
  return toRawCell({
    value: master.value,
    numberFormat: master.numFmt,
    link: content.links.get(master.address),
  });
}

function readRows(sheet: exceljs.Worksheet, content: SheetContent, fillsMerged: boolean): RawRow[] {
  const rows: RawRow[] = [];
  sheet.eachRow({ includeEmpty: false }, (row, line) => {
    const cells: RawCell[] = [];
    row.eachCell({ includeEmpty: false }, (cell, column) => {
      while (cells.length < column - 1) cells.push("");
      cells[column - 1] = readCell(cell, content, fillsMerged);
    });
    while (cells.length > 0 && cells.at(-1) === "") cells.pop();
    const raw = { line, cells };
    if (!isBlankRow(raw)) rows.push(row.hidden ? { ...raw, isHidden: true } : raw);
  });
  return rows;
}

const showsOtherText = ({ cells }: RawRow): boolean =>
  cells.some((cell) => typeof cell !== "string" && cell.kind === "link" && cell.link !== cell.text);

function listWarnings(
  input: WorkerInput,
  part: SheetPart,
  sheet: { readonly rows: readonly RawRow[]; readonly merged: readonly MergedArea[] },
): WorkerWarning[] {
  const warnings: WorkerWarning[] = [];
  if (part.isHidden) warnings.push({ message: `sheet "${part.name}" is hidden` });
  for (const { ref, row } of input.merged === "warn" ? sheet.merged : []) {
    const message = `cells ${ref} are merged: only the first one has the text`;
    warnings.push({ message, line: row, hint: "unmerge them, or set source.merged: fill" });
  }
  const hidden = sheet.rows.filter(({ isHidden }) => isHidden === true);
  if (hidden[0] !== undefined && !input.skipHiddenRows) {
    const message = `${hidden.length} hidden rows are read like the others`;
    const hint = "set source.skip_hidden_rows: true to leave them out";
    warnings.push({ message, line: hidden[0].line, hint });
  }
  const links = sheet.rows.filter(showsOtherText);
  if (links[0] !== undefined) {
    const message = `in ${links.length} rows a cell shows another text than its link; columns of type url take the link`;
    warnings.push({ message, line: links[0].line });
  }
  return warnings;
}

interface Opened {
  readonly answer: WorkerAnswer;
  readonly rows: readonly RawRow[];
}

async function openSheet(input: WorkerInput): Promise<Opened> {
  const bytes = readFileSync(input.file);
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  const book = openPackage(bytes, input.limits);
  const part = pickSheet(book.sheets, input.sheet);
  const content = readSheet(book, part, input.limits);
  const small = makeSmallWorkbook(book, { name: part.name, xml: content.xml }, input.limits);
  const workbook = new exceljs.Workbook();
  // The library's own type of Buffer is older than Node's.
  await workbook.xlsx.load(small as never, { ignoreNodes: IGNORED });
  const [worksheet] = workbook.worksheets;
  if (worksheet === undefined) throw new ZipFault("workbook must hold a worksheet, got none");
  const rows = readRows(worksheet, content, input.merged === "fill");
  const warnings = listWarnings(input, part, { rows, merged: content.merged });
  return { answer: { type: "opened", sha256, sheet: part.name, warnings }, rows };
}

function toFault(error: unknown): WorkerAnswer {
  if (error instanceof ZipFault) return { type: "fault", message: error.message, hint: error.hint };
  return {
    type: "fault",
    message: `workbook must be well-formed, got a damaged one (${toMessage(error).slice(0, 200)})`,
    hint: "open it in Excel or LibreOffice and save it again as XLSX",
  };
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
    answer(toFault(error));
  }
}

if (parentPort !== null) await serve(parentPort);
