import { AppError } from "../../base/errors.ts";
import { readFlag, type Command } from "../context.ts";
import { formatProblem } from "../format-problem.ts";
import { makeView } from "../make-view.ts";
import { stepOf } from "../pipeline/kinds.ts";
import { jobOptions, openJob } from "../pipeline/open-job.ts";

export const verify: Command = {
  name: "verify",
  summary: "open again what a run made and prove all of it",
  argument: { name: "job", says: "the manifest", required: true },
  options: jobOptions,
  examples: [
    "makeready verify jobs/table-codes.yaml",
    "makeready verify jobs/table-codes.yaml --json",
  ],
  exits: [3, 6, 7],
  async run(context, input) {
    const { job } = await openJob(context, input);
    const verifyJob = stepOf(job, "verify");
    const { proof, problems, isRehearsal } = await verifyJob(
      context,
      makeView(context, input),
      job,
    );
    const findings = proof?.verification.findings ?? [];
    const isProven = proof !== undefined && proof.isProven && problems.length === 0;
    const isReady = isProven && !isRehearsal;
    if (readFlag(input, "json")) {
      const summary = { job: job.name, isProven, isReady, isRehearsal, findings, problems };
      context.out(`${JSON.stringify({ type: "summary", ...summary })}\n`);
    } else {
      const lines = [...problems, ...findings].map((problem) =>
        formatProblem(problem, context.cwd),
      );
      const verdict = isReady
        ? "ready for press"
        : isRehearsal
          ? "not ready for press: a rehearsal, the codes point to this computer"
          : "not ready for press";
      context.out(
        `${job.name}: ${proof?.says ?? "nothing to prove"}\n${lines.map((line) => `  ${line}\n`).join("")}${verdict}\n`,
      );
    }
    return isProven ? 0 : new AppError("verify-failed", "").exitCode;
  },
};
