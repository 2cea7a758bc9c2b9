import { existsSync } from "node:fs";
import path from "node:path";

import { AppError } from "../../base/errors.ts";
import { isRowJob, type Job } from "../../job/any-job.ts";
import { duration, parseDuration } from "../../job/fields.ts";
import { readSavedPlan } from "../../pipeline/saved-plan.ts";
import { stateFile } from "../../state/state.ts";
import { readFlag, readText, type Command, type Input } from "../context.ts";
import { jobOptions, openJob } from "../open-job.ts";
import { tellResult } from "../tell-result.ts";

/** A whole number from 1 on, or null when it was not given. */
export function readLimit(input: Input): number | null {
  const text = readText(input, "limit");
  if (text === undefined) return null;
  const limit = Number(text);
  if (Number.isInteger(limit) && limit >= 1) return limit;
  throw new AppError("bad-usage", `--limit must be a whole number from 1 on, got ${text}`);
}

/** `--patience` of run and retry. */
export const patienceOption = {
  flags: "--patience <time>",
  says: "how long the server may be away before the run stops, such as 30s (default 15m)",
} as const;

/** `--yes` of run and retry. */
export const yesOption = { flags: "--yes", says: "answer every question with yes" } as const;

/** Milliseconds of `--patience`, or undefined when it was not given. */
export function readPatience(input: Input): number | undefined {
  const text = readText(input, "patience");
  if (text === undefined) return undefined;
  if (duration.safeParse(text).success) return parseDuration(text);
  throw new AppError("bad-usage", `--patience must be a time with a unit, like "30s", got ${text}`);
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

export const run: Command = {
  name: "run",
  summary: "plan a job, do what is left to do, pack and prove it",
  argument: { name: "job", says: "the manifest, such as jobs/table-codes.yaml", required: true },
  options: [
    ...jobOptions,
    { flags: "--plan <file>", says: "carry out this saved plan, or refuse when it is stale" },
    patienceOption,
    { flags: "--limit <n>", says: "make at most this many codes now" },
    { flags: "--fresh", says: "forget what was made before and make everything anew" },
    yesOption,
  ],
  examples: [
    "makeready run jobs/table-codes.yaml",
    "makeready run jobs/table-codes.yaml --out /tmp/proof --limit 24",
  ],
  exits: [3, 4, 5, 6, 7, 130],
  async run(context, input) {
    const job = await openJob(context, input);
    const plan = readText(input, "plan");
    const file = plan === undefined ? undefined : path.resolve(context.cwd, plan);
    const request = {
      limit: readLimit(input),
      fresh: confirmFresh(input, job.job),
      isConfirmed: readFlag(input, "yes"),
      plan: file === undefined ? undefined : await readSavedPlan(file, plan),
      patienceMs: readPatience(input),
    };
    return tellResult(context, input, (ports) => job.run(ports, request));
  },
};
