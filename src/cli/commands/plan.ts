import path from "node:path";

import { EXIT_ROWS_FAILED } from "../exit-codes.ts";
import { readFlag, readText, type CliContext, type Input } from "../context.ts";
import { makeView } from "../make-view.ts";
import type { JobPlan } from "../../pipeline/results.ts";
import { makePorts, openJob } from "../open-job.ts";

function sayRun({ summary: { good, bad } }: JobPlan, run: string): string {
  return good === 0 && bad > 0
    ? `no row is good: mend them, then plan again; to have all of them in failed-rows.csv: ${run}`
    : `to do this: ${run}`;
}

/** A run that would be refused is no next step: a warning says what can be done. */
function listSteps(
  plan: JobPlan,
  commands: { readonly run: string; readonly retry: string },
): string[] {
  const { hasWork, isRefused, summary } = plan;
  return [
    ...(hasWork && isRefused !== true ? [sayRun(plan, commands.run)] : []),
    ...(summary.failedBefore > 0 ? [`rows that the server refused before: ${commands.retry}`] : []),
  ];
}

export async function plan(context: CliContext, input: Input): Promise<number> {
  const out = readText(input, "out");
  const isFile = out?.toLowerCase().endsWith(".json") === true;
  const options = isFile ? { ...input.options, out: undefined } : input.options;
  const named = { ...input, options };
  const job = await openJob(context, named);
  const saveTo = isFile && out !== undefined ? path.resolve(context.cwd, out) : undefined;
  const ports = makePorts(context, makeView(context, input), named);
  const planned = await job.plan(ports, { saveTo });
  if (!readFlag(input, "json")) {
    const saved = isFile && out !== undefined ? { more: ["--plan", out] } : {};
    const steps = listSteps(planned, {
      run: ports.commandOf("run", saved),
      retry: ports.commandOf("retry"),
    });
    context.out(steps.map((step) => `→ ${step}\n`).join(""));
  }
  return readFlag(input, "detailedExitcode") && planned.hasWork ? EXIT_ROWS_FAILED : 0;
}
