/** A scan report as tables: CSV files and one workbook. */
import path from "node:path";

import { makeCsv, type CsvCell } from "./csv.ts";
import { writeTextFile, type WrittenFile } from "./hashed-file.ts";
import { toChange, type CodeFigures, type GroupFigures, type ScanReport } from "./scan-figures.ts";
import { writeXlsxBook, type XlsxTable } from "./xlsx.ts";

interface Column<Row> {
  readonly header: string;
  /** In characters, for the workbook. */
  readonly width: number;
  readonly cell: (row: Row) => CsvCell;
}

const orNothing = (value: number | null): number | undefined => value ?? undefined;

/** column of a manifest -> how it is written */
const codeColumns: Readonly<Record<string, Column<CodeFigures>>> = {
  id: { header: "id", width: 38, cell: (code) => code.id },
  display_name: { header: "display_name", width: 36, cell: (code) => code.name },
  destination: { header: "destination", width: 52, cell: (code) => code.destination ?? undefined },
  folder: { header: "folder", width: 28, cell: (code) => code.folder },
  type: { header: "type", width: 8, cell: (code) => code.type },
  short_link: { header: "short_link", width: 34, cell: (code) => code.shortLink ?? undefined },
  tags: { header: "tags", width: 24, cell: (code) => code.tags.join(", ") },
  created: { header: "created", width: 22, cell: (code) => code.created },
  scans: { header: "scans", width: 10, cell: (code) => orNothing(code.scans) },
  unique_scans: { header: "unique_scans", width: 14, cell: (code) => orNothing(code.uniqueScans) },
  previous_scans: {
    header: "previous_scans",
    width: 16,
    cell: (code) => orNothing(code.previousScans),
  },
  previous_unique_scans: {
    header: "previous_unique_scans",
    width: 22,
    cell: (code) => orNothing(code.previousUniqueScans),
  },
  change: {
    header: "change",
    width: 10,
    cell: (code) => toChange(code.scans, code.previousScans),
  },
};

const groupColumns = (name: string): Column<GroupFigures>[] => [
  { header: name, width: 40, cell: (group) => group.name },
  { header: "codes", width: 10, cell: (group) => group.codes },
  { header: "scans", width: 10, cell: (group) => group.scans },
  { header: "unique_scans", width: 14, cell: (group) => group.uniqueScans },
  { header: "previous_scans", width: 16, cell: (group) => orNothing(group.previousScans) },
  {
    header: "previous_unique_scans",
    width: 22,
    cell: (group) => orNothing(group.previousUniqueScans),
  },
  { header: "change", width: 10, cell: (group) => toChange(group.scans, group.previousScans) },
];

interface Table {
  /** Of the worksheet, and of the file in small letters. */
  readonly name: string;
  readonly columns: readonly { readonly header: string; readonly width: number }[];
  readonly rows: () => Iterable<readonly CsvCell[]>;
}

function toTable<Row>(
  name: string,
  columns: readonly Column<Row>[],
  rows: () => Iterable<Row>,
): Table {
  return {
    name,
    columns,
    rows: function* toCells() {
      for (const row of rows()) yield columns.map(({ cell }) => cell(row));
    },
  };
}

function toCodeColumns(report: ScanReport): Column<CodeFigures>[] {
  const columns = report.columns.flatMap((name) => codeColumns[name] ?? []);
  if (report.flagRule === null) return columns;
  return [...columns, { header: "flag", width: 24, cell: (code) => code.flag }];
}

interface DetailRow {
  readonly code: CodeFigures;
  readonly list: string;
  readonly name: string;
  readonly scans: number;
  readonly uniqueScans: number;
}

const detailColumns: readonly Column<DetailRow>[] = [
  { header: "id", width: 38, cell: ({ code }) => code.id },
  { header: "display_name", width: 36, cell: ({ code }) => code.name },
  { header: "list", width: 16, cell: ({ list }) => list },
  { header: "name", width: 28, cell: ({ name }) => name },
  { header: "scans", width: 10, cell: ({ scans }) => scans },
  { header: "unique_scans", width: 14, cell: ({ uniqueScans }) => uniqueScans },
];

function* toDetailRows(report: ScanReport): Iterable<DetailRow> {
  for (const { code, lists } of report.details) {
    for (const [list, entries] of lists) {
      for (const entry of entries) yield { code, list, ...entry };
    }
  }
}

function* toFlagged(report: ScanReport): Iterable<CodeFigures> {
  for (const code of report.codes()) if (code.flag !== undefined) yield code;
}

const toTitle = (word: string): string => `${word.charAt(0).toUpperCase()}${word.slice(1)}s`;

function toTables(report: ScanReport): Table[] {
  const { groupName, groups, details, flagged } = report;
  const columns = toCodeColumns(report);
  const named = [codeColumns["display_name"], codeColumns["folder"]].flatMap((one) => one ?? []);
  const flagColumns = [...new Set([...named, ...columns])];
  return [
    ...(groupName === null
      ? []
      : [toTable(toTitle(groupName), groupColumns(groupName), () => groups)]),
    toTable("Codes", columns, report.codes),
    ...(flagged === 0 ? [] : [toTable("Flagged", flagColumns, () => toFlagged(report))]),
    ...(details.length === 0
      ? []
      : [toTable("Details", detailColumns, () => toDetailRows(report))]),
  ];
}

/** One CSV file per table: `codes.csv`, `folders.csv` and so on. */
export async function writeScanCsv(folder: string, report: ScanReport): Promise<WrittenFile[]> {
  const files: WrittenFile[] = [];
  for (const { name, columns, rows } of toTables(report)) {
    const file = path.join(folder, `${name.toLowerCase()}.csv`);
    const header = columns.map((column) => column.header);
    files.push(await writeTextFile(file, makeCsv(header, rows())));
  }
  return files;
}

/** All tables as worksheets of one workbook. */
export function writeScanXlsx(file: string, report: ScanReport): Promise<WrittenFile> {
  const tables = toTables(report).map(({ name, columns, rows }): XlsxTable => ({
    name,
    columns,
    rows: rows(),
  }));
  return writeXlsxBook(file, tables, { createdAt: report.createdAt });
}
