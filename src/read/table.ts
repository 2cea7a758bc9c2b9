import type { Stats } from "node:fs";
import { open, stat } from "node:fs/promises";
import path from "node:path";

import { closing } from "../base/flow/closing.ts";
import type { AppError, Where } from "../base/errors.ts";
import { CLOSE_OR_ALLOW, toReadReason } from "../base/files/disk-error.ts";
import type { JobSource } from "../job/job.ts";

import { openCsv } from "./csv/csv.ts";
import type { RawTable } from "./raw.ts";
import { findOleDirectory, sniff, type Content } from "./files/sniff.ts";
import { unreadable } from "./files/unreadable.ts";
import { openXlsx, xlsxLimits } from "./xlsx/xlsx.ts";

const HEAD_BYTES = 64 * 1024;

async function readContent(file: string): Promise<Content> {
  return closing(await open(file, "r"), async (handle) => {
    const read = async (at: number, length: number): Promise<Buffer> => {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, at);
      return buffer.subarray(0, bytesRead);
    };
    const head = await read(0, HEAD_BYTES);
    const directory = findOleDirectory(head);
    return sniff(head, directory && (await read(directory.at, directory.length)));
  });
}

const TEXT_NAMES = new Set([".csv", ".tsv", ".tab", ".txt"]);
const WORKBOOK_NAMES = new Set([".xlsx", ".xlsm"]);

/** How workbooks are read. */
export type OpenBook = (source: JobSource, signal?: AbortSignal) => Promise<RawTable>;

const openInThread: OpenBook = async (source, signal) => openXlsx(source, xlsxLimits, signal);

/** Excel creates `~$menu.xlsx` beside a workbook while it is open. */
const LOCK_NOTE = "~$";

/** Why a file that is named as a workbook is none: text, or a damaged file. */
function notWorkbook(
  { isBinary = false }: { readonly isBinary?: boolean },
  { extension, name, where }: { extension: string; name: string; where: Where },
): AppError {
  const [got, hint] = isBinary
    ? [
        "a damaged file or one of another kind",
        "open it in a spreadsheet program and save it again, or ask for it once more",
      ]
    : ["a text file", "if it is CSV, rename it to .csv"];
  return unreadable(`source named ${extension} must be a workbook, got ${got}: ${name}`, {
    where,
    hint,
  });
}

function refuseOther(found: Stats, file: string, where: { readonly file: string }): void {
  if (found.isDirectory())
    throw unreadable(`source must be a file, got a folder: ${file}`, { where });
  if (!found.isFIFO()) return;
  // It can't be read twice, and whoever opens it waits for a writer.
  const hint = 'source.file: "-" reads standard input';
  throw unreadable(`source must be a file, got a pipe: ${file}`, { where, hint });
}

/**
 * Opens a file by its content; a name that promises another format is an error that says so.
 * @param uses columns that templates and the key use: of a CSV file's delimiters, the one that gives them wins
 */
export async function openTable(
  source: JobSource,
  signal?: AbortSignal,
  openBook: OpenBook = openInThread,
  uses?: readonly string[],
): Promise<RawTable> {
  const { file } = source;
  const shown = source.shownAs ?? file;
  const where = { file: shown };
  const found = await stat(file).catch(() => undefined);
  const extension = path.extname(file).toLowerCase();
  const name = path.basename(shown);
  if (found === undefined) {
    const hint = "check the path; in a manifest, source.file is relative to the manifest";
    throw unreadable(`source file must exist, got ${file}`, { where, hint });
  }
  refuseOther(found, file, where);
  if (name.startsWith(LOCK_NOTE)) {
    const hint = `name the workbook itself: ${name.slice(LOCK_NOTE.length)}`;
    throw unreadable(`source must be a spreadsheet, got the note that it is open: ${name}`, {
      where,
      hint,
    });
  }
  const content = await readContent(file).catch((cause: unknown) => {
    const message = `source file must be readable, but ${toReadReason(cause)}: ${name}`;
    throw unreadable(message, { where, hint: CLOSE_OR_ALLOW, cause });
  });
  switch (content.kind) {
    case "empty":
      throw unreadable(`source must have rows, got an empty file: ${name}`, { where });
    case "foreign": {
      const { what, hint } = content;
      throw unreadable(`source must be CSV or XLSX, got ${what}: ${name}`, { where, hint });
    }
    case "zip":
      if (!TEXT_NAMES.has(extension)) return openBook(source, signal);
      throw unreadable(`source named ${extension} must be text, got a workbook or ZIP: ${name}`, {
        where,
        hint: "if it is a workbook, rename it to .xlsx",
      });
    case "text":
      if (!WORKBOOK_NAMES.has(extension)) return openCsv(source, uses, signal);
      throw notWorkbook(content, { extension, name, where });
  }
}
