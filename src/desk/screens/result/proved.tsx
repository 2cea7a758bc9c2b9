/** What the last check of a job's files found. */
import { statSync } from "node:fs";
import path from "node:path";

import type { Problem } from "../../../base/errors.ts";
import { sayPressWarning, toPressHint } from "../../../base/shapes/press-warning.ts";
import type { PressWarning } from "../../../base/shapes/press-warning.ts";
import { readProvenMs } from "../../../pipeline/standing/last-result.ts";
import type { Job } from "../../../kinds/any-job.ts";
import type { ChangedSince } from "../../../pipeline/files/remade.ts";
import type { JobProof, RunResult } from "../../../pipeline/results.ts";
import type { DeskContext } from "../../context.ts";
import { CHANGING, findTask } from "../../jobs.ts";
import { readLast } from "../../tasks/tail.ts";
import type { TaskFault } from "../../tasks/task.ts";
import { countIn, Printed } from "../../view/figures.tsx";
import { Fault, Problems } from "../../view/problems.tsx";
import type { Part } from "../../view/part.ts";

/** The last check, or why it came to no end. */
export type LastCheck =
  | { readonly fault: TaskFault }
  | { readonly proof: JobProof; readonly warnings: readonly Problem[] };

/** A run by a command leaves newer files: what was found before it no longer holds. */
const isOlder = (atMs: number, { files }: Pick<RunResult, "files">): boolean =>
  files.some(({ role, file }) => {
    const written = role === "report" ? statSync(file, { throwIfNoEntry: false }) : undefined;
    return written !== undefined && written.mtimeMs > atMs;
  });

/** Of the last verify, as long as nothing ran since and no command has found all files right. */
export async function readLastCheck(
  desk: DeskContext,
  { manifest, job }: { readonly manifest: string; readonly job: Job },
  result: Pick<RunResult, "files">,
): Promise<LastCheck | undefined> {
  const task = await findTask(desk, manifest, ["verify", ...CHANGING]);
  if (task?.request.step !== "verify") return undefined;
  const last = await readLast(task);
  if (last === undefined || isOlder(last.atMs, result)) return undefined;
  if (last.type === "fault") return { fault: last.fault };
  if (last.type !== "result" || last.result.step !== "verify") return undefined;
  const check: LastCheck = { proof: last.result.proof, warnings: last.result.warnings ?? [] };
  if (isGoodCheck(check)) return check;
  return (await readProvenMs(job, desk)) > last.atMs ? undefined : check;
}

const isError = ({ severity }: { readonly severity: string }): boolean => severity === "error";

const areFilesRight = ({ proof, problems }: JobProof): boolean =>
  proof?.isProven !== false && problems.every(({ where }) => where?.file === undefined);

/** Nothing is wrong with the files or their codes. */
export const isGoodCheck = (check: LastCheck): boolean =>
  "proof" in check && areFilesRight(check.proof) && check.proof.problems.length === 0;

/** A check that found all files right says so no longer once some are gone or altered. */
export const holdsStill = (
  check: LastCheck,
  { missing, damaged }: Pick<ChangedSince, "missing" | "damaged">,
): boolean => !isGoodCheck(check) || missing.length + damaged.length === 0;

/** As a table shows them. */
export const toPressRows = (warnings: readonly PressWarning[]): Problem[] =>
  warnings.map((warning) => ({ message: sayPressWarning(warning), hint: toPressHint(warning) }));

/** A problem with the name of its file as its place, and that of the rule that it breaks. */
function atFile({ where, ...problem }: Problem, rule?: string): Problem {
  if (where?.file === undefined || where.line !== undefined) return { ...problem, where };
  const name = path.basename(where.file);
  return { ...problem, where: { ...where, row: rule === undefined ? name : `${name} (${rule})` } };
}

function listFound({ proof, warnings }: Extract<LastCheck, { readonly proof: JobProof }>) {
  const findings = proof.proof?.verification.findings ?? [];
  const toProblem = ({ rule, ...problem }: (typeof findings)[number]): Problem =>
    atFile(problem, rule);
  const soft = findings.filter((one) => !isError(one));
  // Those of the proof are told one by one.
  const press = (proof.press?.warnings ?? []).filter(({ code }) => code !== "proof-warnings");
  return {
    wrong: [
      ...proof.problems.map((problem) => atFile(problem)),
      ...findings.filter(isError).map(toProblem),
    ],
    odd: [
      ...soft.map(toProblem),
      ...toPressRows(press),
      // Older checks kept none.
      ...(proof.elsewhere ?? []),
      ...warnings,
    ],
  };
}

export const Proved: Part<{ readonly check: LastCheck }> = ({ check, words }) => {
  if ("fault" in check) return <Fault words={words} fault={check.fault} />;
  const count = countIn(words.language);
  const { proof } = check;
  const found = proof.proof;
  const { wrong, odd } = listFound(check);
  const isGood = isGoodCheck(check);
  const bad = areFilesRight(proof) ? words.since.asWritten : words.result.notVerified;
  return (
    <div class={`banner ${isGood ? (odd.length === 0 ? "good" : "warn") : "bad"}`} role="status">
      <p>
        {isGood ? words.result.verified(count(found?.decoded ?? 0), count(found?.codes ?? 0)) : bad}
        <Printed printed={found?.printed} words={words} />
      </p>
      <Problems words={words} problems={wrong} />
      {odd.length === 0 ? null : <p>{words.since.withWarnings}</p>}
      <Problems words={words} problems={odd} label={words.result.knowBefore} />
    </div>
  );
};
