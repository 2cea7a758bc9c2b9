import path from "node:path";

import { EXIT_ROWS_FAILED } from "../exit-codes.ts";
import { readFlag, readText, type Command } from "../context.ts";
import { makeView } from "../make-view.ts";
import { jobOptions, makePorts, openJob } from "../open-job.ts";

export const plan: Command = {
  name: "plan",
  summary: "say what a run would do and cost; change nothing",
  argument: { name: "job", says: "the manifest", required: true },
  options: [
    {
      flags: "--out <path>",
      says: "a file that ends in .json: saves the plan there for `run --plan`; else the output folder",
    },
    ...jobOptions.filter(({ flags }) => !flags.startsWith("--out ")),
    { flags: "--detailed-exitcode", says: "exit 3 when there is something to do or to mend" },
  ],
  examples: [
    "makeready plan jobs/table-codes.yaml --out plan.json",
    "makeready plan jobs/table-codes.yaml --json --detailed-exitcode",
  ],
  exits: [3, 6, 7],
  async run(context, input) {
    const out = readText(input, "out");
    const isFile = out?.toLowerCase().endsWith(".json") === true;
    const options = isFile ? { ...input.options, out: undefined } : input.options;
    const job = await openJob(context, { ...input, options });
    const saveTo = isFile && out !== undefined ? path.resolve(context.cwd, out) : undefined;
    const ports = makePorts(context, makeView(context, input));
    const { hasWork } = await job.plan(ports, { saveTo });
    return readFlag(input, "detailedExitcode") && hasWork ? EXIT_ROWS_FAILED : 0;
  },
};
