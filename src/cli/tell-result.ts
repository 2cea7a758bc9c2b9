import type { Ports } from "../pipeline/ports.ts";
import type { RunResult } from "../pipeline/results.ts";
import type { CliContext, Input } from "./context.ts";
import { toExitCode, toSummaryView } from "./job-words.ts";
import { makeView } from "./make-view.ts";
import { makePorts } from "./open-job.ts";

/** Runs a step, shows what happens and what came of it; answers the exit code. */
export async function tellResult(
  context: CliContext,
  input: Input,
  step: (ports: Ports) => Promise<RunResult>,
): Promise<number> {
  const view = makeView(context, input);
  const ports = makePorts(context, view, input);
  const result = await step(ports);
  view.summary(toSummaryView(result, { cwd: context.cwd, commandOf: ports.commandOf }));
  return toExitCode(result);
}
