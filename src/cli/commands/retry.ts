import type { Command } from "../context.ts";
import { makeView } from "../make-view.ts";
import { jobOptions, openJob } from "../pipeline/open-job.ts";
import { runJob } from "../pipeline/run-job.ts";
import { patienceOption, readPatience } from "./run.ts";

export const retry: Command = {
  name: "retry",
  summary: "run a job and try the rows again that the server refused",
  argument: { name: "job", says: "the manifest", required: true },
  options: [...jobOptions, patienceOption],
  examples: [
    "makeready retry jobs/table-codes.yaml",
    "makeready retry jobs/table-codes.yaml --json",
  ],
  exits: [3, 4, 5, 6, 7, 130],
  async run(context, input) {
    const { job, server } = await openJob(context, input);
    const patienceMs = readPatience(input);
    const options = { job, server, retryFailed: true, limit: null, fresh: false, patienceMs };
    return runJob(context, makeView(context, input), options);
  },
};
