import { findState } from "../../state/state.ts";
import { EXIT_ROWS_FAILED } from "../exit-codes.ts";
import { readFlag, type Command } from "../context.ts";
import { makeView } from "../make-view.ts";
import { jobOptions, openJob, openRows } from "../pipeline/open-job.ts";
import { planRows } from "../pipeline/plan-stage.ts";
import { toPlanView } from "../pipeline/plan-view.ts";

export const plan: Command = {
  name: "plan",
  summary: "say what a run would do and cost; change nothing",
  argument: { name: "job", says: "the manifest", required: true },
  options: [
    ...jobOptions,
    { flags: "--detailed-exitcode", says: "exit 3 when there is something to do or to mend" },
  ],
  examples: [
    "makeready plan jobs/table-codes.yaml",
    "makeready plan jobs/table-codes.yaml --json --detailed-exitcode",
  ],
  exits: [3, 6],
  async run(context, input) {
    const { job, server } = await openJob(context, input);
    const source = await openRows(job);
    const nowMs = context.clock.nowMs();
    const state = findState(job.output.dir, { writer: context.writer, salt: "", nowMs });
    try {
      const planned = await planRows({ job, source, state, nowMs, retryFailed: false });
      planned.spool.close();
      const createdAt = state?.createdAt ?? new Date(nowMs).toISOString();
      makeView(context, input).plan(await toPlanView(job, server, planned, createdAt));
      const { writes, bad } = planned.summary;
      return readFlag(input, "detailedExitcode") && writes + bad > 0 ? EXIT_ROWS_FAILED : 0;
    } finally {
      state?.close();
      await source.close();
    }
  },
};
