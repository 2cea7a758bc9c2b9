/** The kinds that work on codes which exist: which ones, and what becomes of them. */
import { z } from "zod";

import { codeTypes } from "../api/code.ts";
import { limits } from "../api/limits.ts";

import { lookFields } from "./code-shape.ts";
import { filled, template, whole } from "./fields.ts";

/** Which codes (api-v2.md 4.1, list). */
export const SelectShape = z.strictObject({
  folder: filled.optional().describe("Path, id or slug of a folder; none for codes in no folder."),
  subfolders: z.boolean().default(false).describe("With folder: those below it, too."),
  tags: z.array(filled).default([]).describe("Codes that carry all of these tags."),
  q: filled.optional().describe("Codes whose name, destination, short link or tags contain this."),
  dynamic: z.boolean().optional().describe("Only dynamic codes, or only static ones."),
  type: z.enum(codeTypes).optional().describe("Only codes of this type."),
});
export type SelectShape = z.output<typeof SelectShape>;

/** The design fields of a change in place (api-v2.md 4.1). */
export const RedesignShape = z
  .strictObject({
    template: filled
      .optional()
      .describe("Name or id of a saved design template; the other fields override it."),
    ...lookFields,
    text_secondary: template.optional().describe("Second text in the frame. Template."),
    logo_file: filled
      .optional()
      .describe("PNG, JPEG, GIF or WebP under 2 MB, relative to the manifest."),
    remove_logo: z.boolean().optional().describe("Takes the logo away."),
  })
  .describe("The new look; what isn't named stays as it is.");
export type RedesignShape = z.output<typeof RedesignShape>;

export const matchKeys = ["id", "shortlink_url", "display_name"] as const;

/** How a row finds its code. */
export const MatchShape = z.strictObject({
  by: z
    .array(z.enum(matchKeys))
    .min(1, "must name at least one field")
    .default([...matchKeys])
    .describe("Fields of the code that are compared, in this order; the first that fits decides."),
  value: template.min(1, "must not be empty").describe("What they must be. Template."),
});

/** What a row changes; a field that is left out, or empty in a row, stays as it is. */
export const SetShape = z.strictObject({
  qr_data: template.optional().describe("New destination (dynamic codes). Template."),
  display_name: template.optional().describe("New name. Template."),
  folder: template.optional().describe("New path of folders. Template."),
  tags: z.array(template).optional().describe("Tags that are added. Templates."),
});

const day = z
  .string()
  .regex(
    /^\d{4}-\d{2}-\d{2}(?:T[\d:.]+(?:Z|[+-]\d{2}:\d{2})?)?$/u,
    'must be a date like "2026-01-31"',
  );

export const WindowShape = z.strictObject({
  days: whole(1, limits.maxAnalyticsDays)
    .optional()
    .describe("The last so many days; default: 30."),
  start: day.optional().describe("First day, instead of days."),
  end: day.optional().describe("Last day; default: today."),
  compare: z
    .enum(["none", "previous"])
    .default("none")
    .describe("Whether the same time before is set beside it."),
});

export const groupings = ["code", "folder", "workspace"] as const;

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

export const DetailsShape = z.strictObject({
  top: whole(1, 10_000).default(10).describe("How many codes, those with most scans first."),
  include: z
    .array(z.enum(reportDetails))
    .default(["scans_by_day"])
    .describe("What is told of each; one more GET per code."),
});

export const FlagShape = z.strictObject({
  zero_scans_for_days: whole(1, limits.maxAnalyticsDays)
    .optional()
    .describe("Lists codes that nobody scanned for so many days."),
});

export const reportFormats = ["xlsx", "csv", "html"] as const;

export const ReportOutputShape = z.strictObject({
  dir: filled
    .optional()
    .describe("Folder, relative to the manifest; may name {{ date }} and {{ month }}."),
  formats: z
    .array(z.enum(reportFormats))
    .min(1, "must name at least one format")
    .default([...reportFormats])
    .describe("What the figures are written as."),
});
