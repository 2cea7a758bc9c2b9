import { z } from "zod";

import { checkCron } from "../../base/time/cron.ts";
import { isTimeZone } from "../../base/time/zoned-time.ts";

const cron = z.string().superRefine((text, context) => {
  const fault = checkCron(text);
  if (fault !== undefined) context.issues.push({ code: "custom", message: fault, input: text });
});

const timezone = z
  .string()
  .refine(isTimeZone, 'must be a time zone like "Europe/Berlin"')
  .default("UTC");

/** When `makeready schedule` runs the job. */
export const ScheduleShape = z.strictObject({
  cron: cron.describe("Five fields: minute hour day month weekday."),
  timezone: timezone.describe("Time zone (IANA name) in which the fields are meant."),
  paused: z.boolean().optional().describe("Switched off: the schedule stays, and runs nothing."),
  yes: z
    .boolean()
    .optional()
    .describe("Answers `safety.confirm_over` with yes: nobody is there to be asked."),
});
