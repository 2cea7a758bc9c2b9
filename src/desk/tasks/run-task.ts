/** Runs one step of a job and writes down what happens. */
import path from "node:path";

import { closing } from "../../base/flow/closing.ts";
import { packagePath, ownPackage } from "../../base/files/package-files.ts";
import { PRIVATE_FOLDER } from "../../base/files/atomic-file.ts";
import { systemClock } from "../../base/time/clock.ts";
import { AppError, toMessage, badUsage, type Problem } from "../../base/errors.ts";
import { hashFile } from "../../base/files/hash-file.ts";
import { randomIds } from "../../base/ids/ids.ts";
import { makeFolder } from "../../base/files/make-folder.ts";
import { readVariable } from "../../base/settings.ts";
import { toCommandLine } from "../../base/text/shell-words.ts";
import { readUserName } from "../../base/files/user-name.ts";
import { showStage } from "../../pipeline/events.ts";
import { toProgram } from "../../base/text/program-words.ts";
import { openJob, type OpenJob } from "../../pipeline/open.ts";
import type { Ports } from "../../pipeline/ports.ts";
import type { RunResult } from "../../pipeline/results.ts";
import type { ReprintOptions } from "../../pipeline/reprint/reprint.ts";
import { proveForApproval, type WrittenProof } from "../../pipeline/preview/approval.ts";
import { openJobRows } from "../../pipeline/address/foreign-server.ts";
import { isRowJob } from "../../kinds/any-job.ts";
import { toProofName } from "../job-files.ts";
import { readSavedPlan } from "../../pipeline/rows/saved-plan.ts";
import { embeddedPort } from "../../service/embedded/embedded.ts";
import { resolveInside } from "../folder.ts";
import { wordsOfReport } from "../words/report-languages.ts";
import { Lines } from "./lines.ts";
import {
  ALIVE_MS,
  isAskedToStop,
  readTask,
  showAlive,
  TASK_FILES,
  type ReprintWish,
  type Step,
  type Task,
  type TaskFault,
  type TaskPlace,
  type TaskRequest,
  type TaskResult,
} from "./task.ts";

const programFolder = packagePath("");

function toFault(error: unknown): TaskFault {
  if (error instanceof AppError) {
    const { code, message, hint, problems } = error;
    return { code, message, hint, problems: problems ?? [] };
  }
  return { code: "bug", message: toMessage(error), hint: undefined, problems: [] };
}

/** The manifest, absolute, and the language of the page that asks. */
interface Asked extends Pick<TaskRequest, "language"> {
  readonly file: string;
}

function makePorts(
  { env, program, folder: cwd }: TaskPlace,
  told: { readonly lines: Lines; readonly signal: AbortSignal },
  { file, language = readVariable(env, "language") }: Asked,
): Ports {
  return {
    clock: systemClock,
    ids: randomIds,
    signal: told.signal,
    writer: `makeready ${ownPackage.version}`,
    programFolder,
    server: embeddedPort,
    access: { token: readVariable(env, "token"), workspace: readVariable(env, "workspace") },
    report: { language, words: wordsOfReport },
    on: (event) => told.lines.event(event),
    commandOf: (command, { more = [] } = {}) =>
      toCommandLine([...toProgram({ env, program, cwd }), command, path.basename(file), ...more]),
  };
}

const toReprintOptions = ({ sheets, ...wish }: ReprintWish): ReprintOptions => ({
  ...wish,
  ...(sheets !== undefined && { sheets: new Set(sheets) }),
});

/** Labels for the customer to sign, beside the job's other files. */
async function writeApproval(
  { request: { lines } }: Task,
  { job, server }: OpenJob,
  ports: Ports,
): Promise<WrittenProof> {
  if (!isRowJob(job)) throw badUsage(`a proof must have rows, got ${job.kind}`);
  return closing(await openJobRows({ job, server }, ports), (source) =>
    proveForApproval(ports, {
      job,
      server,
      source,
      lines: lines === undefined ? undefined : new Set(lines),
      file: path.join(job.output.dir, toProofName(job.name)),
    }),
  );
}

/** Fields that stand over the manifest's. */
function toSet({ step, manifest, source, sheet }: TaskRequest): string[] {
  if (step !== "compare" || source === undefined) return [];
  const file = path.relative(path.dirname(manifest), source).split(path.sep).join("/");
  return [
    `source.file=${file}`,
    ...(sheet === undefined ? [] : [`source.sheet=${JSON.stringify(sheet)}`]),
  ];
}

const toPlanFile = ({ dir }: Task): string => path.join(dir, TASK_FILES.plan);

/** A report changes nothing: no run of it has to be held to a plan. */
const keepsPlan = ({ job }: OpenJob): boolean => job.kind !== "report";

/** Runs the plan that was looked at, where there is one. */
async function runAgreed(
  folder: string,
  { request: { run = {}, planTask } }: Task,
  job: OpenJob,
  ports: Ports,
): Promise<RunResult> {
  const agreed = planTask === undefined ? undefined : await readTask(folder, planTask);
  const file = agreed && keepsPlan(job) ? toPlanFile(agreed) : undefined;
  const plan = file === undefined ? undefined : await readSavedPlan(file, "the plan");
  return job.run(ports, { ...run, plan });
}

/** A check, with what it warns of on its way. */
async function heard(
  ports: Ports,
  check: (ports: Ports) => Promise<TaskResult>,
): Promise<TaskResult> {
  const warnings: Problem[] = [];
  const result = await check({
    ...ports,
    on(event) {
      if (event.type === "warning") warnings.push(event.problem);
      ports.on(event);
    },
  });
  return { ...result, ...(warnings.length > 0 && { warnings }) };
}

/** Name of the stage in which sheets are looked at. */
const SCAN_STAGE = "scan";

/** Pictures of printed sheets held against the job's labels. */
async function checkSheets(
  folder: string,
  { dir, request: { files = [] } }: Task,
  job: OpenJob,
  ports: Ports,
): Promise<TaskResult> {
  const pictures: string[] = [];
  for (const file of files) pictures.push(await resolveInside(folder, file));
  const cutsTo = path.join(dir, TASK_FILES.cuts);
  await makeFolder(cutsTo, PRIVATE_FOLDER);
  const scan = await job.scan(ports, {
    files: pictures,
    cwd: path.dirname(pictures[0] ?? folder),
    cutsTo,
    onPage: (done, total) => showStage(ports.on, SCAN_STAGE, done, total),
  });
  return {
    step: "scan",
    scan,
    sha256: scan.file === undefined ? undefined : await hashFile(scan.file),
  };
}

const unitSteps = ["scan", "reprint", "void", "replace", "activate", "reconcile"] as const;
type UnitStep = (typeof unitSteps)[number];

const isOnUnits = (step: Step): step is UnitStep => unitSteps.some((one) => one === step);

/** Printed codes: checked, printed again, taken out of use, accounted for. */
async function carryOutOnUnits(
  folder: string,
  task: Task & { readonly step: UnitStep },
  { job, ports }: { readonly job: OpenJob; readonly ports: Ports },
): Promise<TaskResult> {
  const { step } = task;
  const { mark = { keys: [] }, reprint = {} } = task.request;
  if (step === "scan") return heard(ports, (on) => checkSheets(folder, task, job, on));
  if (step === "reconcile") return { step, reconciliation: await job.reconcile(ports) };
  const by = readUserName();
  if (step === "reprint") {
    return { step, reprint: await job.reprint(ports, { ...toReprintOptions(reprint), by }) };
  }
  // The page has asked already.
  const request = { ...mark, by, isConfirmed: true };
  if (step === "replace") return { step, replaced: await job.replace(ports, request) };
  const what = step === "void" ? step : "activated";
  return { step, marked: await job.mark(ports, { what, ...request }) };
}

async function carryOut(
  folder: string,
  task: Task,
  job: OpenJob,
  ports: Ports,
): Promise<TaskResult> {
  const { step, run = {} } = task.request;
  if (isOnUnits(step)) return carryOutOnUnits(folder, { ...task, step }, { job, ports });
  switch (step) {
    case "plan":
      return {
        step,
        plan: await job.plan(ports, keepsPlan(job) ? { saveTo: toPlanFile(task) } : {}),
      };
    case "run":
      return { step, result: await runAgreed(folder, task, job, ports) };
    case "undo":
      return { step, result: await job.undo(ports, run) };
    case "verify":
      return heard(ports, async (on) => ({ step, proof: await job.verify(on) }));
    case "compare":
      return { step, plan: await job.plan(ports) };
    case "proof":
      return { step, proof: await writeApproval(task, job, ports) };
  }
}

/**
 * Shows that the task lives, and listens for the request to stop. Returns a function that ends
 * that.
 */
function watch(dir: string, stop: Stop): () => void {
  const timer = setInterval(() => {
    void showAlive(dir, systemClock.nowMs()).catch(() => undefined);
    if (stop.signal.aborted || !isAskedToStop(dir)) return;
    stop.ask();
  }, ALIVE_MS);
  return () => clearInterval(timer);
}

/** Stops a task on request. */
export interface Stop {
  readonly signal: AbortSignal;
  /** Stops it: its file of that name has come. */
  ask(): void;
}

export async function runTask(place: TaskPlace, stop: Stop): Promise<void> {
  const { folder, id } = place;
  const task = await readTask(folder, id);
  if (task === undefined) return;
  const lines = new Lines(path.join(task.dir, TASK_FILES.lines));
  const endWatch = watch(task.dir, stop);
  try {
    const { manifest, language } = task.request;
    const file = await resolveInside(folder, manifest);
    const publicUrl = readVariable(place.env, "publicUrl");
    const set = toSet(task.request);
    const job = await openJob(
      file,
      { publicUrl, set },
      { clock: systemClock, server: embeddedPort },
    );
    const ports = makePorts(place, { lines, signal: stop.signal }, { file, language });
    const result = await carryOut(folder, task, job, ports);
    lines.write({ type: "result", result });
  } catch (error) {
    lines.write({ type: "fault", fault: toFault(error) });
  } finally {
    endWatch();
    await lines.end();
  }
}
