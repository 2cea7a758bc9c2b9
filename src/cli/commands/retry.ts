import { readFlag, type Command } from "../context.ts";
import { makeView } from "../make-view.ts";
import { stepsOf } from "../pipeline/kinds.ts";
import { jobOptions, openJob } from "../pipeline/open-job.ts";
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
    const { job, server } = await openJob(context, input);
    const patienceMs = readPatience(input);
    return stepsOf(job).run(context, makeView(context, input), {
      job,
      server,
      retryFailed: true,
      limit: null,
      fresh: false,
      isConfirmed: readFlag(input, "yes"),
      patienceMs,
    });
  },
};
