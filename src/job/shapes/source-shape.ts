import { z } from "zod";

import { serialAlphabets, type SerialAlphabet } from "../../base/ids/serials.ts";
import { slugLanguages } from "../../base/text/slug.ts";
import { filled, whole } from "./fields.ts";

export const columnTypes = [
  "text",
  "integer",
  "number",
  "url",
  "email",
  "date",
  "gtin",
  "boolean",
] as const;

export const encodings = [
  "utf-8",
  "utf-16le",
  "utf-16be",
  "windows-1250",
  "windows-1251",
  "windows-1252",
  "windows-1253",
  "windows-1254",
  "windows-1257",
  "iso-8859-2",
  "macintosh",
] as const;

const Column = z.strictObject({
  type: z
    .enum(columnTypes)
    .default("text")
    .describe("What its cells must hold; cells are checked and normalised."),
  required: z
    .boolean()
    .default(false)
    .describe("An empty cell is a row error; the header must be there."),
  default: z.string().optional().describe("Takes the place of an empty cell."),
  aliases: z.array(filled).default([]).describe("Other headers that mean this column."),
  decimal: z
    .enum([".", ","])
    .optional()
    .describe("Sign before decimals where 1.234 has two readings; default: as other cells show."),
});

const ColumnName = filled.regex(
  /^(?![\s])[^|{}]*(?<![\s])$/u,
  "must be a name without |, { and }, and without spaces around it",
);

const lineNumber = whole(1, 1_048_576);

const language = z
  .enum(slugLanguages)
  .optional()
  .describe(
    "Language of its texts: with de, slugs write ä, ö, ü as ae, oe, ue; the job's first run fixes it.",
  );

const key = z
  .array(filled)
  .default([])
  .describe("Columns that identify a row: makes a re-run safe and incremental.");

export const SourceFields = z.strictObject({
  file: filled.describe(
    "CSV or XLSX, relative to the manifest; `-` reads standard input, an https:// address is fetched.",
  ),
  sheet: z
    .union([lineNumber, filled])
    .optional()
    .describe("Name or position of the worksheet; default: the first visible one."),
  header_row: lineNumber
    .optional()
    .describe("Line of the header; default: the first that holds every required column."),
  encoding: z.enum(encodings).optional().describe("Forces the encoding of a CSV file."),
  delimiter: z
    .string()
    .regex(/^[^\r\n"]$/u, "must be one character")
    .optional()
    .describe("Forces the delimiter of a CSV file."),
  key,
  columns: z
    .record(ColumnName, Column)
    .default({})
    .describe("What the columns must hold, by the names that templates use."),
  language,
  skip_hidden_rows: z.boolean().default(false).describe("Leaves out rows that are hidden (XLSX)."),
  merged: z
    .enum(["warn", "fill"])
    .default("warn")
    .describe("Cells under a merged one: empty with a warning, or filled with its text (XLSX)."),
  mended: filled
    .optional()
    .describe(
      "Rows mended by `mend` or the desk, relative to the manifest: each takes the place of its row.",
    ),
});

/** Rows of a spreadsheet and nothing else. */
export const SpreadsheetShape = z
  .union([filled, SourceFields])
  .describe("Where rows come from: a file, or a map with its details.");
export type SpreadsheetShape = z.output<typeof SourceFields>;

/** More rows than this are several jobs. */
export const MOST_MADE_ROWS = 10_000_000;

const pad = whole(1, 15)
  .optional()
  .describe("Digits of the column `number`: zeros stand in front; default: none.");

const madeKey = z
  .array(filled)
  .min(1, "must name at least one column")
  .optional()
  .describe("Columns that identify a row; default: serial, or number where there is none.");

/** Rows without a spreadsheet; templates know `number` of each. */
export const RangeFields = z.strictObject({
  range: z
    .tuple([whole(0, 999_999_999_999), whole(0, 999_999_999_999)])
    .describe("First and last number: each one is a row, with the column `number`."),
  pad,
  key: madeKey,
  language,
});

const alphabetNames = Object.keys(serialAlphabets) as [SerialAlphabet, ...SerialAlphabet[]];

const SerialShape = z.strictObject({
  length: whole(4, 40)
    .default(12)
    .describe("Characters of a serial, the check character included; GS1 allows 20."),
  alphabet: z
    .enum(alphabetNames)
    .default("safe32")
    .describe("Its characters, capital letters only; safe32 has none of I, L, O and U."),
  check: z
    .boolean()
    .default(false)
    .describe("The last character is a check character (Luhn mod N), for people who type it."),
});

/** Rows with a random serial each; templates know `number` and `serial`. */
export const SerialFields = z.strictObject({
  rows: whole(1, MOST_MADE_ROWS).describe(
    "How many rows: each one gets a `number` and a `serial`.",
  ),
  serial: SerialShape.describe("A random text for each row, never given twice in a data folder."),
  pad,
  key: madeKey,
  language,
});

export const SourceShape = z
  .union([filled, SourceFields, RangeFields, SerialFields])
  .describe("Where rows come from: a file, a map with its details, a range, or serials.");
export type SourceShape = z.output<typeof SourceShape>;

/** A folder whose PDFs are the rows; templates know `file`, `name` and `folder` of each. */
export const FolderFields = z.strictObject({
  folder: filled.describe("Folder of PDFs, relative to the manifest: each one is a row."),
  subfolders: z.boolean().default(true).describe("Those below it, too."),
  language,
});

export const PdfSourceShape = z
  .union([filled, SourceFields, FolderFields, RangeFields, SerialFields])
  .describe("Where rows come from: a spreadsheet, a folder of PDFs, a range, or serials.");
export type PdfSourceShape = z.output<typeof PdfSourceShape>;
