import { readFlag, type Command } from "../context.ts";
import { jobOptions, openJob } from "../open-job.ts";
import { tellResult } from "../tell-result.ts";
import { patienceOption, readPatience, yesOption } from "./run.ts";

export const retry: Command = {
  name: "retry",
  summary: "run a job and try the rows again that the server refused",
  argument: { name: "job", says: "the manifest", required: true },
  options: [...jobOptions, patienceOption, yesOption],
  examples: [
    "makeready retry jobs/table-codes.yaml",
    "makeready retry jobs/table-codes.yaml --json",
  ],
  exits: [3, 4, 5, 6, 7, 130],
  async run(context, input) {
    const job = await openJob(context, input);
    const request = {
      retryFailed: true,
      isConfirmed: readFlag(input, "yes"),
      patienceMs: readPatience(input),
    };
    return tellResult(context, input, (ports) => job.run(ports, request));
  },
};
