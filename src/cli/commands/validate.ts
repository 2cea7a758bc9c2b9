import { readFlag, type Command } from "../context.ts";
import { formatMany } from "../words.ts";
import { jobOptions, openJob, openRows } from "../pipeline/open-job.ts";

export const validate: Command = {
  name: "validate",
  summary: "check a manifest and the header of its spreadsheet",
  argument: { name: "job", says: "the manifest", required: true },
  options: jobOptions,
  examples: [
    "makeready validate jobs/table-codes.yaml",
    "makeready validate jobs/table-codes.yaml --set output.dir=proof",
  ],
  exits: [],
  async run(context, input) {
    const { job } = await openJob(context, input);
    const { kind } = job;
    if (!("source" in job) || job.source.from !== "spreadsheet") {
      const summary = { type: "summary", job: job.name, kind };
      const text = `${job.name} is valid: kind ${kind}`;
      context.out(`${readFlag(input, "json") ? JSON.stringify(summary) : text}\n`);
      return 0;
    }
    const source = await openRows(job);
    await source.close();
    const { detected, columns } = source;
    if (readFlag(input, "json")) {
      const summary = { type: "summary", job: job.name, kind, detected, columns };
      context.out(`${JSON.stringify(summary)}\n`);
    } else {
      context.out(
        `${job.name} is valid: ${detected.format}, ${detected.encoding}, header on line ${detected.headerLine}, ${formatMany(columns.length, "column")}\n`,
      );
    }
    return 0;
  },
};
