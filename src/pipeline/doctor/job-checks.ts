/** Checks of a job: all that its manifest names is there, as a plan needs it. */

import { AppError, errorKinds, type Problem } from "../../base/errors.ts";
import type { RowJob } from "../../kinds/any-job.ts";
import { findGoneHere, judgeGone } from "../rows/gone-codes.ts";
import { lookAtState } from "../standing/look-at-state.ts";
import type { OpenJob } from "../open.ts";
import type { Ports } from "../ports.ts";
import { findAddress } from "../rows/server-address.ts";
import type { ServerChoice } from "../address/server.ts";
import { openRows } from "../source/source.ts";
import { type Check, fail, ok, warn } from "./check.ts";

const UNKNOWN_FIX = "mend it in the manifest";

const toFailed = (name: string, { message, hint = UNKNOWN_FIX }: Problem): Check =>
  fail(name, message, hint);

/** What is wrong; an error that is no person's goes on. */
async function findProblems(look: () => Promise<unknown>): Promise<readonly Problem[]> {
  try {
    await look();
    return [];
  } catch (error) {
    if (!(error instanceof AppError) || error.code === "bug") throw error;
    const { message, hint, problems } = error;
    return problems.length > 0 ? problems : [{ message, hint }];
  }
}

/** The header of a spreadsheet, or the folder of PDFs. Standard input and addresses are read by runs only. */
async function checkSource({ job, server }: Pick<OpenJob, "job" | "server">, ports: Ports) {
  if (!("source" in job) || job.source === null || !("from" in job.source)) return [];
  const { from, numbers } = job.source;
  if (numbers !== undefined || (from !== "spreadsheet" && from !== "folder")) return [];
  const found = await findProblems(async () => (await openRows(job, ports, server)).close());
  return found.length === 0
    ? [ok("rows", `${job.source.file} has what the job needs`)]
    : found.map((problem) => toFailed("rows", problem));
}

/** Looks up what the manifest names: rows, sheet, printer, fonts, pictures, profile, template. */
export async function checkJob(
  opened: Pick<OpenJob, "job" | "server" | "checkNames">,
  ports: Ports,
): Promise<Check[]> {
  const warnings: Check[] = [];
  const on: Ports["on"] = (event) => {
    if (event.type !== "warning") return;
    const { message, hint = UNKNOWN_FIX } = event.problem;
    warnings.push(warn("manifest", message, hint));
  };
  const found = await findProblems(() => opened.checkNames({ ...ports, on }));
  const named =
    found.length === 0
      ? [ok("manifest", "sheet, fonts and pictures that it names can be used")]
      : found.map((problem) => toFailed("manifest", problem));
  return [...named, ...warnings, ...(await checkSource(opened, ports))];
}

/** Whether the data folder of the embedded service has the codes of the job: it may be an older copy. */
export const checkGone = (job: RowJob, server: ServerChoice, ports: Ports): Promise<Check[]> =>
  lookAtState(job, ports, async (state) => {
    const gone = await findGoneHere({ job, server }, state, ports, true);
    if (gone === undefined) return [];
    try {
      const { message, hint } = judgeGone(gone, server, ports);
      return [warn("server", message, hint)];
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return [fail("server", error.message, error.hint ?? UNKNOWN_FIX, errorKinds.version.exit)];
    }
  });

const NAME = "short links";

/** No check of a job whose codes have no short links yet. */
export async function checkCodesAddress(
  job: RowJob,
  server: ServerChoice,
  ports: Ports,
): Promise<Check[]> {
  return lookAtState(job, ports, async (state) => {
    const found = await findAddress(job, server, { ports, state });
    const { from, problem, gone, warning, isUntold } = found;
    // What a remote server doesn't show stops no run.
    const judge = gone === undefined ? fail : warn;
    if (problem !== undefined) return [judge(NAME, problem.message, problem.hint)];
    // Why it has not told stands above.
    const fix = isUntold ? undefined : warning?.hint;
    if (warning !== undefined) return [warn(NAME, warning.message, fix)];
    const says = `begin with ${from}, as the codes of this job do`;
    return from === undefined ? [] : [ok(NAME, says)];
  });
}
