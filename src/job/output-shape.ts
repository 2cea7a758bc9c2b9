import { z } from "zod";

import { filled, millimetres, percent, template, whole } from "./fields.ts";

const per = filled.optional().describe("Column that splits the rows into one file per text.");
const name = filled.optional().describe("File name; default: the job's, with the group. Template.");

export const ZipFields = z.strictObject({ per, name });

const marks = ["crop", "registration", "bar"] as const;
const orders = ["rows", "columns", "cut-and-stack", "stack-by-column"] as const;
const corners = ["top-left", "top-right", "bottom-left", "bottom-right"] as const;

const DieLineFields = z.strictObject({
  spot: filled.default("CutContour").describe("Ink that the cutter follows; it is never printed."),
  cut: z
    .enum(["through", "kiss"])
    .default("through")
    .describe("Through the stock, or through the label but not its backing."),
});

const IccFields = z.strictObject({
  file: filled.describe("Output profile (CMYK), relative to the manifest."),
  condition: filled.describe("Name of the printing condition that it stands for."),
});

const DEFAULT_SHEET = "a4-24up-63.5x33.9";

export const SheetsFields = z.strictObject({
  sheet: filled
    .default(DEFAULT_SHEET)
    .describe("Label sheet: a name of `makeready sheets`, or a .json file of your own."),
  per,
  name,
  caption: z
    .union([template, z.array(template)])
    .optional()
    .describe("Text under each code, one line per entry; default: the display name. Template."),
  marks: z
    .array(z.enum(marks))
    .default([])
    .describe("What is printed outside the cut; the page grows to hold it. Plain stock only."),
  bleed_mm: millimetres(0, 20)
    .optional()
    .describe("Distance of marks from the trimmed sheet; default: 3."),
  device_dpi: whole(72, 9600)
    .optional()
    .describe("Dots per inch of the printing device; modules are put on its grid."),
  application: z
    .enum(["general", "gs1-pos"])
    .default("general")
    .describe(
      "What the codes are for: gs1-pos keeps X between 0.396 and 0.990 mm, general at 0.33 mm or more.",
    ),
  x_dimension_mm: millimetres(0.05, 20)
    .optional()
    .describe("Width of a module (X), raised to the device grid; default: as large as fits."),
  qr_size_mm: millimetres(3, 500)
    .optional()
    .describe("Side of the codes without quiet zone, lowered to the device grid."),
  safe_mm: millimetres(0, 50)
    .optional()
    .describe("What stays clear of a label's edge; default: 3, on pre-cut labels 1.6."),
  order: z
    .enum(orders)
    .default("rows")
    .describe(
      "How rows fill sheets; cut-and-stack and stack-by-column ascend through the cut pile or roll.",
    ),
  reverse: z.boolean().default(false).describe("Last row first, as rolls want it."),
  corner: z.enum(corners).default("top-left").describe("Where the first row lies."),
  start: whole(1, 10_000)
    .default(1)
    .describe("First cell of the first sheet, for a part-used one; with rows and columns only."),
  copies: whole(1, 10_000).default(1).describe("Labels of each row."),
  copy_order: z
    .enum(["adjacent", "series"])
    .default("adjacent")
    .describe("Copies of a row side by side, or the whole series again and again."),
  overs: percent
    .default("0%")
    .describe('Share of the rows, like "2%", that gets one more label at the end.'),
  spares: whole(0, 10_000)
    .default(0)
    .describe("Last cells of every sheet that are kept free of rows of their own."),
  spare_labels: z
    .enum(["empty", "repeat"])
    .default("empty")
    .describe("What spare cells show: nothing, or the sheet's first labels again."),
  standard: z
    .enum(["PDF/X-4", "PDF/X-1a:2003"])
    .default("PDF/X-4")
    .describe("What the files conform to."),
  printer: filled
    .optional()
    .describe(
      "Printer in printers.json beside the manifest: what was measured of it is undone on every page.",
    ),
  icc: IccFields.optional().describe("Output profile instead of the built-in FOGRA39 one."),
  die_line: z
    .union([z.boolean(), DieLineFields])
    .default(false)
    .describe("Outlines for a cutting plotter: true, or a map with its details. Plain stock only."),
  volume_codes: whole(1, 100_000)
    .optional()
    .describe("Codes per file, in whole sheets; default: 10000."),
});

const file = z.enum(["svg", "png"]);
const index = z.enum(["csv", "xlsx"]);

const dir = filled.optional();

const outputFields = {
  files: z.array(file).default(["svg", "png"]).describe("Artwork to be kept per row."),
  file_name: filled
    .optional()
    .describe("Path of a row's artwork, without extension; default: the key columns. Template."),
  zip: z
    .union([z.boolean(), ZipFields])
    .default(false)
    .describe("Packs artwork and index: true, or a map with its details."),
  sheets: z
    .union([z.boolean(), SheetsFields])
    .default(false)
    .describe("Makes print-ready PDF sheets: true, or a map with its details."),
  index: z.array(index).default(["csv"]).describe("Lists row, id, short link, files and cell."),
};

export const OutputShape = z.strictObject({
  dir: dir.describe("Folder, relative to the manifest; default: out/ and the job's name."),
  ...outputFields,
});
export type OutputShape = z.output<typeof OutputShape>;

const datedDir = dir.describe(
  "Folder, relative to the manifest, with {{ date }} or {{ month }}; default: out/ and the name.",
);

/** Of kinds that make nothing new: every run may have a folder of its own. */
export const DatedOutputShape = z.strictObject({ dir: datedDir, ...outputFields });

/** A code that leads elsewhere looks the same: there are no pictures to be kept. */
export const RetargetOutputShape = z.strictObject({ dir: datedDir, index: outputFields.index });
