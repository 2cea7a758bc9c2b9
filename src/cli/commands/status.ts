import { hasArtwork, mayLackArtwork } from "../../download/download.ts";
import { isRowJob, stateDirOf, type Job } from "../../job/any-job.ts";
import type { ReportJob } from "../../job/select-jobs.ts";
import { readState } from "../../state/find-state.ts";
import type { State } from "../../state/state.ts";
import { readFlag, type CliContext, type Command, type Input } from "../context.ts";
import { toShortPath } from "../format-problem.ts";
import { jobOptions, openJob } from "../pipeline/open-job.ts";
import { findLastReport } from "../pipeline/select/last-report.ts";
import { countUnfinished } from "../pipeline/left.ts";
import { formatCount } from "../words.ts";

/** state -> what it means to a person. */
const STATE_WORDS: Readonly<Record<string, string>> = {
  pending: "not sent yet",
  sending: "on the wire",
  doubt: "in doubt: the answer was lost",
  done: "done",
  failed: "refused by the server",
  conflict: "found on the server, but not clearly the row's",
};

interface Standing {
  readonly rows: Readonly<Record<string, number>>;
  /** Of the done: those whose artwork is not there. */
  readonly missingFiles: number;
  readonly unfinished: number;
  readonly bad: number;
  readonly vanished: number;
  /** Keys of rows that are gone and may have a code all the same. */
  readonly goneInDoubt: readonly string[];
}

const NOTHING: Standing = {
  rows: {},
  missingFiles: 0,
  unfinished: 0,
  bad: 0,
  vanished: 0,
  goneInDoubt: [],
};

/** As many keys are named on the terminal. */
const KEYS_SHOWN = 10;

/** Rows that are done and whose files the next run fetches. */
function countMissingFiles(state: State, job: Job): number {
  if (!isRowJob(job) || job.output.files.length === 0) return 0;
  const { dir, files } = job.output;
  let count = 0;
  for (const row of state.rows(mayLackArtwork(files))) {
    count += Number(!hasArtwork(row, dir, files));
  }
  return count;
}

function toStanding(state: State, job: Job): Standing {
  return {
    rows: state.countByState(),
    missingFiles: countMissingFiles(state, job),
    unfinished: countUnfinished(state, job.kind),
    bad: [...state.badRows()].length,
    vanished: state.count("presence = 'vanished'"),
    goneInDoubt: state.goneRows("state IN ('sending', 'doubt', 'conflict')").map(({ key }) => key),
  };
}

function toGoneLines(keys: readonly string[]): string[] {
  if (keys.length === 0) return [];
  const shown = keys.slice(0, KEYS_SHOWN).map((key) => JSON.stringify(key));
  const names = [...shown, ...(keys.length > KEYS_SHOWN ? ["…"] : [])].join(", ");
  return [
    `${formatCount(keys.length)} gone from the spreadsheet may have a code all the same; makeready retry looks for it: ${names}`,
  ];
}

function toLines(standing: Standing, again: string): string[] {
  const { rows, missingFiles, unfinished, bad, vanished, goneInDoubt } = standing;
  const files = `, files of ${formatCount(missingFiles)} missing (fetched by: ${again})`;
  const others: readonly (readonly [number, string])[] = [
    [unfinished, "of the done are not yet what their rows want"],
    [bad, "bad in the spreadsheet"],
    [vanished, "no longer in the spreadsheet"],
  ];
  return [
    ...Object.entries(rows).map(
      ([name, n]) =>
        `${formatCount(n)} ${STATE_WORDS[name] ?? name}${name === "done" && missingFiles > 0 ? files : ""}`,
    ),
    ...others.filter(([n]) => n > 0).map(([n, says]) => `${formatCount(n)} ${says}`),
    ...toGoneLines(goneInDoubt),
  ];
}

/** Every run of a report reads the figures anew: all that is left of one are its files. */
async function tellReport(context: CliContext, input: Input, job: ReportJob): Promise<void> {
  const last = await findLastReport(job);
  const madeAt = last === undefined ? null : new Date(last.madeMs).toISOString();
  if (readFlag(input, "json")) {
    const summary = { job: job.name, isStarted: last !== undefined, ...NOTHING, madeAt };
    context.out(
      `${JSON.stringify({ type: "summary", ...summary, folder: last?.folder ?? null })}\n`,
    );
    return;
  }
  const says =
    last === undefined
      ? "not made yet"
      : `last made ${madeAt?.slice(0, 16).replace("T", " ")} UTC, in ${toShortPath(last.folder, context.cwd)}`;
  context.out(
    `${job.name}\n  ${says}\n  a report keeps no state: each run reads the figures anew\n`,
  );
}

export const status: Command = {
  name: "status",
  summary: "say where a job stands",
  argument: { name: "job", says: "the manifest", required: true },
  options: jobOptions,
  examples: [
    "makeready status jobs/table-codes.yaml",
    "makeready status jobs/table-codes.yaml --json",
  ],
  exits: [6, 7],
  async run(context, input) {
    const { job } = await openJob(context, input);
    if (job.kind === "report") {
      await tellReport(context, input, job);
      return 0;
    }
    const nowMs = context.clock.nowMs();
    const state = await readState(stateDirOf(job), { writer: context.writer, salt: "", nowMs });
    const standing = state === undefined ? NOTHING : toStanding(state, job);
    state?.close();
    if (readFlag(input, "json")) {
      const isStarted = state !== undefined;
      const summary = { type: "summary", job: job.name, isStarted, ...standing };
      context.out(`${JSON.stringify(summary)}\n`);
      return 0;
    }
    const lines =
      state === undefined
        ? ["not started"]
        : toLines(standing, `makeready run ${toShortPath(job.file, context.cwd)}`);
    context.out(`${job.name}\n${lines.map((line) => `  ${line}\n`).join("")}`);
    return 0;
  },
};
