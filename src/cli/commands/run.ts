import { existsSync } from "node:fs";
import path from "node:path";

import { AppError } from "../../base/errors.ts";
import { isRowJob, type Job } from "../../kinds/any-job.ts";
import { duration, parseDuration } from "../../job/shapes/fields.ts";
import { readSavedPlan } from "../../pipeline/saved-plan.ts";
import { stateFile } from "../../state/state.ts";
import { readFlag, readText, type Input, type CliContext } from "../context.ts";
import { openJob } from "../open-job.ts";
import { withProver } from "../prove-on.ts";
import { readSetting } from "../settings.ts";
import { tellResult } from "../tell-result.ts";

/** A whole number from 1 on, or null when it was not given. */
export function readLimit(input: Input): number | null {
  const text = readText(input, "limit");
  if (text === undefined) return null;
  const limit = Number(text);
  if (Number.isInteger(limit) && limit >= 1) return limit;
  throw new AppError("bad-usage", `--limit must be a whole number from 1 on, got ${text}`);
}

/** Milliseconds of `--patience`, or undefined when it was not given. */
export function readPatience(context: CliContext, input: Input): number | undefined {
  const given = readSetting(context, input, "patience");
  if (given === undefined) return undefined;
  const { text, from } = given;
  if (duration.safeParse(text).success) return parseDuration(text);
  throw new AppError("bad-usage", `${from} must be a time with a unit, like "30s", got ${text}`);
}

/** A fresh start makes every code a second time: that wants a yes. Codes that exist stay the same. */
function confirmFresh(input: Input, job: Job): boolean {
  const folder = job.output.dir;
  if (!readFlag(input, "fresh")) return false;
  if (!isRowJob(job)) return true;
  if (readFlag(input, "yes") || !existsSync(stateFile(folder))) return true;
  throw new AppError(
    "confirm-needed",
    `--fresh must be confirmed, since it forgets the state in ${folder} and makes every code a second time`,
    { hint: "add --yes, or choose another output folder with --out" },
  );
}

export async function run(context: CliContext, input: Input): Promise<number> {
  const job = await openJob(context, input);
  const plan = readText(input, "plan");
  const file = plan === undefined ? undefined : path.resolve(context.cwd, plan);
  const request = {
    limit: readLimit(input),
    fresh: confirmFresh(input, job.job),
    isConfirmed: readFlag(input, "yes"),
    plan: file === undefined ? undefined : await readSavedPlan(file, plan),
    patienceMs: readPatience(context, input),
  };
  return tellResult(context, input, (ports) =>
    withProver(context, input, ports, (own) => job.run(own, request)),
  );
}
