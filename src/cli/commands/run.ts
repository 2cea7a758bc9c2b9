/** The steps of a job: planned, run, tried again, put back, retired. */
import { existsSync } from "node:fs";

import { AppError, badUsage } from "../../base/errors.ts";
import { EXIT_ROWS_FAILED, outcomeExits } from "../../base/exit-codes.ts";
import { linesOf } from "../../base/text/lines-of.ts";
import { sayIn } from "../../base/shapes/rows-from.ts";
import { isRowJob, type Job } from "../../kinds/any-job.ts";
import type { Ports } from "../../pipeline/ports.ts";
import type { JobPlan, RunResult } from "../../pipeline/results.ts";
import type { RetireAction } from "../../pipeline/retire/retire-plan.ts";
import { readSavedPlan } from "../../pipeline/rows/saved-plan.ts";
import { stateFile } from "../../state/state.ts";
import type { Call } from "../call.ts";
import { withProver } from "../far-proof.ts";
import { toSummaryView } from "../views/job-words.ts";
import { makePorts, openJob, readPatience } from "../open-job.ts";
import { readWhole } from "../settings.ts";

/** Options of every step that changes something. */
const readRequest = (call: Call) => ({
  isConfirmed: call.has("yes"),
  patienceMs: readPatience(call),
});

/** Does a step, shows its progress and result; returns the exit code. */
async function tellStep(call: Call, step: (ports: Ports) => Promise<RunResult>): Promise<number> {
  const { cwd } = call.context;
  const ports = makePorts(call);
  const result = await step(ports);
  call.view.summary(toSummaryView(result, { cwd, commandOf: ports.commandOf }));
  return outcomeExits[result.outcome];
}

/** A fresh start makes every code a second time: that wants a yes. Codes that exist stay the same. */
function confirmFresh(call: Call, job: Job): boolean {
  const folder = job.output.dir;
  if (!call.has("fresh")) return false;
  if (!isRowJob(job) || call.has("yes") || !existsSync(stateFile(folder))) return true;
  throw new AppError(
    "confirm-needed",
    `--fresh must be confirmed, since it forgets the state in ${folder} and makes every code a second time`,
    { hint: "add --yes, or choose another output folder with --out" },
  );
}

export async function run(call: Call): Promise<number> {
  const job = await openJob(call);
  const [plan, file] = [call.text("plan"), call.file("plan")];
  const request = {
    ...readRequest(call),
    limit: readWhole(call.given("limit"), { least: 1 }) ?? null,
    fresh: confirmFresh(call, job.job),
    plan: file === undefined ? undefined : await readSavedPlan(file, plan),
  };
  return tellStep(call, (ports) => withProver(call, ports, (own) => job.run(own, request)));
}

export async function retry(call: Call): Promise<number> {
  const job = await openJob(call);
  const request = { ...readRequest(call), retryFailed: true };
  return tellStep(call, (ports) => withProver(call, ports, (own) => job.run(own, request)));
}

export async function undo(call: Call): Promise<number> {
  const job = await openJob(call);
  const request = { ...readRequest(call), force: call.has("force") };
  return tellStep(call, (ports) => job.undo(ports, request));
}

const isUndoOpen = (notes: JobPlan["notes"]): boolean =>
  notes.some(({ code }) => code === "undo-unfinished");

function sayRun(
  { summary: { good, bad, isBadByManifest, isBadByLabel }, from, isToMend, notes }: JobPlan,
  { commandOf }: Ports,
  more: readonly string[],
): string {
  const [it, rows] = bad === 1 ? ["it", "row"] : ["them", "rows"];
  const either = isBadByLabel === true ? `${sayIn(from)} or the manifest` : sayIn(from);
  const place = isBadByManifest === true ? "in the manifest" : either;
  if (isToMend === true)
    return `→ nothing is left to do but the bad ${rows}: mend ${it} ${place}, then run again: ${commandOf("run")}`;
  const run = commandOf("run", { more });
  return good === 0 && bad > 0
    ? `→ no row is good: mend them${isBadByManifest === true ? ` ${place}` : ""}, then plan again; to have all of them in failed-rows.csv: ${run}`
    : `→ to do this${isUndoOpen(notes) ? " instead" : ""}: ${run}`;
}

/** A run that would be refused is not offered as the next step; a warning says what to do. */
function listSteps(plan: JobPlan, ports: Ports, more: readonly string[]): string[] {
  const { commandOf } = ports;
  const { hasWork, isRefused, summary, notes } = plan;
  return linesOf(
    isUndoOpen(notes) && `→ to finish the undo: ${commandOf("undo")}`,
    ...(hasWork && isRefused !== true ? [sayRun(plan, ports, more)] : []),
    summary.failedBefore > 0 && `→ rows that the server refused before: ${commandOf("retry")}`,
  );
}

export async function plan(call: Call): Promise<number> {
  const out = call.text("out");
  const isFile = out?.toLowerCase().endsWith(".json") === true;
  const { options } = call.input;
  const named = isFile ? call.with({ options: { ...options, out: undefined } }) : call;
  const job = await openJob(named);
  const ports = makePorts(named);
  const planned = await job.plan(ports, { saveTo: isFile ? call.fileToWrite("out") : undefined });
  const saved = isFile && out !== undefined ? ["--plan", out] : [];
  if (!call.isJson) call.say(...listSteps(planned, ports, saved));
  return call.has("detailedExitcode") && planned.hasWork ? EXIT_ROWS_FAILED : 0;
}

/** A path of folders, as `code.folder` writes it. */
function toFolder(text: string): string {
  const names = text.split("/").map((name) => name.trim());
  if (names.every((name) => name !== "")) return names.join("/");
  throw badUsage(`--folder must be a path like Old/2026, got ${text}`);
}

function readRetireAction(call: Call): RetireAction | undefined {
  const folder = call.text("folder");
  const isDelete = call.has("delete");
  if (folder !== undefined && isDelete) {
    throw badUsage("one of --folder and --delete must be given, got both");
  }
  if (folder !== undefined) return { does: "file", folder: toFolder(folder) };
  return isDelete ? { does: "delete" } : undefined;
}

export async function retire(call: Call): Promise<number | void> {
  const job = await openJob(call);
  const [action, keys] = [readRetireAction(call), call.list("key")];
  if (action === undefined) return void (await job.retire(makePorts(call), { keys }));
  const request = { ...readRequest(call), action, keys };
  return tellStep(call, async (ports) => {
    const result = await job.retire(ports, request);
    if ("did" in result) return result;
    throw new AppError("bug", "a retire with an action must come to a result");
  });
}
