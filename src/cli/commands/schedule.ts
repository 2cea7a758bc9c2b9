import path from "node:path";

import { AppError, badUsage, toStack } from "../../base/errors.ts";
import { formatProblem, toShortPath } from "../../base/text/format-problem.ts";
import { toProgram } from "../../base/text/program-words.ts";
import { readVariable } from "../../base/settings.ts";
import { toCommandLine } from "../../base/text/shell-words.ts";
import { formatMany } from "../../base/text/words.ts";
import { isUnset } from "../../job/yaml/environment.ts";
import type { ScheduledJob } from "../../job/schedule.ts";
import { loadJob } from "../../pipeline/source/load-job.ts";
import { toProgramHash } from "../../pipeline/rows/program-hash.ts";
import { toCrontab } from "../../pipeline/schedule/crontab.ts";
import { findJobs, type FoundJobs } from "../../pipeline/schedule/find-jobs.ts";
import {
  findNextRuns,
  runDue,
  type NextRun,
  type Scheduler,
} from "../../pipeline/schedule/run-due.ts";
import { readInstalled } from "../../pipeline/schedule/installed-units.ts";
import { stay } from "../../pipeline/schedule/stay.ts";
import {
  describeInstall,
  SYSTEM_FOLDER,
  toUnits,
  writeUnits,
  type Launch,
  type Unit,
} from "../../pipeline/schedule/systemd.ts";
import { toDataDir } from "../../pipeline/address/server.ts";
import { embeddedPort } from "../../service/embedded/embedded.ts";
import { toLenientPort } from "../../service/embedded/lenient.ts";
import { findAction, type Actions, type Call } from "../call.ts";
import { openJob } from "../open-job.ts";
import { runCommand } from "../run-command.ts";
import { formatMoment, makeScheduleView } from "../views/schedule-view.ts";
import { readDataDir, readSetting, toFlag } from "../settings.ts";
import { run } from "./run.ts";

const BUG = 1;
/** Options of `run` that mean the same for every job. */
const PASSED_ON = ["json", "yes", "baseUrl", "publicUrl", "data", "limits", "patience"] as const;

function findHere(call: Call): Promise<FoundJobs> {
  const given = call.input.others ?? [];
  const places = (given.length === 0 ? ["jobs"] : given).map((place) => call.resolve(place));
  return findJobs(places, call.context.env);
}

const tellFaults = (call: Call, faults: FoundJobs["faults"]): void =>
  faults.forEach((fault) => call.view.error(fault));

/** Warns now, while a person is there, that a scheduled run can't ask for a yes. */
function tellQuestions(call: Call, { jobs }: FoundJobs): void {
  if (call.has("yes")) return;
  for (const { file, confirmOver, schedule: when } of jobs) {
    if (confirmOver === undefined || when.yes === true) continue;
    const problem = {
      message: `nobody is there to say yes: a scheduled run of more than ${formatMany(confirmOver, "change")} (safety.confirm_over) stops with exit code 2 and changes nothing`,
      hint: "to allow it, write schedule: { yes: true } in the manifest, or give --yes here",
      where: { file },
    };
    call.context.err(`warning: ${formatProblem(problem, call.context.cwd)}\n`);
  }
}

/** The command that switches a schedule on again. */
function toResume({ context, input }: Call, { file }: ScheduledJob): string {
  const { data } = input.options;
  const place = typeof data === "string" ? ["--data", data] : [];
  const words = ["set", toShortPath(file, context.cwd), "schedule.paused=false", ...place];
  return toCommandLine([...toProgram(context), ...words]);
}

/** Jobs that wait for a person, and where there are none at all how to make one. */
function tellIdle(call: Call, { jobs, paused, faults }: FoundJobs): void {
  const { context } = call;
  for (const job of paused) {
    context.err(`${job.name}: the schedule is paused; to resume it: ${toResume(call, job)}\n`);
  }
  if (jobs.length > 0 || paused.length > 0 || faults.length > 0) return;
  context.err(
    'no job here has a schedule; give one with: schedule: { cron: "0 3 1 * *", timezone: Europe/Berlin }\n',
  );
}

const worstOf = ({ faults }: FoundJobs): number =>
  Math.max(0, ...faults.map(({ exitCode }) => exitCode));

/** A bug in one job must not stop the others. */
async function runOne({ context, input }: Call, job: ScheduledJob): Promise<number> {
  const given = PASSED_ON.map((name) => [name, input.options[name]] as const);
  const options = Object.fromEntries(given.filter(([, value]) => value !== undefined));
  if (job.schedule.yes === true) options["yes"] = true;
  // Even at a terminal: a question at three in the morning would hold up all other jobs.
  const unattended = { ...context, ask: undefined };
  try {
    return await runCommand(unattended, { run }, { argument: job.file, options });
  } catch (error) {
    context.err(`${toStack(error)}\n`);
    return BUG;
  }
}

/** What is answered, or the error that says what a person must mend. */
async function orRefusal<Answer>(ask: () => Promise<Answer>): Promise<Answer | AppError> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof AppError) || error.kind === "bug") throw error;
    return error;
  }
}

/** Why every run of a job is refused, as its manifest and data folder are today. */
async function findRefusal(call: Call, { file }: ScheduledJob): Promise<AppError | undefined> {
  // `print --out` is the folder of the timers.
  const options = { ...call.input.options, out: undefined };
  const opened = await orRefusal(() => openJob(call.with({ argument: file, options })));
  return opened instanceof AppError ? opened : undefined;
}

function makeScheduler(call: Call): Scheduler {
  const { clock, signal } = call.context;
  const data = readDataDir(call);
  return {
    clock,
    signal,
    tell: makeScheduleView(call),
    dataDirOf: ({ file }) => data ?? toDataDir(file),
    runJob: (job) => runOne(call, job),
  };
}

async function stayAndRun(call: Call, scheduler: Scheduler): Promise<void> {
  if (call.has("once")) {
    throw badUsage("--once and --stay must not be given together, got both");
  }
  // Jobs are run by the code that is loaded, even when its files are replaced in a month.
  toProgramHash(call.context.programFolder);
  const told = new Set<string>();
  const first = await findHere(call);
  tellQuestions(call, first);
  tellIdle(call, first);
  await stay(scheduler, {
    find: () => findHere(call),
    tellFaults: ({ faults }) => {
      const fresh = faults.filter((fault) => !told.has(JSON.stringify(fault.problems)));
      for (const fault of fresh) told.add(JSON.stringify(fault.problems));
      tellFaults(call, fresh);
    },
  });
}

async function runJobs(call: Call): Promise<number | void> {
  const scheduler = makeScheduler(call);
  if (call.has("stay")) return stayAndRun(call, scheduler);
  const found = await findHere(call);
  tellFaults(call, found.faults);
  const exitCode = await runDue(scheduler, found.jobs);
  for (const { job, nextMs } of await findNextRuns(scheduler, found.jobs)) {
    scheduler.tell.next(job, nextMs);
  }
  tellIdle(call, found);
  return Math.max(exitCode, worstOf(found));
}

function toTable(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, at) =>
    Math.max(...rows.map((row) => row[at]?.length ?? 0)),
  );
  const toLine = (row: readonly string[]): string =>
    row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join("  ");
  return rows.map((row) => `${toLine(row).trimEnd()}\n`).join("");
}

function tellNext(call: Call, { job, known, nextMs }: NextRun, refused?: string): void {
  const event = job.schedule.paused === true ? "paused" : "next";
  const next = nextMs === undefined ? null : new Date(nextMs).toISOString();
  const { name, file, schedule: when, confirmOver } = job;
  const facts = { job: name, file, ...when, confirmOver, next, last: known ?? null, refused };
  call.json("schedule", { event, ...facts });
}

/** A manifest with its first fault, in one line. */
function sayRefused({ context: { cwd } }: Call, error: AppError): string {
  const [first = { message: error.message, where: error.where }] = error.problems;
  const more = error.problems.length - 1;
  const isOnlyHere = [first, ...error.problems].every(isUnset);
  const here = isOnlyHere ? " in this environment" : "";
  return `refused${here}: ${formatProblem(first, cwd)}${more > 0 ? ` (${formatMany(more, "more fault")})` : ""}`;
}

/** The jobs of which no run can begin, and why. */
async function findRefused(
  call: Call,
  jobs: readonly ScheduledJob[],
): Promise<Map<ScheduledJob, string>> {
  const refused = new Map<ScheduledJob, string>();
  for (const job of jobs) {
    const error = await findRefusal(call, job);
    if (error !== undefined) refused.set(job, sayRefused(call, error));
  }
  return refused;
}

/** Timers of a job of which no run can begin are printed, and it is said: it may be mended before they ring. */
async function tellRefused(call: Call, { jobs }: FoundJobs): Promise<void> {
  for (const [{ name }, says] of await findRefused(call, jobs))
    call.context.err(`warning: ${name}: its timer will start runs that are ${says}\n`);
}

function toCells({ job, known, nextMs }: NextRun): string[] {
  const { timezone, cron } = job.schedule;
  const lastMs = Date.parse(known?.startedAt ?? "");
  const last = Number.isNaN(lastMs)
    ? "never"
    : `${formatMoment(lastMs, timezone)}, exit code ${known?.exitCode ?? "none yet"}`;
  return [job.name, cron, last, nextMs === undefined ? "never" : formatMoment(nextMs, timezone)];
}

async function list(call: Call): Promise<number> {
  const found = await findHere(call);
  tellFaults(call, found.faults);
  tellQuestions(call, found);
  const scheduler = makeScheduler(call);
  const runs = await findNextRuns(scheduler, found.jobs);
  const refused = await findRefused(call, found.jobs);
  if (call.isJson) {
    const paused = await findNextRuns(scheduler, found.paused);
    for (const next of runs) tellNext(call, next, refused.get(next.job));
    for (const { job, known } of paused) tellNext(call, { job, known, nextMs: undefined });
    return worstOf(found);
  }
  tellIdle(call, found);
  const head = ["job", "cron", "last run by the schedule", "next run"];
  const rows = runs.map((next) => [...toCells(next), refused.get(next.job) ?? ""]);
  if (runs.length > 0) call.context.out(toTable([[...head, ""], ...rows]));
  return worstOf(found);
}

/** Settings that timers must carry: they start with an almost empty environment. */
const LAUNCH_SETTINGS = ["data", "baseUrl", "patience"] as const;

function toOptions(call: Call): string[] {
  const limits = call.text("limits");
  const named = LAUNCH_SETTINGS.flatMap((name) => {
    const given = readSetting(call, name);
    return given === undefined ? [] : [toFlag(name), given.text];
  });
  return [
    ...named,
    ...(limits === undefined ? [] : ["--limits", limits]),
    ...(call.has("yes") ? ["--yes"] : []),
  ];
}

/** Whether a server has the codes of a job: by flag, variable or manifest; undefined where it can't be read. */
async function isRemote(call: Call, { file }: ScheduledJob): Promise<boolean | undefined> {
  const { clock, env } = call.context;
  const baseUrl = call.text("baseUrl");
  if ((baseUrl ?? readVariable(env, "baseUrl")) !== undefined) return true;
  const job = await orRefusal(() => loadJob(file, { env, nowMs: clock.nowMs() }));
  return job instanceof AppError ? undefined : job.api.baseUrl !== undefined;
}

/**
 * The public address of a job, for timers. Undefined where the codes are made elsewhere, or none is
 * named.
 */
async function findAddress(call: Call, job: ScheduledJob): Promise<string | undefined> {
  const named = call.text("publicUrl") ?? readVariable(call.context.env, "publicUrl");
  if (named !== undefined) return named;
  const remote = await isRemote(call, job);
  if (remote === true) return undefined;
  // Where the store was moved away it refuses, as all runs would; a job that can't be read may have a server.
  const port = remote === false ? embeddedPort : toLenientPort(() => undefined);
  return (await port.address(readDataDir(call) ?? toDataDir(job.file))).kept;
}

async function toLaunch(call: Call, { jobs }: FoundJobs): Promise<Launch> {
  const { program = ["makeready"], cwd, user } = call.context;
  const addresses = new Map<string, string | undefined>();
  for (const job of jobs) addresses.set(job.file, await findAddress(call, job));
  const publicUrlOf: Launch["publicUrlOf"] = ({ file }) => addresses.get(file);
  return { program, cwd, options: toOptions(call), publicUrlOf, user };
}

/** Units of another job stay as they are: this job's have another name, and it is said. */
function tellOther({ context }: Call, { name, other }: Unit): void {
  if (other === undefined) return;
  const whose = other.file === "" ? "another job" : other.file;
  const message = `${other.name} runs ${whose} already, so this job's units are ${path.parse(name).name}`;
  const hint = `if that job is gone, delete ${other.name}.service and ${other.name}.timer and print again`;
  context.err(`warning: ${formatProblem({ message, hint }, context.cwd)}\n`);
}

async function printUnits(call: Call, found: FoundJobs): Promise<void> {
  const { out, err } = call.context;
  const folder = call.file("out");
  const installed = await readInstalled([folder ?? SYSTEM_FOLDER, SYSTEM_FOLDER]);
  const units = toUnits(found.jobs, await toLaunch(call, found), installed);
  for (const unit of units) tellOther(call, unit);
  if (folder === undefined) {
    for (const { name, text } of units) out(`# ${SYSTEM_FOLDER}${name}\n${text}\n`);
    return err("to install them: write the files with --out DIR, which says how\n");
  }
  await writeUnits(units, folder);
  err(`wrote ${formatMany(units.length, "file")} to ${folder}\n`);
  for (const { says, command } of describeInstall(units, folder)) err(`${says}:\n  ${command}\n`);
}

async function printCrontab(call: Call, found: FoundJobs): Promise<void> {
  const { env, clock, out } = call.context;
  const timeZone = env["TZ"] ?? new Intl.DateTimeFormat().resolvedOptions().timeZone;
  const launch = await toLaunch(call, found);
  out(toCrontab(found.jobs, { ...launch, timeZone, nowMs: clock.nowMs() }));
}

async function print(call: Call): Promise<number> {
  if (call.has("systemd") === call.has("cron")) {
    throw badUsage(
      "schedule print must have one of --systemd and --cron",
      "add one of them to the command",
    );
  }
  const found = await findHere(call);
  tellFaults(call, found.faults);
  tellQuestions(call, found);
  tellIdle(call, found);
  if (found.jobs.length === 0) return worstOf(found);
  await tellRefused(call, found);
  await (call.has("systemd") ? printUnits : printCrontab)(call, found);
  return worstOf(found);
}

const actions: Actions<(call: Call) => Promise<number | void>> = { list, run: runJobs, print };

export const schedule = (call: Call): Promise<number | void> => findAction(call, actions)(call);
