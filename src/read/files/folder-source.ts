/** A folder as source: each PDF is a row, by path. */
import { readdir, stat } from "node:fs/promises";
import path from "node:path";

import { sha256 } from "../../base/ids/ids.ts";
import { compareNaturally } from "../../base/text/natural-order.ts";
import type { JobRows } from "../../job/job.ts";
import type { pdfColumns } from "../../job/columns.ts";

import type { SourceRow } from "../rows/rows.ts";
import type { Source } from "../source.ts";
import { unreadable } from "./unreadable.ts";

const columns: typeof pdfColumns = ["file", "name", "folder"];

const PDF = /\.pdf$/iu;
/** Hidden files, and the lock files that programs make while a file is open. */
const NO_FILE = /^(?:\.|~\$)/u;

async function listPdfs({ file: folder, subfolders }: JobRows): Promise<string[]> {
  const names = await readdir(folder, { recursive: subfolders }).catch((cause: unknown) => {
    throw unreadable("source.folder must be a folder that can be read", {
      where: { file: folder },
      cause,
    });
  });
  return names
    .map((name) => name.split(path.sep).join("/"))
    .filter((name) => PDF.test(name) && !NO_FILE.test(path.posix.basename(name)))
    .toSorted(
      (a, b) => compareNaturally(a.replace(PDF, ""), b.replace(PDF, "")) || compareNaturally(a, b),
    );
}

function toRow(name: string, at: number): SourceRow {
  const folder = path.posix.dirname(name);
  const values = {
    file: name,
    name: path.posix.basename(name).replace(PDF, ""),
    folder: folder === "." ? "" : folder,
  };
  return { line: at + 1, cells: values, values, problems: [] };
}

/** @throws AppError `source-unreadable` for a folder that isn't there or holds no PDF */
export async function openFolder(source: JobRows): Promise<Source> {
  const names = await listPdfs(source);
  if (names.length === 0) {
    throw unreadable("source.folder must hold PDFs, got none", {
      where: { file: source.file },
      hint: source.subfolders ? "files must end in .pdf" : "subfolders: true looks deeper",
    });
  }
  const sizes = await Promise.all(
    names.map(async (name) => (await stat(path.join(source.file, name))).size),
  );
  const stamps = names.map((name, at) => `${name} ${sizes[at]}`);
  return {
    file: source.file,
    sha256: sha256(stamps.join("\n")),
    detected: { format: "folder", encoding: "-", delimiter: "", headerLine: 0 },
    columns,
    mapped: {},
    names: columns,
    blankRows: 0,
    warnings: [],
    async *rows() {
      yield* names.map(toRow);
    },
    close: () => Promise.resolve(),
  };
}

/** A manifest that is itself the only row: there is no spreadsheet. */
export function openDefinition(file: string): Source {
  const row: SourceRow = { line: 1, cells: {}, values: {}, problems: [] };
  return {
    file,
    sha256: sha256(""),
    detected: { format: "manifest", encoding: "-", delimiter: "", headerLine: 0 },
    columns: [],
    mapped: {},
    names: [],
    blankRows: 0,
    warnings: [],
    async *rows() {
      yield row;
    },
    close: () => Promise.resolve(),
  };
}
