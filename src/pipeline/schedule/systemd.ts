/** systemd units of scheduled jobs: systemd.service(5), systemd.timer(5), systemd.time(7). */
import path from "node:path";

import { writeFileAtomic } from "../../base/files/atomic-file.ts";
import { makeFolder } from "../../base/files/make-folder.ts";
import { toCommandLine } from "../../base/text/shell-words.ts";
import { toSlug } from "../../base/text/slug.ts";
import type { ScheduledJob } from "../../job/schedule.ts";
import { readCronFields } from "./cron-fields.ts";
import type { InstalledUnits } from "./installed-units.ts";

/** How this program is started again, as argument list. */
export interface Launch {
  readonly program: readonly string[];
  /** Absolute. */
  readonly cwd: string;
  /** Behind the manifest, such as `--data DIR`. */
  readonly options: readonly string[];
  /** The public address of a job's codes: timers start with an almost empty environment. */
  readonly publicUrlOf?: ((job: ScheduledJob) => string | undefined) | undefined;
  /** The user who runs the jobs: a run by hand could not replace files of root. */
  readonly user?: string | undefined;
}

export interface Unit {
  /** File name, `makeready-….timer`. */
  readonly name: string;
  readonly text: string;
  /** The name that the job would have, and the manifest whose units have it; empty: unknown. */
  readonly other?: { readonly name: string; readonly file: string } | undefined;
}

/** Where systemd looks for units of an administrator (systemd.unit(5)). */
export const SYSTEM_FOLDER = "/etc/systemd/system/";

const WEEKDAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];

const twoDigits = (n: number): string => String(n).padStart(2, "0");

const toList = (numbers: readonly number[] | undefined): string =>
  numbers === undefined ? "*" : numbers.map(twoDigits).join(",");

/**
 * A cron expression as calendar events. Day and weekday both given mean either, which takes two
 * events here. Expressions without such a form (L, W, #) fire too often rather than too seldom:
 * `makeready schedule run` decides whether a job is due.
 */
export function toCalendar(cron: string, timezone: string): string[] {
  const { minutes, hours, days, months, weekdays } = readCronFields(cron);
  const time = `${toList(hours)}:${toList(minutes)}:00 ${timezone}`;
  const month = toList(months);
  const names = weekdays?.map((day) => WEEKDAYS[day]).join(",");
  const onDays = `*-${month}-${toList(days)} ${time}`;
  if (names === undefined) return [onDays];
  const onWeekdays = `${names} *-${month}-* ${time}`;
  return days === undefined ? [onWeekdays] : [onDays, onWeekdays];
}

/** One argument of ExecStart: quoted, specifiers and variables taken literally. */
function quoteArgument(text: string): string {
  const plain = text
    .replaceAll("\\", "\\\\")
    .replaceAll('"', '\\"')
    .replaceAll("%", "%%")
    .replaceAll("$", "$$$$")
    .replaceAll("\n", "\\n");
  return `"${plain}"`;
}

/** Text behind `Name=`: specifiers taken literally, on one line. */
const toValue = (text: string): string => text.replaceAll("%", "%%").replaceAll(/\s+/gu, " ");

/** The name of a job's units: its own of last time, else the first that no other job has. */
function toName(
  { name, file }: ScheduledJob,
  taken: ReadonlySet<string>,
  installed: InstalledUnits,
): Pick<Unit, "name" | "other"> {
  const base = `makeready-${toSlug(name) || "job"}`;
  const most = taken.size + installed.size + 1;
  const names = Array.from({ length: most }, (_, n) => (n === 0 ? base : `${base}-${n + 1}`));
  const free = names.filter(
    (one) => !taken.has(one) && (installed.get(one) ?? []).every((owner) => owner === file),
  );
  const chosen = free.find((one) => installed.has(one)) ?? free[0] ?? base;
  const other = installed.get(base)?.find((owner) => owner !== file);
  return { name: chosen, other: other === undefined ? undefined : { name: base, file: other } };
}

/** Service and timer of each job, with names that tell them apart; those of other jobs stay. */
export function toUnits(
  jobs: readonly ScheduledJob[],
  launch: Launch,
  installed: InstalledUnits = new Map(),
): Unit[] {
  const taken = new Set<string>();
  return jobs.flatMap((job) => {
    const { name, other } = toName(job, taken, installed);
    taken.add(name);
    return [
      { name: `${name}.service`, text: toService(job, launch), other },
      { name: `${name}.timer`, text: toTimer(job) },
    ];
  });
}

const sudo = (...words: string[]): string => toCommandLine(["sudo", ...words], "linux");

/** What to type once the units of jobs are written to a folder. */
export function describeInstall(
  units: readonly Unit[],
  folder: string,
): readonly { readonly says: string; readonly command: string }[] {
  const names = units.map(({ name }) => name);
  const timers = names.filter((name) => name.endsWith(".timer"));
  const reload = sudo("systemctl", "daemon-reload");
  const files = names.map((name) => path.posix.join(folder, name));
  const installed = names.map((name) => `${SYSTEM_FOLDER}${name}`);
  return [
    {
      says: "start the timers",
      command: `${sudo("cp", ...files, SYSTEM_FOLDER)} && ${reload} && ${sudo("systemctl", "enable", "--now", ...timers)}`,
    },
    { says: "see when they run", command: toCommandLine(["systemctl", "list-timers", ...timers]) },
    {
      says: "stop and remove them",
      command: `${sudo("systemctl", "disable", "--now", ...timers)} && ${sudo("rm", ...installed)} && ${reload}`,
    },
  ];
}

/** The command that runs a job when it is due. */
export function toLaunchWords(
  job: ScheduledJob,
  { program, options, publicUrlOf }: Launch,
): readonly string[] {
  const publicUrl = publicUrlOf?.(job);
  const address = publicUrl === undefined ? [] : ["--public-url", publicUrl];
  return [...program, "schedule", "run", "--once", job.file, ...options, ...address];
}

function toService(job: ScheduledJob, launch: Launch): string {
  const { cwd, user = "" } = launch;
  const command = toLaunchWords(job, launch);
  return [
    "[Unit]",
    `Description=makeready job ${toValue(job.name)}`,
    "Wants=network-online.target",
    "After=network-online.target",
    "",
    "[Service]",
    "Type=oneshot",
    ...(user === "" ? [] : [`User=${toValue(user)}`]),
    `WorkingDirectory=${toValue(cwd)}`,
    "# MAKEREADY_BASE_URL, MAKEREADY_TOKEN and MAKEREADY_WORKSPACE; keep it readable by root only",
    "EnvironmentFile=-/etc/makeready.env",
    `ExecStart=${command.map(quoteArgument).join(" ")}`,
    "# Some rows failed: the report says which; the timer goes on",
    "SuccessExitStatus=3",
    "",
  ].join("\n");
}

function toTimer({ name, schedule }: ScheduledJob): string {
  const { cron, timezone } = schedule;
  return [
    "[Unit]",
    `Description=makeready job ${toValue(name)}, ${toValue(cron)} ${timezone}`,
    "",
    "[Timer]",
    ...toCalendar(cron, timezone).map((event) => `OnCalendar=${event}`),
    "# A run that was missed while the computer was off is made up for when it is on again",
    "Persistent=true",
    "",
    "[Install]",
    "WantedBy=timers.target",
    "",
  ].join("\n");
}

/** Writes units into a folder, which is made when missing. */
export async function writeUnits(units: readonly Unit[], folder: string): Promise<void> {
  await makeFolder(folder);
  for (const { name, text } of units) await writeFileAtomic(path.join(folder, name), text);
}
