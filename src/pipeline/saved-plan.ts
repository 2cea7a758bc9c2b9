import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";

import { writeFileAtomic } from "../base/atomic-file.ts";
import { AppError } from "../base/errors.ts";
import type { JobCommon } from "../job/job.ts";
import { formatPlanFile, parsePlanFile, type PlanFacts } from "../plan/plan-file.ts";
import type { PlanSummary } from "../plan/tally.ts";
import type { JobPlan, SavedPlan } from "./results.ts";
import type { ServerChoice } from "./server.ts";
import type { Spool } from "./spool.ts";

/** A plan whose rows are all in its spool. */
interface SpooledPlan {
  readonly spool: Spool;
  readonly summary: PlanSummary;
}

/** What a plan over codes that exist stands on; their list is its input. */
export function toSpoolFacts(
  { job, server }: { readonly job: JobCommon; readonly server: ServerChoice },
  { spool, summary }: SpooledPlan,
): PlanFacts {
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

/** Saves a plan for `run --plan`. */
export async function savePlan(file: string, plan: JobPlan, writer: string): Promise<void> {
  if (plan.facts === undefined) throw new AppError("bug", "a plan that is saved must have facts");
  await writeFileAtomic(file, formatPlanFile(plan.facts, writer, plan.summary));
}

/** Reads a plan that was saved; `name` is what people call its file. */
export async function readSavedPlan(file: string, name = file): Promise<SavedPlan> {
  const text = await readFile(file, "utf8").catch((cause: unknown) => {
    throw new AppError("bad-usage", `--plan must name a file that can be read, got ${name}`, {
      cause,
    });
  });
  return { file: name, facts: parsePlanFile(text, name) };
}
