import { readFlag, type CliContext, type Input } from "../context.ts";
import { openJob } from "../open-job.ts";
import { tellResult } from "../tell-result.ts";
import { readPatience } from "./run.ts";

export async function undo(context: CliContext, input: Input): Promise<number> {
  const job = await openJob(context, input);
  const request = {
    isConfirmed: readFlag(input, "yes"),
    force: readFlag(input, "force"),
    patienceMs: readPatience(context, input),
  };
  return tellResult(context, input, (ports) => job.undo(ports, request));
}
