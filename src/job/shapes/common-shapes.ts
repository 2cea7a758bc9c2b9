/** The parts that manifests of all kinds have. */
import { z } from "zod";

import { hidePassword } from "../../base/text/hide-password.ts";
import { isUrl } from "../../base/text/url.ts";
import { duration, filled, percent, whole } from "./fields.ts";
import { ScheduleShape } from "./schedule-shape.ts";

const FAILURES_RULE = 'must be a number of rows, or a share of them like "2%"';

export const BASE_URL_RULE = "must be an http or https address without name, password, ? or #";

export function isBaseUrl(text: string): boolean {
  return isUrl(text) && /^https?:\/\/[^@/?#]+(?:\/[^?#]*)?$/iu.test(text);
}

/** What to do about an address that is no base URL; undefined where nothing is sure. */
export function sayBaseUrlFix(text: string): string | undefined {
  if (!/^https?:\/\//iu.test(text))
    return /^[\w.-]+(?:[:/]|$)/u.test(text) ? "begin it with https://" : undefined;
  if (hidePassword(text) !== text) return "leave out the name and password";
  const end = text.search(/[?#]/u);
  if (end < 0) return undefined;
  // What has an @ may be a part of a password.
  return text.includes("@")
    ? `leave out the ${text.charAt(end)} and what follows it`
    : `leave out ${text.slice(end)}`;
}

const ApiShape = z.strictObject({
  base_url: z
    .string()
    .refine(isBaseUrl, BASE_URL_RULE)
    .optional()
    .describe("Root of the API, ends in /api/v2. Left out or ${…} not set: the embedded service."),
  public_url: z
    .string()
    .refine(isBaseUrl, BASE_URL_RULE)
    .optional()
    .describe(
      "What short links of the embedded service begin with; best in makeready.config.yaml. Kept with its data.",
    ),
  workspace: filled.optional().describe("Workspace id."),
  token_file: filled
    .optional()
    .describe("File that holds the token, relative to the manifest; MAKEREADY_TOKEN wins."),
});
export type ApiShape = z.output<typeof ApiShape>;

const RunShape = z.strictObject({
  concurrency: whole(1, 64)
    .optional()
    .describe(
      "Requests in flight at a time; default: 8, and 32 with the embedded service, where what comes together shares a commit.",
    ),
  on_row_error: z
    .enum(["continue", "stop"])
    .default("continue")
    .describe(
      "stop: nothing is sent while the spreadsheet has a bad row, and the first row that the server refuses ends the job.",
    ),
  max_failures: z
    .union([whole(0, Number.MAX_SAFE_INTEGER), percent(FAILURES_RULE)])
    .default("100%")
    .describe(
      'Failed rows after which the job stops, bad ones of the spreadsheet included: a number, or a share of all rows like "2%".',
    ),
  settle: duration
    .default("120s")
    .describe("How long a create in doubt is left alone before the list decides."),
  share: z
    .number()
    .gt(0, "must be above 0 and at most 1")
    .max(1, "must be above 0 and at most 1")
    .default(1)
    .describe("Part of the token's budget that this job may use."),
  marker: z
    .union([z.boolean(), z.literal("ref")])
    .default(false)
    .describe(
      "Adds a short reference to display_name, for workspaces where others create codes of the same name.",
    ),
  late_doubles: z
    .enum(["delete", "report"])
    .default("delete")
    .describe("What becomes of a code that the server made after its row was given another."),
});
export type RunShape = z.output<typeof RunShape>;

/** The first fields of all kinds. */
export const commonFields = {
  $schema: z.string().optional().describe("For editors; makeready doesn't read it."),
  version: z.literal(1, "must be 1").describe("Version of this format."),
  name: filled
    .max(100, "must have at most 100 characters")
    .optional()
    .describe("Names the state and the default output folder; default: the file's name."),
  api: ApiShape.default({}).describe("Which server; never a token."),
  schedule: ScheduleShape.optional().describe("When `makeready schedule` runs the job."),
  run: RunShape.prefault({}).describe("How the job runs."),
};

const confirm_over = whole(0, Number.MAX_SAFE_INTEGER)
  .optional()
  .describe("More changes than this want a yes: a question, or --yes.");
const max_codes = whole(1, Number.MAX_SAFE_INTEGER)
  .optional()
  .describe("More codes than this are refused.");
const contrast = z
  .enum(["refuse", "warn"])
  .default("refuse")
  .describe("What becomes of codes whose colours would not scan.");
const keep_previous = z
  .boolean()
  .default(true)
  .describe("Keeps what was there before, so that it can be put back.");

export const SafetyShape = z.strictObject({ contrast, confirm_over, max_codes });
export type SafetyShape = z.output<typeof SafetyShape>;

export const RedesignSafetyShape = z.strictObject({
  contrast,
  confirm_over,
  max_codes,
  keep_previous,
  skip_unchanged: z
    .boolean()
    .default(true)
    .describe("Sends nothing for a code that is known to have this design."),
});

export const RetargetSafetyShape = z.strictObject({
  confirm_over,
  max_codes,
  keep_previous,
  check_destination: z
    .enum(["none", "head", "get"])
    .default("none")
    .describe(
      "Requests every new destination first; a row fails when its destination answers with an error.",
    ),
});

export const ReadingSafetyShape = z.strictObject({ max_codes });
