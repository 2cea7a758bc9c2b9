import { errorKinds, type Problem } from "../../base/errors.ts";
import { formatProblem } from "../../base/text/format-problem.ts";
import type { JobProof } from "../../pipeline/results.ts";
import type { Call } from "../call.ts";
import { withProver } from "../far-proof.ts";
import { toPressView } from "../views/job-words.ts";
import { makePorts, openJob } from "../open-job.ts";
import { describeProof, sayReady } from "../views/proof-words.ts";
import type { PressView } from "../views/view.ts";

function judge({ proof, problems, isRehearsal }: JobProof) {
  const isWhole = problems.length === 0;
  const isProven = isWhole && proof?.isProven === true;
  // Plain: the files are whole, but have no codes to read back.
  return {
    isProven,
    isReady: isProven && !isRehearsal,
    isRehearsal,
    isPlain: isWhole && proof === undefined,
  };
}

function listProblems(
  { proof, problems, elsewhere }: JobProof,
  press: PressView | undefined,
): Problem[] {
  const findings = (proof?.verification.findings ?? []).map(({ rule, message, ...rest }) => ({
    ...rest,
    message: `rule ${rule}: ${message}`,
  }));
  const warnings = press?.warnings.map(({ says: message }) => ({ message })) ?? [];
  return [...problems, ...findings, ...warnings, ...elsewhere];
}

function sayVerdict(found: ReturnType<typeof judge>, press: PressView | undefined): string {
  if (found.isPlain && !found.isRehearsal) return "all files are as they were written";
  const isWarned = press?.verdict === "ready-with-warnings";
  const isOfPictures = press?.pictures === true;
  return sayReady({ ...found, warnings: isWarned ? press.warnings.length : 0, isOfPictures });
}

export async function verify(call: Call): Promise<number> {
  const opened = await openJob(call);
  const found = await withProver(call, makePorts(call), (ports) => opened.verify(ports));
  const { proof, problems, elsewhere } = found;
  const judged = judge(found);
  const { isPlain, ...verdict } = judged;
  const { name: job } = opened.job;
  const press = toPressView(found.press);
  const says =
    proof === undefined ? null : describeProof(proof, { inReport: false, others: problems.length });
  const findings = proof?.verification.findings ?? [];
  call.tell(
    "summary",
    { job, ...verdict, press, says, findings, problems, elsewhere },
    `${job}: ${says ?? "no sheet and no picture to be read back"}`,
    ...listProblems(found, press).map((problem) => `  ${formatProblem(problem, call.context.cwd)}`),
    sayVerdict(judged, press),
  );
  return verdict.isProven || isPlain ? 0 : errorKinds.input.exit;
}
