import { readFile } from "node:fs/promises";
import path from "node:path";

import { AppError } from "../../base/errors.ts";
import type { RowJob } from "../../job/row-jobs.ts";
import { parsePlanFile, type PlanFacts } from "../../plan/plan-file.ts";
import type { Source } from "../../read/source.ts";
import { readText, type CliContext, type Input } from "../context.ts";
import type { PlannedJob } from "./plan-stage.ts";
import type { ServerChoice } from "./server.ts";

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
