import path from "node:path";

import { writeFileAtomic } from "../../base/atomic-file.ts";
import { formatPlanFile } from "../../plan/plan-file.ts";
import { findState } from "../../state/state.ts";
import { EXIT_ROWS_FAILED } from "../exit-codes.ts";
import { readFlag, readText, type Command } from "../context.ts";
import { makeView } from "../make-view.ts";
import { jobOptions, openJob, openRows } from "../pipeline/open-job.ts";
import { planRows } from "../pipeline/plan-stage.ts";
import { toPlanView } from "../pipeline/plan-view.ts";
import { toPlanFacts } from "../pipeline/saved-plan.ts";

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
  exits: [3, 6],
  async run(context, input) {
    const out = readText(input, "out");
    const isFile = out?.toLowerCase().endsWith(".json") === true;
    const options = isFile ? { ...input.options, out: undefined } : input.options;
    const { job, server } = await openJob(context, { ...input, options });
    const source = await openRows(job);
    const nowMs = context.clock.nowMs();
    const state = findState(job.output.dir, { writer: context.writer, salt: "", nowMs });
    try {
      const planned = await planRows({ job, source, state, nowMs, retryFailed: false });
      planned.spool.close();
      const createdAt = state?.createdAt ?? new Date(nowMs).toISOString();
      makeView(context, input).plan(await toPlanView(job, server, planned, createdAt));
      if (out !== undefined && isFile) {
        const facts = toPlanFacts({ job, server }, source, planned);
        const text = formatPlanFile(facts, context.writer, planned.summary);
        await writeFileAtomic(path.resolve(context.cwd, out), text);
      }
      const { writes, bad } = planned.summary;
      return readFlag(input, "detailedExitcode") && writes + bad > 0 ? EXIT_ROWS_FAILED : 0;
    } finally {
      state?.close();
      await source.close();
    }
  },
};
