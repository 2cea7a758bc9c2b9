import { AppError } from "../../base/errors.ts";
import { readFlag, type CliContext, type Input } from "../context.ts";
import { formatProblem } from "../../base/format-problem.ts";
import type { JobProof } from "../../pipeline/results.ts";
import { formatMany } from "../../base/words.ts";
import { toPressView } from "../job-words.ts";
import { describeProof } from "../proof-words.ts";
import type { PressView } from "../view.ts";
import { makeView } from "../make-view.ts";
import { makePorts, openJob } from "../open-job.ts";
import { withProver } from "../prove-on.ts";
import { toPeople } from "../terminal.ts";

interface Found {
  readonly isProven: boolean;
  readonly isReady: boolean;
  readonly isRehearsal: boolean;
  /** Whole, but nothing in it can be read back. */
  readonly isPlain: boolean;
}

function judge(
  proof: JobProof["proof"],
  problems: JobProof["problems"],
  isRehearsal: boolean,
): Found {
  const isWhole = problems.length === 0;
  const isProven = isWhole && proof?.isProven === true;
  const isPlain = isWhole && proof === undefined;
  return { isProven, isReady: isProven && !isRehearsal, isRehearsal, isPlain };
}

function toVerdict({ isReady, isRehearsal, isPlain }: Found, press: PressView | undefined): string {
  if (isReady && press?.verdict === "ready-with-warnings")
    return `ready for press, with ${formatMany(press.warnings.length, "warning")}`;
  if (isReady) return "ready for press";
  if (isRehearsal) return "not ready for press: a rehearsal, the codes point to this computer";
  return isPlain ? "all files are as they were written" : "not ready for press";
}

export async function verify(context: CliContext, input: Input): Promise<number> {
  const opened = await openJob(context, input);
  const { job } = opened;
  const ports = makePorts(context, makeView(context, input), input);
  const {
    proof,
    press: judged,
    problems,
    isRehearsal,
  } = await withProver(context, input, ports, (own) => opened.verify(own));
  const press = toPressView(judged);
  const proofSays = proof && describeProof(proof);
  const found = judge(proof, problems, isRehearsal);
  const { isProven, isReady } = found;
  const findings = proof?.verification.findings ?? [];
  if (readFlag(input, "json")) {
    const says = proofSays ?? null;
    const summary = {
      job: job.name,
      isProven,
      isReady,
      isRehearsal,
      press,
      says,
      findings,
      problems,
    };
    context.out(`${JSON.stringify({ type: "summary", ...summary })}\n`);
  } else {
    const warnings = press?.warnings.map(({ says: message }) => ({ message })) ?? [];
    const lines = [...problems, ...findings, ...warnings].map((problem) =>
      formatProblem(problem, context.cwd),
    );
    toPeople(context).out(
      `${job.name}: ${proofSays ?? "no sheet and no picture to be read back"}\n${lines.map((line) => `  ${line}\n`).join("")}${toVerdict(found, press)}\n`,
    );
  }
  return isProven || found.isPlain ? 0 : new AppError("verify-failed", "").exitCode;
}
