/**
 * Reading 100,000 rows of CSV and XLSX: makeready's source (detection, checks, physical lines,
 * normalised values), compared with csv-parse and exceljs alone, which do none of that. Each pass
 * runs in its own process, to measure its own memory; CPU counts all threads.
 *
 * npx tsx bench/read.ts [rows]
 */
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { createReadStream, createWriteStream, mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

import { parse } from "csv-parse";
import exceljs from "exceljs";

import type { ColumnRule, JobSource } from "../src/job/job.ts";
import { openSource } from "../src/read/source.ts";

const ROUNDS = 5;
const HEADER = ["site", "table", "region", "Link", "note", "price", "opened", "ref"];

function makeRow(n: number): readonly (string | number | Date)[] {
  return [
    `München ${n % 500}`,
    n % 80,
    `Region ${n % 20}`,
    `https://menu.example/r/${n}?t=${n % 80}&lang=de`,
    `by the bar, ${n}`,
    (n % 100) + 0.5,
    new Date(Date.UTC(2026, 10, (n % 28) + 1)),
    `R-${n}`,
  ];
}

function toCsvCell(cell: string | number | Date): string {
  const text = cell instanceof Date ? cell.toISOString().slice(0, 10) : String(cell);
  return text.includes(",") ? `"${text}"` : text;
}

async function writeCsv(file: string, rows: number): Promise<void> {
  const out = createWriteStream(file);
  out.write(`${HEADER.join(",")}\n`);
  for (let n = 0; n < rows; n += 1) {
    if (!out.write(`${makeRow(n).map(toCsvCell).join(",")}\n`)) await once(out, "drain");
  }
  out.end();
  await once(out, "close");
}

/** Like spreadsheet programs: shared texts, days as numbers with a format. */
async function writeXlsx(file: string, rows: number): Promise<void> {
  const book = new exceljs.stream.xlsx.WorkbookWriter({
    filename: file,
    useSharedStrings: true,
    useStyles: true,
  });
  const sheet = book.addWorksheet("Rows");
  sheet.addRow(HEADER).commit();
  for (let n = 0; n < rows; n += 1) {
    const row = sheet.addRow([...makeRow(n)]);
    row.getCell(7).numFmt = "yyyy-mm-dd";
    row.commit();
  }
  await book.commit();
}

const column = (rule: Partial<ColumnRule>): ColumnRule => ({
  type: "text",
  required: false,
  default: null,
  aliases: [],
  ...rule,
});

const makeSource = (file: string): JobSource => ({
  file,
  sheet: null,
  headerRow: null,
  encoding: null,
  delimiter: null,
  key: ["site", "table"],
  columns: {
    site: column({ required: true }),
    table: column({ type: "integer", required: true }),
    url: column({ type: "url", required: true, aliases: ["link"] }),
    opened: column({ type: "date" }),
    price: column({ type: "number" }),
  },
  skipHiddenRows: false,
  merged: "warn",
});

/** Answers the number of good rows. */
type Pass = (file: string) => Promise<number>;

const readOurs: Pass = async (file) => {
  const source = await openSource(makeSource(file));
  let rows = 0;
  for await (const row of source.rows()) rows += Number(row.problems.length === 0);
  await source.close();
  return rows;
};

const readCsv: Pass = async (file) => {
  let rows = 0;
  for await (const _ of createReadStream(file).pipe(parse({ columns: true }))) rows += 1;
  return rows;
};

const readWorkbook: Pass = async (file) => {
  const workbook = new exceljs.Workbook();
  await workbook.xlsx.readFile(file);
  let rows = -1;
  workbook.worksheets[0]?.eachRow(() => {
    rows += 1;
  });
  return rows;
};

const passes: Readonly<Record<string, Readonly<Record<string, Pass>>>> = {
  csv: { "csv-parse alone": readCsv, makeready: readOurs },
  xlsx: { "exceljs alone": readWorkbook, makeready: readOurs },
};

interface Figures {
  readonly rows: number;
  readonly cpuMs: number;
  readonly peakMb: number;
}

const self = fileURLToPath(import.meta.url);

function measure(format: string, name: string, file: string): Figures {
  const args = ["--import", "tsx", self, "--pass", format, name, file];
  return JSON.parse(execFileSync(process.execPath, args, { encoding: "utf8" })) as Figures;
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/** Memory of a process that reads nothing. */
const EMPTY: Pass = async () => 0;

async function runPass([format = "", name = "", file = ""]: readonly string[]): Promise<void> {
  const pass = passes[format]?.[name] ?? EMPTY;
  const start = process.cpuUsage();
  const rows = await pass(file);
  const { user, system } = process.cpuUsage(start);
  const peakMb = process.resourceUsage().maxRSS / 1024;
  console.log(JSON.stringify({ rows, cpuMs: (user + system) / 1000, peakMb }));
}

async function compare(rows: number): Promise<void> {
  const folder = mkdtempSync(path.join(os.tmpdir(), "makeready-bench-"));
  try {
    const files = { csv: path.join(folder, "rows.csv"), xlsx: path.join(folder, "rows.xlsx") };
    await writeCsv(files.csv, rows);
    await writeXlsx(files.xlsx, rows);
    const idleMb = measure("none", "", "").peakMb;
    for (const format of ["csv", "xlsx"] as const) {
      const names = Object.keys(passes[format] ?? {});
      const all = names.map((name) =>
        Array.from({ length: ROUNDS }, () => measure(format, name, files[format])),
      );
      const cpu = all.map((figures) => median(figures.map(({ cpuMs }) => cpuMs)));
      for (const [at, name] of names.entries()) {
        const figures = all[at] ?? [];
        if (figures.some((one) => one.rows !== rows)) throw new Error(`${name} has lost rows`);
        const grown = median(figures.map(({ peakMb }) => peakMb)) - idleMb;
        const ratio = ((cpu[at] ?? 0) / (cpu[0] ?? 1)).toFixed(2);
        console.log(
          `${format} ${name}: ${rows} rows x ${HEADER.length} columns, CPU ${(cpu[at] ?? 0).toFixed(0)} ms (x ${ratio}), memory + ${grown.toFixed(0)} MB`,
        );
      }
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

if (process.argv[2] === "--pass") await runPass(process.argv.slice(3));
else await compare(Number(process.argv[2] ?? 100_000));
