/**
 * The index: one line per row, with what was made of it and where that lies (docs/spec/jobs.md
 * section 3).
 */
import { makeCsv, type CsvCell } from "./csv.ts";
import { writeTextFile, type WrittenFile } from "./hashed-file.ts";
import { writeXlsx, type XlsxCell, type XlsxPicture } from "./xlsx.ts";

export interface IndexRow {
  /** Identifies the row over re-runs. */
  readonly key: string;
  /** Line of the source, from 1. */
  readonly line: number;
  readonly displayName: string;
  readonly folder: string | undefined;
  /** Of the code on the server. */
  readonly id: string | undefined;
  readonly shortLink: string | undefined;
  readonly destination: string | undefined;
  readonly type: string;
  /** Artwork, relative to the output folder or the archive that holds the index. */
  readonly files: readonly string[];
  /** SHA-256 of each of `files`, same order, lower-case hex. */
  readonly sha256: readonly string[];
  readonly zip?: string | undefined;
  readonly sheetFile?: string | undefined;
  /** Sheet of `sheetFile`, of backs that stand after all fronts the page, then the cell there, all from 1. */
  readonly sheet?: number | undefined;
  readonly row?: number | undefined;
  readonly column?: number | undefined;
  readonly state: string;
  /** Of the code, for a workbook with pictures. */
  readonly picture?: XlsxPicture | undefined;
}

export type IndexRows = AsyncIterable<IndexRow> | Iterable<IndexRow>;

interface IndexColumn {
  readonly header: string;
  /** In characters, for the workbook. */
  readonly width: number;
  readonly links?: boolean;
  readonly cell: (row: IndexRow) => CsvCell;
}

// No file name holds a |, so the list can be taken apart again.
const LIST_SEPARATOR = " | ";

const COLUMNS: readonly IndexColumn[] = [
  { header: "key", width: 24, cell: (row) => row.key },
  { header: "line", width: 8, cell: (row) => row.line },
  { header: "display_name", width: 32, cell: (row) => row.displayName },
  { header: "folder", width: 24, cell: (row) => row.folder },
  { header: "id", width: 38, cell: (row) => row.id },
  { header: "short_link", width: 32, links: true, cell: (row) => row.shortLink },
  { header: "destination", width: 48, cell: (row) => row.destination },
  { header: "type", width: 10, cell: (row) => row.type },
  { header: "files", width: 48, cell: (row) => row.files.join(LIST_SEPARATOR) },
  { header: "zip", width: 24, cell: (row) => row.zip },
  { header: "sheet_file", width: 24, cell: (row) => row.sheetFile },
  { header: "sheet", width: 8, cell: (row) => row.sheet },
  { header: "row", width: 8, cell: (row) => row.row },
  { header: "column", width: 8, cell: (row) => row.column },
  { header: "sha256", width: 66, cell: (row) => row.sha256.join(LIST_SEPARATOR) },
  { header: "state", width: 12, cell: (row) => row.state },
];

async function* makeCells(rows: IndexRows): AsyncGenerator<CsvCell[]> {
  for await (const row of rows) yield COLUMNS.map(({ cell }) => cell(row));
}

/** In characters: as wide as a picture. */
const PICTURE_COLUMN = { header: "picture", width: 15 };

async function* makePictureCells(rows: IndexRows): AsyncGenerator<XlsxCell[]> {
  for await (const row of rows) yield [row.picture, ...COLUMNS.map(({ cell }) => cell(row))];
}

/** The index as CSV text in pieces. */
export function makeIndexCsv(rows: IndexRows, delimiter?: string): AsyncGenerator<string> {
  return makeCsv(
    COLUMNS.map(({ header }) => header),
    makeCells(rows),
    { delimiter },
  );
}

/** `index.csv`: UTF-8 with BOM, formulas made harmless. `delimiter`: default comma. */
export function writeIndexCsv(
  file: string,
  rows: IndexRows,
  delimiter?: string,
): Promise<WrittenFile> {
  return writeTextFile(file, makeIndexCsv(rows, delimiter));
}

/**
 * `index.xlsx`: the same table as a workbook, with a column of pictures where it is to have them.
 * `createdAt` dates its parts.
 */
export function writeIndexXlsx(
  file: string,
  rows: IndexRows,
  options: { readonly createdAt: Date; readonly hasPictures?: boolean },
): Promise<WrittenFile> {
  const table =
    options.hasPictures === true
      ? { columns: [PICTURE_COLUMN, ...COLUMNS], rows: makePictureCells(rows), hasPictures: true }
      : { columns: COLUMNS, rows: makeCells(rows) };
  return writeXlsx(file, { name: "Index", ...table }, options);
}
