import { mkdir } from "node:fs/promises";
import path from "node:path";

import { writeFileAtomic } from "../../base/atomic-file.ts";
import { AppError, toMessage } from "../../base/errors.ts";
import { readVariable } from "../../base/settings.ts";
import type { ScheduledJob } from "../../job/schedule.ts";
import { readFlag, readText, type CliContext, type Input } from "../context.ts";
import { formatProblem } from "../../base/format-problem.ts";
import { makeView } from "../make-view.ts";
import { embeddedPort } from "../../service/embedded/embedded.ts";

import { toDataDir } from "../../pipeline/server.ts";
import { toProgramHash } from "../../pipeline/program-hash.ts";
import { runAction, runCommand, type Action } from "../run-command.ts";
import { toCrontab } from "../../pipeline/schedule/crontab.ts";
import { findJobs, type FoundJobs } from "../../pipeline/schedule/find-jobs.ts";
import { findNextRuns, runDue, type Scheduler } from "../schedule/run-due.ts";
import { formatMoment, makeScheduleView } from "../schedule/schedule-view.ts";
import { readDataDir, readSetting } from "../settings.ts";
import { stay } from "../schedule/stay.ts";
import {
  describeInstall,
  SYSTEM_FOLDER,
  toUnits,
  type Launch,
} from "../../pipeline/schedule/systemd.ts";
import { formatMany } from "../../base/words.ts";
import { run } from "./run.ts";

const BUG = 1;
/** Options of `run` that mean the same for every job. */
const PASSED_ON = ["json", "yes", "baseUrl", "publicUrl", "data", "limits", "patience"] as const;

function readPlaces(context: CliContext, input: Input): string[] {
  const given = input.others ?? [];
  return (given.length === 0 ? ["jobs"] : given).map((place) => path.resolve(context.cwd, place));
}

function tellFaults(context: CliContext, input: Input, { faults }: FoundJobs): void {
  for (const fault of faults) makeView(context, input).error(fault);
}

/** Nobody will be there to say yes: that is told while somebody still is. */
function tellQuestions(context: CliContext, input: Input, { jobs }: FoundJobs): void {
  if (readFlag(input, "yes")) return;
  for (const { file, confirmOver, schedule: when } of jobs) {
    if (confirmOver === undefined || when.yes === true) continue;
    const problem = {
      message: `nobody is there to say yes: a scheduled run of more than ${formatMany(confirmOver, "change")} (safety.confirm_over) stops with exit code 2 and changes nothing`,
      hint: "to allow it, write schedule: { yes: true } in the manifest, or give --yes here",
      where: { file },
    };
    context.err(`warning: ${formatProblem(problem, context.cwd)}\n`);
  }
}

function tellNone(context: CliContext, { jobs, faults }: FoundJobs): void {
  if (jobs.length > 0 || faults.length > 0) return;
  context.err(
    'no job here has a schedule; give one with: schedule: { cron: "0 3 1 * *", timezone: Europe/Berlin }\n',
  );
}

const worstOf = ({ faults }: FoundJobs): number =>
  Math.max(0, ...faults.map(({ exitCode }) => exitCode));

/** A job that breaks makeready itself must not take the others down. */
async function runOne(context: CliContext, input: Input, job: ScheduledJob): Promise<number> {
  const given = PASSED_ON.map((name) => [name, input.options[name]] as const);
  const options = Object.fromEntries(given.filter(([, value]) => value !== undefined));
  if (job.schedule.yes === true) options["yes"] = true;
  // Even at a terminal: a question at three in the morning would hold up all other jobs.
  const unattended = { ...context, ask: undefined };
  try {
    return await runCommand(unattended, { run }, { argument: job.file, options });
  } catch (error) {
    context.err(`${error instanceof Error ? (error.stack ?? error.message) : toMessage(error)}\n`);
    return BUG;
  }
}

function makeScheduler(context: CliContext, input: Input): Scheduler {
  const data = readDataDir(context, input);
  return {
    context,
    view: makeScheduleView(context, input),
    dataDirOf: ({ file }) => data ?? toDataDir(file),
    runJob: (job) => runOne(context, input, job),
  };
}

async function runJobs(context: CliContext, input: Input): Promise<number> {
  const places = readPlaces(context, input);
  const find = (): Promise<FoundJobs> => findJobs(places, context.env);
  const scheduler = makeScheduler(context, input);
  if (readFlag(input, "stay")) {
    if (readFlag(input, "once")) {
      throw new AppError("bad-usage", "--once and --stay must not be given together, got both");
    }
    // Jobs are run by the code that is loaded, even when its files are replaced in a month.
    toProgramHash(context.programFolder);
    const told = new Set<string>();
    tellQuestions(context, input, await find());
    await stay(scheduler, {
      find,
      tellFaults: ({ jobs, faults }) => {
        const fresh = faults.filter((fault) => !told.has(JSON.stringify(fault.problems)));
        for (const fault of fresh) told.add(JSON.stringify(fault.problems));
        tellFaults(context, input, { jobs, faults: fresh });
      },
    });
    return 0;
  }
  const found = await find();
  tellFaults(context, input, found);
  const exitCode = await runDue(scheduler, found.jobs);
  for (const { job, nextMs } of await findNextRuns(scheduler, found.jobs)) {
    scheduler.view.next(job, nextMs);
  }
  tellNone(context, found);
  return Math.max(exitCode, worstOf(found));
}

function toTable(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, at) =>
    Math.max(...rows.map((row) => row[at]?.length ?? 0)),
  );
  return rows
    .map((row) =>
      row
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .map((line) => `${line}\n`)
    .join("");
}

async function list(context: CliContext, input: Input): Promise<number> {
  const found = await findJobs(readPlaces(context, input), context.env);
  tellFaults(context, input, found);
  tellQuestions(context, input, found);
  const runs = await findNextRuns(makeScheduler(context, input), found.jobs);
  if (readFlag(input, "json")) {
    for (const { job, known, nextMs } of runs) {
      const next = nextMs === undefined ? null : new Date(nextMs).toISOString();
      const last = known ?? null;
      const { name, file, schedule: when, confirmOver } = job;
      context.out(
        `${JSON.stringify({ type: "schedule", event: "next", job: name, file, ...when, confirmOver, next, last })}\n`,
      );
    }
    return worstOf(found);
  }
  tellNone(context, found);
  if (runs.length === 0) return worstOf(found);
  const rows = runs.map(({ job, known, nextMs }) => {
    const { timezone, cron } = job.schedule;
    const lastMs = Date.parse(known?.startedAt ?? "");
    const last = Number.isNaN(lastMs)
      ? "never"
      : `${formatMoment(lastMs, timezone)}, exit code ${known?.exitCode ?? "none yet"}`;
    return [job.name, cron, last, nextMs === undefined ? "never" : formatMoment(nextMs, timezone)];
  });
  context.out(toTable([["job", "cron", "last run", "next run"], ...rows]));
  return worstOf(found);
}

/** What timers must carry: they start with an almost empty environment. */
const LAUNCH_FLAGS = { data: "--data", baseUrl: "--base-url", patience: "--patience" } as const;

function toOptions(context: CliContext, input: Input): string[] {
  const limits = readText(input, "limits");
  const named = Object.entries(LAUNCH_FLAGS).flatMap(([name, flag]) => {
    const given = readSetting(context, input, name as keyof typeof LAUNCH_FLAGS);
    return given === undefined ? [] : [flag, given.text];
  });
  return [
    ...named,
    ...(limits === undefined ? [] : ["--limits", limits]),
    ...(readFlag(input, "yes") ? ["--yes"] : []),
  ];
}

/**
 * The public address of a job, for timers. Undefined where the codes are made elsewhere, or nobody has
 * named one.
 */
async function findAddress(
  context: CliContext,
  input: Input,
  dataDir: string,
): Promise<string | undefined> {
  const { env } = context;
  const named = readText(input, "publicUrl") ?? readVariable(env, "publicUrl");
  if (named !== undefined || readText(input, "baseUrl") !== undefined) return named;
  return (await embeddedPort.address(dataDir)).kept;
}

async function toLaunch(context: CliContext, input: Input, { jobs }: FoundJobs): Promise<Launch> {
  const options = toOptions(context, input);
  const { dataDirOf } = makeScheduler(context, input);
  const addresses = new Map<string, string>();
  for (const job of jobs) {
    const address = await findAddress(context, input, dataDirOf(job));
    if (address !== undefined) addresses.set(job.file, address);
  }
  return {
    program: context.program ?? ["makeready"],
    cwd: context.cwd,
    options,
    publicUrlOf: ({ file }) => addresses.get(file),
    user: context.user,
  };
}

async function writeUnits(context: CliContext, input: Input, found: FoundJobs): Promise<void> {
  const units = toUnits(found.jobs, await toLaunch(context, input, found));
  const out = readText(input, "out");
  if (out === undefined) {
    for (const { name, text } of units) context.out(`# ${SYSTEM_FOLDER}${name}\n${text}\n`);
    context.err("to install them: write the files with --out DIR, which says how\n");
    return;
  }
  const folder = path.resolve(context.cwd, out);
  await mkdir(folder, { recursive: true });
  for (const { name, text } of units) await writeFileAtomic(path.join(folder, name), text);
  context.err(`wrote ${formatMany(units.length, "file")} to ${folder}\n`);
  for (const { says, command } of describeInstall(units, folder)) {
    context.err(`${says}:\n  ${command}\n`);
  }
}

async function print(context: CliContext, input: Input): Promise<number> {
  if (readFlag(input, "systemd") === readFlag(input, "cron")) {
    throw new AppError("bad-usage", "schedule print must have one of --systemd and --cron", {
      hint: "add one of them to the command",
    });
  }
  const found = await findJobs(readPlaces(context, input), context.env);
  tellFaults(context, input, found);
  tellQuestions(context, input, found);
  tellNone(context, found);
  if (found.jobs.length === 0) return worstOf(found);
  if (readFlag(input, "systemd")) {
    await writeUnits(context, input, found);
  } else {
    const here = new Intl.DateTimeFormat().resolvedOptions().timeZone;
    const timeZone = context.env["TZ"] ?? here;
    const nowMs = context.clock.nowMs();
    const launch = await toLaunch(context, input, found);
    context.out(toCrontab(found.jobs, { ...launch, timeZone, nowMs }));
  }
  return worstOf(found);
}

const actions = new Map<string, Action>([
  ["list", list],
  ["run", runJobs],
  ["print", print],
]);

export const schedule = (context: CliContext, input: Input): Promise<number> =>
  runAction(actions, context, input);
