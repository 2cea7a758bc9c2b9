import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import path from "node:path";

import { writeFileAtomic } from "../../base/atomic-file.ts";
import { AppError } from "../../base/errors.ts";
import type { JobCommon } from "../../job/job.ts";
import type { RowJob } from "../../job/row-jobs.ts";
import { checkPlan, formatPlanFile, parsePlanFile, type PlanFacts } from "../../plan/plan-file.ts";
import type { PlanSummary } from "../../plan/tally.ts";
import type { Source } from "../../read/source.ts";
import { readText, type CliContext, type Input } from "../context.ts";
import type { PlannedJob } from "./plan-stage.ts";
import type { ServerChoice } from "./server.ts";
import type { Spool } from "./spool.ts";

export interface SavedPlan {
  readonly file: string;
  readonly facts: PlanFacts;
}

export function toPlanFacts(
  { job, server }: { job: RowJob; server: ServerChoice },
  source: Source,
  planned: PlannedJob,
): PlanFacts {
  return {
    job: job.name,
    server: server.baseUrl ?? "embedded",
    inputSha256: source.sha256,
    actionsSha256: planned.actionsSha256,
  };
}

/** A plan whose rows are all in its spool. */
interface SpooledPlan {
  readonly spool: Spool;
  readonly summary: PlanSummary;
}

type SpooledJob = { readonly job: JobCommon; readonly server: ServerChoice };

/** What a plan over codes that exist stands on; their list is its input. */
function toSpoolFacts({ job, server }: SpooledJob, { spool, summary }: SpooledPlan): PlanFacts {
  const [input, actions] = [createHash("sha256"), createHash("sha256")];
  for (const row of spool.good()) {
    input.update(`${row.key}\n`);
    actions.update(`${JSON.stringify(row)}\n`);
  }
  for (const bad of spool.bad()) actions.update(`${JSON.stringify(bad)}\n`);
  actions.update(JSON.stringify([summary.writes, summary.restyles, summary.updates]));
  return {
    job: job.name,
    server: server.baseUrl ?? "embedded",
    inputSha256: input.digest("hex"),
    actionsSha256: actions.digest("hex"),
  };
}

/** Saves a plan over codes that exist, where that was asked for. */
export async function saveSpooledPlan(
  of: SpooledJob & { readonly saveTo: string | undefined; readonly writer: string },
  plan: SpooledPlan,
): Promise<void> {
  if (of.saveTo === undefined) return;
  const text = formatPlanFile(toSpoolFacts(of, plan), of.writer, plan.summary);
  await writeFileAtomic(of.saveTo, text);
}

/** Refuses a saved plan that is not what would be done now. */
export function checkSpooledPlan(
  of: SpooledJob & { readonly plan?: SavedPlan | undefined },
  plan: SpooledPlan,
): void {
  if (of.plan !== undefined) checkPlan(of.plan.facts, toSpoolFacts(of, plan), of.plan.file);
}

/** The plan that `--plan` names, if any. */
export async function readSavedPlan(
  context: CliContext,
  input: Input,
): Promise<SavedPlan | undefined> {
  const name = readText(input, "plan");
  if (name === undefined) return undefined;
  const file = path.resolve(context.cwd, name);
  const text = await readFile(file, "utf8").catch((cause: unknown) => {
    throw new AppError("bad-usage", `--plan must name a file that can be read, got ${name}`, {
      cause,
    });
  });
  return { file: name, facts: parsePlanFile(text, name) };
}
