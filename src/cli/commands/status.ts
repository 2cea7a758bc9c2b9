import { linesOf } from "../../base/lines-of.ts";
import { showKey } from "../../base/row-key.ts";
import { sayIn, sayNoLonger, type RowsFrom } from "../../base/rows-from.ts";
import { toAddressProblem, toChangeCommand } from "../../pipeline/public-address.ts";
import type { CommandOf } from "../../pipeline/ports.ts";
import type { JobStatus } from "../../pipeline/status.ts";
import { formatProblem, toShortPath } from "../../base/format-problem.ts";
import { formatCount, formatMany } from "../../base/words.ts";
import type { QueueStatus } from "../../work/queue.ts";
import type { Call } from "../call.ts";
import { sayFiles } from "../lists.ts";
import { toProgram } from "../far-proof.ts";
import { toNextCommand } from "../../pipeline/next-command.ts";
import { openJob } from "../open-job.ts";
import { readSetting } from "../settings.ts";

/** state -> what it means to a person. */
const STATE_WORDS: Readonly<Record<string, string>> = {
  pending: "not sent yet",
  sending: "on the wire",
  doubt: "in doubt: the answer was lost",
  done: "done",
  failed: "refused by the server",
  conflict: "found on the server, but not clearly the row's",
};

/**
 * What is made but not yet as the job wants it is told apart from the done. What a run that was killed
 * had sent is in doubt: no answer is under way.
 */
function toRowCounts({ rows, holder, unfinished }: JobStatus): (readonly [string, number])[] {
  const { sending, doubt, ...others } = rows;
  const isKilled = holder === null && sending !== undefined;
  const told = isKilled ? { ...others, doubt: sending + (doubt ?? 0) } : rows;
  return Object.entries(told).flatMap(([name, n]): (readonly [string, number])[] => {
    const count = name === "done" ? n - unfinished : n;
    return count > 0 ? [[name, count]] : [];
  });
}

/** How many keys are named on the terminal. */
const KEYS_SHOWN = 10;

function toGoneLines(keys: readonly string[], retry: string, from: RowsFrom): string[] {
  if (keys.length === 0) return [];
  const shown = keys.slice(0, KEYS_SHOWN).map((key) => JSON.stringify(showKey(key)));
  const names = [...shown, ...(keys.length > KEYS_SHOWN ? ["…"] : [])].join(", ");
  return [
    `${formatCount(keys.length)} ${sayNoLonger(from)} may have a code all the same (${names}); looked for by: ${retry}`,
  ];
}

/** Where it is shown, and how a command is written there. */
interface Shown {
  readonly cwd: string;
  readonly commandOf: CommandOf;
}

/** A run over them is no mending: it would do again what was undone. */
function sayUndone(
  { undoneWithoutFiles: lost }: Pick<JobStatus, "undoneWithoutFiles">,
  commandOf: CommandOf,
): string {
  const files =
    lost === 0 ? "" : `; files of ${formatCount(lost)} missing (fetched by: ${commandOf("undo")})`;
  return `of the done were put back by undo (a new run changes them again)${files}`;
}

const KEPT = {
  bad: "no row is good: the last run kept all finished files as they were (mend the rows, then",
  mended:
    "the job is again as it was when its files were made: the rows that were bad in the last run are not looked at yet (looked at by",
} as const;

const CHANGED = {
  spreadsheet: "the spreadsheet has changed since the last run: the files are not made as it says",
  job: "the job has changed since the last run: its files are not made as it says",
  both: "the spreadsheet and the job have changed since the last run: the files are not made as they say",
} as const;

function toSinceLines({ since, unreadable }: JobStatus, { cwd, commandOf }: Shown): string[] {
  if (unreadable !== undefined)
    return [`the spreadsheet can't be read as the job wants it: ${formatProblem(unreadable, cwd)}`];
  if (since === undefined) return [];
  const { isChanged, changed = "job", missing, damaged, kept, unseen } = since;
  if (unseen !== undefined)
    return [`whether the job has changed is not known: ${formatProblem(unseen, cwd)}`];
  if (isChanged) return [`${CHANGED[changed]} now (made anew by: ${commandOf("run")})`];
  const first = kept === "bad" ? "mend the rows, then" : "made anew by";
  const sayLost = (files: readonly string[], one: string, several: string): string[] =>
    files.length === 0
      ? []
      : [
          `${sayFiles(files)} ${files.length === 1 ? one : several} (${first}: ${commandOf("run")})`,
        ];
  return [
    ...(kept === undefined ? [] : [`${KEPT[kept]}: ${commandOf("run")})`]),
    ...sayLost(missing, "is missing", "are missing"),
    ...sayLost(damaged, "is not as it was written", "are not as they were written"),
  ];
}

function toAddressLines({ otherAddress: other }: JobStatus, commandOf: CommandOf): string[] {
  if (other === undefined) return [];
  const { message, hint } = toAddressProblem(other, { commandOf });
  return [`${message}; ${hint}`];
}

/** Codes that were moved are run under their new address only. */
const toRunOf =
  ({ otherAddress: other }: JobStatus, commandOf: CommandOf): CommandOf =>
  (command, ...more) =>
    other?.isMoved === true && command === "run"
      ? toChangeCommand({ commandOf }, other.wanted)
      : commandOf(command, ...more);

const sayBadDone = ({ badDone }: JobStatus): string =>
  badDone === 0 ? "" : ` in the last run, of which ${formatCount(badDone)} done by an earlier run`;

function toLines(standing: JobStatus, { cwd, commandOf: plain }: Shown): string[] {
  const commandOf = toRunOf(standing, plain);
  const { holder, isCutShort, missingFiles, unfinished, halfway, fresh, uncounted, bad, vanished } =
    standing;
  const { goneInDoubt, from, undone } = standing;
  const files = `, files of ${formatCount(missingFiles)} missing (fetched by: ${commandOf("run")})`;
  const others: readonly (readonly [number, string])[] = [
    [unfinished, `left to do: not yet as the job wants them (changed by: ${commandOf("run")})`],
    [
      halfway,
      `of the done are not finished: the server refused a later call (tried again by: ${commandOf("run")})`,
    ],
    [undone, sayUndone(standing, commandOf)],
    [fresh, `to be made in the place of void codes (made by: ${commandOf("run")})`],
    [bad, `bad ${sayIn(from)}${sayBadDone(standing)}`],
    [vanished, sayNoLonger(from)],
  ];
  return linesOf(
    holder !== null && `runs right now: ${holder}`,
    isCutShort &&
      `the last run did not end: files may be missing or unproven (finished by: ${commandOf("run")})`,
    ...toAddressLines(standing, plain),
    ...toSinceLines(standing, { cwd, commandOf }),
    ...toRowCounts(standing).map(
      ([name, n]) =>
        `${formatCount(n)} ${STATE_WORDS[name] ?? name}${name === "done" && missingFiles > 0 ? files : ""}`,
    ),
    ...others.filter(([n]) => n > 0).map(([n, says]) => `${formatCount(n)} ${says}`),
    uncounted !== undefined && `fresh serials are not counted: ${formatProblem(uncounted, cwd)}`,
    ...toGoneLines(goneInDoubt, commandOf("retry"), from),
  );
}

/** Every run of a report reads the figures anew, and leaves only its files. */
function tellReport(call: Call, job: string, status: JobStatus): void {
  const { lastReport: last, isStarted, ...nothing } = status;
  const madeAt = last ? new Date(last.madeMs).toISOString() : null;
  const folder = last?.folder ?? null;
  const says = last
    ? `last made ${madeAt?.slice(0, 16).replace("T", " ")} UTC, in ${toShortPath(last.folder, call.context.cwd)}`
    : "not made yet";
  call.tell(
    "summary",
    { job, isStarted, ...nothing, madeAt, folder },
    job,
    `  ${says}`,
    "  a report keeps no state: each run reads the figures anew",
  );
}

/** A run that asked first has changed nothing. */
function sayWaiting({ waitsForYes }: JobStatus, commandOf: CommandOf): string[] {
  if (waitsForYes === null) return [];
  const yes = commandOf(waitsForYes, { more: ["--yes"] });
  return [
    `the last ${waitsForYes} asked first and got no yes: it changed nothing (look first: ${commandOf("plan")}; then: ${yes})`,
  ];
}

const sayFound = ({ from }: JobStatus): string => (from === "codes" ? "codes" : "rows");

const sayMoved = ({ movedTo }: JobStatus, cwd: string): string[] =>
  movedTo === undefined
    ? []
    : [
        `${toShortPath(movedTo, cwd)} holds the codes that this job has made: name it with --out, or move it back; a run here makes every code a second time`,
      ];

/** What there is, or that nothing was begun. */
function sayStanding(call: Call, status: JobStatus, commandOf: CommandOf): string[] {
  if (status.isStarted) {
    const lines = toLines(status, { cwd: call.context.cwd, commandOf });
    return lines.length > 0 ? lines : [`the last run found no ${sayFound(status)}`];
  }
  if (status.lost !== undefined) return [formatProblem(status.lost, call.context.cwd)];
  const look = `; to see what a run would do: ${commandOf("plan")}`;
  return [
    `not started${status.waitsForYes === null ? look : ""}`,
    ...sayMoved(status, call.context.cwd),
  ];
}

function tellStatus(call: Call, job: string, status: JobStatus): void {
  const { isStarted, ...standing } = status;
  const commandOf: CommandOf = (...command) => toNextCommand(call, ...command);
  const lines = sayStanding(call, status, commandOf);
  const summary = { job, isStarted, ...standing };
  const said = [...lines, ...sayWaiting(status, commandOf)];
  call.tell("summary", summary, job, ...said.map((line) => `  ${line}`));
}

/** The queues of this program, and which of any program's hold volumes. */
interface Own {
  readonly names: readonly string[];
  readonly isOfVolumes: (queue: string) => boolean;
}

/** Volumes wait for the same makeready on the same Node.js, pages and pictures for the same makeready. */
function sayWhose(queue: string, { names, isOfVolumes }: Own): string {
  const isVolumes = isOfVolumes(queue);
  const what = isVolumes ? [": volumes to draw"] : [];
  const other = isVolumes ? " (of another makeready or Node.js)" : " (of another makeready)";
  return [...what, ...(names.includes(queue) ? [] : [other])].join("");
}

export function listQueue({ database, workers, queues }: QueueStatus, own: Own): string[] {
  return [
    `on ${database}`,
    ...(workers.length === 0 ? ["  no worker is up"] : []),
    ...workers.map(
      ({ host, pid, threads, program, queue, trouble }) =>
        `  worker ${host} ${pid}, ${formatMany(threads, "thread")}, ${program}${sayWhose(queue, own)}${trouble === null ? "" : `: ${trouble}`}`,
    ),
    ...(queues.length === 0 ? ["  no chunk waits"] : []),
    ...queues.map(
      ({ queue, waiting, active, givenUp }) =>
        `  ${formatMany(waiting, "chunk")} waiting, ${formatCount(active)} under way, ${formatCount(givenUp)} given up${sayWhose(queue, own)}`,
    ),
  ];
}

/** Who works on what in a database of `--on`. */
async function tellQueue(call: Call, url: string): Promise<void> {
  const { Queue, readQueue } = await import("../../work/queue.ts");
  const queue = await readQueue(url);
  const program = toProgram(call.context);
  const own: Own = {
    names: [Queue.nameOf(program), Queue.drawNameOf(program)],
    isOfVolumes: (name) => Queue.isOfVolumes(name),
  };
  call.tell("queue", queue, ...listQueue(queue, own));
}

export async function status(call: Call): Promise<void> {
  const on = readSetting(call, "on");
  const { argument } = call.input;
  if (on !== undefined && (argument === undefined || on.from === "--on")) {
    await tellQueue(call, on.text);
    if (argument === undefined) return;
  }
  const opened = await openJob(call);
  const found = await opened.status(call.context);
  const tell = found.lastReport === undefined ? tellStatus : tellReport;
  tell(call, opened.job.name, found);
}
