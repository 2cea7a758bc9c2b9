import { z } from "zod";

import { ours, wholeNumber } from "./fields.ts";
import { limits } from "./limits.ts";
import { pageFields } from "./paging.ts";
import { span, spanInOrder, windowFields } from "./window.ts";

/** One scan or click (docs/spec/api.md section 2.6). */
export const Activity = z.looseObject({
  id: z.string(),
  qr_code_id: z.string(),
  time_utc: z.string(),
  time_timezone_aware: z.string().nullish(),
  location: z.string().nullish(),
  device: z.string().nullish(),
  scanner_id: z.string().nullish(),
});
export type Activity = z.infer<typeof Activity>;

export const ActivityQuery = z
  .object({ ...span, ...pageFields })
  .refine(spanInOrder.holds, spanInOrder.error);
export type ActivityQuery = z.input<typeof ActivityQuery>;

const scans = { scans: z.number().int(), unique_scans: z.number().int() };
const Named = z.looseObject({ name: z.string(), ...scans });
const analytics = {
  total_scans: z.number().int(),
  unique_scans: z.number().int(),
  scans_by_day: ours(z.array(z.looseObject({ date: z.string(), ...scans }))),
  top_countries: ours(z.array(Named)),
  top_cities: ours(z.array(Named)),
  top_os: ours(z.array(Named)),
  top_browsers: ours(z.array(Named)),
};

/**
 * docs/spec/api.md section 2.7; element shapes are ours (docs/spec/design.md section 5), those of
 * other servers unknown.
 */
export const Analytics = z.looseObject(analytics);
export type Analytics = z.infer<typeof Analytics>;

export const WorkspaceAnalytics = z.looseObject({
  ...analytics,
  top_codes: z.array(
    z.looseObject({
      id: z.string(),
      display_name: z.string().nullish(),
      destination: z.string().nullish(),
      ...scans,
    }),
  ),
});
export type WorkspaceAnalytics = z.infer<typeof WorkspaceAnalytics>;

const analyticsFields = {
  ...windowFields,
  days: wholeNumber(1, limits.maxAnalyticsDays, { default: limits.analyticsDays }).optional(),
};

export const AnalyticsQuery = z
  .object(analyticsFields)
  .refine(spanInOrder.holds, spanInOrder.error);
export type AnalyticsQuery = z.input<typeof AnalyticsQuery>;

export const WorkspaceAnalyticsQuery = z
  .object({
    ...analyticsFields,
    top: wholeNumber(1, limits.maxAnalyticsTop, { default: limits.analyticsTop }).optional(),
  })
  .refine(spanInOrder.holds, spanInOrder.error);
export type WorkspaceAnalyticsQuery = z.input<typeof WorkspaceAnalyticsQuery>;
