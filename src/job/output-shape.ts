import { z } from "zod";

import { filled, template, whole } from "./fields.ts";

const per = filled.optional().describe("Column that splits the rows into one file per text.");
const name = filled.optional().describe("File name; default: the job's, with the group. Template.");

export const ZipFields = z.strictObject({ per, name });

export const marks = ["crop", "registration", "bar", "slug", "outlines"] as const;

export const DEFAULT_SHEET = "a4-24up-63.5x33.9";

export const SheetsFields = z.strictObject({
  sheet: filled.default(DEFAULT_SHEET).describe("Label sheet, by name."),
  per,
  name,
  caption: z
    .union([template, z.array(template)])
    .optional()
    .describe("Text under each code, one line per entry; default: the display name. Template."),
  marks: z.array(z.enum(marks)).default([]).describe("What is printed outside the cut."),
  device_dpi: whole(72, 9600)
    .optional()
    .describe("Dots per inch of the printing device; modules are put on its grid."),
});

const file = z.enum(["svg", "png"]);
const index = z.enum(["csv", "xlsx"]);

export const OutputShape = z.strictObject({
  dir: filled
    .optional()
    .describe("Folder, relative to the manifest; default: out/ and the job's name."),
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
});
export type OutputShape = z.output<typeof OutputShape>;
