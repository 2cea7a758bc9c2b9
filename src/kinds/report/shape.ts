import { z } from "zod";

import { limits } from "../../api/limits.ts";
import { parseMoment } from "../../base/time/moment.ts";
import { commonFields, ReadingSafetyShape } from "../../job/shapes/common-shapes.ts";
import { filled, whole } from "../../job/shapes/fields.ts";
import { anySelect, kindField } from "../shape-parts.ts";

const DAY_RULE = 'must be a date like "2026-01-31"';

const day = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}(?:T[\d:.]+(?:Z|[+-]\d{2}:\d{2})?)?$/u, DAY_RULE)
  .refine((text) => parseMoment(text) !== undefined, DAY_RULE);

const WindowShape = z.strictObject({
  days: whole(1, limits.maxAnalyticsDays)
    .optional()
    .describe("The last days, up to today; default: 30."),
  start: day.optional().describe("First day, instead of days."),
  end: day.optional().describe("Last day; default: today."),
  compare: z
    .enum(["none", "previous"])
    .default("none")
    .describe("Compares with the same number of days before."),
});

const groupings = ["code", "folder", "workspace"] as const;

export const reportColumns = [
  "id",
  "display_name",
  "destination",
  "folder",
  "type",
  "short_link",
  "tags",
  "created",
  "scans",
  "unique_scans",
  "previous_scans",
  "previous_unique_scans",
  "change",
] as const;

export const reportDetails = [
  "scans_by_day",
  "top_countries",
  "top_cities",
  "top_os",
  "top_browsers",
] as const;

const DetailsShape = z.strictObject({
  top: whole(1, 10_000).default(10).describe("How many codes, those with most scans first."),
  include: z
    .array(z.enum(reportDetails))
    .default(["scans_by_day"])
    .describe("Figures for each code; one more GET per code."),
});

const FlagShape = z.strictObject({
  zero_scans_for_days: whole(1, limits.maxAnalyticsDays)
    .optional()
    .describe("Lists codes without a scan for this number of days."),
});

export const reportFormats = ["xlsx", "csv", "html"] as const;

const ReportOutputShape = z.strictObject({
  dir: filled
    .optional()
    .describe("Folder, relative to the manifest; may name {{ date }} and {{ month }}."),
  formats: z
    .array(z.enum(reportFormats))
    .min(1, "must name at least one format")
    .default([...reportFormats])
    .describe("What the figures are written as."),
});

export const reportShape = z.strictObject({
  ...commonFields,
  kind: kindField("report"),
  select: anySelect,
  window: WindowShape.prefault({}).describe("The days that the report covers; default: 30 days."),
  group_by: z.enum(groupings).default("code").describe("What the figures are summed by."),
  columns: z
    .array(z.enum(reportColumns))
    .min(1, "must name at least one column")
    .default(["display_name", "destination", "scans", "unique_scans"])
    .describe("Columns of the table of codes."),
  details: DetailsShape.optional().describe("More about some codes."),
  flag: FlagShape.optional().describe("What the report points out."),
  output: ReportOutputShape.prefault({}).describe("What is written, and where."),
  safety: ReadingSafetyShape.prefault({}).describe("What is refused."),
});
export type ReportManifest = z.output<typeof reportShape>;
