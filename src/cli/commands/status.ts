import { linesOf } from "../../base/text/lines-of.ts";
import { showKey } from "../../base/shapes/row-key.ts";
import { sayIn, sayNoLonger } from "../../base/shapes/rows-from.ts";
import { toAddressProblem, toChangeCommand } from "../../pipeline/address/public-address.ts";
import type { CommandOf, JobCommand } from "../../pipeline/ports.ts";
import type { JobStatus } from "../../pipeline/standing/status.ts";
import { formatProblem, toShortPath } from "../../base/text/format-problem.ts";
import { andMore, formatCount, formatMany, quoteText } from "../../base/text/words.ts";
import type { QueueStatus } from "../../work/queue.ts";
import type { Job } from "../../kinds/any-job.ts";
import { isRowKind } from "../../kinds/names.ts";
import type { Call } from "../call.ts";
import { sayFiles, sayGone } from "../views/lists.ts";
import { toProgram } from "../far-proof.ts";
import { toNextCommand } from "../../pipeline/standing/next-command.ts";
import { makePorts, openJob } from "../open-job.ts";
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

/** What goes on from there, in brackets, such as `made anew by`; nothing where a run is refused. */
type By = (does: string, command?: JobCommand) => string;

/** How many keys are named on the terminal. */
const KEYS_SHOWN = 10;

function sayGoneKeys({ goneInDoubt: keys, from }: JobStatus, by: By): string | false {
  const shown = keys.slice(0, KEYS_SHOWN).map((key) => quoteText(showKey(key)));
  const names = linesOf(...shown, keys.length > KEYS_SHOWN && "…").join(", ");
  return (
    keys.length > 0 &&
    `${formatCount(keys.length)} ${sayNoLonger(from)} may have a code all the same (${names})${by("looked for by", "retry")}`
  );
}

/** A run over them is no mending: it would do again what was undone. */
function sayUndone(
  { undoneWithoutFiles: lost }: Pick<JobStatus, "undoneWithoutFiles">,
  by: By,
): string {
  const files =
    lost === 0 ? "" : `; files of ${formatCount(lost)} missing${by("fetched by", "undo")}`;
  return `of the done were put back by undo (a new run changes them again)${files}`;
}

const KEPT = {
  bad: "no row is good: the last run kept all finished files as they were",
  mended:
    "the job is again as it was when its files were made: the rows that were bad in the last run are not looked at yet",
} as const;

const CHANGED = {
  spreadsheet: "the spreadsheet has changed since the last run: the files are not made as it says",
  job: "the job has changed since the last run: its files are not made as it says",
  both: "the spreadsheet and the job have changed since the last run: the files are not made as they say",
} as const;

function sayCutShort({ isUndoCutShort }: JobStatus, by: By): string {
  const step = isUndoCutShort === true ? "undo" : "run";
  return `the last ${step} did not end: files may be missing or unproven${by("finished by", step)}`;
}

/** Of a retire and of its undo: what may be left. */
const UNENDED = {
  retire: "some codes may not be filed or deleted yet",
  undo: "some codes may still lie where retire filed them",
} as const;

const toUnendedLine = ({ unendedStep: step }: JobStatus, by: By): string | false =>
  step !== undefined && `the last ${step} did not end: ${UNENDED[step]}${by("finished by", step)}`;

/** What an undo had sent on its way when it was killed may be put back or not. */
const sayUnfinished = ({ isUndoCutShort }: JobStatus, by: By): string =>
  isUndoCutShort === true
    ? `of which nobody knows whether they are put back${by("looked at by", "undo")}`
    : `left to do: not yet as the job wants them${by("changed by")}`;

/** Of a run that was killed: nobody knows which files it made, but its rows are known. */
const MEANWHILE = "changed since that run began: the rows below are those of then";
const CHANGED_MEANWHILE = {
  spreadsheet: `the spreadsheet has ${MEANWHILE}`,
  job: `the job has ${MEANWHILE}`,
  both: `the spreadsheet and the job have ${MEANWHILE}`,
} as const;

/** A run that ended before it noted a row: none of then is shown, and it can only be run again. */
const isCutEarly = ({ isCutShort, rows, unreadable }: JobStatus): boolean =>
  isCutShort && unreadable === undefined && Object.keys(rows).length === 0;

function toSinceLines({ since, unreadable, isCutShort }: JobStatus, by: By, cwd: string): string[] {
  if (unreadable !== undefined)
    return [`the spreadsheet can't be read as the job wants it: ${formatProblem(unreadable, cwd)}`];
  if (since === undefined) return [];
  const { isChanged, changed = "job", missing, damaged, kept, unseen } = since;
  if (unseen !== undefined)
    return [`whether the job has changed is not known: ${formatProblem(unseen, cwd)}`];
  if (isChanged && isCutShort)
    return [`${CHANGED_MEANWHILE[changed]}${by("counted as they are now by", "plan")}`];
  if (isChanged) return [`${CHANGED[changed]} now${by("made anew by")}`];
  const first = kept === "bad" ? "mend the rows, then" : "made anew by";
  const sayLost = (files: readonly string[], one: string, several: string): string | false =>
    files.length > 0 && `${sayFiles(files)} ${files.length === 1 ? one : several}${by(first)}`;
  return linesOf(
    kept !== undefined && `${KEPT[kept]}${by(kept === "bad" ? first : "looked at by")}`,
    sayLost(missing, "is missing", "are missing"),
    sayLost(damaged, "is not as it was written", "are not as they were written"),
  );
}

function sayAddress({ otherAddress: other }: JobStatus, commandOf: CommandOf): string | false {
  const problem = other && toAddressProblem(other, { commandOf });
  return problem !== undefined && `${problem.message}; ${problem.hint}`;
}

/** Codes that were moved are run under their new address only. */
const toRunOf =
  ({ otherAddress: other }: JobStatus, commandOf: CommandOf): CommandOf =>
  (command, ...more) =>
    other?.isMoved === true && command === "run"
      ? toChangeCommand({ commandOf }, other.wanted)
      : commandOf(command, ...more);

const BAD_CODES_SHOWN = 3;

const sayBadDone = ({ badDone, badWithCode, badCodeRows }: JobStatus): string => {
  if (badDone > 0)
    return ` in the last run, of which ${formatCount(badDone)} done by an earlier run`;
  if (badWithCode === 0) return "";
  const named = badCodeRows.slice(0, BAD_CODES_SHOWN).map((row) => sayGone(row));
  return `, of which ${formatCount(badWithCode)} made by an earlier run, left as ${badWithCode === 1 ? "it was" : "they were"}: ${named.join("; ")}${andMore(badWithCode - named.length)}`;
};

/** What is shown of a job, and the commands that go on from there. */
interface Onwards {
  readonly cwd: string;
  readonly commandOf: CommandOf;
  /** What sends to the server again what it refused. */
  readonly again: "run" | "retry";
}

function toLines(standing: JobStatus, { cwd, commandOf: plain, again }: Onwards): string[] {
  const commandOf = toRunOf(standing, plain);
  const by: By = (does, command = "run") =>
    standing.foreign === undefined ? ` (${does}: ${commandOf(command)})` : "";
  const { holder, isCutShort, missingFiles, unfinished, halfway, fresh, uncounted, bad, vanished } =
    standing;
  const { from, undone, foreign, gone } = standing;
  const more: Readonly<Record<string, string>> = {
    ...(missingFiles > 0 && {
      done: `, files of ${formatCount(missingFiles)} not all there, not those that the job asks for, or somebody has changed them${by("fetched by")}`,
    }),
    failed: by("tried again by", again),
  };
  const others: readonly (readonly [number, string])[] = [
    [unfinished, sayUnfinished(standing, by)],
    [
      halfway,
      `of the done are not finished: the server refused a later call${by("tried again by")}`,
    ],
    [undone, sayUndone(standing, by)],
    [fresh, `to be made in the place of void codes${by("made by")}`],
    [bad, `bad ${sayIn(from)}${sayBadDone(standing)}`],
    [vanished, sayNoLonger(from)],
  ];
  return linesOf(
    holder !== null && `runs right now: ${holder}`,
    isCutShort && sayCutShort(standing, by),
    standing.isUnproven === true &&
      `the proof of the last run found faults: print none of its files; the report names each${by("proven again by")}`,
    standing.isProvenSince === true &&
      `the proof of the last run found faults, and verify has found all files right since: report and certificate are still those of that run${by("made anew by")}`,
    toUnendedLine(standing, by),
    foreign !== undefined && formatProblem(foreign, cwd),
    gone !== undefined && formatProblem(gone, cwd),
    sayAddress(standing, plain),
    ...(isCutEarly(standing) ? [] : toSinceLines(standing, by, cwd)),
    ...Object.entries(standing.rows).map(
      ([name, n]) => `${formatCount(n)} ${STATE_WORDS[name] ?? name}${more[name] ?? ""}`,
    ),
    ...others.filter(([n]) => n > 0).map(([n, says]) => `${formatCount(n)} ${says}`),
    uncounted !== undefined && `fresh serials are not counted: ${formatProblem(uncounted, cwd)}`,
    sayGoneKeys(standing, by),
  );
}

type Named = Pick<Job, "name" | "kind">;

/** Every run of a report reads the figures anew, and leaves only its files. */
function tellReport(call: Call, { name: job }: Named, status: JobStatus): void {
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
function sayWaiting({ waitsForYes: step, foreign }: JobStatus, commandOf: CommandOf) {
  if (step === null) return false;
  const yes = commandOf(step, { more: ["--yes"] });
  const next = foreign === undefined ? ` (look first: ${commandOf("plan")}; then: ${yes})` : "";
  return `the last ${step} asked first and got no yes: it changed nothing${next}`;
}

/** What there is, or that nothing was begun. */
function sayStanding(status: JobStatus, onwards: Onwards): string[] {
  const { cwd, commandOf } = onwards;
  const { isStarted, lost, waitsForYes, movedTo, former, from } = status;
  if (isStarted) {
    const lines = toLines(status, onwards);
    const found = from === "codes" ? "codes" : "rows";
    return lines.length > 0 ? lines : [`the last run found no ${found}`];
  }
  if (lost !== undefined) return [formatProblem(lost, cwd)];
  const look = `; to see what a run would do: ${commandOf("plan")}`;
  return linesOf(
    `not started${waitsForYes === null ? look : ""}`,
    movedTo !== undefined &&
      `${toShortPath(movedTo, cwd)} holds the codes that this job has made: name it with --out, or move it back; a run here makes every code a second time`,
    former !== undefined && formatProblem(former, cwd),
  );
}

function tellStatus(call: Call, { name: job, kind }: Named, status: JobStatus): void {
  const { isStarted, ...standing } = status;
  const { cwd } = call.context;
  const commandOf: CommandOf = (...command) => toNextCommand(call, ...command);
  const again = isRowKind(kind) ? "retry" : "run";
  const lines = sayStanding(status, { cwd, commandOf, again });
  const said = linesOf(...lines, sayWaiting(status, commandOf));
  const shown = said.map((line) => `  ${line}`);
  call.tell("summary", { job, isStarted, ...standing }, job, ...shown);
}

/** The queues of this program, and which of any program's hold volumes. */
interface Own {
  readonly names: readonly string[];
  readonly isOfVolumes: (queue: string) => boolean;
}

/** Volumes wait for the same makeready on the same Node.js, pages and pictures for the same makeready. */
function sayWhose(queue: string, { names, isOfVolumes }: Own): string {
  const [what, other] = isOfVolumes(queue)
    ? [": volumes to draw", " (of another makeready or Node.js)"]
    : ["", " (of another makeready)"];
  return names.includes(queue) ? what : `${what}${other}`;
}

export function listQueue({ database, workers, queues }: QueueStatus, own: Own): string[] {
  const busy = queues.filter(({ waiting, active, givenUp }) => waiting + active + givenUp > 0);
  return linesOf(
    `on ${database}`,
    workers.length === 0 && "  no worker is up",
    ...workers.map(
      ({ host, pid, threads, program, queue, trouble }) =>
        `  worker ${host} ${pid}, ${formatMany(threads, "thread")}, ${program}${sayWhose(queue, own)}${trouble === null ? "" : `: ${trouble}`}`,
    ),
    busy.length === 0 && "  no chunk waits",
    ...busy.map(
      ({ queue, waiting, active, givenUp }) =>
        `  ${formatMany(waiting, "chunk")} waiting, ${formatCount(active)} under way, ${formatCount(givenUp)} given up${sayWhose(queue, own)}`,
    ),
  );
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
  const found = await opened.status(makePorts(call));
  const tell = found.lastReport === undefined ? tellStatus : tellReport;
  tell(call, opened.job, found);
}
