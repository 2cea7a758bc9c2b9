import { readFlag, type CliContext, type Input } from "../context.ts";
import { openJob } from "../open-job.ts";
import { withProver } from "../prove-on.ts";
import { tellResult } from "../tell-result.ts";
import { readPatience } from "./run.ts";

export async function retry(context: CliContext, input: Input): Promise<number> {
  const job = await openJob(context, input);
  const request = {
    retryFailed: true,
    isConfirmed: readFlag(input, "yes"),
    patienceMs: readPatience(context, input),
  };
  return tellResult(context, input, (ports) =>
    withProver(context, input, ports, (own) => job.run(own, request)),
  );
}
