import { z } from "zod";

import { anything, named, ofAnyServer } from "./announce.ts";
import { idOf, timestamp, wholeNumber } from "./fields.ts";
import { limits } from "./limits.ts";
import { pageFields } from "./paging.ts";
import { saysDays, span, spanInOrder, windowFields } from "./window.ts";

/** One scan or click (docs/spec/api.md section 2.6). */
export const ActivitySent = named(
  "Activity",
  z
    .object({
      id: idOf("scan"),
      qr_code_id: idOf("code"),
      time_utc: timestamp.describe("When it was scanned."),
      time_timezone_aware: z.string().meta({
        description: "The same in the scanner's local time, for people.",
        examples: ["20 Nov 2026, 09:30:00 CET"],
      }),
      location: z.string().meta({
        description:
          "City, region, country, and the position when it was shared; empty when unknown.",
        examples: ["Berlin, Berlin, Germany"],
      }),
      device: z.string().meta({
        description: "Kind of device, system and browser. Robots are listed, but not counted.",
        examples: ["Mobile, iOS, Safari"],
      }),
      scanner_id: z.string().meta({
        description: "The same for scans of one device; never its address.",
        examples: ["f3a1c2d4e5b60718"],
      }),
    })
    .describe("One scan of a code, or click of a short link."),
);
export const Activity = ofAnyServer(ActivitySent, {
  needed: ["id", "qr_code_id", "time_utc"],
  other: {},
});
export type Activity = z.infer<typeof Activity>;

export const ActivityQuery = z
  .object({ ...span, ...pageFields })
  .refine(spanInOrder.holds, spanInOrder.error);
export type ActivityQuery = z.input<typeof ActivityQuery>;

const scans = {
  scans: z.int().describe("All scans."),
  unique_scans: z.int().describe("Scans by people who had not scanned it before."),
};
const Day = named(
  "ScanDay",
  z.object({
    date: z.string().meta({
      format: "date",
      description: "The day in UTC.",
      examples: ["2026-11-20"],
    }),
    ...scans,
  }),
);
const Ranked = named(
  "ScanGroup",
  z.object({
    name: z.string().meta({ description: "What they have in common.", examples: ["Germany"] }),
    ...scans,
  }),
);
const tops = (what: string) => z.array(Ranked).describe(`The ${what} with most scans.`);
const analytics = {
  total_scans: z.int().describe("All scans of the window."),
  unique_scans: z.int().describe("Scans of the window by people who had not scanned before."),
  scans_by_day: z
    .array(Day)
    .describe(
      "Every day of the window up to today, without gaps; of more than ten years, those since the first code.",
    ),
  top_countries: tops("countries"),
  top_cities: tops("cities"),
  top_os: tops("systems"),
  top_browsers: tops("browsers"),
};
const AnalyticsSent = named(
  "Analytics",
  z.object(analytics).describe("The scans of a code in a window of time."),
);

/**
 * docs/spec/api.md section 2.7; element shapes are ours (docs/spec/design.md section 5), those of
 * other servers unknown.
 */
const needed = ["total_scans", "unique_scans"] as const;
const ofOthers = {
  scans_by_day: anything,
  top_countries: anything,
  top_cities: anything,
  top_os: anything,
  top_browsers: anything,
};
export const Analytics = ofAnyServer(AnalyticsSent, { needed, other: ofOthers });
export type Analytics = z.infer<typeof Analytics>;

const RankedCodeSent = named(
  "ScannedCode",
  z.object({
    id: idOf("code"),
    display_name: z.string().describe("Its name in lists."),
    destination: z.string().describe("Where it leads."),
    ...scans,
  }),
);
const RankedCode = ofAnyServer(RankedCodeSent, {
  needed: ["id", "scans", "unique_scans"],
  other: {},
});
const WorkspaceAnalyticsSent = named(
  "WorkspaceAnalytics",
  z
    .object({
      ...analytics,
      top_codes: z.array(RankedCodeSent).describe("The codes with most scans."),
    })
    .describe("The scans of all codes of a workspace in a window of time."),
);
export const WorkspaceAnalytics = ofAnyServer(WorkspaceAnalyticsSent, {
  needed: [...needed, "top_codes"],
  other: { ...ofOthers, top_codes: z.array(RankedCode) },
});
export type WorkspaceAnalytics = z.infer<typeof WorkspaceAnalytics>;

const analyticsFields = {
  ...windowFields,
  days: wholeNumber(1, limits.maxAnalyticsDays, { default: limits.analyticsDays })
    .optional()
    .describe(saysDays),
};

export const AnalyticsQuery = z
  .object(analyticsFields)
  .refine(spanInOrder.holds, spanInOrder.error);
export type AnalyticsQuery = z.input<typeof AnalyticsQuery>;

export const WorkspaceAnalyticsQuery = z
  .object({
    ...analyticsFields,
    top: wholeNumber(1, limits.maxAnalyticsTop, { default: limits.analyticsTop })
      .optional()
      .describe("How many codes top_codes has."),
  })
  .refine(spanInOrder.holds, spanInOrder.error);
export type WorkspaceAnalyticsQuery = z.input<typeof WorkspaceAnalyticsQuery>;
