import { readFlag, type Command } from "../context.ts";
import { jobOptions, openJob } from "../open-job.ts";
import { tellResult } from "../tell-result.ts";
import { patienceOption, readPatience, yesOption } from "./run.ts";

export const undo: Command = {
  name: "undo",
  summary: "put back what the last redesign or retarget replaced",
  argument: { name: "job", says: "the manifest", required: true },
  options: [
    ...jobOptions,
    patienceOption,
    { flags: "--force", says: "put back what somebody else has changed since, too" },
    yesOption,
  ],
  examples: [
    "makeready undo jobs/monthly-restyle.yaml",
    "makeready undo jobs/menu-url-change.yaml --yes",
  ],
  exits: [3, 4, 5, 6, 7, 130],
  async run(context, input) {
    const job = await openJob(context, input);
    const request = {
      isConfirmed: readFlag(input, "yes"),
      force: readFlag(input, "force"),
      patienceMs: readPatience(input),
    };
    return tellResult(context, input, (ports) => job.undo(ports, request));
  },
};
